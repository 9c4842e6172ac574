-- cfg: the open branch with the shortest distance in branches to an outcome that is not covered yet
-- (CREST's control-flow distance); of equals the newest. Distances only grow as coverage
-- grows, so that a branch whose distance has changed since it was queued is queued again.
local buckets = require "duct.buckets"

return function(session)
	local far = 1 << 20                           -- no way to anything uncovered: last
	local distances = session:distances()
	local open = buckets.new("newest")
	local search = {}

	local function distance(b)
		return distances(session.space:branch(b)) or far
	end

	function search:update(path)
		for _, b in ipairs(path) do
			open:put(distance(b), b)
		end
	end
	function search:select()
		local b, put = open:take()
		local now = distance(b)
		while now > put do
			open:put(now, b)
			b, put = open:take()
			now = distance(b)
		end
		return b
	end
	function search:empty()
		return open.count == 0
	end
	return search
end
