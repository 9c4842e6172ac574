-- oracle: every pair that a run exercises, as an interpreter of flow(5) sees it, must be among defuse's.
--   oracle.lua examples            all share/examples
--   oracle.lua sources             tests/defuse/src
--   oracle.lua generated FROM TO   programs of tests/gen/gen.lua
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local agree = require "agree"
local pairs5 = require "pairs5"
local flowrun = require "flowrun"
local quote = tap.quote
local exercised, programs = 0, 0

local function known(scope, entry, file)
	local status, out, err = tap.run(("defuse -s %s -e %s %s"):format(scope, entry, file))
	if status ~= 0 then return nil, err end
	local set, n = {}, 0
	for _, p in ipairs(pairs5.read(out)) do
		local d = p.def
		local def = d.how == "incoming" and "incoming " .. d.func or d.how == "argument" and "argument " .. d.inst
			or d.how == "result" and "result " .. d.inst or tostring(d.inst)
		set[("%s %d %s"):format(def, p.use.inst, p.kind == "c" and "c" or p.outcome)] = p
		n = n + 1
	end
	return set, n
end

-- What `runs` runs exercise, how many of them ended by themselves, and which of it is not in the set.
local function exercise(p, set, entry, scope, runs, steps, seed)
	local seen, count, missed, ended = {}, 0, {}, 0
	math.randomseed(seed, 7)
	for _ = 1, runs do
		local found, how = flowrun.exercise(p, entry, scope == "inter", math.random, steps)
		ended = ended + (how == "ended" and 1 or 0)
		for key in pairs(found) do
			if not seen[key] then
				seen[key] = true
				count = count + 1
				if not set[key] then missed[#missed + 1] = key end
			end
		end
	end
	table.sort(missed)
	return missed, count, ended, seen
end

local function check(name, file, entry, runs, steps, seed)
	local p = flowrun.load(tap.slurp(file))
	if not p.byname[entry] then return tap.ok(false, name, "no function " .. entry) end
	for _, scope in ipairs { "intra", "inter" } do
		local set, n = known(scope, entry, file)
		local missed, count, ended, seen = exercise(p, set or {}, entry, scope, set and runs or 0, steps, seed)
		exercised, programs = exercised + count, programs + 1
		tap.ok(set and #missed == 0, ("%s: %s: %d of %s pairs in %d runs, %d to their end"):format(name, scope, count,
			set and n or "no", runs, ended), set and table.concat(missed, "\n", 1, math.min(#missed, 12)) or n)
		if arg[1] == "sources" then      -- a pair that defuse lost would be told
			local lost = next(seen)
			set[lost] = nil
			tap.is(exercise(p, set, entry, scope, runs, steps, seed)[1], lost, name .. ": " .. scope .. ": a lost pair is missed")
		end
	end
end

if arg[1] == "sources" then
	local list = io.popen("ls " .. tap.root .. "/tests/defuse/src/*.c")
	for path in list:lines() do
		local file = tap.scratch .. "/s.flow"
		tap.run(("duct cfg-dump %s >%s"):format(quote(path), file))
		check(path:match("([^/]+)%.c$"), file, "test", 200, 5000, 3)
	end
elseif arg[1] == "examples" then
	local list = io.popen("ls " .. tap.root .. "/share/examples/*.c")
	for path in list:lines() do
		local t = agree.header(path)
		local entry = (t.args or ""):match("%-%-entry%s+([%w_]+)") or "main"
		local file = tap.scratch .. "/x.flow"
		local status, _, err = tap.run(("duct cfg-dump %s -- %s >%s"):format(quote(path), t.flags or "", file))
		local name = path:match("([^/]+)%.c$")
		if status ~= 0 then tap.ok(false, name, err) else check(name, file, entry, 60, 3000, 1) end
	end
else
	for seed = tonumber(arg[2]), tonumber(arg[3]) do
		local source, file = tap.scratch .. "/g.c", tap.scratch .. "/g.flow"
		tap.run(("lua5.4 %s/tests/gen/gen.lua %d >%s && duct cfg-dump %s >%s"):format(tap.root, seed, source, source, file))
		check("seed " .. seed, file, "test", 4, 20000, seed)
	end
end
tap.ok(exercised > 20 * programs, ("%d pairs exercised in %d checks"):format(exercised, programs))
tap.done()
