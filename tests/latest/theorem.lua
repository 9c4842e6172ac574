-- LATEST covers exactly what exhaustive running covers in the function under test (the paper's Theorem 1), on
-- generated programs, one result a seed.
--   lua5.4 theorem.lua FIRST LAST [heap]      heap: of programs whose functions return and fill blocks of the heap
-- RUNS: the most of a session (1500).
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local first, last = math.tointeger(arg[1]), math.tointeger(arg[2])
local finished, abstract = 0, 0

local function must(command)
	local status, out, err = tap.run(command)
	if status ~= 0 then error({ command .. ": status " .. status .. "\n" .. err }, 0) end
	return out
end

local function check(seed)
	local dir = tap.folder("seed" .. seed)
	must(("lua5.4 %s/tests/latest/program.lua %d %s >%s/p.c"):format(tap.root, seed, arg[3] or "", dir))
	must(("gcc -w -fwrapv -O1 -DORACLE -o %s/oracle %s/p.c"):format(dir, dir))
	local taken, source = {}, {}
	for text in io.lines(dir .. "/p.c") do source[#source + 1] = text end
	for line, outcome in must(dir .. "/oracle"):gmatch("(%d+) (%a+)\n") do taken[line .. " " .. outcome] = true end
	local options = "--entry test --check none --json --quiet --time 30 --runs " .. (os.getenv("RUNS") or 1500)
	local r = json.decode(must(("duct latest %s/p.c --keep all --calls 1 %s --store %s/store"):format(dir, options, dir)))
	for unit in must(("duct report --store %s/store --branches"):format(dir)):gmatch("[^\n]+") do
		local func, place, kind, verdict = unit:match("^(%S+)\t[^\t]*\t[^\t]*\t(%S+)\t(%S+)\t(%S+)")
		local line = place and place:match(":(%d+):%d+$")
		local text = func == "test" and source[tonumber(line)]
		if text and text:find("if (", 1, true) and not text:find("if (!q)", 1, true) then      -- the oracle's never fails
			local is = taken[line .. " " .. kind:gsub("^p:", "")]
			text = ("%s %s is %s, %s run: %s"):format(line, kind, verdict, r.runs, unit)
			if verdict == "covered" and not is then error({ text .. ", but never taken" }, 0) end
			if verdict == "infeasible" and is then error({ text .. ", but taken" }, 0) end
			if tap.whole(r) and (verdict == "covered") ~= (is or false) then error({ text }, 0) end
		end
	end
	abstract = abstract + (#r.calls.abstract > 0 and #r.calls.executed == 0 and 1 or 0)
	finished = finished + (tap.whole(r) and 1 or 0)
end

for seed = first, last do
	local ok, why = pcall(check, seed)
	tap.ok(ok, "seed " .. seed, not ok and (type(why) == "table" and why[1] or why))
end
tap.ok(finished * 2 >= last - first + 1, "half of them are exhausted", finished)
tap.ok(abstract * 2 >= last - first + 1, "in half of them all calls are abstract", abstract)
tap.done()
