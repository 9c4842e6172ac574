-- sdgs: shortest-distance guided search for def-use pairs: the pending branch with the shortest distance in
-- instructions to the definition or, when its path has passed the definition, to the use.
local pursue = require "duct.pursue"

return function(session)
	return pursue(session, { points = "ends" }, function(du, es)
		local passed, d = du:state(es)
		return passed, d, 1 / d
	end)
end
