#!/bin/sh
# A strategy on the store of a suite looks for what the suite leaves open, as long as the source is the same.
# limit: 120
. "$ROOT/tests/lib/tap.sh"
cat >grade.c <<'EOC'
int grade(int points)
{
	if (points < 0 || points > 100)
		return -1;
	if (points >= 90)
		return 1;
	if (points * 7 == 287)
		return 41;
	return points >= 50 ? 2 : 3;
}
EOC
cat >main.c <<'EOC'
#include <stdio.h>
#include <stdlib.h>
int grade(int);
int main(int argc, char **argv) { printf("%d\n", argc > 1 ? grade(atoi(argv[1])) : 0); return 0; }
EOC
mkdir build && (cd build && duct cc -O2 -o ../p ../main.c ../grade.c) >log 2>&1 &&
	duct cover --quiet --store s.db -- sh -c 'for i in -1 101 95 60 10; do ./p $i; done' >out 2>log
ok $? "a suite is recorded"
duct report --store s.db --branches >b 2>log
[ "$(awk -F'\t' '$1 == "grade" && $6 == "unknown" { print $2, $5 }' b)" = "points * 7 == 287 p:true" ]
ok $? "it leaves one outcome open"
duct concolic grade.c --entry grade --store s.db --quiet --keep new --out t >report 2>log
ok $? "a strategy goes on with the store"
grep -q '^ended: nothing is missing' report && grep -q '^  [1-9] of them by tests of a recorded suite only' report
ok $? "it ends when nothing is missing"
duct report --store s.db --session 2 --branches >b 2>log
[ "$(cut -f 6 b | sort | uniq -c | awk '{ print $1, $2 }')" = "10 covered
1 verdict" ] && grep -q 'points > 100.*p:true.*suite: ./p 101$' b && grep -q '287.*p:true.*test [12]$' b
ok $? "evidence tells the suite's tests from its own"
[ "$(sqlite3 s.db "SELECT count(*) FROM verdict WHERE evidence LIKE 'suite%'")" = 0 ]
ok $? "what the suite covers is no verdict of the question"
make -s -C t check CC=gcc >log 2>&1 && [ "$(sqlite3 s.db 'SELECT count(*) FROM test WHERE session = 2')" -le 2 ]
ok $? "only tests for what was missing are kept"
duct concolic grade.c --entry grade --store s.db --quiet --runs 1 --json >j 2>log
grep -q '"branches": {"total": 10, "covered": 10,.*"suite": [1-9]' j
ok $? "JSON counts what only the suite covers"
sed 's/return 41/return 42/' grade.c >other && mv other grade.c
duct concolic grade.c --entry grade --store s.db --quiet --runs 1 --json >j 2>log
grep -q '"branches": {"total": 10, "covered": [1-5],.*"suite": 0' j
ok $? "a source that has changed makes the evidence stale"
duct report --store s.db --session 1 --out u >out 2>log; [ $? = 4 ] && grep -q 'tests of a suite' log
ok $? "tests of a suite have no inputs to write"
duct report --store s.db --session 1 | grep -q '^5 tests, 5 processes'
ok $? "the suite's own report"

# The same for pairs.
rm -f s.db*
(cd build && duct cc --pairs -O2 -o ../p ../main.c ../grade.c) >log 2>&1 &&
	duct cover --quiet --store s.db -- sh -c 'for i in -1 101 95 60 10; do ./p $i; done' >out 2>log
ok $? "a suite is recorded with its pairs"
duct dft grade.c --entry grade --store s.db --quiet --keep new >report 2>log && duct report --store s.db --session 2 --pairs >b 2>log
[ "$(cut -f 6 b | sort | uniq -c | awk '{ print $1, $2 }')" = "$(grep -vc '^#' b) covered
1 verdict" ]
ok $? "dft covers all pairs"
open=$(duct report --store s.db --session 1 --pairs | awk -F'\t' '$1 == "grade" && $6 == "unknown" { print $2, $5 }' | sort)
[ "$open" = "points p:true" ] && [ "$(sqlite3 s.db 'SELECT count(*) FROM test WHERE session = 2')" = 1 ] &&
	grep -q 'grade.c:7:6	p:true	covered	test 1$' b && grep -q 'suite: ./p 10$' b
ok $? "its only test is for the one that the suite leaves open"
duct report --store s.db --session 2 --json | grep -q '"pairs": {.*"suite": [1-9]'
ok $? "JSON counts pairs that only the suite covers"
finish
