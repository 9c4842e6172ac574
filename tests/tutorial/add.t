#!/bin/sh
# "Where to add something" of duct-internals(7): for seven kinds, tests/tutorial/add has a change of the size of a commit.
# All are applied to a copy of the tree, built, and used.
# limit: 400
. "$ROOT/tests/lib/tap.sh"

mkdir tree && cd tree || exit 4
for part in bin lib lua man share tools Makefile; do cp -a "$ROOT/$part" .; done
cp -a "$BUILD" build
for kind in search layer stage record library report command; do
	patch -p1 -s --no-backup-if-mismatch <"$ROOT/tests/tutorial/add/$kind.patch" >../log 2>&1
	ok $? "$kind: the change applies"
done
unset BUILD LIBEXEC DUCT_BUILD
tool=build/libexec/duct
# Compiled without optimisation, because these programs run for a second only.
make -s -j2 OPT=-O0 $tool/solve $tool/prove $tool/report $tool/partition $tool/duct $tool/instrument >../log 2>&1 &&
	make -s -j2 OPT=-O0 -o $tool/instrument build/lib/libductrt.a build/lib/libductmodels.a >../log 2>&1
ok $? "it builds"
PATH=$PWD/bin:$PWD/$tool:$PATH
cd ..

cat >f.c <<'END'
#define _GNU_SOURCE
#include <string.h>
static int g(int n) { return n; }
int f(unsigned a, int n)
{
	char b[4];
	memcpy(b, &a, 4);
	memfrob(b, 4);
	if (n > 3 && n < 3)
		return g(n);
	if (n == 7)
		return 3;
	return !memcmp(b, "duct", 4) ? 1 : 0;
}

END
duct concolic f.c --entry f --search deepest --layers simplify,zeros --store s.db --keep all --stats >json 2>log
ok $? "search: a session"
printf '#inputs 1 test\ninput\t1\nv\tn\ti\t32\t7\nrun\nend\t3\n' >seven
duct instrument -o f f.c --entry f && run-trace ./f <seven >trace
solve --flip all -l zeros -s trace >log 2>&1
check "layer: answers" 'grep -q "^layer	zeros	[1-9]" log'
check "library: the model of memfrob loses nothing" '! grep -q memfrob json'
duct report s.db --branches >log
check "library: the string that it makes is found" 'grep -q "memcmp.*p:true	covered" log && grep -q "memcmp.*p:false	covered" log'
check "report: names the function that no test enters, and no other" '
	duct report s.db --untouched >log && [ "$(cat log)" = "f.c:3 g" ]'
duct size --help >help && duct size s.db >log && duct size --json s.db >list
check "command: takes a store, and its options have help" '
	grep -qx "branches 8, pairs [0-9]*" log && grep -qx "{\"branches\": 8, \"pairs\": [0-9]*}" list && grep -q "^  --json " help && ! grep -q "^  --time " help'
duct cfg-dump f.c >flow && defuse -e f flow >pairs && cutpoints -f flow pairs >goals && prove -s anywhere -f flow goals >log
check "stage: proves what no state leads to" 'grep -q "infeasible	anywhere: no state leads there" log && ! grep -q "unknown	anywhere" log'
printf '#trace 1 test\nend\t0\n' >none
printf '#blocks 1 test\nblock\t1\ninput\t1\ta\ninput\t1\tb\nblock\t2\ninput\t2\tc\nsize\t1\t2\nend\t6\n' >two
check "record: is written" 'partition --final --blocks two none >log 2>&1; grep -q "^size	1	2" log && grep -q "^size	2	1" log'
sed 's/size	1	2/size	1	1/' two >wrong
check "record: is checked, with its place" 'partition --final --blocks wrong none >log 2>&1; [ $? = 3 ] && grep -q "wrong:7: the block has 2 inputs" log'
finish
