-- classes: a search over classes of open branches: the same outcome of the same site in about the same iteration of a
-- loop (1, 2 to 3, 4 to 7, ...). The next branch is of the class with the least cost: the distance in branches to what
-- is aimed at, plus the number of times that the class was chosen before, plus half of that number for its site, plus
-- how many usual runs one that comes so deep takes. This is estimated cost to go plus cost so far, as in A*. Near
-- branches come first, but loops, switches with many cases, unsatisfiable conditions and long runs do not dominate.
--   classes.new(session, how)   -> a search; of how:
--     distance(unit, branch, outcome)   nil: no way
--     passed(branch)    how often its path passed something that makes it better, 0 to classes.most: a class by itself,
--                 and each time is worth so many branches of distance
--     fault       the distance of a branch that asks for a fault; without it that of no way
--     alone       the class alone counts, not its site, but for branches of library models
--     newest      of equal classes the one queued last, and of a class its newest branch; else the class queued first,
--                 and in turn a random branch and the one that was newest two choices ago (at first the oldest), to
--                 mix deep and shallow ones
local buckets = require "duct.buckets"
local core = require "duct.core"

local classes = {}

local far = 32                                -- distance when nothing aimed at is reachable
local worth = 8                               -- branches of distance for each time that something was passed
local usual = 4                               -- runs that are so many times longer than the mean are usual ones
classes.most = 7                              -- times that count

function classes.new(session, how)
	local space, random = session.space, session.random
	local sites, known = {}, {}                   -- by number; by key
	local logs, paths = 0, 0                      -- of the lengths of paths: sum of logarithms; their number
	local open, queued = buckets.new(how.newest and "newest" or "oldest"), 0  -- those with branches, by their cost then
	local bins = core.bins(space)
	local search = {}

	-- How many runs of the usual length, the geometric mean, one takes that comes to a branch of the class.
	local function weight(c)
		return paths == 0 and 0 or math.floor(c.depth / (usual * math.exp(logs / paths)))
	end
	local function cost(c)
		local distance
		if c.fault then
			distance = how.fault
		else
			distance = how.distance(c.unit, c.branch, c.outcome)
		end
		return (distance or far) + weight(c) + c.chosen + (how.alone and not c.model and 0 or c.site.chosen // 2)
			+ worth * (classes.most - c.passed)
	end
	local function class_of(b)
		local passed = how.passed and how.passed(b) or 0
		local key = space:class(b) << 3 | passed
		local c = known[key]
		if not c then
			local unit, branch, outcome, depth, _, _, _, number = space:branch(b)
			local site = sites[number] or { chosen = 0 }
			c = { site = site, unit = unit, branch = branch, outcome = outcome, chosen = 0, passed = passed,
				key = key, depth = depth }
			c.fault = space:check(b) ~= nil            -- the branch itself is an objective
			if branch == 0 then                        -- in a library model: the distance of the last condition before it
				c.unit, c.branch, c.outcome = space:before(b)
				c.model = true
			end
			sites[number], known[key] = site, c
		end
		return c
	end
	-- A class of the least cost. Costs only grow: a class whose cost has grown is queued again.
	local function cheapest()
		local c, put = open:take()
		local now = cost(c)
		while now > put do
			open:put(now, c)
			c, put = open:take()
			now = cost(c)
		end
		return c
	end

	local function queue(c)
		open:put(cost(c), c)
		queued = queued + 1
	end

	function search:update(path)
		if path.length then
			logs, paths = logs + math.log(1 + path.length), paths + 1
		end
		if not how.passed then
			for _, b in ipairs(bins:add(path)) do
				queue(class_of(b))
			end
			return
		end
		for _, b in ipairs(path) do
			local c = class_of(b)
			if bins:put(c.key, b) == 0 then
				queue(c)
			end
		end
	end
	function search:select()
		local c = cheapest()
		local n = bins:count(c.key)
		local b, left = bins:take(c.key, how.newest and n or c.chosen % 2 == 0 and 1 or random:below(n) + 1)
		c.chosen, c.site.chosen = c.chosen + 1, c.site.chosen + 1
		queued = queued - 1
		if left > 0 then
			queue(c)
		end
		return b
	end
	function search:empty()
		return queued == 0
	end
	return search
end

return classes
