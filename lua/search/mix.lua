-- mix: several searches over the same open branches. The next branch is chosen by the search with the highest gain,
-- that is newly covered objectives per cost of its queries and runs, plus a bonus for searches that were asked seldom.
-- Old gains fade (discounted UCB: Garivier, Moulines, On Upper-Confidence Bound Policies for Non-Stationary Bandit
-- Problems), so that the mix adapts once the easy objectives are covered. Costs are counts, not times, so that
-- the order is the same on every machine. `mix NAME ...`: uses these searches.
local fade, bonus = 0.99, 0.1
local patience = 200                                -- runs + 10 * engine queries before `mutate` is used
local log, sqrt = math.log, math.sqrt
local engine_cost = 100                             -- cost of a query to an engine, in runs

return function(session, arguments)
	local names = #arguments > 0 and arguments or { "coverage", "rnd", "mutate" }
	local arms, last, engine, spent = {}, nil, 0, 0
	local space, solver = session.space, session.solver
	for i, name in ipairs(names) do
		arms[i] = { search = session:search(name), chance = name == "mutate", gain = 0, cost = 0 }
	end
	local count, huge = #arms, math.huge
	local search = {}

	function search:update(path)
		for i = 1, count do
			arms[i].search:update(path)
		end
		if last then
			last.gain = last.gain + path.covered
			last.cost = last.cost + 1
		end
	end
	-- `mutate` is used only after many runs have left something uncovered.
	local function ready()
		return spent >= patience and session.store:unknown() > 0
	end
	local function best()
		local all, choice, highest = 1, nil, -1
		for i = 1, count do
			all = all + arms[i].cost
		end
		local lead = bonus * sqrt(log(all))
		for i = 1, count do
			local arm = arms[i]
			local cost = arm.cost
			local value = cost == 0 and huge or arm.gain / cost + lead / sqrt(cost)
			if value > highest and (not arm.chance or ready()) and not arm.search:empty() then
				choice, highest = arm, value
			end
		end
		return choice
	end
	function search:select()
		local b
		local engine_now = solver:engine()
		if last then
			last.cost = last.cost + engine_cost * (engine_now - engine)
		end
		spent = session.runs + 10 * engine_now
		engine = engine_now
		repeat
			last = best()
			b = last.search:select()
		until not b or type(b) == "table" or space:open(b)
		for i = 1, count do
			local arm = arms[i]
			arm.gain, arm.cost = arm.gain * fade, arm.cost * fade
		end
		last.cost = last.cost + 1
		return b
	end
	-- True when one of the searches expects to find nothing more.
	function search:ended()
		for _, arm in ipairs(arms) do
			if arm.search.ended and arm.search:ended() then
				return true
			end
		end
	end
	function search:empty()
		return space:pending() == 0
	end
	return search
end
