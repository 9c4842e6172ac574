#!/usr/bin/env lua5.4
-- Sessions: bounds, interruption, resuming, what is kept, scripts of one's own.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local folder = tap.folder("session")
local long, short = folder .. "/long.c", folder .. "/short.c"
tap.spit(long, "int f(int *a) { int n = 0; for (int i = 0; i < 60; i++) if (a[i] > 5) n++; return n; }\n")
tap.spit(short, [[
#include <stdlib.h>
int g(int x, int y)
{
	if (x == 1234)
		abort();
	if (y == x + 77)
		return 1;
	return 0;
}
]])

local function duct(arguments)
	local status, out, err = tap.run("duct " .. arguments)
	local fine, result = pcall(json.decode, out)
	return fine and result or { solver = {}, branches = {}, cpu = {} }, status, out, err
end

local function contains(list, text)
	for _, item in ipairs(list or {}) do
		if item == text then return true end
	end
	return false
end

local r, status = duct(("concolic %s --entry f --len a=60 --json --quiet --runs 50"):format(long))
tap.ok(status == 0 and r.runs == 50 and r.ended == "runs" and r.exhausted == false, "--runs")
tap.ok(contains(r.bounds, "runs=50") and not contains(r.bounds, "time=60"), "--runs is echoed, and alone")
r = duct(("concolic %s --search dfs --entry f --len a=60 --json --quiet --time 1"):format(long))
tap.ok(r.ended == "time" and r.seconds >= 0.9 and r.seconds < 4 and contains(r.bounds, "time=1"), "--time", r.seconds)
r = duct(("concolic %s --entry g --json --quiet"):format(short))
tap.ok(tap.whole(r) and r.ended == "exhausted" and contains(r.bounds, "time=60"),
	"an end of its own; the default bound is echoed")
tap.ok(r.paths == 3 and r.tests == 3 and r.runs == 3 and #(r.failures or {}) == 1 and r.failures[1].kind == "abort"
	and r.failures[1]["function"] == "g", "an abort is a failure with its place")
tap.ok(r.cpu.run and r.cpu.solve and r.cpu.strategy and r.solver.asked == 2, "figures")
r = duct(("instrument -o %s/g %s --entry g --range x=0..2000; duct concolic %s/g --json --quiet"):format(folder,
	short, folder))
tap.ok(r.entry == "g" and tap.whole(r) and r.paths == 3 and table.concat(r.assumptions, " "):find("x=0..2000", 1, true),
	"a program with a harness: its entry and what is assumed of its inputs", table.concat(r.assumptions or {}, "\n"))
r = duct(("concolic %s --entry f --len a=60 --assume a --keep all --json --quiet --depth 5"):format(long))
tap.ok(r.exhausted == false and r.paths == 32 and r.cut == 32 and contains(r.bounds, "depth=5"),
	"--depth: all paths within it, not exhausted",
	("%s paths"):format(r.paths))
