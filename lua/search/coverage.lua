-- coverage: the open branch of the class (duct.classes) that is nearest to an outcome that is not covered yet (as in
-- cfg, but paths may return to callers) and was chosen least.
local classes = require "duct.classes"

return function(session)
	return classes.new(session, { distance = session:distances(true), fault = 0 })
end
