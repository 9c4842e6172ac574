-- coverage: open branches form classes: the same outcome of the same site in about the same iteration of a
-- loop (1, 2 to 3, 4 to 7, ...). The next branch is of the class with the least cost: the distance in branches
-- to an outcome that is not covered yet (as in cfg, but paths may return to callers), plus the number of times that
-- the class was chosen before, plus half of that number for its site. This is estimated cost to go plus cost so far,
-- as in A*. Near branches come first, but loops, switches with many cases and unsatisfiable conditions do not
-- dominate. Within a class, a random branch and the one that was newest two choices ago (at first the oldest)
-- alternate, to mix deep and shallow branches.
local buckets = require "duct.buckets"

return function(session)
	local space, random = session.space, session.random
	local far = 32                                -- distance when nothing uncovered is reachable
	local distances = session:distances(true)
	local sites, classes = {}, {}                 -- by number; by key
	local open, count = buckets.new("oldest"), 0  -- classes by their cost when they were queued
	local search = {}

	local function cost(c)
		return (c.fault and 0 or distances(c.unit, c.branch, c.outcome) or far) + c.chosen + c.site.chosen // 2
	end
	local function class_of(b)
		local key = space:class(b)
		local c = classes[key]
		if not c then
			local unit, branch, outcome, _, _, _, _, number = space:branch(b)
			local site = sites[number] or { chosen = 0 }
			c = { site = site, unit = unit, branch = branch, outcome = outcome, chosen = 0 }
			c.fault = space:check(b) ~= nil            -- the branch itself is an objective
			if branch == 0 then                        -- in a library model: the distance of the last condition before it
				c.unit, c.branch, c.outcome = space:before(b)
			end
			sites[number], classes[key] = site, c
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

	function search:update(path)
		for _, b in ipairs(path) do
			local c = class_of(b)
			local n = #c
			c[n + 1] = b
			if n == 0 then
				open:put(cost(c), c)
			end
		end
		count = count + #path
	end
	function search:select()
		local c = cheapest()
		local i = c.chosen % 2 == 0 and 1 or random:below(#c) + 1
		c[i], c[#c] = c[#c], c[i]
		local b = table.remove(c)
		c.chosen, c.site.chosen = c.chosen + 1, c.site.chosen + 1
		count = count - 1
		if #c > 0 then
			open:put(cost(c), c)
		end
		return b
	end
	function search:empty()
		return count == 0
	end
	return search
end
