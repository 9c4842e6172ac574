#!/bin/bash
# The closest test: the kept test that comes nearest to an open objective, and where it stops, in the same words in
# every report.
# limit: 120
. "$ROOT/tests/lib/tap.sh"

# A value that a run would have to hit by chance.
cat >gate.c <<'E'
static unsigned mix(unsigned x) { x ^= x >> 13; x *= 0x85ebca6b; x ^= x >> 16; x *= x | 1; return x ^ x >> 11; }
int gate(unsigned a, unsigned b)
{
	int t = 0;
	if (a > 10) {
		t = 1;
		if (mix(a * b) == 0xdeadbeef && mix(a ^ b) == 0x1234567) {
			if (b > 7)
				t = 5;
			return t;
		}
	}
	return t;
}
int other(int x) { return x > 3 ? 1 : 0; }
E
duct dft gate.c --entry other --quiet --store g.db --seed 1 >log 2>&1
duct dft gate.c --entry gate --quiet --store g.db --runs 2 --time 60 --seed 1 >log 2>&1
duct report g.db --session 2 --branches >branches
duct report g.db --session 2 --pairs >pairs
cp branches log
test=$(sed -n 's/.*b > 7.*p:true.*closest test \([0-9]*\) stopped at gate.c:7.*/\1/p' branches)
check "of an outcome whose condition no run reaches" '[ -n "$test" ]'
check "of one whose condition is reached" 'grep -q "mix(a \* b).*p:true	unknown.*closest test [0-9]* stopped at gate.c:7" branches'
cp pairs log
check "of a pair" 'grep -q "gate	b	gate.c:2:31	gate.c:8:8	p:true	unknown	.*closest test $test stopped at gate.c:7" pairs'
duct report g.db --session 2 --tests --json >log
check "that test comes there" 'a=$(sed -n "s/.*\"number\": $test,.*\"inputs\": \"a = \([0-9]*\),.*/\1/p" log) && [ "$a" -gt 10 ]'
duct report g.db >log
check "the summary has the same words" 'grep -q "b > 7.*closest test [0-9]* stopped at gate.c:7" log'
# Of all sessions tests have other numbers.
shown=$(sed -n 's/.*gate.c:8:8 p:true of .*closest test \([0-9]*\) stopped.*/\1/p' log)
duct report g.db --tests >log
check "of all sessions, with the number that the test has there" '[ "$shown" -gt "$test" ] && grep -q "^$shown	.*session 2: test $test" log'
duct report g.db --markdown >log
check "... and in Markdown" 'grep -q "closest test $shown stopped at gate.c:7" log'
duct dft gate.c --entry gate --quiet --store again.db --runs 2 --time 60 --seed 1 >log 2>&1
duct report again.db --pairs >log
check "the same call says the same" 'diff <(cut -f1-7 pairs) <(cut -f1-7 log)'
sqlite3 again.db "UPDATE objective SET evidence = 'prove: an input that was proposed does not exercise it: \`b > 7\` at gate.c:7:7 is false in the model, true in the run' WHERE verdict = 'unknown'"
duct report again.db >log
check "where the run of a proof's input goes another way: a sentence" 'grep -q "the model of the proof allows a path that the run of its input does not take: .b > 7. at gate.c:7:7 is false in the model, true in the run" log'
finish
