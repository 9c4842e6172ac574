#!/usr/bin/env lua5.4
-- Searches for pairs: guidance matters, pruning loses nothing, any strategy takes them, and one pair at a time.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local folder = tap.folder("pairs")

local function source(name, text)
	tap.spit(folder .. "/" .. name .. ".c", text)
	return folder .. "/" .. name .. ".c"
end

local function duct(arguments)
	local status, out, err = tap.run("duct " .. arguments .. " --json --quiet")
	local fine, result = pcall(json.decode, out)
	return fine and result or { pairs = {}, solver = {}, branches = {} }, status, err
end

-- The pair (D, U, v) lies behind a gate in front of which twelve conditions on other inputs stand: 4,096 paths lead
-- to the wrong side of it.
local gate = source("gate", [[
int gate(const int *a, int key)
{
	int n = 0, v = 0;
	if (key == 77)
		v = 5;
	for (int i = 0; i < 12; i++)
		if (a[i] > i)
			n += a[i];
	if (v)
		n = v;
	return n;
}
]])
local function gate_pairs(search, runs)
	return duct(("dft %s --entry gate --len a=12 --search '%s' --runs %d"):format(gate, search, runs)).pairs
end
local most = gate_pairs("cpgs", 300)
local soon = gate_pairs("cpgs", 20)
tap.ok(soon.covered == most.covered and most.covered > 0, "cpgs covers in 20 runs what it does in 300", soon.covered)
for _, search in ipairs { "dfs", "rss", "rss-md2u", "sdgs" } do
	local p = gate_pairs(search, 20)
	print(("# gate: %s covers %s pairs in 20 runs, cpgs %s"):format(search, p.covered, soon.covered))
	tap.ok(p.total == most.total and p.covered <= soon.covered, search .. " watches the same pairs and covers no more")
end
for _, words in ipairs { "cut-points", "redefinition", "distance", "new-coverage", "backtracking", "similar", "turns",
	"cut-points distance new-coverage" } do
	local p = gate_pairs("cpgs without " .. words, 300)
	tap.ok(p.total == most.total and p.covered > 0 and p.covered <= most.covered, "cpgs without " .. words, p.covered)
end
local _, status, message = duct(("dft %s --entry gate --search 'cpgs without luck'"):format(gate))
tap.ok(status == 2 and message:find("luck is none of", 1, true), "a heuristic that there is not", message)
tap.ok(gate_pairs("dfs", 300).covered < soon.covered, "dfs covers fewer of them, even in 300 runs")
local r

-- The definition can be reached again in the next turn of the loop: a path on which v was overwritten must not
-- be given up. v == 7 is used at the end only when 'd' is the last of "dk", "kd".
local loop = source("loop", [[
int loop(const char *s)
{
	int v = 0, r = 0;
	for (int i = 0; i < 4; i++) {
		if (s[i] == 'd')
			v = 7;
		if (s[i] == 'k')
			v = 1;
		if (s[i] == 'u' && i > 1)
			r = v;
	}
	return r;
}
]])
for _, search in ipairs { "cpgs", "sdgs" } do
	r = duct(("dft %s --entry loop --len s=4 --search %s --time 60"):format(loop, search))
	tap.ok(r.pairs.unknown == 0 and r.pairs.covered > 0, search .. ": nothing is lost to pruning in a loop",
		("%s covered, %s unknown"):format(r.pairs.covered, r.pairs.unknown))
end
local pruned = r.pairs.covered
r = duct(("concolic %s --entry loop --len s=4 --criterion all-uses --search dfs --time 60"):format(loop))
tap.ok(r.exhausted and r.pairs.covered == pruned, "as many as exhaustive exploration covers", r.pairs.covered)
r = duct(("concolic %s --entry loop --len s=4 --scope intra --search 'mix cpgs coverage' --time 60"):format(loop))
tap.ok(r.exhausted and r.pairs.covered == pruned, "cpgs within mix, with another strategy", r.pairs.covered)
r = duct(("random %s --entry loop --len s=4 --protocol default --runs 50"):format(loop))
tap.ok(r.pairs.total > 0 and r.pairs.covered > 0, "any strategy watches pairs when asked")

-- Where an index is an input, one path stands for several flows of data: each of them is asked for.
local index = source("index", [[
int store(unsigned i)
{
	int a[2] = { 1, 2 };
	if (i > 1)
		return 0;
	a[i] = 5;
	return a[1];
}
]])
r = duct(("dft %s --entry store --time 60"):format(index))
local late, paths = r.pairs, r.paths
tap.ok(late.total > 0 and late.covered == late.total, "late: an index is no path, and all is decided",
	late.unknown)
r = duct(("dft %s --entry store --time 60 --aliases early"):format(index))
local early = r.pairs
tap.ok(r.exhausted and early.unknown == 0 and early.covered == late.covered and r.paths > paths,
	"early: each index is a path, and the same is decided", early.unknown)

