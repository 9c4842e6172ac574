#!/bin/sh
# Property files of Test-Comp and SV-COMP, as they are published.
# limit: 60
. "$ROOT/tests/lib/tap.sh"
cat >task.c <<X
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error() { __assert_fail("0", "task.c", 4, "reach_error"); }
int main(void)
{
	int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
	if (x > 10 && x + y == 4711 && y % 3 == 1)
		reach_error();
	return x < y;
}
X
sed 's/&& x + y/\&\& x < 5 \&\& x + y/' task.c >safe.c
echo 'COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )' >branches.prp
echo 'COVER( init(main()), FQL(COVER EDGES(@CONDITIONEDGE)) )' >conditions.prp
echo 'COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )' >statements.prp
echo 'COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )' >error.prp
echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >call.prp
echo 'CHECK( init(main()), LTL(G ! overflow) )' >overflow.prp
echo 'CHECK( init(main()), LTL(F end) )' >end.prp
echo 'nothing' >none.prp

for p in error call; do
	duct concolic task.c --property $p.prp --quiet --time 20 >text 2>log
	check "$p.prp: an input that calls it" 'grep -q "^targets: 1 of 1 covered" text'
	duct concolic safe.c --property $p.prp --prove --quiet --time 20 >text 2>log
	check "$p.prp: a proof that there is none" 'grep -q "^targets: 0 of 1 covered, 1 infeasible" text'
done
sed '/^void reach_error/s/.*/extern void reach_error(void);/' task.c >outside.c
duct concolic outside.c --property error.prp --quiet --time 20 >text 2>log
check "a call of a function that others define" 'grep -q "^targets: 1 of 1 covered" text'
for c in branches conditions statements; do
	duct concolic task.c --property $c.prp --quiet --time 10 >text 2>log
	check "$c.prp" 'grep -q "^$c: [0-9]* of [0-9]* covered" text'
done
duct concolic task.c --property overflow.prp --quiet --time 10 >text 2>log
check "faults" 'grep -q "overflow" text'
check "a property that duct does not know" '! duct concolic task.c --property end.prp --quiet >text 2>log; grep -q "end.prp: not supported: LTL(F end)" log'
check "a file without one" '! duct concolic task.c --property none.prp --quiet >text 2>log; grep -q "none.prp: no line of the kind" log'
check "no file" '! duct concolic task.c --property nowhere --quiet >text 2>log; grep -q "nowhere" log'
finish
