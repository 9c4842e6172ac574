-- generational: takes all open branches of a run one after another, scores each child's run by the number
-- of objectives that it was the first to cover, and expands the run with the best score
-- next (SAGE: Godefroid, Levin, Molnar, Automated Whitebox Fuzz Testing, Search and
-- ExpandExecution). SAGE's bound is not needed: a run only adds branches after the one that it was
-- solved for, because the execution tree has the others already.
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
