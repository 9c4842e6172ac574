-- oracle: no pair or outcome that prove calls infeasible may be exercised by a run, as an interpreter of flow(5) sees it.
--   oracle.lua examples            all share/examples
--   oracle.lua sources             tests/defuse/src and tests/prove/src
--   oracle.lua generated FROM TO   programs of tests/gen/gen.lua
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local agree = require "agree"
local pairs5 = require "pairs5"
local flowrun = require "flowrun"
local quote = tap.quote
local totals = { pairs = 0, infeasible = 0, exercised = 0, runs = 0, good = 0 }

-- Arguments of the run that a verdict proposes, in the order of the parameters; nil when one is no integer.
local function arguments(p, entry, values)
	local args = {}
	for k, v in ipairs(p.byname[entry].params) do
		if p.type[v.type].kind ~= "i" and p.type[v.type].kind ~= "u" then return nil end
		args[k] = values[v.name]
	end
	return #args == #p.byname[entry].params and args or nil
end

-- Verdicts by the name that a run has for the pair; nil and the message.
local function judge(p, file, entry, scope, context)
	local status, out, err = tap.run(("defuse -s %s -e %s %s >p && cutpoints -b -f %s p >g && prove -t 5 -c %s -f %s g")
		:format(scope, entry, file, file, context, file))
	if status ~= 0 then return nil, err end
	local verdict, outcome, set, n, bad, last = {}, {}, {}, 0, 0, nil
	for r in pairs5.records(out) do
		if r[1] == "verdict" then
			last = { r[5], r[6], {} }
			if tonumber(r[4]) then verdict[tonumber(r[4])] = last else outcome[tonumber(r[4]:sub(2))] = last end
		elseif r[1] == "value" then
			last[3][r[3]] = tonumber(r[6], 16)
		end
	end
	for _, pair in ipairs(pairs5.read(tap.slurp("p"))) do
		local d, v = pair.def, verdict[pair.id]
		local def = d.how == "incoming" and "incoming " .. d.func or d.how == "argument" and "argument " .. d.inst
			or d.how == "result" and "result " .. d.inst or tostring(d.inst)
		if not v then return nil, "no verdict for pair " .. pair.id end
		local key = ("%s %d %s"):format(def, pair.use.inst, pair.kind == "c" and "c" or pair.outcome)
		local args = context == "entry" and v[2]:find("a run to try") and arguments(p, entry, v[3])
		n = n + 1
		if args then
			totals.runs = totals.runs + 1
			if flowrun.call(p, entry, scope == "inter", args, 50000)[key] then totals.good = totals.good + 1 end
		elseif v[1] == "infeasible" then
			set[key] = ("pair %d %s %d:%d -> %d:%d %s: %s"):format(pair.id, pair.name, d.line, d.col, pair.use.line,
				pair.use.col, pair.kind, v[2])
			bad = bad + 1
		end
	end
	for r in pairs5.records(tap.slurp("g")) do
		local v = r[1] == "outcome" and outcome[tonumber(r[2])]
		if r[1] == "outcome" and not v then return nil, "no verdict for outcome " .. r[2] end
		n = n + (v and 1 or 0)
		if v and v[1] == "infeasible" then
			set["outcome " .. r[5]] = ("outcome %s of branch %s: %s"):format(r[5], r[4], v[2])
			bad = bad + 1
		elseif v and context == "entry" and v[2]:find("a run to try") and arguments(p, entry, v[3]) then
			local _, _, taken = flowrun.call(p, entry, scope == "inter", arguments(p, entry, v[3]), 50000)
			totals.runs = totals.runs + 1
			if taken[tonumber(r[5])] then totals.good = totals.good + 1 end
		end
	end
	return set, n, bad
end

local function exercise(p, set, entry, scope, runs, steps, seed)
	local wrong, count, seen = {}, 0, {}
	math.randomseed(seed, 7)
	for _ = 1, runs do
		local found, _, taken = flowrun.exercise(p, entry, scope == "inter", math.random, steps)
		for n in pairs(taken) do found["outcome " .. n] = true end
		for key in pairs(found) do
			if not seen[key] then
				seen[key], count = true, count + 1
				if set[key] then wrong[#wrong + 1] = set[key] end
			end
		end
	end
	return wrong, count
end

local function check(name, file, entry, runs, steps, seed)
	local p = flowrun.load(tap.slurp(file))
	if not p.byname[entry] then return tap.ok(false, name, "no function " .. entry) end
	for _, how in ipairs { "intra entry", "intra any", "inter entry", "inter any" } do
		local scope, context = how:match("(%S+) (%S+)")
		local set, n, bad = judge(p, file, entry, scope, context)
		local wrong, count = exercise(p, set or {}, entry, scope, set and runs or 0, steps, seed)
		totals.pairs, totals.exercised = totals.pairs + (set and n or 0), totals.exercised + count
		totals.infeasible = totals.infeasible + (bad or 0)
		tap.ok(set and #wrong == 0, ("%s: %s: %s of %s goals infeasible, %d exercised"):format(name, how,
			set and bad or "no", set and n or "no", count), set and table.concat(wrong, "\n") or n)
	end
end

if arg[1] == "sources" then
	for _, folder in ipairs { "defuse", "prove" } do
		for path in io.popen(("ls %s/tests/%s/src/*.c"):format(tap.root, folder)):lines() do
			local file = tap.scratch .. "/s.flow"
			tap.run(("duct cfg-dump %s >%s"):format(quote(path), file))
			check(path:match("([^/]+)%.c$"), file, "test", 200, 5000, 3)
		end
	end
elseif arg[1] == "examples" then
	for path in io.popen("ls " .. tap.root .. "/share/examples/*.c"):lines() do
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
tap.ok(totals.exercised > 0 and totals.infeasible > 0, ("%d goals, %d infeasible, %d exercised; %d of %d proposed runs do it"):format(
	totals.pairs, totals.infeasible, totals.exercised, totals.good, totals.runs))
tap.done()
