#!/bin/sh
# Errors and labels as objectives: which places an input comes to, compared with running all inputs of a range natively.
# limit: 120
. "$ROOT/tests/lib/tap.sh"
src=$ROOT/tests/criteria/src
flags="-- -I$ROOT/share"
# list STORE: criterion name line verdict
list() { duct report "$1" --criterion errors,labels | awk -F'\t' '!/^#/ { n = split($4, p, ":"); print $1, $5, p[n-1], $6 }'; }

duct concolic $src/errors.c --entry judge --prove --quiet --time 20 --store j.db --out j $flags >text 2>log
ok $? "a session"
list j.db >got
cat >want <<X
errors abort 11 infeasible
errors assert 12 covered
errors abort 14 covered
errors reach_error 26 covered
errors ERROR 29 infeasible
labels a > b && b == 12 19 covered
labels odd 20 infeasible
labels both 21 covered
X
diff want got >log
ok $? "each place with its verdict"
grep -q "^errors: 3 of 5 covered, 2 infeasible, 0 unknown" text && grep -q "^labels: 2 of 3 covered, 1 infeasible" text
ok $? "both are parts of the summary"
check "and of the JSON object" 'duct report j.db --json | grep -q "\"errors\": {\"total\": 5, \"covered\": 3, \"infeasible\": 2, "'

# the traceability table
duct report j.db --criterion errors --csv >table.csv
check "a table with tests" 'head -1 table.csv | grep -q "^criterion,objective,function,file,line,column,what,verdict,tests,evidence,justification$" &&
	[ "$(grep -c "assert,covered,[0-9]*,test " table.csv)" = 1 ] && [ "$(wc -l <table.csv)" = 6 ]'
name=$(duct report j.db --criterion errors | awk -F'\t' '/ERROR/ { print $2 }')
printf '# reviewed\nerrors\t%s\t"defensive", reviewed\n' "$name" >why
check "a justification is kept" 'duct report j.db --justify why && duct report j.db --criterion errors --csv |
	grep "ERROR,infeasible" | grep -q "\"\"\"defensive\"\", reviewed\"$"'
printf 'errors\t%s\t\n' "$name" >why
check "and taken back" 'duct report j.db --justify why && ! duct report j.db --criterion errors --csv | grep -q defensive'
printf 'errors\tnowhere\tx\n' >why
check "of an objective that there is" '! duct report j.db --justify why 2>log && grep -q "why:1: errors has no objective .nowhere" log'
check "criteria that there are" '! duct report j.db --criterion mcdd 2>log && grep -q "did you mean .mcdc" log &&
	! duct concolic $src/own.c --criterion mcdd 2>log && grep -q "did you mean .mcdc" log'

# runs end at an error function, whatever the program has it do: what follows there is no objective that stays open
cat >both.c <<X
extern void abort(void);
void reach_error(void) { }
int both(int x)
{
	if (x == 5) {
		reach_error();
		abort();
	}
	if (x == 6)
		abort();
	return x;
}
X
duct concolic both.c --entry both --quiet --time 20 >text 2>log
check "an error behind another one" 'grep -q "^errors: 2 of 2 covered" text'

# natively: each input of a range, with what a compiler makes of the untouched source
cat >all.c <<X
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf back;
static char met[100];
static void stop(int line) { met[line] = 1; longjmp(back, 1); }
#define abort() stop(__LINE__)
#include "duct.h"
#undef duct_label
#define duct_label(condition, name) (met[__LINE__] |= (condition) != 0)
#define reach_error() stop(__LINE__)
#define main_of_task main
#include "$src/errors.c"
#undef assert
int main(void)
{
	for (int a = -130; a <= 130; a++)
		for (int b = -130; b <= 130; b++)
			if (!setjmp(back))
				judge(a, b);
	for (int i = 0; i < 100; i++)
		if (met[i])
			printf("%d\n", i);
	return 0;
}
X
sed -e 's/assert(x != 77)/if (!(x != 77)) stop(__LINE__)/' -e 's/^extern void reach_error.*//' -e 's/^#include <assert.*//' -e 's/goto ERROR/stop(29)/' $src/errors.c >copy.c
sed -i "s|#include \"$src/errors.c\"|#line 1\n#include \"copy.c\"|" all.c
cc -w -I"$ROOT/share" -I. -o all all.c >log 2>&1 && ./all >native
awk '$NF == "covered" { print $(NF - 1) }' got | sort -n >claimed
diff native claimed >log
ok $? "covered are those that some input of a range comes to natively"
make -C j check CFLAGS="-I$ROOT/share" >log 2>&1
ok $? "the tests run against the untouched source"

duct concolic $src/errors.c --entry loop --prove --quiet --time 10 --store l.db $flags >log 2>&1
list l.db >got
duct concolic $src/errors.c --entry loop --criterion boundaries --prove --quiet --time 10 --runs 5 --store k.db $flags >log 2>&1
duct concolic $src/errors.c --entry loop --criterion boundaries --quiet --time 10 --runs 2 --store k.db $flags >log 2>&1
infeasible() { duct report k.db --session $1 --criterion boundaries | grep "	infeasible	proof" | cut -f2; }
check "proofs of boundaries hold in a later session of the same question" 'infeasible 1 >log && [ -s log ] && infeasible 2 | diff log - >diffs'
check "behind a loop" '[ "$(sort got | tr "\n" ,)" = "errors ERROR 44 infeasible,errors abort 41 covered,errors abort 44 infeasible," ]'

duct concolic $src/own.c --prove --quiet --time 10 --store o.db >log 2>&1
list o.db >got
check "an error function of the program's own" '[ "$(tr "\n" , <got)" = "errors abort 4 covered,errors reach_error 4 covered," ]'

# what leads there is not one condition: a proof of the place itself, and none where the table may be another
cat >table.c <<X
#include <stdlib.h>
static int bad(int x) { abort(); return x; }
static int good(int x) { return x; }
static int (*const table[])(int) = { good, bad };
int pick(int n) { if (n == 3) return 0; return table[0](n); }
X
duct concolic table.c --entry pick --prove --quiet --time 5 --store t.db >log 2>&1
check "a function whose address is taken" 'list t.db | grep -q "^errors abort 2 infeasible" && duct report t.db --criterion errors | grep -q "	proof: "'
sed 's/static int (\*const table/int (*table/' table.c >open.c
duct concolic open.c --entry pick --prove --quiet --time 5 --store u.db >log 2>&1
check "and that others may call" '! list u.db | grep -q infeasible && list u.db | grep -q "^errors abort 2 unknown"'
printf '#include <stdlib.h>\nint f(int n) { if (n == 3) exit(1); abort(); }\n' >first.c
duct concolic first.c --entry f --prove --quiet --time 5 --store f.db >log 2>&1
check "behind a call that may end the program" 'list f.db | grep -q "^errors abort 2 covered"'

# shares and merged stores tell the same
duct concolic $src/errors.c --entry judge --quiet --time 20 --jobs 2 --store jobs.db $flags >log 2>&1
check "several processes" 'list jobs.db | grep covered >a; grep covered want | sort >b; sort a | diff b - >log'
check "merged stores" 'duct farm --merge all.db j.db l.db >log 2>&1 && list all.db | sort >a && { list j.db; list l.db; } | sort | diff - a >log'
finish
