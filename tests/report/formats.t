#!/usr/bin/env lua5.4
-- A session in the formats of other tools, each read by something that is not ours: xmllint with document types,
-- genhtml, unzip, and readers of JSON and .ktest written here from what is documented of them.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

local source, dtd = tap.root .. "/tests/report/src/", tap.root .. "/tests/report/dtd/"

local function sh(command, ...)
	local status, out, err = tap.run(command:format(...))
	return status == 0, out, out .. err
end

local function count(text, pattern) return select(2, text:gsub(pattern, "")) end
local function good(what, command, ...)
	local fine, out, all = sh(command, ...)
	tap.ok(fine, what, all)
	return out
end

good("a session", "duct concolic %serrors.c --quiet --runs 200 --store e.db --out made >text", source)
good("all formats at once", "duct report --store e.db --cobertura c.xml --junit j.xml --sarif s.json --testcomp t.zip"
	.. " --ktest k --lcov l.info")

-- Cobertura and JUnit
good("Cobertura's document type", "xmllint --nonet --noout --dtdvalid %scoverage.dtd c.xml", dtd)
good("JUnit's document type", "xmllint --nonet --noout --dtdvalid %sjunit.dtd j.xml", dtd)
local branches = select(2, sh("duct report --store e.db --branches"))
tap.is(good("xpath", "xmllint --nonet --xpath 'concat(/coverage/@branches-covered, \" of \", /coverage/@branches-valid)' c.xml")
	:match("[^\n]*"), ("%d of %d"):format(count(branches, "\tcovered\t"), count(branches, "\tp:%a+\t")),
	"as many outcomes as the table of branches")
local failed = count(good("xpath", "xmllint --nonet --xpath '//failure' j.xml"), "<failure")
local whole = json.decode(select(2, sh("duct report --store e.db --json")))
local places, ends = {}, { exit = 0, bad = 0 }
for kind, place in select(2, sh("duct report --store e.db --findings")):gmatch("\n(%w+)\t(%S+)") do
	places[#places + 1] = kind .. " " .. place
end
for ending in select(2, sh("duct report --store e.db --tests")):gmatch("\n%d+\t[^\t]*\t(%w+)") do
	ends[ending == "exit" and "exit" or "bad"] = ends[ending == "exit" and "exit" or "bad"] + 1
end
tap.ok(failed > 1 and failed == #places and tonumber((good("xpath",
	"xmllint --nonet --xpath 'string(//testsuite/@failures)' j.xml"))) == failed and ends.bad >= failed
	and count(tap.slurp("j.xml"), "<testcase ") == ends.exit + failed, "a case for each finding's place, and for each other test",
	table.concat(places, ", ") .. "\n" .. tap.slurp("j.xml"))

-- SARIF
local sarif = json.decode(tap.slurp("s.json"))
local run = sarif.runs[1]
local rules, found = {}, {}
for _, r in ipairs(run.tool.driver.rules) do rules[r.id] = r.shortDescription.text end
local shaped = sarif.version == "2.1.0" and run.tool.driver.name == "duct"
for _, r in ipairs(run.results) do
	local at = r.locations[1].physicalLocation
	shaped = shaped and rules[r.ruleId] and r.message.text and (r.level == "error" or r.level == "note")
		and at.artifactLocation.uri:find("errors.c", 1, true) and at.region.startLine > 0
	found[r.ruleId] = r
end
tap.ok(shaped, "SARIF: results with rules, messages and places")
-- Names are relative to the folder of the session, also when they were not; what is open is one result a place.
tap.spit("gaps.c", "int gaps(int x)\n{\n\tint y = 0;\n\tif (x == 123)\n\t\ty = 2;\n\tswitch (y + x) {\n\tcase 2: return 1;\n"
	.. "\tcase 3: return 4;\n\t}\n\treturn y;\n}\n")
good("a session with gaps", "duct dft \"$PWD/gaps.c\" --entry gaps --runs 1 --quiet --store g.db >text; duct report g.db --sarif g.json")
local gaps, seen_at, open = json.decode(tap.slurp("g.json")).runs[1], {}, 0
for _, r in ipairs(gaps.results) do
	local at = r.locations[1].physicalLocation
	local key = ("%s %d:%d"):format(r.ruleId, at.region.startLine, at.region.startColumn)
	shaped = shaped and at.artifactLocation.uri == "gaps.c" and at.artifactLocation.uriBaseId == "SRCROOT" and not seen_at[key]
	seen_at[key] = true
	for line in (r.message.text .. "\n"):gmatch("[^\n]+") do
		open = open + (r.ruleId == "open" and line:find(": ") and 1 or 0)
	end
