-- A strategy for tests/bench/searches: with the program that was built, one session for each search
-- and seed, of the same budget of CPU seconds. A line for each on stderr: search, seed, outcomes of conditions
-- covered at the end and on the mean over the budget, their number, runs, queries.
local core = require "duct.core"
local names = require "duct.names"
local sessions = require "sessions"

local budget, seeds = tonumber(os.getenv "SECONDS"), tonumber(os.getenv "SEEDS")

local function run(options, search, seed)
	local s = sessions.open(options, { search = search, seed = seed, time = 4 * budget })
	local start, area, last, covered = core.cpu(), 0, 0, 0
	-- Ends with the budget; adds up what was covered so far.
	function s:over()
		local runs, solver = select(2, self.runner:cpu()), self.solver:counts()
		local now = math.min(budget, core.cpu() - start + runs + solver.child_seconds)
		area = area + covered * (now - last)
		last, covered = now, self.store:counts().covered
		return now >= budget or core.interrupted()
	end
	names.load("strategy", "concolic")(s)
	s:over()
	area = area + covered * (budget - last)
	core.say(("%s\t%d\t%d\t%.1f\t%d\t%d\t%d\n"):format(search, seed, covered, area / budget, s.store:counts().total,
		s.runs, s.solver:counts().asked))
	sessions.close(s)
end

return function(first)
	for search in os.getenv "SEARCHES":gmatch("[^,]+") do
		for seed = 1, seeds do
			if not core.interrupted() then
				run(first.options, search, seed)
			end
		end
	end
end
