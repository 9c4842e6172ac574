#!/bin/bash
# Lists as JSON Lines, findings, messages for editors, Markdown, what a change touched, thresholds, from any folder.
# limit: 120
. "$ROOT/tests/lib/tap.sh"
mkdir work && cd work && git init -q . && cat >a.c <<'E'
#include <stdlib.h>
int f(int x)
{
	if (x == 12)
		abort();
	if (x * 0 == 1)
		return 2;
	return 3;
}
int g(int x)
{
	if (x > 2)
		return 1;
	return 0;
}
E
git add a.c && git -c user.name=n -c user.email=e commit -qm one && sed -i 's/x > 2/x > 7/' a.c
duct dft a.c --entry f --store s.db --quiet --prove >../log 2>../err && duct dft a.c --entry g --store s.db --quiet --runs 1 >../log 2>../err
cd ..
s=work/s.db
duct report $s --branches=b --pairs=p --checks=k --tests=t --findings=- >f 2>log &&
	for list in branches pairs checks tests findings; do duct report $s --$list 2>>log | diff - "$(echo $list | sed "s/checks/k/;s/\(.\).*/\1/")" || break; done >>log && [ "$list" = findings ] && [ ! -s log ]
ok $? "several lists in one call, each in a file"
lines() { lua5.4 -e 'package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
	local json, n = require "json", 0
	for line in io.lines() do local o = json.decode(line); assert(type(o) == "table"); n = n + 1 end
	print(n)'; }
# expect NAME STATUS CODE: of what was run before, whose status is in `status`
expect() { check "$1" "[ $status = $2 ] && $3"; }

for list in branches pairs tests findings; do
	duct report $s --$list --json >log 2>err
	check "--$list --json: an object a line" '[ "$(lines <log)" = "$(duct report $s --$list | grep -vc "^#")" ] && [ -s log ]'
done
# Places that were checked for faults, of all sessions
cat >work/c.c <<'E'
int c(int a, int b)
{
	if (b > 3)
		return a / (b - 5);
	return 0;
}
int d(int a, int b)
{
	if (b > 5)
		return a / (b - 5);
	return 0;
}
E
for entry in c d; do duct dft work/c.c --entry $entry --store c.db --quiet --check div -t 20 >log 2>err; done
duct report c.db --checks >log 2>err
check "--checks of all sessions" '[ "$(grep -v "^#" log | cut -f 1,2,4)" = "$(printf "c\tdiv\tfound\nd\tdiv\tsafe")" ]'
# A folder of tests is built from anywhere.
duct report c.db --session 1 --out one >log 2>err && duct report c.db --out "all of c's" >log 2>err
here=$PWD
(cd / && make -f "${here#/}/one/Makefile" check CFLAGS=-O0 && make -f "$here/all of c's/Makefile" check CFLAGS=-O0) >log 2>&1
status=$?
expect "make -f FOLDER/Makefile" 0 '[ "$(grep -c "tests: .* passed, 0 failed" log)" = 3 ] && [ -x one/tests ]'
duct report $s --minimal --json >log 2>err
check "--minimal --json: its tests" '[ "$(lines <log)" = "$(duct report $s --minimal | grep -vc "^#")" ] && ! grep -qv "\"least\": true}$" log'
for criterion in branches decisions; do
	duct report $s --criterion $criterion >log
	check "--criterion $criterion: why an outcome is open" 'grep "a.c:12:6	.*	unknown	its condition was\|a.c:12:6	.*	unknown	reached by 1 run" log |
		grep -q "not looked for\|no proof was tried\|time ran out\|never taken"'
done
duct report $s --annotate --json >log 2>err; status=$?
expect "--json where there is no list is refused" 2 'grep -q "json is for" err'
duct report $s --findings >log
check "findings with their inputs" 'grep -q "^abort	a.c:5	f	.*x = 12$" log'
duct report $s --format gcc >log
check "messages as compilers print them" 'grep -q "^a.c:5: warning: abort with x = 12 \[duct\]$" log &&
	grep -q "^a.c:12:6: note: p:true of .x > 7. is open: " log && grep -q "^a.c:6:6: note: p:true of .* is infeasible: " log'
duct report $s --markdown >log
check "a summary in Markdown" 'grep -q "^| outcomes of conditions | 4 of 6 | 1 | 1 | 80.0 % |$" log && grep -q "^- abort at a.c:5, with .x = 12.$" log &&
	grep -q "^- a.c:12 p:true of .x > 7.: " log'
duct report $s --lcov l.info --cobertura c.xml >log
check "lcov and Cobertura: what is infeasible does not count" 'grep -q "^BRF:5$" l.info && grep -q "^BRH:4$" l.info &&
	grep -q "branches-covered=\"4\" branches-valid=\"5\"" c.xml'
duct report $s --since HEAD --markdown >log
check "--since: what a change touched" 'grep -q "^| outcomes of conditions | 1 of 2 | 1 | 0 | 50.0 % |$" log && ! grep -q abort log'
(cd work && git -c user.name=n -c user.email=e commit -qam two && duct report s.db --since HEAD --markdown; git reset -q HEAD^) >log
check "... nothing" 'grep -q "^No condition, pair or finding of a session is there.$" log && ! grep -q "|" log'
duct report $s --html= >log 2>err; status=$?
expect "an empty name of a folder" 2 'grep -q "^report: --html= needs a value that is not empty$" err'
duct report $s --since nowhere --markdown >log 2>err; status=$?
expect "... since nothing" 4 'grep -q "git diff nowhere failed" err'
mv work/.git git && GIT_CEILING_DIRECTORIES=$(pwd -P) duct report $s --since HEAD --markdown >log 2>err; status=$?
mv git work/.git
expect "... outside of git trees" 4 'grep -q "^report: --since: .*/work is not in a git tree$" err && [ "$(wc -l <err)" = 1 ]'
(cd work && mkdir odd && name='odd/grö"ß\e.c' && printf 'int k(int a)\n{\nint g = 0;\n++ a;\nreturn a > 4 && g == 0;\n}\n' >"$name" && git add odd &&
	git -c user.name=n -c user.email=e commit -qm odd && sed -i 's/^++ a;/++ a;\n++ g;/; s/a > 4/a > 5/' "$name" &&
	duct concolic "$name" --entry k --store odd.db --quiet && duct report odd.db --since HEAD --markdown) >log 2>&1
check "... a name that git quotes, and lines that look like one" 'grep -q "^| outcomes of conditions | [34] of 4 " log'
duct report $s --fail-under 80 >log 2>err; status=$?
expect "--fail-under holds" 0 '[ ! -s err ]'
duct report $s --fail-under 81 >log 2>err; status=$?
expect "... and does not" 1 'grep -q "coverage of branches is 80.0 %, below --fail-under 81: 1 open" err'
duct report $s --fail-on finding >log 2>err; status=$?
expect "--fail-on finding" 1 'grep -q "fail-on finding: there is 1" err'
duct report $s --fail-on unknown >log 2>err; status=$?
expect "--fail-on unknown" 1 'grep -q "fail-on unknown: 1 outcome of conditions, 1 pair$" err'
duct report $s --session 1 --fail-on unknown >log 2>err; status=$?
expect "... where there is none" 0 '[ ! -s err ]'
duct report $s --fail-on nothing >log 2>err; status=$?
expect "... of another word" 2 'grep -q "is .finding. or .unknown." err'
(cd work && duct dft a.c --entry f --quiet --fail-on finding >../log 2>../err); status=$?
expect "a session does the same" 1 'grep -q "fail-on finding: there is 1" err'

duct report $s --html page --cobertura c.xml --lcov l.info --sarif s.json --out made >log 2>err
check "a report from another folder has the sources" 'grep -q "x \* 0 == 1" page/index.html && [ -s c.xml ] && [ -s l.info ] && [ -s s.json ]'
make -C made check >log 2>&1
check "... and its Makefile works" '[ $(grep -c " 0 failed" log) = 2 ]'
duct report $s --annotate >log 2>err
check "... and a listing shows them" 'grep -q "if (x == 12)" log'
mv work moved
duct report moved/s.db --annotate >log 2>err; status=$?
expect "a folder that is gone is told" 0 'grep -q "is not there: sources may be missing" err'
mv moved work

cat >p.c <<'E'
#include <stdlib.h>
int p(const char *s, int *out) { if (!s) return 1; if (s[0] == 'a' && s[1] == 'b') abort(); if (out) *out = 3; return 0; }
int e(void) { if (getenv("DUCT_A")) abort(); return 0; }
E
duct concolic p.c --entry p --quiet --store p.db --distinct all >log 2>&1 && duct concolic p.c --entry e --quiet --store p.db >log 2>&1
duct report p.db --findings >log
check "inputs in words: texts, pointers, variables of the environment" 'grep -q "	out = (an object), s = .ab.$" log && grep -q "	env.DUCT_A = .*" log &&
	! grep -q "choice\|bytes" log'
duct report p.db --session 1 --tests --json >log
check "... and NULL" 'grep -q "\"inputs\": \"s = NULL" log'

cp $s old.db && (cd work && duct dft a.c --entry g --store s.db --quiet >../log 2>../err)
duct diff old.db $s >log 2>err; status=$?
expect "diff: what is won" 0 'grep -q "^won  *a.c:12:6  g: p:true of .x > 7.$" log'
duct diff $s old.db >log 2>err; status=$?
expect "diff: what is lost, status 1" 1 'grep -q "^lost  *a.c:12:6  g: p:true" log'
check "... in all" '[ "$(tail -n 1 log)" = "in all: 2 lost" ]'
(cd work && duct concolic a.c --entry f --store f.db --quiet >../log 2>../err)
duct diff work/f.db $s >log 2>err
check "... a function that one of them does not know" 'grep -q "^new and covered  a.c:12:6  g: 2 outcomes$" log && [ $(grep -c "  g: " log) = 2 ]'
duct diff $s old.db --json >log 2>err
check "diff: as JSON Lines" '[ "$(lines <log)" -ge 1 ] && grep -q "\"change\": \"lost\"" log'
duct diff $s $s >log 2>err; status=$?
expect "diff: nothing" 0 '[ "$(cat log)" = "no difference" ]'
duct diff $s >log 2>err; status=$?
expect "diff: of one" 2 'grep -q "duct diff OLD NEW" err'
finish
