-- bfs: the open branch with the fewest conditions before it, the oldest of these first.
local buckets = require "duct.buckets"

return function(session)
	local open = buckets.new("oldest")
	local search = {}
	function search:update(path)
		for _, b in ipairs(path) do
			local _, _, _, depth = session.space:branch(b)
			open:put(depth, b)
		end
	end
	function search:select()
		return (open:take())
	end
	function search:empty()
		return open.count == 0
	end
	return search
end
