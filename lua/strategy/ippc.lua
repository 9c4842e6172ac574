-- ippc: concolic testing with partial path constraints (Koroglu and Sen, Design of a Modified Concolic Testing
-- Algorithm with Smaller Constraints): a query consists of the negated condition and of the conditions that earlier
-- answers violated. The solver does that itself, see lib/solve/partial.c; --partial enables it for any strategy.
local concolic = require "strategy.concolic"

return function(session)
	session:partial()
	concolic(session)
end
