#!/bin/sh
# Types what the tutorials print in literal displays, each page in a folder of its own.
# limit: 200
. "$ROOT/tests/lib/tap.sh"

# commands PAGE: the displays, as mandoc would show them.
commands() {
	awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 } on' "$ROOT/man/man7/$1.7" | sed 's/\\e/\\/g'
}

for page in duct-adopt duct-strategy; do
	mkdir $page && cd $page || exit 4
	{ echo 'set -e'; commands $page; } >../$page.sh
	sh ../$page.sh >log 2>&1
	ok $? "$page: every command"
	cp log ../$page.log
	cd ..
done
cp duct-adopt.log log
check "duct-adopt: four outcomes are open after the suite" 'grep -q "^branches: .* 0 infeasible, 4 unknown" log'
check "duct-adopt: all are covered or proved infeasible in the end" '
	grep "^branches:" log | tail -n 1 | grep -q " 0 unknown; coverage 100.0 %"'
check "duct-adopt: pages are written" '[ -s duct-adopt/lid/html/index.html ] && grep -q "^end_of_record" duct-adopt/lid/lid.info'
cp duct-strategy.log log
check "duct-strategy: both find all five ways" '[ $(grep -c "^branches: 8 of 8 covered" log) = 2 ]'
check "duct-strategy: fewer than 60 lines" '[ $(wc -l <duct-strategy/climb.lua) -lt 60 ]'
finish
