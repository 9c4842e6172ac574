#!/usr/bin/env lua5.4
-- limit: 240
-- Figures of the paper for LATEST: runs of any kind against the paths of the function under test, and
-- against depth-first concolic testing.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

local function session(strategy, file, rest)
	local status, out, err = tap.run(("duct %s %s/share/examples/%s --keep all --json --quiet %s"):format(strategy,
		tap.root, file, rest .. (strategy == "latest" and not rest:find("--abstract") and " --abstract all" or "")))
	if not tap.ok(status == 0, strategy .. " " .. file .. " " .. rest, err) then return { branches = {}, runs = 0 } end
	return json.decode(out)
end

local function latest(file, rest, most, paths)
	local r = session("latest", file, rest)
	tap.is(tap.whole(r), true, file .. ": exhausted")
	tap.ok(r.runs <= most, ("%s: at most %d runs"):format(file, most), r.runs)
	-- what is asked of callers (a pointer is not NULL), before any condition of the function, ends a path of its own
	tap.is(r.paths, paths + math.min(#r.needs, 1), file .. ": paths of the function under test")
	tap.is(r.mispredicted, 0, file .. ": predictions missed")
	return r
end

local function searched(file, rest, least)
	local r = session("concolic", file, "--search dfs " .. rest)
	tap.ok(r.paths >= least, ("%s: depth first, at least %d paths"):format(file, least), r.paths)
end

local strings = "--entry testme --string s1=12 --string s2=15 --distinct all"
searched("testme.c", strings, 720)
latest("testme.c", strings, 113, 3)

for _, n in ipairs { 4, 16, 64 } do
	local rest = ("--entry top_nonempty --string input=%d"):format(n)
	local r = latest("top_locate.c", rest .. " --abstract locate", 10, 3)
	tap.is(r.branches.covered, 8, "top, n = " .. n .. ": branches")
	if n < 64 then searched("top_locate.c", rest, 3 * n - 1) end
end

local r = latest("global_foo.c", "--entry test --calls 1", 10, 1)
tap.is(r.branches.infeasible + r.branches.limited, 3,
	"global_foo: the label and what guards it are unreachable, from its first state at least")
tap.is(r.branches.covered, 3, "global_foo: the false side of `global == 0` is covered")

searched("program1.c", "--entry program1 --string p=9 --string q=9 --distinct all", 676)
latest("program1.c", "--entry program1 --string p=9 --string q=9 --distinct all", 59, 9)
searched("program2.c", "--entry program2 --string input=13", 651)
latest("program2.c", "--entry program2 --string input=13", 63, 7)
searched("program3.c", "--entry program3 --string s1=15 --string s2=15 --distinct all", 841)
latest("program3.c", "--entry program3 --string s1=15 --string s2=15 --distinct all", 68, 3)
tap.done()
