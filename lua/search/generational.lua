-- generational: all open branches of a run are taken one after another, each child's run is scored
-- by the objectives that it was the first to cover, and the run with the best score is expanded
-- next (SAGE: Godefroid, Levin, Molnar, Automated Whitebox Fuzz Testing, Search and
-- ExpandExecution). A run brings only branches behind the one that it was made for: the tree knows
-- the others, which is what SAGE's bound is for.
local buckets = require "duct.buckets"

return function()
	local runs = buckets.new("oldest")            -- by score: what is left to expand
	local parent, at = {}, 0                      -- the run that is being expanded; its branch last taken
	local search = {}

	function search:update(path)
		if #path > 0 then
			runs:put(-path.covered, path)
		end
	end
	function search:select()
		if at == #parent then
			parent, at = runs:take(), 0
		end
		at = at + 1
		return parent[at]
	end
	function search:empty()
		return at == #parent and runs.count == 0
	end
	return search
end
