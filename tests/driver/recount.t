#!/bin/sh
# duct recount: what a store calls covered, held against clang's count of its tests on the untouched sources.
# waits
# limit: 60
. "$ROOT/tests/lib/tap.sh"
cat >a.c <<'X'
#include <stdlib.h>
#include <string.h>
int place(int n)
{
	char *a = malloc(24);
	int r = 2;

	if (!a)
		return -1;
	if (((unsigned long)a & 15) == 0)
		r = 1;
	if (n > 5 && r == 1)
		n++;
	free(a);
	return n + r;
}
X
cat >b.c <<'X'
#include "b.h"
int sum(const int *v, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += CLAMP(v[i]);
	switch (s) {
	case 3: return 1;
	case 4: return 2;
	}
	return s > 7 ? 3 : 0;
}
int main(int argc, char **argv)
{
	if (argc > 1 && argv[1][0] == 'x')
		abort();
	return getenv("FOO") ? 3 : 0;
}
X
printf '#include <stdlib.h>\n#define CLAMP(x) ((x) > 9 ? 9 : (x))\n' >b.h

mkdir include && mv b.h include
duct test b.c --time 20 -- -Iinclude >text 2>&1
here=$PWD
(cd / && duct recount "$here/b-duct") >log 2>&1
ok $? "all of it is taken, from any folder"
check "each entry has a line" 'grep -q "^sum: the untouched program takes branches \([0-9]*\) of \1, pairs \([0-9]*\) of \2$" log &&
	grep -q "^main: the untouched program takes branches \([0-9]*\) of \1" log'
check "and the report says what it said" 'duct report b-duct --branches >log; [ "$(grep -c "	covered	" log)" -ge 14 ]'
duct recount b-duct --json >list 2>log
check "as JSON" 'sqlite3 :memory: "SELECT count(*) FROM (SELECT value FROM json_each('"'[' || replace(trim(readfile('list'), char(10)), char(10), ',') || ']'"')) WHERE value ->> '"'\$.branches.missed'"' = 0" >log && [ "$(cat log)" = 2 ]'

# A claim that is not true, as a wrong model of C would make it: an outcome of which no test is.
duct concolic b.c --entry sum --len v=1 --range n=1..1 --range 'v[0]=0..3' --store n.db --quiet -- -Iinclude >text 2>&1
sqlite3 n.db "UPDATE objective SET verdict = 'covered', evidence = 'test 1' WHERE kind = 'branch' AND goal IN
	(SELECT id FROM branch WHERE condition = 's > 7' AND side = 'true');
	UPDATE objective SET verdict = 'covered', evidence = 'test 1' WHERE kind = 'pair' AND goal IN
	(SELECT id FROM pair WHERE variable = 's' AND kind = 'p:true');"
duct recount n.db >log 2>&1
is $? 1 "a false claim: status 1"
check "its place is told" 'grep -q "^  unknown now: b.c:12:9 true: s > 7$" log'
check "and it is unknown, with the reason" 'duct report n.db --branches >log; grep "s > 7.*p:true" log | grep -q "unknown	.*; the untouched program does not take it"'

# The model's addresses are of no build: duct test itself looks.
duct test a.c:place --time 20 >text 2>&1
duct recount a-duct >log 2>&1
ok $? "duct test has withdrawn what another build does not do"
check "what depends on addresses is no claim" 'cp text log; ! grep -q "not run on the untouched program" text'

# Functions of the program with names of the C library, which the tests' runner calls, too, in the entry's file and in others.
cat >names.c <<'X'
int write(char x);
static int dup2(int a) { return a + 1; }
int mount(int a) { return a > 3 ? 1 : 0; }
int exit(int *a) { return *a > 3 ? dup2(1) : write('x'); }
X
cat >others.c <<'X'
int waitpid(int a) { return a == 7; }
int write(char x) { return waitpid(x); }
X
duct test names.c others.c --store names.db --out names.d >text 2>&1
check 'functions of the program with names of the C library' 'make -s -C names.d check >log 2>&1 && ! grep "not ok" log && grep " 0 failed" log &&
	duct recount names.db >log && grep -q "^exit: the untouched program takes branches 2 of 2" log &&
	grep -q "^mount: the untouched program takes branches 2 of 2" log'

# The compiler knows fmax and has an instruction for it.
cat >fmax.c <<'X'
double fmax(double x, double y)
{
	if (x < y)
		return y;
	return x;
}
X
duct concolic fmax.c --entry fmax --store m.db --quiet >text 2>&1
check "a function of the program's own that the C library has, too" 'duct recount m.db >log 2>&1 &&
	grep -q "^fmax: the untouched program takes branches 2 of 2" log'

duct concolic "$ROOT/tests/environment/programs/children.c" --runs 4 --store f.db --quiet >text 2>&1
check "clang's counts of several processes do not add up" '! duct recount f.db >log 2>&1 &&
	grep -q "^main: not recounted: it forks: " log'

duct cover --store c.db -- true >log 2>&1
check "wrong use" '! duct recount >log 2>&1 && ! duct recount nosuch.db >>log 2>&1 && [ "$(grep -c "takes a store" log)" = 2 ]'

# Tests of a store run confined: nothing is written outside, none lasts.
cat >evil.c <<'X'
#include <stdio.h>
#include <unistd.h>
int evil(int n)
{
	FILE *f = fopen(PLACE "/escaped", "w");

	if (n > 3)
		pause();
	return f != NULL;
}
X
duct concolic evil.c --entry evil --store e.db --quiet --time 5 -- "-DPLACE=\"$PWD\"" >text 2>&1
duct recount e.db --time 10 >log 2>&1
check "tests of a store cannot write" '[ ! -e escaped ]'
