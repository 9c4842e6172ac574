#!/bin/sh
# duct mutants: what is said to be killed or alive, compared with mutants that are made by hand.
# limit: 120
. "$ROOT/tests/lib/tap.sh"
# Some mutants do not end: for so many seconds a test of theirs runs.
export DUCT_TEST_SECONDS=1
cat >m.c <<X
#define ADD(x, y) ((x) + (y))
int m(int a, int b)
{
	int seen = a & 1;
	int r = 0;
	if (a < b)
		r = a - b;
	while (r < -3)
		r = ADD(r, 2);
	return r + (seen > 5);
}
X
duct concolic m.c --entry m --range a=-9..9 --range b=-9..9 --criterion mutants --quiet --time 20 --store m.db --out t >log 2>&1
duct mutants m.db >said 2>log
ok $? "mutants are tried"
# by_hand PATTERN REPLACEMENT TEXT: with that change to the source, do the tests fail exactly when TEXT is said to be killed?
by_hand() {
	rm -rf hand && mkdir hand && cp -r t hand/t && sed "s/$1/$2/" m.c >hand/m.c
	cmp -s m.c hand/m.c && { echo "no change: $1" >log; ok 1 "$3"; return; }
	if make -s -C hand/t check CFLAGS=-w >log 2>&1; then way=alive; else way=killed; fi
	grep -F "$3	" said >>log
	[ "$(grep -F "$3	" said | cut -f4)" = "$way" ]
	ok $? "$3: $way"
}
by_hand 'a < b' 'a <= b' '`a < b` as `a <= b`'
by_hand 'a < b' 'a != b' '`a < b` as `a != b`'
by_hand 'a - b' 'a + b' '`a - b` as `a + b`'
by_hand 'a & 1' 'a | 1' '`a & 1` as `a | 1`'
by_hand '	r = a - b;' '	;' '`r = a - b` left out'
check "both kinds are among them" 'grep -q "	killed$" said && grep -q "	alive$" said'
check "some are infeasible already" 'grep -q "^m.c:10:.*	infeasible	-$" said'
check "in the body of a macro they are not tried" 'grep "the macro.s" said >log && [ -s log ]; ! grep -q "	alive$\|	killed$" log'
cat >arg.c <<'X'
#define WHEN(c, x) if (c) x
int m(int a, int b)
{
	int r = 0;
	WHEN(a < b && b > 4, r = b - 2);
	return r;
}
X
duct concolic arg.c --entry m --range a=-9..9 --range b=-9..9 --criterion mutants --quiet --time 20 --store arg.db --out u >log 2>&1
duct mutants arg.db >macro 2>log
check "an argument of a macro has its own text and place" '[ "$(cut -f1,2 macro | grep -c "^arg.c:5:9	.a < b\|^arg.c:5:18	.b > 4\|^arg.c:5:29	.b - 2\|^arg.c:5:25	.r = b")" = "$(($(wc -l <macro) - 2))" ] && ! grep "not tried" macro'
mv said said.m; mv macro said; mv m.c m.own; mv t t.own; cp arg.c m.c; mv u t; sed -i "s/arg\.c/m.c/" t/tests.c t/Makefile
by_hand 'a < b' 'a <= b' '`a < b` as `a <= b`'
by_hand 'b - 2' 'b * 2' '`b - 2` as `b * 2`'
mv said.m said; mv m.own m.c
check "the counts" 'tail -n 1 said | grep -q "^# [0-9]* mutants: [0-9]* killed weakly; of these [0-9]* strongly, [0-9]* alive$" &&
	[ "$(tail -n 1 said | sed "s/.*these \([0-9]*\) .*/\1/")" = "$(grep -c "	killed$" said)" ]'
duct concolic m.c --entry m --quiet --runs 5 --store n.db >log 2>&1
check "a store without mutants" '! duct mutants n.db 2>log; grep -q "no session for mutants" log'
check "no store" '! duct mutants 2>log; grep -q "mutants takes a store" log'
finish
