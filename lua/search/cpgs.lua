-- cpgs: cut-point guided search for def-use pairs (Algorithm 2 of hybrid data-flow testing). For one pair after
-- the other, the pending branch whose path has passed the most of its cut points; of these the one
-- that is near to the next cut point, or on whose path something new was run lately (Formula 4).
-- Larger is better, so a weight begins at 0. Branches from which no way leads to the next cut point, such
-- as those whose path has redefined the variable, by its name or as the run shows by another, and cannot come
-- back to the definition, are pruned. The more branches that passed as many cut points were taken in vain, the
-- sooner it backtracks to those with fewer: the last term alone does not, as it only decides among the former.
-- Neither are many branches that are alike, as those of a loop, tried before others that are little farther off, see
-- worklist. Every fourth choice is that of `coverage`, of what is not pruned.
local pursue = require "duct.pursue"

return function(session)
	return pursue(session, "all", true, function(du, es)
		local c, d, i = du:state(es)
		return c, d, 1 / d ^ 2 + 1 / i ^ 2
	end)
end
