-- judging: methods of a session that return whether it has run all paths, and the verdicts that follow.
--   session:judge(complete, functions)   the strategy's own judgement, in place of that of the tree
--   session:complete()             nothing is left open or unknown
--   session:exhausted()            every feasible path was run, and nothing makes that doubtful
local Judging = {}

-- The strategy's own judgement: was every path of these functions ([unit][id] = true) run? Then what is
-- uncovered there is infeasible, unless limits were touched. With a partition these are the paths of one block alone.
function Judging:judge(complete, functions)
	self.judged_within = complete and not self.blocks and not self:over() and self.runs > self.before
		and self.mispredicted == self.missed and self.store:counts().lost == 0
	self.judged = self.judged_within and #self.store:limits() == 0
	self.ended = not self.judged and self.ended or nil
	local branches = {}
	for unit = 0, self.flow:units() - 1 do
		branches[unit] = self.flow:branches(unit)
	end
	for i = 1, self.judged and self.store:objectives() or 0 do
		local o = self.store:objective(i)
		local branch = branches[o.unit][o.branch]
		if o.verdict == "unknown" and functions[o.unit] and functions[o.unit][branch.func] then
			self.store:exhaust("branches", i)
		end
	end
end

function Judging:complete()
	return self.space:complete()
end

-- Was every path within the limits run that is this session's, or this share's, with nothing to make that doubtful?
function Judging:all_within()
	if self.judged_within ~= nil then
		return self.judged_within
	end
	local c = self.space:counts()
	return not self.doubtful and #self.postponed == 0 and self.added > 0
		and c.pending == 0 and c.unknown == 0 and c.contradicted == 0
		and self.mispredicted == self.missed and self.store:counts().lost == 0
end

-- The same, and no limit was touched: then these are all paths that there are.
function Judging:all_run()
	return self:all_within() and #self.store:limits() == 0
end

-- True when every feasible path was run and nothing made that doubtful.
function Judging:exhausted()
	if self.judged ~= nil then
		return self.judged
	end
	return not self.shared and self:all_run()
end

-- Refuses assumptions that leave no input, or that name none.
function Judging:check_assumptions()
	local list = {}
	for _, key in ipairs { "assume", "range" } do
		for _, text in ipairs(self.options[key] or {}) do
			list[#list + 1] = text:gsub("^@%S+ ", "")
		end
	end
	if #list == 0 or self.runs == 0 or self.entered then
		return
	end
	local what = table.concat(list, "; ")
	if self.first_end ~= "rejected" then
		error({ status = 2, message = ("a run ended (%s) while the assumptions were evaluated: %s"):format(
			self.first_end, what) }, 0)
	elseif self:all_within() then
		error({ status = 2, message = "no input satisfies the assumptions: " .. what }, 0)
	end
end

return Judging
