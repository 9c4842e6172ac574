-- A strategy for tests/bench/dft: with the program that was built and for each seed, each search pair by pair, then
-- cpgs with one session for all. On stderr a line for each search and pair: search, pair/seed, covered (1 or 0), CPU
-- seconds, queries, paths; the shared session is the pair `last`, with the number of covered ones and what it took to
-- cover the last, and the pair `end`, with what it took altogether. Limits are of CPU time, so that it hardly matters
-- what else the machine does.
local core = require "duct.core"
local names = require "duct.names"
local sessions = require "sessions"

local seeds, search_first = tonumber(os.getenv "SEEDS"), tonumber(os.getenv "FEASIBLE")
local seconds, runs, most = tonumber(os.getenv "SECONDS"), tonumber(os.getenv "RUNS"), tonumber(os.getenv "PAIRS")

local function open(first, changed)
	changed.strategy = "dft"
	return sessions.open(first.options, changed)
end

local function cpu(s)
	local f = s:figures()
	return f.cpu_run + f.cpu_solve + f.cpu_strategy
end

-- Ends a session, or with --one-pair the one for each pair, after so many seconds of CPU.
local function limit(s, most_seconds)
	local class, began = getmetatable(s), cpu(s)
	function s:renew(pair)
		began = cpu(self)
		return class.renew(self, pair, { runs = runs })
	end
	function s:over()
		if cpu(self) - began > most_seconds then
			self.ended = "time"
		end
		return self.ended ~= nil or class.over(self)
	end
end

-- The pairs that one session for all covers in so many seconds: they are known to be feasible.
local function feasible(first)
	local s = open(first, { search = "mix cpgs coverage", one_pair = false, runs = math.maxinteger })
	local list = {}
	limit(s, search_first)
	names.load("strategy", "dft")(s)
	for i = 1, first.defuse:count() do
		list[#list + 1] = s.store:known("pairs", i) == "covered" and i or nil
	end
	sessions.close(s)
	return list
end

-- At most `most` pairs, evenly chosen: of all, or of those that are known to be feasible.
local function chosen(first)
	local from = search_first > 0 and feasible(first)
	local count = from and #from or first.defuse:count()
	local list, n = {}, math.min(most, count)
	for k = 1, n do
		local i = 1 + (k - 1) * count // n
		list[k] = from and from[i] or i
	end
	return list
end

local function pair_by_pair(first, list, seed)
	for search in os.getenv "SEARCHES":gmatch("[^,]+") do
		if core.interrupted() then
			return
		end
		local s = open(first, { search = search, one_pair = true, runs = runs, seed = seed, pairs_only = list })
		limit(s, seconds)
		names.load("strategy", "dft")(s)
		for _, p in ipairs(s.each) do
			core.say(("%s\t%d/%d\t%d\t%.6f\t%d\t%d\n"):format(search, p.pair, seed, p.covered and 1 or 0, p.cpu, p.asked, p.paths))
		end
		sessions.close(s)
	end
end

local function together(first, list, seed)
	local s = open(first, { search = "cpgs", one_pair = false, runs = runs * #list, seed = seed, pairs_only = list })
	limit(s, seconds * #list)
	local function figures()
		local covered = 0
		for _, pair in ipairs(list) do covered = covered + (s.store:known("pairs", pair) == "covered" and 1 or 0) end
		return covered, cpu(s), s:figures().asked, s.paths
	end
	local before = select(2, figures())
	local covered, spent, asked, paths = 0, before, 0, 0
	local over = s.over
	function s:over()
		local now = table.pack(figures())
		if now[1] > covered then
			covered, spent, asked, paths = table.unpack(now)
		end
		return over(self)
	end
	names.load("strategy", "dft")(s)
	s:over()
	core.say(("shared\tlast/%d\t%d\t%.6f\t%d\t%d\n"):format(seed, covered, spent - before, asked, paths))
	covered, spent, asked, paths = figures()
	core.say(("shared\tend/%d\t%d\t%.6f\t%d\t%d\n"):format(seed, covered, spent - before, asked, paths))
	sessions.close(s)
end

return function(first)
	local list = chosen(first)
	for seed = 1, seeds do
		pair_by_pair(first, list, seed)
		together(first, list, seed)
	end
end
