-- A strategy for tests/bench/dft: with the program that was built, each search pair by pair, then cpgs with one
-- session for all. On stderr a line for each search and pair: search, pair, covered (1 or 0), CPU seconds, queries,
-- paths; the shared session is the pair `all`, with the number of covered ones and what it took to cover the last.
local core = require "duct.core"
local names = require "duct.names"
local parts = require "duct.parts"
local session = require "duct.session"

local seconds, runs, most = tonumber(os.getenv "SECONDS"), tonumber(os.getenv "RUNS"), tonumber(os.getenv "PAIRS")

local function with(options, more)
	local o = { began = core.now() }
	for key, value in pairs(options) do o[key] = o[key] or value end
	for key, value in pairs(more) do o[key] = value end
	return o
end

local function open(options, more)
	local o = with(options, more)
	o.store, o.keep, o.quiet, o.strategy = nil, "new", true, "dft"
	return session.new(o, parts.open(o))
end

local function close(s)
	s:finish()
	s.solver:close()
	s.store:close()
	s.space:close()
	collectgarbage()
end

-- At most `most` pairs, evenly chosen.
local function chosen(count)
	local list, n = {}, math.min(most, count)
	for k = 1, n do list[k] = 1 + (k - 1) * count // n end
	return list
end

return function(first)
	local list = chosen(first.defuse:count())
	for search in os.getenv "SEARCHES":gmatch("[^,]+") do
		if not core.interrupted() then
			local s = open(first.options, { search = search, one_pair = true, runs = runs, time = seconds, pairs_only = list })
			names.load("strategy", "dft")(s)
			for _, p in ipairs(s.each) do
				core.say(("%s\t%d\t%d\t%.6f\t%d\t%d\n"):format(search, p.pair, p.covered and 1 or 0, p.cpu, p.asked, p.paths))
			end
			close(s)
		end
	end
	local s = open(first.options, { search = "cpgs", one_pair = false, runs = runs * #list, time = seconds * #list,
		pairs_only = list })
	local function figures()
		local f, covered = s:figures(), 0
		for _, pair in ipairs(list) do covered = covered + (s.store:pair(pair) == "covered" and 1 or 0) end
		return covered, f.cpu_run + f.cpu_solve + f.cpu_strategy, f.asked, s.paths
	end
	local before = select(2, figures())
	local covered, cpu, asked, paths = 0, before, 0, 0
	function s:over()
		local now = table.pack(figures())
		if now[1] > covered then
			covered, cpu, asked, paths = table.unpack(now)
		end
		return getmetatable(self).over(self)
	end
	names.load("strategy", "dft")(s)
	s:over()
	core.say(("shared\tall\t%d\t%.6f\t%d\t%d\n"):format(covered, cpu - before, asked, paths))
	close(s)
end
