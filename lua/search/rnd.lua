-- rnd: negates each condition along the newest path with probability one half, as CREST does.
-- `rnd --one`: negates a single condition of the path, chosen at random. When the path has no open branch
-- left, continues at any other open branch.
local core = require "duct.core"

return function(session, arguments)
	local one = arguments[1] == "--one"
	if #arguments ~= (one and 1 or 0) then
		error({ status = 2, message = "search rnd takes no argument but --one" }, 0)
	end
	local space, random = session.space, session.random
	local open = core.branches(space)
	local path, at = {}, 0           -- open branches of the newest path, nil: not asked for yet; index of the last one
	                                 -- looked at
	local search = {}

	function search:update(new)
		open:add(new)
		path, at = nil, 0
	end

	local function on_path()
		path = path or space:path()
		if one then
			return #path > 0 and table.remove(path, random:below(#path) + 1) or nil
		end
		while at < #path do
			at = at + 1
			if random:bits(1) == 1 then
				return path[at]
			end
		end
	end

	function search:select()
		local b = on_path()
		return b and space:open(b) and b or open:draw(random)
	end
	function search:empty()
		return space:pending() == 0
	end
	return search
end