local endless = folder .. "/endless.c"
tap.spit(endless, [[
int h(int x)
{
	if (x == 5)
		for (;;)
			x ^= 1;
	return x;
}
]])
local out
r, status, out = duct(("concolic %s --entry h --json --quiet --steps 1000"):format(endless))
tap.ok(status == 0 and r.exhausted == false and r.paths == 2 and r.cut == 1 and contains(r.bounds, "steps=1000")
	and #(r.failures or {}) == 0, "--steps: a run that goes on is cut, which is no failure and not exhausted", out)
out = select(3, duct(("concolic %s --entry h --quiet --stats --steps 1000"):format(endless)))
tap.ok(out:find("2 paths.*, 1 ended by a limit of a run\n") and out:find("\nbounds: steps=1000,"),
	"the report says so", out)
r = duct(("concolic %s --entry f --len a=60 --json --quiet --runs 30 --keep new"):format(long))
tap.ok(r.tests <= 4 and r.runs == 30, "--keep new", r.tests)

-- Interrupted: a report, and everything kept.
local store = folder .. "/store"
local text
status, text = tap.run(([[
	duct concolic %s --search dfs --entry f --len a=60 --json --quiet --store %s >%s/out & p=$!
	sleep 3; kill -INT $p; wait $p]]):format(long, store, folder))
r = json.decode(tap.slurp(folder .. "/out"))
tap.ok(status == 130 and r.ended == "interrupted" and r.exhausted == false and r.runs > 0,
	"Ctrl-C ends with a report", text)
local _, check = tap.run(("sqlite3 %s 'PRAGMA integrity_check'"):format(store))
tap.is(check, "ok\n", "its store is whole")
local _, listed = tap.run(("duct report --store %s --json"):format(store))
local fine, again = pcall(json.decode, listed)
tap.ok(fine and again.tests == r.tests and again.runs == r.runs, "and holds what the report said")

-- Resuming: what was covered is run again first, and the rest is found.
local keep = folder .. "/keep"
duct(("concolic %s --entry g --json --quiet --runs 1 --store %s"):format(short, keep))
r, status = duct(("concolic %s --entry g --json --quiet --resume --store %s"):format(short, keep))
tap.ok(status == 0 and tap.whole(r) and r.branches.unknown == 0, "--resume goes on")
local r2 = duct(("concolic %s --entry g --json --quiet --resume --store %s"):format(short, keep))
tap.ok(tap.whole(r2) and r2.branches.covered == r.branches.covered and r2.solver.asked <= r.solver.asked,
	"and again: nothing is lost")

-- The value of a header's macro is part of the question, too: nothing is infeasible for another value of it.
local header = folder .. "/limit.h"
tap.spit(header, "#define LIMIT 5\n")
tap.spit(folder .. "/limit.c",
	'#include "limit.h"\nint l(int x) { if (x > 5 && x < 7 && x <= LIMIT) return 1; return 0; }\n')
local ask = ("concolic %s/limit.c --entry l --json --quiet --store %s/limit"):format(folder, folder)
r = duct(ask)
tap.ok(r.exhausted and r.branches.infeasible == 1, "a branch that a macro makes infeasible")
tap.spit(header, "#define LIMIT 6\n")
r = duct(ask .. " --resume --runs 1")
tap.ok(r.branches.infeasible == 0, "is not so for another value of the macro", out)

-- Plain progress lines, and none when not asked for.
local _, _, err = tap.run(("duct concolic %s --entry g --quiet"):format(short))
tap.is(err, "", "--quiet")

-- A strategy of one's own.
tap.spit(folder .. "/mine.lua", [[
return function(session)
	for _ in session:start() do end
	local input = session.space:model()
	input:set("x", "i", 32, 1234)
	local path = session:run(input, nil, "mine")
	assert(path.failed and path.fresh and path.kept)
	assert(input:get("x") == 1234 and input:get("y") == nil)
	local unit, id = session.flow:find("g")
	assert(session.flow:functions(unit)[id].name == "g")
	local own = 0
	for _, branch in ipairs(session.flow:branches(unit)) do
		own = own + (branch.func == id and 1 or 0)
	end
	assert(own == 2 and #session.flow:edges(unit) >= 4)
	assert(session.store:objective(1).func == "g")
	assert(#session.space:variables() == 2)
end
]])
r, status, _, err = duct(("%s/mine.lua %s --entry g --json --quiet"):format(folder, short))
tap.ok(status == 0 and r.runs == 2 and #(r.failures or {}) == 1 and r.strategy:find("mine.lua", 1, true),
	"a strategy of one's own", err)

-- A program whose runs are long is built again, to be fast; not when it is another now.
local slow = folder .. "/slow.c"
tap.spit(folder .. "/long_runs.lua", [=[
return function(session)
	local text = os.getenv "OTHER"
	for _ in session:start() do end
	local input = session.space:model()
	for i = 1, 12 do
		input:set("x", "i", 32, i)
		session:run(input, nil, "mine")
		if text then
			local f <close> = assert(io.open(session.options.files[1], "w"))
			f:write(text)
		end
	end
	assert(not session.improve and session.steps > 12000000 and session.paths == 2)
	assert(session.mispredicted == 0 and session.store:counts().lost == 0)
end
]=])
for _, other in ipairs { "", "OTHER='int k(int x) { return x == 8; }'", "OTHER='this is no C'" } do
	tap.spit(slow, "int k(int x) { unsigned s = 1; for (int i = 0; i < 600000; i++) s = s * 3 + 1; return x == 7 ? s : 0; }\n")
	local out
	status, out, err = tap.run(("%s duct %s/long_runs.lua %s --entry k --json --quiet"):format(other, folder, slow))
	tap.ok(status == 0 and json.decode(out).branches.covered == 4, "long runs: " .. (other == "" and "better code"
		or other), err)
end

-- Code that is made quickly does not run out of stack sooner than other code.
local deep = folder .. "/deep.c"
tap.spit(deep, [=[
static int pick(int a, int b, int c) { return a > b ? b > c ? b : c : a > c ? a : c; }
static int down(int n, const int *t)
{
	if (n <= 0)
		return t[0];
	int k = pick(t[0], t[1], n);
	return k + down(n - 1, t) + (t[1] > 3) * pick(k, n, 4);
}
int d(int x) { int t[2] = { 1, 5 }; return down(60000, t) > x; }
]=])
r = duct(("concolic %s --entry d --json --quiet"):format(deep))
tap.ok(r.exhausted and #(r.failures or {}) == 0, "a deep recursion")

-- Filters from a script.
tap.spit(folder .. "/filter.lua", [[
local core = require "duct.core"
return function(session)
	local p = core.spawn({ "cat" }, "pairs", "pairs")
	p:write("unit", 1, "3fbb1c80a7d3e211", "a\\tb")
	p:finish()
	local unit = p:read()
	assert(unit[1] == "unit" and unit[2] == "1" and unit[4] == "a\\tb" and not p:read())
	assert(p:close() == 0)
	p = core.spawn({ core.home("libexec", "partition") }, "trace", "blocks")
	p:finish()
	assert(not p:read() and p:close() == 0)
	for _ in session:start() do end
end
]])
_, status, _, err = duct(("%s/filter.lua %s --entry g --json --quiet"):format(folder, short))
tap.ok(status == 0, "filters from a script", err)

-- Nothing is left behind.
local _, left = tap.run("ls -A \"${TMPDIR:-/tmp}\" | grep '^duct\\.' || true")
tap.is(left, "", "no scratch folder is left")

tap.done()
