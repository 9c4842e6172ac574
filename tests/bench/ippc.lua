-- A strategy for tests/bench/ippc: with the program that was built, one session for each technique and seed, from an
-- input by chance, of so many runs and CPU seconds. A line for each on stderr: technique, seed, runs, queries, their
-- mean number of conjuncts and the largest, outcomes of conditions covered, their number, CPU seconds, questions,
-- those without an answer.
local core = require "duct.core"
local inputs = require "duct.inputs"
local sessions = require "sessions"

local budget = tonumber(os.getenv "SECONDS")

local techniques = { { "DFS", "dfs" }, { "CFG", "cfg" }, { "RND", "rnd" }, { "IPPC", "dfs", "first" },
	{ "last", "dfs", "last" }, { "all", "dfs", "all" }, { "shared", "dfs", "shared" } }

local function explore(s)
	local search = s:search()
	for path in s:start() do
		search:update(path)
	end
	search:update(s:run(inputs.random(s), nil, "random"))
	while not search:empty() and not s:over() do
		local branch = search:select()
		local input = s:solve(branch)
		if input then
			search:update(s:run(input, branch))
		end
	end
end

local function run(options, technique, seed)
	local own, children = core.cpu(), core.children_cpu()
	local s = sessions.open(options, { search = technique[2], seed = seed, partial = technique[3] ~= nil,
		refine = technique[3], strategy = "concolic" })
	local over = s.over
	function s:over()
		local now, waited = core.cpu(), core.children_cpu()
		return over(self) or now - own + waited - children + select(2, self.runner:cpu()) >= budget
	end
	explore(s)
	local c = s.store:counts()
	local f = sessions.close(s)
	local own_now, children_now = core.cpu(), core.children_cpu()
	core.say(("%s\t%d\t%d\t%d\t%.4f\t%d\t%d\t%d\t%.3f\t%d\t%d\n"):format(technique[1], seed, f.runs, f.asked,
		f.conjuncts / math.max(1, f.asked), f.conjuncts_max, c.covered, c.total, own_now - own + children_now - children,
		f.questions, f.infeasible))
end

local function chosen(technique)
	return ("," .. os.getenv "TECHNIQUES" .. ","):find("," .. technique[1] .. ",", 1, true)
end

return function(first)
	for _, technique in ipairs(techniques) do
		for seed = 1, chosen(technique) and tonumber(os.getenv "SEEDS") or 0 do
			if not core.interrupted() then
				run(first.options, technique, seed)
			end
		end
	end
end
