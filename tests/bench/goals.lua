-- A strategy for tests/bench/goals: with the program that was built, a session of concolic and of dft for each seed, of
-- the same budget of CPU seconds, the analysis of pairs and proofs included. A line for each on stderr: strategy, seed,
-- outcomes of conditions covered, their number, pairs covered, runs.
local core = require "duct.core"
local names = require "duct.names"
local sessions = require "sessions"

local budget, seeds = tonumber(os.getenv "SECONDS"), tonumber(os.getenv "SEEDS")

local function run(options, kind, seed)
	local strategy, search = kind:match "^(%S+)%s*(.*)"
	local is_pairs = strategy ~= "concolic"
	local before = core.cpu() + core.children_cpu()
	search = search ~= "" and search or is_pairs and "mix cpgs coverage rnd mutate" or "mix"
	local s = sessions.open(options, { search = search, seed = seed, pairs = is_pairs, prove = strategy == "test",
		strategy = is_pairs and "dft" or strategy, one_pair = false, time = strategy == "test" and budget or options.time })
	before = core.cpu() + core.children_cpu() - before
	local function spent()
		local f = s:figures()
		return f.cpu_run + f.cpu_solve + f.cpu_strategy + f.cpu_prove
	end
	local began = spent()                         -- of the sessions before it, too
	function s:over()
		return before + spent() - began >= budget or core.interrupted()
	end
	names.load("strategy", is_pairs and "dft" or strategy)(s)
	local c = s.store:counts()
	core.say(("%s\t%d\t%d\t%d\t%d\t%d\n"):format(kind, seed, c.covered, c.total, c.pairs.covered, s.runs))
	sessions.close(s)
end

return function(first)
	for seed = 1, seeds do
		for kind in os.getenv "KINDS":gmatch("[^,]+") do
			if not core.interrupted() then
				run(first.options, kind, seed)
			end
		end
	end
end, { pairs = true }
