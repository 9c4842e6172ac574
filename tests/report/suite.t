#!/usr/bin/env lua5.4
-- The gain of each test, a minimal subset, and annotated sources, of made-up sessions.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local store = require "madeup"

local function report(path, form) return select(2, tap.run(("duct report --store %s --%s"):format(path, form))) end

-- Fewest tests that cover what all do, by trying all subsets.
local function fewest(tests)
	local best, all = #tests, {}
	for i, t in ipairs(tests) do
		for kind = 1, 2 do for _, k in ipairs(t[kind]) do
			local e = kind .. "." .. k
			all[e] = (all[e] or 0) | 1 << i
		end end
	end
	for set = 0, (1 << #tests) - 1 do
		local n, whole = 0, true
		for i = 1, #tests do n = n + (set >> (i - 1) & 1) end
		if n < best then
			for _, holders in pairs(all) do whole = whole and holders & set << 1 ~= 0 end
			if whole then best = n end
		end
	end
	return next(all) and best or 0
end

math.randomseed(5)
local wrong = {}
for round = 1, 25 do
	local tests, elements = {}, math.random(1, 14)
	for i = 1, math.random(1, 10) do
		tests[i] = { {}, {} }
		for k = 1, elements do
			if math.random() < 0.3 then table.insert(tests[i][k % 2 + 1], (k + 1) // 2) end
		end
	end
	local path = store(tests, elements, elements)
	local out, covered, want = report(path, "minimal"), {}, {}
	local n, of, how = out:match("\n# (%d+) of (%d+) tests cover the same branches and pairs; ([^\n]+)\n")
	for number, name in out:gmatch("\n(%d+)\ttest <(%d+)>") do
		if number ~= name then wrong[#wrong + 1] = "name" end
		for kind = 1, 2 do for _, k in ipairs(tests[tonumber(number)][kind]) do covered[kind .. "." .. k] = true end end
	end
	for _, t in ipairs(tests) do for kind = 1, 2 do for _, k in ipairs(t[kind]) do
		want[kind .. "." .. k] = true end end end
	for e in pairs(want) do if not covered[e] then wrong[#wrong + 1] = round .. ": lost " .. e end end
	if tonumber(of) ~= #tests or how ~= "no fewer do" or tonumber(n) ~= fewest(tests) then
		wrong[#wrong + 1] = ("%d: %s, not %d of %d"):format(round, out, fewest(tests), #tests)
	end
end
tap.ok(#wrong == 0, "25 suites: as few tests as any subset needs, and nothing is lost", table.concat(wrong, "\n"))

local path = store({ { { 1, 2 }, { 1 } }, { { 2, 3 }, {} }, { { 2 }, { 1 } } }, 4, 2)
tap.is(report(path, "tests"), [[
#number	name	ending	branches	new	alone	pairs	new	alone
1	test <1>	exit	2	2	1	1	1	0
2	test <2>	exit	2	1	1	0	0	0
3	test <3>	exit	1	0	0	1	0	0
]], "what each test adds, and what it alone covers")

os.execute("mkdir -p src")
tap.spit("src/y.c", "one </script>\n\ttwo \xff\nthree\nfour")
path = store({ { { 1, 2, 3 }, {} } }, 6, 1, os.getenv("PWD") .. "/src/y.c")
tap.is(report(path, "annotate"), [[
==> y.c
+     1 | one </script>
~     2 | 	two ]] .. "\xff" .. [[

       |   ! 3: p:false of `x < 4` unknown: reached by 1 run, never taken; no proof was tried
       |   ! 2: v1 of y.c:2:1 c unknown: no session looked for it
-     3 | three
       |   ! 3: p:true of `x < 5` unknown: its condition was never reached; no proof was tried
       |   ! 3: p:false of `x < 6` unknown: its condition was never reached; no proof was tried
      4 | four
]], "sources with what is not covered")

-- 20,000 pairs.
local many = { {}, {} }
for i = 1, 20000 do if i % 3 > 0 then table.insert(many[2], i) end end
path = store({ many, { { 1 }, { 3, 6 } } }, 2000, 20000)
tap.ok(select(2, report(path, "minimal"):gsub("\n", "")) == 4, "a minimal subset of 20,000 pairs")

tap.done()
