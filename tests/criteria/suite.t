#!/bin/sh
# Criteria of a recorded suite, compared with what clang measures of the same program and tests.
# limit: 120
. "$ROOT/tests/lib/tap.sh"
cat >main.c <<X
#include <stdlib.h>
#include "$ROOT/tests/criteria/src/decisions.c"
static int unused(int x) { return x && x < 3; }
int main(int argc, char **argv)
{
	int v[6] = { 0 };
	for (int i = 1; i < argc && i < 7; i++)
		v[i - 1] = atoi(argv[i]);
	if (argc > 20)
		return unused(argc);
	return five(v[0], v[1], v[2], v[3], v[4]) + chain(v[0], v[1], v[2], v[3], v[4], v[5]) > 40;
}
X
cat >suite.sh <<'X'
while read -r line; do
	$1 $line || exit 1
done <<Y
1 1 0 0 0
0 1 0 0 0
1 0 0 0 0
1 0 3 9 0
0 0 3 9 5
1 2 3 4 5 6
1 2 3 4 5 7
1 2 3 4 0 6
9 0 0 0 0
0 0 0 9 9
0 0 0 0 0 9
Y
X
duct cc -g -o woven main.c >log 2>&1 && duct cover -q --store s.db -- sh suite.sh ./woven >log 2>&1
ok $? "a suite is recorded"
clang-19 -w -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -o plain main.c >log 2>&1 &&
	LLVM_PROFILE_FILE=$PWD/%p.profraw sh suite.sh ./plain && llvm-profdata-19 merge -o data ./*.profraw &&
	llvm-cov-19 show --show-mcdc --instr-profile=data plain "$ROOT/tests/criteria/src/decisions.c" >llvm 2>log &&
	llvm-cov-19 report --show-functions --instr-profile=data plain main.c "$ROOT/tests/criteria/src/decisions.c" >functions 2>log
ok $? "clang measures it"
awk '/Condition C[0-9]+ -->/ { match($0, /C[0-9]+/); c = substr($0, RSTART, RLENGTH); match($0, /\([0-9]+:[0-9]+\)/)
		at[c] = substr($0, RSTART + 1, RLENGTH - 2) }
	/C[0-9]+-Pair:/ { match($0, /C[0-9]+/); c = substr($0, RSTART, RLENGTH); if ($0 ~ /: covered/) print at[c] }' llvm | sort >theirs
duct report s.db --criterion mcdc | awk -F'\t' '/decisions.c/ && $6 == "covered" { n = split($4, p, ":"); print p[n-1] ":" p[n] }' | sort >ours
check "the same conditions decide by themselves" 'diff theirs ours >log && [ "$(wc -l <ours)" -gt 5 ]'
duct report s.db --criterion functions | awk -F'\t' '!/^#/ { print $5, $6 == "covered" }' | sort >ours
awk '$1 ~ /^[a-z_.]+(:[a-z_]+)?$/ && $2 ~ /^[0-9]+$/ && $1 != "TOTAL" { sub(/.*:/, "", $1); print $1, $3 < $2 }' functions | sort >theirs
check "the same functions are entered" 'diff theirs ours >log'
duct cover -q --append --criterion mcdc,functions,decisions --store s.db -- ./woven 1 1 0 0 0 2>said
duct report s.db --criterion mcdc,functions,decisions | awk -F'\t' '!/^#/ && NF > 5 { n[$1]++; c[$1] += $6 == "covered" }
	END { for (k in n) print "cover: " k ": " c[k] " of " n[k] " covered" }' | sort >want
check "cover says how much of each" 'sort said | diff - want >log && [ "$(wc -l <want)" -ge 2 ]'

# Inserted objectives, errors, labels and calls: the suite of a program whose results a person can tell.
cat >small.c <<'X'
#include <assert.h>
#include <stdlib.h>
#include "duct.h"
static int sum(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += i;
	return s;
}
static int kind(int x)
{
	duct_label(x == 7, "seven");
	duct_label(x < 0, "negative");
	return x < 10 ? 1 : 2;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	assert(n != 99);
	if (n == 50)
		abort();
	return sum(n) + kind(n) > 1000;
}
X
list=errors,labels,control-coupling,boundaries,loops,mutants,call-sequences,all-du-paths
duct cc --criterion $list -I"$ROOT/share" -o small small.c >log 2>&1
ok $? "a program is built for criteria that are woven in"
covered() { duct report small.db --criterion "$1" | awk -F'\t' '!/^#/ { print $5 ": " $6 }' | grep -v duct_reached; }
duct cover -q --criterion $list --store small.db -- sh -c './small 0; ./small 1; ./small 7' 2>said
covered errors >log
check "errors that no test reaches" '[ "$(grep -c unknown log)" = 2 ] && ! grep -q covered log'
covered labels >log
check "a label" 'grep -q "^seven: covered" log && grep -q "^negative: unknown" log'
covered loops >log
check "loops that are left at once, after a round, and go on" '[ "$(grep -c ": covered" log)" = 3 ] && [ "$(wc -l <log)" = 3 ]'
covered control-coupling >log
check "calls" 'grep -q "^sum: covered" log && grep -q "^kind: covered" log'
covered boundaries >log
check "boundaries" 'grep -q "x == 7: covered" log && grep -q "x == 10: unknown" log && grep -q "i == n - 1: covered" log'
covered mutants >log
check "mutants: s -= i is told from s += i by 7, x <= 10 from x < 10 by nothing" \
	'grep -q "s -= i.: covered" log && grep -q "x <= 10.: unknown" log'
duct cover -q --append --criterion $list --store small.db -- sh -c './small 10; ./small -1; ./small 50; ./small 99' 2>said
covered mutants >log
check "now by 10" 'grep -q "x <= 10.: covered" log'
covered errors >log
check "tests that are aborted reach errors" '[ "$(grep -c ": covered" log)" = 2 ]'
for c in $(echo $list | tr , ' '); do
	duct report small.db --criterion $c | awk -F'\t' -v c=$c '!/^#/ && NF > 5 { n++; k += $6 == "covered" }
		END { print "cover: " c ": " k + 0 " of " n + 0 " covered" }'
done >want
check "cover says the same" 'grep "^cover: [a-z-]*: [0-9]* of" said | diff want - >log'
duct cover -q --criterion loops --store other.db -- ./woven 1 2>log
check "a program without them: how to build it" 'grep -q "make CC=\"duct cc --criterion loops\"" log'
duct cover --criterion targets --store other.db -- ./woven 1 2>log
check "targets are of sessions" '[ $? != 0 ] || grep -q "a suite has none" log'

# setjmp(): lines behind calls that exit() and longjmp() left are covered only if gcov counts them
cat >jumps.c <<'X'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf back;
static int depth;
static void leave(int now)
{
	if (now)
		exit(0);
	depth++;
}
static void jump(int now)
{
	if (now)
		longjmp(back, 1);
	depth++;
}
static int work(int k)
{
	int r = 1;
	if (setjmp(back))
		return -1;
	leave(k == 1);
	r += 3;
	jump(k == 2);
	r += 4;
	return r;
}
int main(int argc, char **argv)
{
	int r = work(argc > 1 ? atoi(argv[1]) : 0);
	printf("%d\n", r);
	return 0;
}
X
gcc -w --coverage -o counted jumps.c 2>log && duct cc -w -o jumps jumps.c 2>>log
for k in 0 1 2; do
	rm -f ./*.gcda j.db
	./counted $k >log && gcov -t counted-jumps.gcno 2>>log | awk -F: '$1 ~ /####/ { print $2 + 0 }' >never
	duct cover -q --store j.db -- ./jumps $k >log 2>&1
	duct report j.db --criterion statements | awk -F'\t' '$6 == "covered" { n = split($4, p, ":"); print p[n-1] }' | sort -n >got
	check "jumps, test $k: no line that gcov saw no run of is covered" '[ -s got ] && [ -s never ] && ! grep -Fxf never got'
done
finish
