-- cpgs: cut-point guided search for def-use pairs (Algorithm 2 of hybrid data-flow testing). It handles one pair after
-- the other and chooses the pending branch whose path has passed the most cut points of the pair; among these one
-- that is near to the next cut point, or on whose path new code was run recently (Formula 4; larger is better).
-- A branch is pruned when the next cut point is unreachable from it, also because its path redefined the variable,
-- directly or through a pointer as the run shows, and cannot return to the definition.
-- Backtracking: the more branches with the same number of cut points were tried without success, the sooner branches
-- with fewer cut points are chosen (Formula 4 alone only orders branches with the same number). Similar branches, such
-- as those of one loop, do not delay others that are little farther away (lib/guide). Every fourth choice is made
-- by `coverage`, among branches that are not pruned; fewer, down to every 64th, while these bring nothing new.
-- `cpgs without NAME...` leaves heuristics out: cut-points (the definition and the use alone are passed), redefinition
-- (nothing is pruned for it), distance and new-coverage (of the weight), backtracking, similar, turns. The last three
-- are ours; `cpgs-paper` is Algorithm 2 to the letter.
local pursue = require "duct.pursue"

local heuristics = { ["cut-points"] = true, redefinition = true, distance = true, ["new-coverage"] = true,
	backtracking = true, similar = true, turns = true }

-- As a set, those that are left out.
local function left_out(words)
	local list, set = words, {}
	if words[1] then
		list = words[1] == "without" and #words > 1 and table.move(words, 2, #words, 1, {}) or { words[1] }
	end
	for _, name in ipairs(list) do
		if not heuristics[name] then
			error({ status = 2, message = ("search cpgs: %s is none of: without cut-points, redefinition, distance, "
				.. "new-coverage, backtracking, similar, turns"):format(name) }, 0)
		end
		set[name] = true
	end
	return set
end

return function(session, words)
	local no = left_out(words)
	return pursue(session, { points = no["cut-points"] and "ends" or "all", blind = no.redefinition,
		backtrack = not no.backtracking, similar = not no.similar, turns = not no.turns,
		near = no.distance and 0 or 1, new = no["new-coverage"] and 0 or 1 })
end
