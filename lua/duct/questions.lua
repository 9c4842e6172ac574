-- questions: methods of a session that ask the solver.
--   session:solve(branch)          -> input, or nil: the branch is closed then, or put off
--   session:hurry()                puts off questions that take long; session:resume(search) asks them again
--   session:partial()              queries are partial path constraints from now on
local core = require "duct.core"

local Questions = {}

local patience = 1                 -- seconds that a question may take before it is put off, at most
local least_patience = 0.25        -- at least, in short sessions
local longer = 4                   -- times that, when it is asked again
local least_question = 0.01        -- seconds that one has even when the session's time is over

function Questions:partial()
	self.solver:partial(self.options.refine)
end

-- The counts of all questions to solvers.
function Questions:solver_counts()
	local c = self.solver:counts()
	for name, n in pairs(self.past) do
		if name == "conjuncts_max" then
			c[name] = math.max(c[name], n)
		elseif math.type(n) then
			c[name] = c[name] + n
		end
	end
	return c
end

-- From now on questions that take long are put off, until the search that asks them has nothing else left; not when
-- they would get no more time then.
function Questions:hurry()
	local time = self.options.time
	self.worth_waiting = time and math.min(patience, math.max(least_patience, time / 20)) or patience
	self.hard = self.options.query_timeout > self.worth_waiting and {} or nil
end

-- They are asked again, with four times the time, at most all that a question may take. Is there any?
function Questions:resume(search)
	local again = { covered = 0 }
	if #(self.hard or {}) == 0 then
		return false
	end
	for _, branch in ipairs(self.hard) do
		again[#again + 1] = self.space:resume(branch) and branch or nil
	end
	self.worth_waiting = longer * self.worth_waiting
	self.hard = self.options.query_timeout > self.worth_waiting and {} or nil
	if #again > 0 then
		search:update(again)
	end
	return #again > 0
end

-- At the end: those that were not asked again have no answer.
function Questions:give_up()
	for _, branch in ipairs(self.hard or {}) do
		if self.space:resume(branch) then
			self.store:lose(("no answer to a query: put off after %g s"):format(self.worth_waiting))
		end
	end
end

-- Seconds that a question may take, which is not asked beyond the session's end; nil: all that the solver gives.
function Questions:question_time()
	local left = self.deadline and math.max(least_question, self.deadline - core.now())
	return self.hard and math.min(self.worth_waiting, left or self.worth_waiting) or left
end

-- An input that takes a pending branch; a search may have made one itself: { input = INPUT }. A fault that
-- some run has shown is not asked for again. `most`: seconds that the question may take; it stays pending without an
-- answer then.
function Questions:solve(branch, most)
	if type(branch) == "table" then
		return branch.input
	end
	self:closed_alias(branch)
	if self.space:waive(branch) then
		return nil
	end
	local before, began = core.cpu(), core.now()
	local left = self:question_time()
	local answer, model, why = self.solver:ask(branch, most and math.min(most, left or most) or left)
	self.solve_cpu = self.solve_cpu + core.cpu() - before
	if answer == "sat" then
		return model
	end
	if answer == "unknown" and most then
		return nil
	end
	if answer == "unknown" and self.hard and core.now() - began >= self.worth_waiting / 2 and not core.interrupted() then
		self.space:put_off(branch)
		self.hard[#self.hard + 1] = branch
		return nil
	end
	if answer == "unknown" and self:over() then
		return nil                                 -- it had less time than a question may take
	end
	for _, search in ipairs(answer and self.searches or {}) do
		if search.blocked then
			search:blocked(branch, answer)
		end
	end
	if answer and not core.interrupted() then
		if answer == "unknown" then
			self.store:lose("no answer to a query: " .. why)
		end
		self.space:drop(branch, answer == "unsat")
	end
	self:tick()
end

return Questions
