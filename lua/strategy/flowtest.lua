-- flowtest: inputs that do not flow into one decision are not varied together (Majumdar, Xu: Reducing Test Inputs
-- Using Information Partitions, Algorithm 1). The inputs of one block at a time are symbolic, the others keep
-- fixed values; a run in which two blocks meet makes them one, which is explored anew. What runs learned of the places
-- that are written under decisions is for all runs: rounds repeat until neither the partition nor that changes.
-- `explore` explores a block: the strategy that --partition is used with.
local names = require "duct.names"

return function(session, explore)
	local generate = explore or names.load("strategy", "concolic")
	repeat
		local pi = session:partition()
		pi:start()
		repeat
			for block in pi:changed() do
				pi:with(block, generate)
			end
			pi:replay()
		until pi:stable() or session:over()
		pi:finish()
	until not session:widen("whole")
end, { flows = true }
