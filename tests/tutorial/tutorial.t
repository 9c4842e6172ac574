#!/bin/sh
# Types what the tutorials print in literal displays, each page in a folder of its own.
# limit: 200
. "$ROOT/tests/lib/tap.sh"

# The displays of a page, as mandoc would show them.
displays() { awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 } on' | sed 's/\\e/\\/g'; }

for page in duct-adopt duct-strategy; do
	mkdir $page && cd $page || exit 4
	{ echo 'set -e'; displays <"$ROOT/man/man7/$page.7"; } >../$page.sh
	sh ../$page.sh >log 2>&1
	ok $? "$page: every command"
	cp log ../$page.log
	cd ..
done
# The first pipelines of duct(7): the five systems end with the same coverage as the strategies.
mkdir duct && cd duct || exit 4
{ echo 'set -e'; sed -n '/^\.Ss A first pipeline/,/^\.Ss Paths/p' "$ROOT/man/man7/duct.7" | displays; } >../duct.sh
sh ../duct.sh >../duct.log 2>&1
ok $? "duct: every command"
cd ..
cp duct.log log
grep '^covered' log >covered
for strategy in concolic ippc dft flowtest latest; do
	kind=branches
	[ $strategy = dft ] && kind=pairs
	duct $strategy duct/order.c --entry order --calls 1 --json --quiet | tr -d '\n' |
		sed "s/.*\"$kind\": {\"total\": \([0-9]*\), \"covered\": \([0-9]*\).*/covered \2 of \1\n/"
done >want
check "duct: its five pipelines cover what the strategies do" '[ $(wc -l <covered) = 5 ] && cmp covered want'
cp duct-adopt.log log
check "duct-adopt: four outcomes are open after the suite" 'grep -q "^branches: .* 0 infeasible, 4 unknown" log'
check "duct-adopt: all are covered or proved infeasible in the end" '
	grep "^branches:" log | tail -n 1 | grep -q " 0 unknown; coverage 100.0 %"'
check "duct-adopt: pages are written" '[ -s duct-adopt/lid/html/index.html ] && grep -q "^end_of_record" duct-adopt/lid/lid.info'
cp duct-strategy.log log
result_of() { awk -v of="./$1 of" 'index($0, of) { on = 1 } on && /^branches:/ { print; exit }' log; }
check "duct-strategy: plain concolic testing, a search and partial constraints find all five ways" '
	[ $(grep -c "^branches: 8 of 8 covered" log) = 3 ]'
check "duct-strategy: next_path and concretize: all that is feasible" 'result_of lazy.lua | grep -q "13 of 14 covered, 0 infeasible"'
check "duct-strategy: LATEST by its own strategy covers the same" '
	duct latest duct-strategy/pair.c --entry pair --string s=4 --calls 1 --quiet >out && grep -q "^branches: 13 of 14 covered" out'
check "duct-strategy: search and proof" 'result_of prove.lua | grep -q "5 of 6 covered, 1 infeasible"'
check "duct-strategy: search, solving, abstraction and proof in one loop" '
	result_of all.lua | grep -q "15 of 16 covered, 1 infeasible"'
check "duct-strategy: which is of 41 lines" '[ $(wc -l <duct-strategy/all.lua) = 41 ]'
check "duct-strategy: a wrong argument is told with its line, as the page says" '
	grep -qFx "duct: ./wrong.lua:1: session:solve: argument 1 is string \`x\`, not an open branch" log'
finish
