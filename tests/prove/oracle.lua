-- oracle: no pair or outcome that prove calls infeasible may be exercised by a run, as an interpreter of flow(5) sees it.
--   oracle.lua examples            all share/examples
--   oracle.lua sources [SECONDS]   tests/defuse/src and tests/prove/src
--   oracle.lua generated FROM TO   programs of tests/gen/gen.lua
--   oracle.lua small FROM TO [SECONDS]     programs of tests/prove/small.lua, on all inputs; and of every fourth a session
--                                  of search and proof, which must not cover what none of them exercises, either
--   oracle.lua wide FROM TO [SECONDS]      the same with two inputs of 32 bits, on all paths, as z3 finds them
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. os.getenv("ROOT") .. "/tests/prove/?.lua;" .. package.path
local tap = require "tap"
local tables = require "tables"
local flowrun = require "flowrun"
local paths = require "paths"
local subjects = require "subjects"
local built = { small = true, wide = true }          -- as an instrumented program
local seconds = built[arg[1]] and tonumber(arg[4]) or arg[1] == "sources" and (tonumber(arg[2]) or 0.3) or 5      -- for each question
local totals = { pairs = 0, infeasible = 0, exercised = 0, runs = 0, good = 0, paths = 0, complete = 0 }

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
	local status, out, err = tap.run(("defuse -s %s -e %s %s >p && cutpoints -b -f %s p >g && prove -t %g -c %s -f %s g")
		:format(scope, entry, file, file, seconds, context, file))
	if status ~= 0 then return nil, err end
	local verdict, outcome, set, n, bad, last = {}, {}, {}, 0, 0, nil
	for r in tables.records(out) do
		if r[1] == "verdict" then
			last = { r[5], r[6], {} }
			if tonumber(r[4]) then verdict[tonumber(r[4])] = last else outcome[tonumber(r[4]:sub(2))] = last end
		elseif r[1] == "value" then
			last[3][r[3]] = tonumber(r[6], 16)
		end
	end
	for _, pair in ipairs(tables.read(tap.slurp("p"))) do
		local d, v, key = pair.def, verdict[pair.id], tables.name(pair)
		if not v then return nil, "no verdict for pair " .. pair.id end
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
	for r in tables.records(tap.slurp("g")) do
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

local runs = { examples = 60, sources = 200, generated = 4, small = 256 }
local steps = { examples = 3000, sources = 5000, generated = 20000, small = 100000, wide = 100000 }

-- Goals that runs exercise: by name, the first run that does. once(k): the k-th. patience: how many runs in a row may
-- exercise nothing new until the rest is left out.
local function exercise(once, runs, patience)
	local seen, count, last = {}, 0, 0
	for k = 1, runs do
		if k - last > patience then break end
		local before = count
		local found, _, taken = once(k)
		for n in pairs(taken) do found["outcome " .. n] = true end
		for key in pairs(found) do
			count = count + (seen[key] and 0 or 1)
			seen[key] = seen[key] or k
		end
		last = count > before and k or last
	end
	return seen, count
end

-- Likewise of every path, as z3 finds inputs for them.
local function explore(p, s, inter)
	local seen, complete, n = paths.explore(p, s.entry, inter, { 32, 32 }, { runs = 120, steps = steps.wide })
	local count = 0
	for _ in pairs(seen) do count = count + 1 end
	totals.complete, totals.paths = totals.complete + (complete and 1 or 0), totals.paths + n
	return seen, count, complete
end

local function disprove(set, seen)
	local wrong = {}
	for key, text in pairs(set) do
		if seen[key] then wrong[#wrong + 1] = ("run %d: %s"):format(seen[key], text) end
	end
	table.sort(wrong)
	return wrong
end

-- The verdicts of a whole session, search and proof together, where `seen` is all that can be.
local function session(s, scope, found, seen, complete)
	local status, _, err = tap.run(("rm -f s.db* && duct dft %s --entry %s --prove --scope %s --store s.db -t %g --runs 100 --quiet -- -w %s")
		:format(tap.quote(s.source), s.entry, scope, 2 * seconds, s.flags))
	if status ~= 0 then return tap.ok(false, s.name .. ": a session", err) end
	local _, out = tap.run("sqlite3 -tabs s.db " .. tap.quote(
		"SELECT number, verdict, evidence FROM objective AS o JOIN pair ON o.kind = 'pair' AND goal = pair.id"))
	local wrong, n = {}, { covered = 0, infeasible = 0, unknown = 0 }
	for number, verdict, evidence in out:gmatch("(%d+)\t(%a+)\t([^\n]*)") do
		local pair = found[tonumber(number)]
		local can = seen[tables.name(pair)]
		n[verdict] = n[verdict] + 1
		if complete and verdict == "covered" and not can or verdict == "infeasible" and can then
			wrong[#wrong + 1] = ("pair %d %s is %s by %s, but %s"):format(pair.id, pair.name, verdict, evidence,
				can and "run " .. can .. " exercises it" or "no run exercises it")
		end
	end
	tap.ok(#wrong == 0 and n.covered > 0, ("%s: a session, %s: %d covered, %d infeasible, %d unknown"):format(s.name, scope,
		n.covered, n.infeasible, n.unknown), table.concat(wrong, "\n"))
end

local function check(s, file)
	local p = flowrun.load(tap.slurp(file))
	if not p.byname[s.entry] then return tap.ok(false, s.name, "no function " .. s.entry) end
	for _, scope in ipairs { "intra", "inter" } do
		local inter, complete, seen, count = scope == "inter", true, nil, nil
		math.randomseed(s.seed, 7)
		if s.kind == "wide" then
			seen, count, complete = explore(p, s, inter)
		else
			seen, count = exercise(function(k)
				if s.kind == "small" then return flowrun.call(p, s.entry, inter, { k - 1 }, steps.small) end
				return flowrun.exercise(p, s.entry, inter, math.random, steps[s.kind])
			end, runs[s.kind], s.kind == "sources" and 60 or math.huge)
		end
		totals.exercised = totals.exercised + count
		for _, context in ipairs { "entry", "any" } do
			local set, n, bad = judge(p, file, s.entry, scope, context)
			local wrong = disprove(set or {}, seen)
			totals.pairs, totals.infeasible = totals.pairs + (set and n or 0), totals.infeasible + (bad or 0)
			tap.ok(set and #wrong == 0, ("%s: %s %s: %s of %s goals infeasible, %d exercised"):format(s.name, scope, context,
				set and bad or "no", set and n or "no", count), set and table.concat(wrong, "\n") or n)
		end
		if built[s.kind] and s.seed % 4 == 1 then session(s, scope, tables.read(tap.slurp("p")), seen, complete) end
	end
end

subjects.each(arg, { "defuse", "prove" }, function(s)
	local file, err = subjects.flow(s, built[s.kind])
	if file then check(s, file) else tap.ok(false, s.name, err) end
end)
tap.ok(totals.exercised > 0 and totals.infeasible > 0, ("%d goals, %d infeasible, %d exercised; %d of %d proposed runs do it"):format(
	totals.pairs, totals.infeasible, totals.exercised, totals.good, totals.runs))
if arg[1] == "wide" then
	tap.ok(totals.complete > 0, ("%d runs, one a path, of %d programs in two scopes; of %d all paths"):format(totals.paths,
		arg[3] - arg[2] + 1, totals.complete))
end
tap.done()
