#!/bin/sh
# Stores put to the test: their own verdicts hold; a false one that is planted is caught.
# limit: 120
. "$ROOT/tests/lib/tap.sh"
put() { duct prove "$@" >out 2>err; }
plant() { cp "$1" t.db && sqlite3 t.db "$2"; }
covered="(SELECT min(goal) FROM objective WHERE kind = 'pair' AND verdict = 'covered')"

cp "$ROOT/share/examples/power.c" .
duct dft power.c --entry power --prove --store p.db -t 10 --quiet >/dev/null   # without end, so that proofs decide
duct dft power.c --entry power_within --prove --store s.db -t 10 --quiet >/dev/null
check "kept proofs check" 'put --check p.db && grep -qx "2 proofs check" out'
check "runs cover nothing that is infeasible" 'put --audit s.db --runs 300 && grep -qx "300 runs cover none of 2 that are infeasible" out'
check "no covered pair is judged infeasible" 'put --cross s.db && grep -q "^[0-9]* covered pairs and branches were judged" out'

plant s.db "UPDATE objective SET verdict = 'infeasible', evidence = 'proof: induction, k = 1' WHERE kind = 'pair' AND goal = $covered"
check "a planted verdict has no proof" 'put --check t.db; [ $? = 1 ] && grep -q "no proof of it checks" err && grep -qx "1 verdicts are wrong" out'
check "... and runs cover it" 'put --audit t.db; [ $? = 1 ] && grep -q "infeasible by proof: induction, k = 1, but covered with x=" err'
plant s.db "UPDATE objective SET verdict = 'infeasible', evidence = 'exhaustion' WHERE kind = 'pair' AND goal = $covered; UPDATE session SET exhausted = 0"
check "exhaustion counts only when the session is exhausted" 'put --check t.db; [ $? = 1 ]'
duct dft power.c --entry power_within --prove --store s.db -t 10 --quiet --resume >/dev/null
check "a session that went on has the evidence of the one before" 'put --check s.db'
duct dft power.c --entry power_within --store h.db -t 10 --quiet >/dev/null
check "all paths are run again" 'put --check h.db && grep -q "[1-9][0-9]* by exhaustion hold when all paths are run again" out'
plant h.db "UPDATE objective SET verdict = 'infeasible', evidence = 'exhaustion' WHERE kind = 'pair' AND goal = $covered"
check "what paths cover that are run again" 'put --check t.db; [ $? = 1 ] && grep -q "by exhaustion, but a path covers it" err'
plant s.db "UPDATE objective SET verdict = 'infeasible' WHERE kind = 'branch' AND goal = 1"
check "a branch, too" 'put --audit t.db --runs 50; [ $? = 1 ] && grep -q "outcome" err'
plant s.db "UPDATE objective SET verdict = 'covered', evidence = 'test 1' WHERE kind = 'pair' AND verdict = 'infeasible'"
check "a covered pair that is judged infeasible" 'put --cross t.db; [ $? = 1 ] && grep -q "covered by test 1, but infeasible by prove -c entry" err'
check "... and that no test covers" 'put --audit t.db --runs 50; [ $? = 1 ] && grep -q "no stored test does it" err'
plant p.db "DELETE FROM proof"
check "proofs that are gone" 'put --check t.db; [ $? = 1 ] && grep -qx "2 verdicts are wrong" out'
sed 's/res = 1/res = 2/' "$ROOT/share/examples/power.c" >power.c
check "another program" 'put --check s.db; [ $? = 3 ] && grep -q "has changed" err'
rm power.c
check "no program" 'put --audit s.db; [ $? = 4 ] && grep -q "^duct: power.c: no such file" err'
echo text >x.db
check "no store" 'put --check x.db; [ $? = 3 ]; put --check y.db; [ $? = 4 ] && put --cross; [ $? = 2 ]'

cat >e.c <<'EOF'
int f(int n, const int *a)
{
	int i, s = 0, last = 7;
	for (i = 0; i < n; i++) {
		s += a[i];
		last = i;
	}
	if (s > 3 && last == 7)
		s = last;
	return s;
}
EOF
duct dft e.c --entry f --len a=4 --prove --store e.db -t 5 --quiet --check all --depth 60 >/dev/null 2>err
check "the shape of the inputs is as it was" 'put --check e.db && put --audit e.db --runs 300 && grep -q "^[0-9]* runs cover none" out'

# A session that watches no pairs.
duct concolic e.c --entry f --len a=1 --distinct all --range n=0..1 --store b.db -t 5 --quiet >/dev/null 2>err
check "no pairs: --check, --audit" 'put --check b.db && grep -q "by exhaustion hold" out && put --audit b.db --runs 50'
check "... --cross judges outcomes alone" 'put --cross b.db --time 2 && grep -qx "[1-9] covered pairs and branches were judged, none as infeasible" out'
plant b.db "UPDATE objective SET verdict = 'infeasible', evidence = 'exhaustion' WHERE verdict = 'covered'"
check "... and a planted verdict is caught" 'put --check t.db; [ $? = 1 ] && grep -q "by exhaustion, but a path covers it" err'
finish
