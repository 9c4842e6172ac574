#!/bin/sh
# Every form of report has the same verdicts for the objectives of every criterion.
# limit: 60
. "$ROOT/tests/lib/tap.sh"
cat >forms.c <<'X'
#include <stdlib.h>
#include "duct.h"
int limit = 3;
static int helper(int x) { return x > limit ? x - limit : 1; }
int forms(int a, int b)
{
	int r = 0;
	limit = b;
	if (a > 10 && a > 5)
		r = helper(a);
	if ((a > 0 && b > 0) || (a > 0 && b < -5))
		r += 2;
	duct_cover(a == 5 && b == 6);
	duct_label(a > 3 && a < 3, "x, \"y\" <z>|");
	for (int i = 0; i < (a & 3); i++)
		r += helper(i);
	if (a == 77 && a * 2 == 3)
		abort();
	return r;
}
X
all=targets,errors,labels,functions,statements,branches,conditions,decisions,mcdc,mcdc-masking,pairs,all-defs,all-c-uses,all-p-uses,all-uses
all=$all,all-c-uses-some-p-uses,all-p-uses-some-c-uses,data-coupling,control-coupling,boundaries,loops,mutants,call-sequences,all-du-paths
duct dft forms.c --entry forms --criterion ${all#targets,} --prove --quiet --runs 40 --time 6 --store f.db -- -I"$ROOT/share" >text 2>&1
ok $? "a session"
r() { duct report f.db --criterion $all "$@"; }
# Each form as lines: CRITERION OBJECTIVE VERDICT
r >table
awk -F'\t' '!/^#/ && NF > 5 { print $1 "\t" $2 "\t" $6 }' table | sort >want
check "all criteria but targets have objectives, of all verdicts" '[ "$(cut -f1 want | sort -u | wc -l)" = 23 ] &&
	[ "$(cut -f3 want | sort -u | tr "\n" " ")" = "covered infeasible unknown " ]'
# a tracefile has no names: as many of each criterion, by lines
r --lcov - >lcov
awk -F'[:,]' '/^BRDA:/ && $3 >= 1000000 { print $2, $5 }' lcov | sort >got
awk -F'\t' '!/^#/ && NF > 5 && $1 !~ /^(branches|pairs)$/ && $6 != "infeasible" && $4 ~ /^forms.c:/ { split($4, p, ":"); print p[2], ($6 == "covered") + 0 }' table |
	sort >of_table
check "lcov: the same verdicts" '[ -s got ] && cmp -s of_table got && genhtml --branch-coverage -q -o tracefile lcov 2>log'
r --csv >csv
cat >read.lua <<'X'
-- read.lua FORM FILE
local text = io.open(arg[2]):read("a")
local entity = { lt = "<", gt = ">", amp = "&", quot = '"', apos = "'" }
local function plain(s) return (s:gsub("&(%a+);", entity)) end
local function json(s) return (s:gsub('\\(.)', "%1")) end
local form = {}
function form.csv()
	for line in text:gmatch("[^\n]+") do
		local cells, at = {}, 1
		while at <= #line + 1 do
			if line:sub(at, at) == '"' then
				local stop = at + 1
				while line:sub(stop, stop) ~= '"' or line:sub(stop + 1, stop + 1) == '"' do
					stop = stop + (line:sub(stop, stop) == '"' and 2 or 1)
				end
				cells[#cells + 1], at = line:sub(at + 1, stop - 1):gsub('""', '"'), stop + 2
			else
				local stop = line:find(",", at, true) or #line + 1
				cells[#cells + 1], at = line:sub(at, stop - 1), stop + 1
			end
		end
		if cells[1] ~= "criterion" then
			print(cells[1], cells[2], cells[8])
		end
	end
end
function form.json()
	for line in text:gmatch("[^\n]+") do
		print(line:match('"criterion": "([^"]*)"'), json(line:match('"objective": "(.-[^\\])", "function"')), line:match('"verdict": "(%a+)"'))
	end
end
function form.junit()
	for name, suite in text:gmatch('<testsuite name="([%l-]+)"(.-)</testsuite>') do
		for case, rest in suite:gmatch('<testcase classname="[^"]*" name="([^"]*)" time="0">(.-)</testcase>') do
			print(name, plain(case), rest:match('<skipped message="(%a+): ') or rest:find("<skipped", 1, true) and "?" or "covered")
		end
	end
end
function form.sarif()
	for result in text:gsub('"ruleId": ', "\1"):gmatch("\1([^\1]*)") do
		local rule = result:match('^"(%l+)"')
		local criterion, objective = result:match('"properties": { "criterion": "([^"]*)", "objective": "(.*)" } }')
		if criterion then
			print(criterion, json(objective), rule == "open" and "unknown" or rule)
		end
	end
end
form[arg[1]]()
X
# same FORM: all verdicts; open: those that are not covered
same() { r "$@" >made 2>&1 && lua5.4 read.lua "$form" made | sort | diff want - >log; }
form=csv; same --csv
ok $? "CSV"
form=json; same --json
ok $? "JSON Lines"
form=junit; same --junit -
ok $? "JUnit"
# outcomes of conditions and pairs have results of their own, in one for each place
grep -v "	covered$\|^branches	\|^pairs	" want >open
r --sarif - >made && lua5.4 read.lua sarif made | sort | diff open - >log
ok $? "SARIF"
lua5.4 -e 'for l in io.lines("table") do local c, place, f, what, v = l:match("^([%l-]+)\t[^\t]*\t([^\t]*)\t([^\t]*)\t([^\t]*)\t(%l+)")
	f, place = place, f
	if v and v ~= "covered" and c ~= "branches" and c ~= "pairs" then print(place .. ": note: " .. c .. ": " .. what .. " in " .. f .. " is " .. (v == "unknown" and "open" or v)) end end' | sort >want.gcc
r --format gcc | grep -E ": note: [a-z-]+: .* in [a-z]+ is (open|infeasible)" | sed -E 's/( in [a-z]+ is (open|infeasible)).*/\1/' | sort >gcc
check "the form of compilers" '[ -s gcc ] && diff want.gcc gcc >log'
cut -f1,3 want | grep -v "^branches\|^pairs" | awk -F'\t' '{ n[$1]++; v[$1, $2]++ } END { for (k in n) print "| " k " | " v[k, "covered"] + 0 " of " n[k] " | " v[k, "unknown"] + 0 " | " v[k, "infeasible"] + 0 " |" }' | sort >want.md
r --markdown | grep "^| [a-z-]* | " | grep -v "^| | " | sed 's/| [^|]* |$/|/' | sort >md
check "Markdown" 'diff want.md md >log'
r --html page >log 2>&1
awk -F'\t' '{ n[$1]++; v[$1, $3]++ } END { for (k in n) print k ": " v[k, "covered"] + 0 " of " n[k] " covered, " v[k, "infeasible"] + 0 " infeasible, " v[k, "unknown"] + 0 " unknown" }' want | sort >want.page
sed -n 's/^<h2>\([a-z-]*: .*\)<\/h2>/\1/p' page/traceability.html | sort >page.totals
check "the page" 'grep -v "^pairs:" want.page | diff - page.totals >log || diff want.page page.totals >log'
for v in covered infeasible unknown; do
	check "its rows: $v" '[ "$(grep -c "^<tr class=\"$v\"" page/traceability.html)" = "$(grep -v "^pairs	" want | grep -c "	$v$")" ]'
done
check "--fail-on counts them" '! duct report f.db --criterion mcdc --fail-on unknown >log 2>&1; [ "$(grep -c "^mcdc	.*	unknown" want)" = 0 ] || grep -q "fail-on unknown: [0-9]* objectives of mcdc" log'
short=$(awk -F'\t' '$3 == "unknown" && $1 !~ /^(pairs|branches)$/ { print $1; exit }' want)
check "--fail-under, too: $short" '! duct report f.db --criterion $short --fail-under 100 2>log >text && grep -q "coverage of $short is" log'
check "one list at a time" '! duct report f.db --criterion mcdc --pairs 2>log; grep -q "one list or form at a time" log'
finish
