#!/usr/bin/env lua5.4
-- Figures of the papers for plain concolic testing, where they depend on a size.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

local function session(file, rest)
	local status, out, err = tap.run(("duct concolic %s/share/examples/%s --keep all --search dfs --json --quiet %s"):format(tap.root, file, rest))
	if not tap.ok(status == 0, file .. " " .. rest, err) then return { solver = {} } end
	return json.decode(out)
end

local function exhausted(r, paths, name)
	tap.is(r.paths, paths, name .. ": paths")
	tap.is(tap.whole(r), true, name .. ": exhausted")
	tap.is(r.mispredicted, 0, name .. ": predictions missed")
end

for n = 1, 10 do
	local r = session("test_n.c", ("--entry test --len a=%d -- -DN=%d"):format(n, n))
	exhausted(r, 2 ^ n // 1 | 0, "test, n = " .. n)
	tap.is(r.solver.asked, (2 ^ n // 1 | 0) - 1, "test, n = " .. n .. ": one query a path but the first")
end

for _, n in ipairs { 1, 2, 3, 5, 8, 13 } do
	exhausted(session("top_locate.c", ("--entry top_nonempty --string input=%d"):format(n)), 3 * n - 1, "top, n = " .. n)
	exhausted(session("top_locate.c", ("--entry top --string input=%d"):format(n)), 3 * n,
		"top with the empty string, n = " .. n)
end

local r = session("is_sorted.c", "--entry isSorted")
exhausted(r, 4, "isSorted")
tap.is(r.solver.asked, 3, "isSorted: solver calls")
tap.is(r.solver.constraints_mean, 2, "isSorted: mean conjuncts")

exhausted(session("testme.c", "--entry testme --string s1=12 --string s2=15 --distinct all"),
	2 * (#"Hello World" + 1) * 2 * (#"Hello ESEC/FSE" + 1), "testme")
exhausted(session("max3.c", "--entry max3 --len a=3"), 4, "max3")
exhausted(session("program1.c", "--entry program1 --string p=9 --string q=9"), 26 * 26, "program1, n = 9")

-- Other searches find the same paths in another order.
for _, search in ipairs { "bfs", "random", "cfg" } do
	exhausted(session("triangle.c", "--entry triangle --search " .. search), 11, "triangle by " .. search)
end
tap.done()
