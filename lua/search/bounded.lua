-- bounded: depth-first search among the open branches with fewer conditions before them than a bound, which
-- doubles when none is left (CREST's bounded depth-first search, with Korf's iterative deepening).
-- `bounded N`: N is the first bound, 8 by default.
local buckets = require "duct.buckets"

return function(session, arguments)
	local bound = #arguments == 0 and 8 or #arguments == 1 and math.tointeger(tonumber(arguments[1]))
	if not bound or bound < 1 then
		error({ status = 2, message = "search bounded takes one argument, the first bound" }, 0)
	end
	local within, beyond = {}, buckets.new("oldest")
	local search = {}

	function search:update(path)
		for _, b in ipairs(path) do
			local _, _, _, depth = session.space:branch(b)
			if depth < bound then
				within[#within + 1] = b
			else
				beyond:put(depth, b)
			end
		end
	end
	local function deepen()
		bound = math.max(2 * bound, beyond.lowest + 1)
		while beyond.lowest < bound do
			within[#within + 1] = beyond:take()
		end
	end
	function search:select()
		if #within == 0 then
			deepen()
		end
		return table.remove(within)
	end
	function search:empty()
		return #within == 0 and beyond.count == 0
	end
	return search
end
