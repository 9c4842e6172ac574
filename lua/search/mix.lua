-- mix: several searches over the same open branches. The next branch is chosen by the search with the highest gain,
-- that is newly covered objectives per cost of its queries and runs, plus a bonus for searches that were asked seldom.
-- Old gains fade (discounted UCB: Garivier, Moulines, On Upper-Confidence Bound Policies for Non-Stationary Bandit
-- Problems), so that the mix adapts once the easy objectives are covered. Costs are counts, not times, so that
-- the order is the same on every machine. `mix NAME ...`: uses these searches.
local core = require "duct.core"

local fade, bonus = 0.99, 0.1
local patience = 200                                -- runs + 10 * engine queries before `mutate` is used
local engine_cost = 100                             -- cost of a query to an engine, in runs

return function(session, arguments)
	local names = #arguments > 0 and arguments or { "coverage", "rnd", "mutate" }
	local searches, chance, last, engine, spent = {}, {}, nil, 0, 0
	local space, solver = session.space, session.solver
	for i, name in ipairs(names) do
		searches[i], chance[i] = session:search(name), name == "mutate"
	end
	local bandit = core.bandit(#names, bonus, fade)
	local search = {}

	function search:update(path)
		for _, one in ipairs(searches) do
			one:update(path)
		end
		if last then
			bandit:learn(last, path.covered, 1)
		end
	end
	-- `mutate` is used only after many runs have left something uncovered.
	local function ready()
		return spent >= patience and session.store:unknown() > 0
	end
	local function best()
		local i = bandit:best()
		while i and (chance[i] and not ready() or searches[i]:empty()) do
			i = bandit:best(i)
		end
		return i
	end
	function search:select()
		local b
		local engine_now = solver:engine()
		if last then
			bandit:learn(last, 0, engine_cost * (engine_now - engine))
		end
		spent = session.runs + 10 * engine_now
		engine = engine_now
		repeat
			last = best()
			b = searches[last]:select()
		until not b or type(b) == "table" or space:open(b)
		bandit:take(last)
		return b
	end
	-- True when one of the searches expects to find nothing more.
	function search:ended()
		for _, one in ipairs(searches) do
			if one.ended and one:ended() then
				return true
			end
		end
	end
	function search:empty()
		return space:pending() == 0
	end
	return search
end
