-- coverage: open branches form classes, the same outcome of the same place in about the same iteration
-- (1, 2 to 3, 4 to 7, ...); the next one is of the class for which the branches on the way to an
-- outcome that is not covered yet (as cfg, but ways go back to callers too) and the times that the
-- class was chosen before add up to the least: cost so far and estimated cost to go (A*). So what is near
-- comes first, and neither a loop nor a condition that cannot be had drowns the rest.
local buckets = require "duct.buckets"

return function(session)
	local space, random = session.space, session.random
	local far = 32                                -- no way to anything uncovered
	local distances = session:distances(true)
	local class, open = {}, buckets.new("oldest") -- by key; by cost, a class that has become dearer too low
	local count = 0
	local search = {}

	local function cost(c)
		return c.chosen + (distances(c.unit, c.branch, c.outcome) or far)
	end
	local function class_of(b)
		local unit, branch, outcome, _, _, _, _, site, round = space:branch(b)
		local level = math.log(round + 1, 2) // 1 | 0
		local key = (site << 32 | outcome) << 6 | level
		local c = class[key]
		if not c then
			c = { unit = unit, branch = branch, outcome = outcome, chosen = 0 }
			if branch == 0 then                        -- in a model: as far as what came before it
				c.unit, c.branch, c.outcome = space:before(b)
			end
			class[key] = c
		end
		return c
	end
	function search:update(path)
		for _, b in ipairs(path) do
			local c = class_of(b)
			c[#c + 1] = b
			if #c == 1 then
				open:put(cost(c), c)
			end
		end
		count = count + #path
	end
	function search:select()
		local c, put = open:take()
		local now = cost(c)
		while now > put do
			open:put(now, c)
			c, put = open:take()
			now = cost(c)
		end
		local i = random:below(#c) + 1
		c[i], c[#c] = c[#c], c[i]
		local b = table.remove(c)
		c.chosen = c.chosen + 1
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
