-- oracle: every pair that a run exercises, as an interpreter of flow(5) sees it, must be among defuse's.
--   oracle.lua examples            all share/examples
--   oracle.lua sources             tests/defuse/src
--   oracle.lua generated FROM TO   programs of tests/gen/gen.lua
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local tables = require "tables"
local flowrun = require "flowrun"
local subjects = require "subjects"
local exercised, programs = 0, 0

local function known(scope, entry, file)
	local status, out, err = tap.run(("defuse -s %s -e %s %s"):format(scope, entry, file))
	if status ~= 0 then return nil, err end
	local set, n = {}, 0
	for _, p in ipairs(tables.read(out)) do
		set[tables.name(p)] = p
		n = n + 1
	end
	return set, n
end

-- The pairs that `runs` runs exercise, and how many of them ended by themselves.
local function exercise(p, entry, scope, runs, steps, seed)
	local seen, count, ended = {}, 0, 0
	math.randomseed(seed, 7)
	for _ = 1, runs do
		local found, how = flowrun.exercise(p, entry, scope == "inter", math.random, steps)
		ended = ended + (how == "ended" and 1 or 0)
		for key in pairs(found) do
			if not seen[key] then
				seen[key] = true
				count = count + 1
			end
		end
	end
	return seen, count, ended
end

-- Those that are not in the set.
local function missing(seen, set)
	local missed = {}
	for key in pairs(seen) do
		if not set[key] then missed[#missed + 1] = key end
	end
	table.sort(missed)
	return missed
end

local function check(name, file, entry, runs, steps, seed)
	local p = flowrun.load(tap.slurp(file))
	if not p.byname[entry] then return tap.ok(false, name, "no function " .. entry) end
	for _, scope in ipairs { "intra", "inter" } do
		local set, n = known(scope, entry, file)
		local seen, count, ended = exercise(p, entry, scope, set and runs or 0, steps, seed)
		local missed = missing(seen, set or {})
		exercised, programs = exercised + count, programs + 1
		tap.ok(set and #missed == 0, ("%s: %s: %d of %s pairs in %d runs, %d to their end"):format(name, scope, count,
			set and n or "no", runs, ended), set and table.concat(missed, "\n", 1, math.min(#missed, 12)) or n)
		if arg[1] == "sources" then      -- a pair that defuse lost would be told
			local lost = next(seen)
			set[lost] = nil
			tap.is(missing(seen, set)[1], lost, name .. ": " .. scope .. ": a lost pair is missed")
		end
	end
end

local runs = { examples = 60, sources = 200, generated = 4 }
local steps = { examples = 3000, sources = 5000, generated = 20000 }
subjects.each(arg, { "defuse" }, function(s)
	local file, err = subjects.flow(s)
	if not file then return tap.ok(false, s.name, err) end
	check(s.name, file, s.entry, runs[s.kind], steps[s.kind], s.seed)
end)
tap.ok(exercised > 20 * programs, ("%d pairs exercised in %d checks"):format(exercised, programs))
tap.done()
