#!/bin/sh
# Kept proofs check again, and what was tampered with does not: each stage's, in both contexts.
# limit: 120
. "$ROOT/tests/lib/tap.sh"
goals() { duct cfg-dump "$2" >x.flow && defuse -p paper -e "$1" x.flow >p && cutpoints -f x.flow p >g; }
replay() { prove --check "$1" -f x.flow g >out 2>err; }
infeasible() { grep -c "	infeasible	" "$1"; }

goals power "$ROOT/share/examples/power.c"
for stages in induction facts pdr; do
	prove -s $stages -f x.flow g >v
	check "$stages: its proofs check" 'replay v && [ $(infeasible out) = $(infeasible v) ] && [ $(infeasible v) -gt 0 ] && [ ! -s err ]'
	grep -q "^proof" v && grep -v "^end" v | awk -F'\t' -v OFS='\t' '$1 == "proof" { next } { print; if (!/^#/) n++ }
		END { print "end", n }' >w
	check "$stages: without a proof" 'replay w; [ $? = 1 ] && [ "$(grep -c "no proof is kept" err)" = "$(infeasible v)" ]'
done
prove -s pdr -f x.flow g >v
awk -F'\t' -v OFS='\t' '$1 == "clause" { next } $1 == "end" { $2 = n } { print; if (!/^#/) n++ }' v >w
check "pdr: without its invariant" 'replay w; [ $? = 1 ] && grep -q "it is reached\|does not follow" err'
awk -F'\t' -v OFS='\t' '$1 == "clause" && !done++ { $3 = "eq/1 pc 1/2" } { print }' v >w
check "pdr: with an invariant that is none" 'replay w; [ $? = 1 ] && grep -q "not inductive" err'
awk -F'\t' -v OFS='\t' '$1 == "clause" && !done++ { $3 = "eq/1 pc s99999" } { print }' v >w
check "pdr: with a clause of another model" 'replay w; [ $? = 1 ] && grep -q "not of this model" err'
prove -f x.flow g >v
awk -F'\t' -v OFS='\t' '$1 == "verdict" && $5 == "unknown" { $5 = "infeasible"; n++; print; print "proof", $2, "query", 1, 0, "me", "-"; next }
	$1 == "value" { v++; next } $1 == "end" { $2 = $2 + n - v } { print }' v >w
check "a false verdict with a proof made up" 'replay w; [ $? = 1 ] && [ $(grep -c "^prove: pair" err) = $(grep -c "	unknown	" out) ] &&
	[ $(infeasible out) = $(infeasible v) ] && [ -s err ]'
check "no time to check" 'prove -t 0.001 --check v -f x.flow g >out 2>err; [ $? = 1 ] && grep -q "time limit reached" err &&
	! grep -q "does not check" err out'
prove -c any -f x.flow g >v
check "in any state" 'replay v && [ $(infeasible out) = $(infeasible v) ]'
check "several streams" 'cat v v >w && replay w && [ $(infeasible out) = $((2 * $(infeasible v))) ]'
sed 's/^model	1	any	0	.*/model	1	any	0	3-2/' v >w
check "a malformed list of pairs" 'replay w; [ $? = 3 ] && grep -q "^prove: w:[0-9]*: goals are numbers and ranges" err'
goals triangle "$ROOT/share/examples/triangle.c"
prove -f x.flow g >v
check "query: its proofs check" 'replay v && [ $(infeasible out) = $(infeasible v) ] && grep -q "^proof	[0-9]*	query" v'
goals power "$ROOT/share/examples/power.c"
check "proofs of another program" 'replay v; [ $? = 1 ]'
finish
