-- ippc: concolic testing with partial path constraints (Koroglu and Sen, Design of a Modified Concolic Testing
-- Algorithm with Smaller Constraints): a query is the flipped condition and what its answers broke so
-- far. The solver does that itself, see lib/solve/partial.c; --partial has it under any strategy.
local concolic = require "strategy.concolic"

return function(session)
	session:partial()
	concolic(session)
end