-- Other inputs of one path write or read more bytes: nothing is proved of what these may cover.
local lengths = source("lengths", [[
#include <string.h>
int fill(unsigned n)
{
	char b[4] = { 1, 2, 3, 4 };
	if (n > 4)
		return 0;
	memset(b, 7, n);
	return b[2];
}
int compare(char x)
{
	char b[4];
	b[0] = x;
	b[1] = 1;
	b[2] = 0;
	return strcmp(b, "ab") == 0;
}
]])
for _, entry in ipairs { "fill", "compare" } do
	r = duct(("dft %s --entry %s --time 60"):format(lengths, entry))
	tap.ok(r.pairs.total > 0 and r.pairs.infeasible == 0,
		entry .. ": a length that depends on inputs proves nothing",
		r.pairs.infeasible)
end

-- A call that is not followed may have covered pairs: nothing is proved.
local callback = source("callback", [[
#include <stdlib.h>
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int callback(int x)
{
	int a[2];
	a[0] = 2;
	a[1] = 1;
	qsort(a, 2, sizeof *a, order);
	return x > 3 ? a[0] : 0;
}
]])
r = duct(("dft %s --entry callback --time 60"):format(callback))
tap.ok(r.pairs.total > 0 and r.pairs.infeasible == 0, "a call that is not followed: nothing is infeasible",
	r.pairs.infeasible)

-- Pairs on their own.
r = duct(("dft %s --entry loop --len s=4 --one-pair --runs 400"):format(loop))
tap.ok(#r.one_pair == r.pairs.total and r.pairs.covered > 0, "--one-pair tells of each pair", #(r.one_pair or {}))
local n = 0
for _, p in ipairs(r.one_pair or {}) do n = n + (p.covered and 1 or 0) end
tap.is(n, r.pairs.covered, "--one-pair: no collateral credit")

-- Any pair of a definition does for it.
r = duct(("dft %s --entry loop --len s=4 --criterion all-defs --time 60"):format(loop))
local every = duct(("dft %s --entry loop --len s=4 --time 60"):format(loop))
tap.ok(r.pairs.total < every.pairs.total and r.pairs.covered == r.pairs.total and r.runs < every.runs,
	"all-defs counts definitions", ("%s of %s in %s runs"):format(r.pairs.covered, r.pairs.total, r.runs))

-- Tests that add pairs are kept, and the verdicts of the same question.
local store = folder .. "/keep.db"
r = duct(("dft %s --entry loop --len s=4 --keep new --time 60 --store %s"):format(loop, store))
tap.ok(r.tests < r.paths and r.pairs.unknown == 0, "--keep new: tests that add branches or pairs", r.tests)
local again = duct(("dft %s --entry loop --len s=4 --keep new --time 60 --store %s"):format(loop, store))
tap.ok(again.runs <= r.tests + 1 and again.pairs.covered == r.pairs.covered
	and again.pairs.infeasible == r.pairs.infeasible,
	"the next session finds all decided", again.runs)
again = duct(("dft %s --entry loop --len s=6 --keep new --runs 1 --store %s"):format(loop, store))
tap.is(again.pairs.infeasible, 0, "another shape of inputs inherits no verdict")

-- A loop that an input bounds, behind others: the long runs that it makes possible do not take the session, neither those
-- that go on where an earlier one was left nor mutations of inputs whose run was long.
tap.run(("lua5.4 %s/tests/bench/decide/generate.lua algorithm 4 >%s/long.c"):format(tap.root, folder))
r = duct(("dft %s/long.c --runs 150 --time 60 --timeout 0.1"):format(folder))
tap.ok(r.cut <= 4 and r.pairs.covered >= 95, "long runs are rare where short ones lead further",
	("%s of 150 runs were cut, %s pairs"):format(r.cut, r.pairs.covered))

-- Turns with coverage become rare while they bring nothing.
local counting = folder .. "/counting.lua"
tap.spit(counting, [[
return function(session)
	local search, turns = session.search, 0
	function session.search(self, name)
		local made = search(self, name)
		local select = made.select
		if name == "coverage" then
			function made.select(...)
				turns = turns + 1
				return select(...)
			end
		end
		return made
	end
	require("strategy.concolic")(session)
	print("turns", turns, session.runs)
end, { pairs = true }
]])
local _, lines = tap.run(("duct %s %s --entry gate --len a=12 --search cpgs --runs 600 --quiet"):format(counting, gate))
local turns, runs = lines:match("turns\t(%d+)\t(%d+)")
tap.ok(turns and tonumber(turns) > 4 and tonumber(turns) < runs / 8, "turns with coverage become rare where they bring nothing",
	("%s of %s"):format(turns, runs))

-- A program without pairs: conditions are all that there is to cover.
r = duct(("dft %s"):format(source("none",
	"#include <unistd.h>\nint main(void) { if (isatty(0)) return 1; return 0; }\n")))
tap.ok(r.pairs.total == 0 and r.branches.covered == 2, "without pairs conditions are covered", r.branches.covered)

-- Mistakes.
for _, case in ipairs {
	{ "dft %s --entry loop --len s=4 --criterion all-pairs", "all%-pairs" },
	{ "concolic %s --entry loop --len s=4 --search cpgs", "none are watched" },
	{ "concolic %s --entry loop --len s=4 --one-pair", "%-%-one%-pair is for dft" },
} do
	local _, status, err = duct(case[1]:format(loop))
	tap.ok(status == 2 and err:find(case[2]), "refused: " .. case[1]:format("FILE"), err)
end
tap.done()
