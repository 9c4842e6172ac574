-- sdgs: shortest distance guided search for def-use pairs: the pending branch from which the fewest
-- instructions lead to the definition, once a path has passed that to the use.
local pursue = require "duct.pursue"

return function(session)
	return pursue(session, "ends", false, function(du, es)
		local passed, d = du:state(es)
		return passed, d, 1 / d
	end)
end