end
local all_open = count(select(2, sh("duct report g.db --branches; duct report g.db --pairs")), "\tunknown\t")
tap.ok(shaped and gaps.originalUriBaseIds.SRCROOT.uri == "file://" .. os.getenv("PWD") .. "/" and open == all_open and open > 4
	and #gaps.results < open, "SARIF: one result a place, relative to a base", tap.slurp("g.json"))
local flow = found.error and found.error.codeFlows[1].threadFlows[1].locations
tap.ok(flow and #flow > 3 and flow[1].location.message.text:find("= %-77") and
	flow[#flow].location.physicalLocation.region.startLine == found.error.locations[1].physicalLocation.region.startLine,
	"SARIF: a code flow from the inputs to the error", tap.slurp("s.json"))
-- ... through calls and loops in the order of the run, also where conditions do not depend on inputs.
tap.spit("order.c", [[
#include <stdlib.h>
static int late(int n) { if (n > 2) abort(); return n; }
static int sum(const char *s, int n)
{
	int t = 0;
	for (int i = 0; i < n; i++)
		t += s[i] == 'x' ? 2 : -1;
	return t;
}
int order(const char *s)
{
	int k = 0, limit = 3;
	while (k < limit) k++;
	int t = sum(s, k);
	if (t == 6) return late(t);
	return 0;
}
]])
good("a failure behind conditions", "duct concolic order.c --entry order --len s=3 --quiet --store o.db >text; duct report o.db --sarif o.json")
local steps = {}
for _, r in ipairs(json.decode(tap.slurp("o.json")).runs[1].results) do
	for _, l in ipairs(r.codeFlows and r.codeFlows[1].threadFlows[1].locations or {}) do
		steps[#steps + 1] = l.location.message.text
	end
end
tap.is(table.concat(steps, "; "), 'order is called with s = "xxx"; `k < limit`: true; `k < limit`: false; `i < n`: true; '
	.. "`s[i] == 'x'`: true; `i < n`: false; `t == 6`: true; `n > 2`: true; abort", "SARIF: a code flow has the order of the run")
tap.ok(found.division and (count(branches, "\tinfeasible\t") == 0) == not found.infeasible, "SARIF: a division by zero")

-- Test-Comp
good("an archive", "mkdir zip && cd zip && unzip -q ../t.zip")
good("metadata's document type", "xmllint --nonet --noout --dtdvalid %stest-metadata.dtd zip/metadata.xml", dtd)
local cases = {}
for name in select(2, sh("ls zip")):gmatch("%S+") do if name ~= "metadata.xml" then
	cases[#cases + 1] = "zip/" .. name end end
tap.is(#cases, whole.tests, "a file a test")
good("test cases' document type", "xmllint --nonet --noout --dtdvalid %stestcase.dtd %s", dtd, table.concat(cases, " "))
tap.is(tap.slurp("zip/metadata.xml"):match("<programhash>(%x+)"),
	(good("sha256sum", "sha256sum %serrors.c", source):match("%x+")),
	"the program's hash")
local error_case = good("the case of the error", "cat zip/main_fails_with_error*")
tap.ok(error_case:find('coversError="true"', 1, true)
	and error_case:find('<input variable="nondet[0]" type="int">-77</input>', 1, true)
	and error_case:find('type="unsigned char">60</input>', 1, true) and error_case:find('type="double">', 1, true),
		"its inputs in order", error_case)
-- These inputs, given to the program as compiled by any compiler, lead to the error.
local values = {}
for v in error_case:gmatch("<input[^>]*>([^<]*)</input>") do values[#values + 1] = v end
tap.spit("replay.c", ([[
#include <stdlib.h>
int __VERIFIER_nondet_int(void) { return %s; }
unsigned char __VERIFIER_nondet_uchar(void) { return %s; }
double __VERIFIER_nondet_double(void) { return %s; }
void reach_error(void) { exit(42); }
]]):format(table.unpack(values)))
good("replayed elsewhere", "gcc -o replay replay.c %serrors.c && { ./replay; [ $? = 42 ]; }", source)

-- .ktest
local function ktest(path)
	local text, at = tap.slurp(path), 6
	local function word() local v; v, at = string.unpack(">I4", text, at); return v end
	local function bytes() local n = word(); at = at + n; return text:sub(at - n, at - 1) end
	assert(text:sub(1, 5) == "KTEST" and word() == 3)
	for _ = 1, word() do bytes() end
	assert(word() == 0 and word() == 0)
	local objects = {}
	for _ = 1, word() do
		local name = bytes()
		assert(name:sub(-1) == "\0")
		objects[name:sub(1, -2)] = bytes()
	end
	assert(at == #text + 1, "something is left over")
	return objects
end
local file = select(2, sh("ls k/main_fails_with_error*.ktest")):match("%S+")
local fine, o = pcall(ktest, file)
tap.ok(fine and string.unpack("<i4", o["nondet[0]"]) == -77 and o["nondet[1]"] == "<" and string.unpack("<d",
	o["nondet[2]"]) > 2.5,
	".ktest: objects with their bytes", tostring(o))
good("a function with structures",
	"duct concolic %sshapes.c --entry tree --pointer-depth 1 --runs 20 --quiet --store t.db >text", source)
good("its tests for KLEE", "duct report --store t.db --ktest kt")
local bad, seen = {}, {}
for name in select(2, sh("ls kt/*.ktest")):gmatch("%S+") do
	fine, o = pcall(ktest, name)
	if not fine then bad[#bad + 1] = name .. tostring(o) else for k, v in pairs(o) do seen[k] = #v end end
end
tap.ok(#bad == 0 and next(seen), ".ktest: objects of structures", table.concat(bad, "\n"))

-- Lines of code, in lcov and in Cobertura: those that gcov says of the same tests
local function tracefile(path)
	local lines, calls = {}, {}
	for kind, number, rest in tap.slurp(path):gmatch("(%u+):(%d+),([^\n]*)") do
		if kind == "DA" then lines[tonumber(number)] = tonumber(rest) end
		if kind == "FNDA" then calls[rest] = tonumber(number) end
	end
	return lines, calls
end

local function gcov(folder, name)
	local lines = {}
	good("gcov of " .. folder, "make -s -C %s check CFLAGS='--coverage -O0' >%s.log; cd %s && gcov -o . tests.o",
		folder, folder, folder)
	for count, number in tap.slurp(("%s/%s.c.gcov"):format(folder, name)):gmatch("([^\n:]*):%s*(%d+):") do
		if not count:find("-$") then lines[tonumber(number)] = tonumber(count:match("%d+")) or 0 end
	end
	return lines
end

local function agree(folder, name, ours)
	local theirs, both, wrong = gcov(folder, name), 0, {}
	for number, count in pairs(theirs) do
		both = both + (ours[number] and 1 or 0)
		if ours[number] and (ours[number] > 0) ~= (count > 0) then
			wrong[#wrong + 1] = ("line %d: %d, gcov %d"):format(number, ours[number], count)
		end
	end
	tap.ok(#wrong == 0 and both > 10, folder .. ": gcov agrees on which lines were run", table.concat(wrong, "\n"))
end

good("lines", "duct concolic %slines.c --entry lines --calls 1 --quiet --store ln.db --out ln && duct report --store ln.db --lcov ln.info"
	.. " --cobertura ln.xml", source)
local ours, calls = tracefile("ln.info")
agree("ln", "lines", ours)
local runs = select(2, sh("duct report --store ln.db --json"))
runs = json.decode(runs).tests
tap.ok(ours[22] == runs and ours[9] == runs and ours[14] == 0 and ours[35] == runs - 1 and ours[20] and not ours[41],
	"lines without conditions, counted in runs", tap.slurp("ln.info"))
tap.ok(calls.lines == runs and calls.note == runs and calls.never == 0 and not calls.main,
	"functions without conditions")
tap.ok(tap.slurp("ln.xml"):find('<line number="14" hits="0" branch="false"/>', 1, true)
	and tap.slurp("ln.xml"):find(('<line number="22" hits="%d" branch="false"/>'):format(runs), 1, true),
		"Cobertura has them, too")
good("its document type", "xmllint --nonet --noout --dtdvalid %scoverage.dtd ln.xml", dtd)
local summary = good("lcov's count", "lcov --summary ln.info 2>&1")
local reached, all = summary:match("lines%.*: [%d.]+%% %((%d+) of (%d+) lines%)")
local have, hit = 0, 0
for _, n in pairs(ours) do have, hit = have + 1, hit + (n > 0 and 1 or 0) end
tap.ok(tonumber(reached) == hit and tonumber(all) == have, "lcov counts as many", summary)
good("a page", "genhtml --branch-coverage -q -o ln.html ln.info && grep -q never ln.html/*/lines.c.func.html")
good("two workers", "duct concolic %slines.c --entry lines --calls 1 --quiet --jobs 2 --store lj.db && duct report --store lj.db --lcov lj.info", source)
local shared, wrong = tracefile("lj.info"), {}
for number, n in pairs(ours) do
	if not shared[number] or (shared[number] > 0) ~= (n > 0) then wrong[#wrong + 1] = number end
end
tap.ok(#wrong == 0, "two workers ran the same lines", table.concat(wrong, " "))
good("a suite", "duct cc -o lines %slines.c && printf './lines 9\n./lines\n./lines 1\n' >suite &&"
	.. " duct cover --quiet --store lc.db -- sh ./suite && duct report --store lc.db --lcov lc.info", source)
ours, calls = tracefile("lc.info")
tap.ok(ours[22] == 3 and ours[24] == 1 and ours[27] == 2 and ours[31] == 3 and ours[14] == 0 and ours[43] == 3
	and calls.main == 3,
	"a suite: tests that passed a line", tap.slurp("lc.info"))
good("more of it", "printf './lines 7\n' >suite; duct cover --append --quiet --store lc.db -- sh ./suite; duct report --store lc.db --lcov lc.info")
ours = tracefile("lc.info")
tap.ok(ours[22] == 4 and ours[32] == 1 and ours[35] == 3, "what is appended counts", tap.slurp("lc.info"))
good("and all", "duct concolic %slines.c --entry lines --calls 1 --quiet --store lc.db && duct report --store lc.db --all --lcov la.info"
	.. " && duct farm --merge merged.db lc.db && duct report --store merged.db --all --lcov lm.info", source)
local both = tracefile("la.info")
tap.ok(both[22] == 4 + runs and both[14] == 0 and both[43] == 4, "a suite and a session together", tap.slurp("la.info"))
tap.is(tap.slurp("lm.info"), tap.slurp("la.info"), "a merged store has the same lines")

-- lcov, a corpus, a minimal set
good("lcov", "lcov --rc lcov_branch_coverage=1 --summary l.info 2>&1 | grep branches")
good("a program that reads", "duct concolic %swords.c --stdin 3 --runs 60 --quiet --store s.db >text", source)
good("a corpus", "duct report --store s.db --corpus seeds && duct concolic %swords.c --stdin 3 --runs 1000"
	.. " --corpus seeds --quiet --store again.db >text", source)
local first, again = json.decode(select(2, sh("duct report --store s.db --json"))),
	json.decode(select(2, sh("duct report --store again.db --json")))
tap.ok(again.branches.covered >= first.branches.covered, "what is exported covers as much when it is imported")
good("few tests", "duct report --store s.db --minimal --corpus few --junit few.xml >few.txt")
local n = tonumber(tap.slurp("few.txt"):match("# (%d+) of"))
tap.ok(n and n < first.tests and count(tap.slurp("few.xml"), "<testcase ") >= n
	and count(select(2, sh("ls few")), "\n") == count(tap.slurp("few.xml"), "<testcase "),
		"--minimal: what is written has few tests")
local status, _, err = tap.run("duct report --store s.db --testcomp nowhere/t.zip")
tap.ok(status == 4 and err:find("nowhere/t.zip", 1, true), "a place that cannot be written to", err)

-- What is no regular file is written to, not replaced: links, lest this test harm a device.
status, _, err = tap.run("ln -s /dev/full full && duct report --store s.db --lcov full")
tap.ok(status == 4 and err:find("full: cannot be written", 1, true)
	and sh("[ -L full ] && [ -c full ]"), "a device that is full", err)
tap.ok(select(2, sh("mkfifo pipe && { cat pipe & duct report --store s.db --lcov pipe && [ -p pipe ] && wait; }")):find("end_of_record"),
	"a pipe")
tap.done()
