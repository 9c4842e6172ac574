#!/bin/sh
# Decisions of five to twelve conditions: all that can be covered of MC/DC is, in ten seconds each, by at most twice as many
# tests as there have to be (one more than conditions), as clang measures them.
# limit: 90
. "$ROOT/tests/lib/tap.sh"
src=$ROOT/tests/criteria/src/hard.c
for f in permitted alarm valid digit resolve; do
	duct concolic "$src" --entry $f --criterion mcdc --quiet --time 10 --store $f.db >text 2>&1
	duct report $f.db --criterion mcdc >list
	many=$(grep -c "^mcdc	" list)
	duct report $f.db --minimal --out $f >log 2>&1
	tests=$(sed -n 's/^# \([0-9]*\) of .*/\1/p' log)
	check "$f: each of $many conditions decides by itself" '[ "$many" -ge 5 ] && [ "$(grep -c "	covered	" list)" = "$many" ]'
	check "$f: in $tests tests" '[ "$tests" -le $((2 * (many + 1))) ]'
	make -C $f check CC=clang-19 CFLAGS="-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc" >log 2>&1 &&
		llvm-profdata-19 merge -o $f.data $f/*.profraw >>log 2>&1 &&
		llvm-cov-19 show --show-mcdc --instr-profile=$f.data $f/tests "$src" >$f.llvm 2>>log
	check "$f: clang says so of these tests" '[ "$(grep -c "C[0-9]*-Pair: covered" $f.llvm)" = "$many" ]'
done
finish
