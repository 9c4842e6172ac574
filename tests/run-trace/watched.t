#!/bin/sh
# The coverage that a run reports is confirmed by watching the run itself, not a second one, where it is the first or long. Each
# outcome has an instruction of its own, also where the optimiser left no branch for it.
# limit: 60
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && tail -n 20 out | sed 's/^/# /'; fi; }
cat >long.c <<'E2'
unsigned kind(unsigned x)
{
	switch (x & 7) {
	case 0: return 3;
	case 1: case 2: return x;
	case 5: return x >> 1;
	case 9: return 1;
	default: return 7;
	}
}
unsigned work(void)
{
	unsigned sum = 0, odd = 0;
	for (unsigned i = 0; i < 60000000; i++) {
		sum = sum * 31 + (i & 1 ? kind(i) : 5);
		odd += i % 3 == 4 ? 2 : 1;
	}
	return sum > 3 && odd < 9 ? 1 : sum;
}
int main(void)
{
	return work() == 0;
}
E2
duct instrument -o long long.c -- -w
seconds() { ("$@" >out 2>&1; times) | tail -n 1 | tr 'ms' '  ' | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }'; }
alone=$(seconds duct run-trace --confine none --timeout 40 --default ./long)
watched=$(seconds duct run-trace --timeout 40 --default ./long)
echo "# $alone s, watched $watched s" >>out
grep -q 'unconfined.*claims' out && { echo "ok - # skip runs cannot be watched here"; exit 0; }
awk "BEGIN { exit !($watched < 1.6 * $alone + 0.05) }"
result $? "the first run is watched itself"
grep -q '^done	exit' out && ! grep -q '^lost' out
result $? "it has all that it claims"

# A session gives quickly compiled code only so many steps.
duct concolic long.c --entry work --runs 1 --json --quiet --time 50 -- -w >out 2>&1
grep -q '"runs": 1,' out && ! grep -q '"kind": "steps"' out && grep -q '"lost": \[\]' out
result $? "a run that is long for quickly compiled code is one run"
run=$(sed -n 's/.*"run": \([0-9.]*\).*/\1/p' out)
awk "BEGIN { exit !($run < 2.5 * $alone + 0.2) }"
result $? "and as fast as one of a program that was built on its own"
duct concolic long.c --entry work --runs 1 --json --quiet --time 50 --steps 1000 -- -w >out 2>&1
grep -q '"kind": "steps"' out
result $? "the limit of steps that was asked for stays one"
