-- cpgs: cut-point guided search for def-use pairs (Algorithm 2 of hybrid data-flow testing). It handles one pair after
-- the other and chooses the pending branch whose path has passed the most cut points of the pair; among these one
-- that is near to the next cut point, or on whose path new code was run recently (Formula 4; larger is better).
-- A branch is pruned when the next cut point is unreachable from it, also because its path redefined the variable,
-- directly or through a pointer as the run shows, and cannot return to the definition.
-- Backtracking: the more branches with the same number of cut points were tried without success, the sooner branches
-- with fewer cut points are chosen (Formula 4 alone only orders branches with the same number). Similar branches, such
-- as those of one loop, do not delay others that are little farther away (duct.worklist). Every fourth choice is made
-- by `coverage`, among branches that are not pruned.
local pursue = require "duct.pursue"

return function(session)
	return pursue(session, "all", true, function(du, es)
		local c, d, i = du:state(es)
		return c, d, 1 / d ^ 2 + 1 / i ^ 2
	end)
end
