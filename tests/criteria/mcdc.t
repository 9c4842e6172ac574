#!/bin/sh
# Claims of MC/DC, branches, lines and functions against what clang measures of the emitted tests, whose sources duct did not touch.
# limit: 120
. "$ROOT/tests/lib/tap.sh"
src=$ROOT/tests/criteria/src/decisions.c

# conditions FILE: what llvm-cov says of each condition of a decision: LINE:COL covered|open
conditions() {
	awk '/Condition C[0-9]+ -->/ { match($0, /C[0-9]+/); c = substr($0, RSTART, RLENGTH); match($0, /\([0-9]+:[0-9]+\)/)
			at[c] = substr($0, RSTART + 1, RLENGTH - 2) }
		/C[0-9]+-Pair:/ { match($0, /C[0-9]+/); c = substr($0, RSTART, RLENGTH)
			print at[c], ($0 ~ /: covered/ ? "covered" : "open") }' "$1" | sort -u
}
# claims LIST UNSUPPORTED: what duct says: LINE:COL verdict, but of lines that clang does not measure
claims() { awk -F'\t' 'NR == FNR { no[$1] = 1; next } !/^#/ { n = split($4, p, ":"); if (!no[p[n-1]]) print p[n-1] ":" p[n], $6 }' \
	"$2" "$1" | sort -u; }

for f in five chain coupled value; do
	time=6
	[ $f = value ] && time=1.5 # its loops have more paths than any time
	duct concolic "$src" --entry $f --criterion mcdc,statements --quiet --runs 800 --time $time --store $f.db --out $f >log 2>&1
	ok $? "$f: a session for mcdc"
	duct report $f.db --criterion mcdc >$f.mcdc
	make -C $f check CC=clang-19 CFLAGS="-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc" >log 2>&1
	ok $? "$f: its tests pass with clang"
	sed -n 's/.*decisions.c:\([0-9]*\):.*unsupported MC\/DC.*/\1/p' log >$f.unsupported
	llvm-profdata-19 merge -o $f.data $f/*.profraw >log 2>&1 &&
		llvm-cov-19 show --show-mcdc --instr-profile=$f.data $f/tests "$src" >$f.llvm 2>log
	conditions $f.llvm >$f.theirs
	echo 0 >>$f.unsupported
	claims $f.mcdc $f.unsupported >$f.ours
	awk 'NR == FNR { if ($2 == "covered") has[$1] = 1; next } $2 == "covered" && !has[$1] { print; bad = 1 }
		END { exit bad || !NR }' $f.theirs $f.ours >log
	ok $? "$f: what is said to be covered is"
	awk 'NR == FNR { if ($2 == "infeasible") has[$1] = 1; next } $2 == "covered" && has[$1] { print; bad = 1 }
		END { exit bad }' $f.ours $f.theirs >log
	ok $? "$f: what is said to be infeasible is not covered"
done
for f in five chain coupled; do
	awk '$2 == "covered"' $f.ours >a; awk '$2 == "covered"' $f.theirs >b; diff a b >log
	ok $? "$f: and nothing else is, where no loop hides the order"
done
for f in five chain; do
	! awk -F'\t' '!/^#/' $f.mcdc | grep -v covered >log
	ok $? "$f: each condition decides by itself"
done

duct dft "$src" --entry coupled --criterion mcdc --prove --quiet --runs 800 --time 6 --store proved.db >log 2>&1
duct report proved.db --criterion mcdc >proved
awk -F'\t' '/infeasible/ { sub(/.*:/, "", $4) || 1; print $5 }' proved >log
check "what other conditions imply cannot decide" '[ "$(cut -d" " -f1-3 log | tr "\n" ,)" = "\`a > 5\`,\`a > 0\`,\`b > 100\`," ]'
check "but masking, one of them does" 'duct report proved.db --criterion mcdc-masking | grep "a > 0.*covered.*tests" | grep -q :24:27'

duct dft "$src" --entry coupled --criterion mcdc --quiet --runs 3 --time 6 --store proved.db >log 2>&1
duct report proved.db --session 2 --criterion mcdc >later
check "a later session of the same question has the proofs" 'grep "infeasible: proof" proved | cut -f2 >a; [ -s a ] && grep "infeasible: proof" later | cut -f2 | diff a - >log'

# a wrong verdict on an evaluation, made up in the store: a run makes it
echo 'int w(int a, int b) { if (a == 5 && b == 6) return 2; return 0; }' >wrong.c
wrong="duct concolic wrong.c --entry w --criterion mcdc --prove --quiet --runs 3 --time 6 --store wrong.db"
$wrong >log 2>&1
sqlite3 wrong.db "UPDATE proved SET verdict = 'infeasible' WHERE outcomes LIKE '%,%'"
$wrong >text 2>log
status=$?
check "a run that makes an evaluation which was infeasible is an error" '[ $status = 4 ] && grep -q "^error: a verdict was wrong.*: a run covers an evaluation of the decision of .a == 5., which was infeasible.* at wrong.c:1 " text'

# as few tests as there can be: one more than conditions
duct report five.db --minimal --out few >log 2>&1
check "few tests that show the same" '[ "$(ls few/tests.c)" ] && make -C few check CC=clang-19 \
	CFLAGS="-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc" >log 2>&1 && grep -q "^6 tests: 6 passed" log &&
	llvm-profdata-19 merge -o few.data few/*.profraw && llvm-cov-19 show --show-mcdc --instr-profile=few.data few/tests "$src" >few.llvm &&
	conditions few.llvm | grep "^6:" >a && grep "^6:" five.theirs | diff a - >log && [ "$(grep -c covered a)" = 5 ]'

# lines and functions: gcc's measure of the same tests
make -C value clean >log 2>&1
make -C value check CFLAGS=--coverage >log 2>&1
(cd value && gcov -t tests.gcno >../value.gcov 2>../log)
duct report value.db --criterion statements >value.lines
awk -F: 'NR == FNR { if ($1 ~ /[0-9#]/) { gsub(/ /, "", $1); gsub(/ /, "", $2); if (of) run[$2] = $1 ~ /^[0-9]/ }
		if ($0 ~ /Source:.*decisions.c/) of = 1; else if ($0 ~ /:Source:/) of = 0; next }
	{ split($0, x, "\t"); if (x[1] != "statements") next; n = split(x[4], p, ":"); total++
	  if (!(p[n-1] in run) || run[p[n-1]] != (x[6] == "covered")) { print; bad = 1 } } END { exit bad || !total }' value.gcov value.lines >log
ok $? "lines are covered where gcov counts them"
finish
