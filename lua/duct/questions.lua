-- questions: methods of a session that ask the solver.
--   session:solve(branch)          -> input, or nil: the branch is closed then, or put off
--   session:hurry()                puts off questions that take long; session:resume(search) asks them again
--   session:partial()              queries are partial path constraints from now on
local core = require "duct.core"

local Questions = {}

local patience = 1                 -- seconds that a question may take before it is put off, but
local longest = 0.02               -- no more than this part of the session's time; as much where the machine is slow
local more = 4                     -- times as many when it is asked again
local brief = 0.01                 -- the same in a session for targets, where other ways may lead there
local hasty = 0.1                  -- seconds, the same when questions without an answer took more than
local vain = 0.1                   -- this part of the session's time, and more than `patience`; the more, the less
local few = 2                      -- questions of a condition that are asked then, too
local least_first = 0.02           -- seconds that one has at first, however short the session is
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

-- Seconds that a question may take at first.
local function first(self)
	local time = self.deadline and self.deadline - self.began or math.huge
	return self.options.target and brief or math.max(least_first, math.min(patience, longest * time))
end

-- From now on questions that take long are put off, until the search that asks them has nothing else left; not when
-- they would get no more time then.
function Questions:hurry()
	self.hasty = true                  -- runs, too (duct.patience)
	self.unanswered = self.unanswered or {}      -- by site of a condition: how many questions had no answer
	self.longer = nil
	self.hard = self.options.query_timeout > first(self) and {} or nil
end

-- They are asked again, all of them with some more time before one of them gets all that a question may take. Is there
-- any?
function Questions:resume(search)
	local again = { covered = 0 }
	for _, branch in ipairs(self.hard or {}) do
		again[#again + 1] = self.space:resume(branch) and branch or nil
	end
	self.longer = self.hard and more * (self.longer or first(self))
	if #again > 0 and self.longer and self.longer < self.options.query_timeout then
		self.hard, self.unanswered = {}, {}
	else
		self.hard, self.longer = nil, nil
	end
	if #again > 0 then
		search:update(again)
	end
	return #again > 0
end

-- A question has no answer: a loss of precision at the condition that it is about. Helpers (duct.crew) tell it later.
local function lose(self, why, branch)
	local reason, unit, file, line = "no answer to a query: " .. why, self.space:place(branch)
	if self.open_questions then
		table.insert(self.open_questions, { reason, unit or -1, file or 0, line or 0 })
	else
		self.store:lose(reason, unit, file, line)
	end
end

-- At the end: those that were not asked again have no answer.
function Questions:give_up()
	for _, branch in ipairs(self.hard or {}) do
		if self.space:resume(branch) then
			lose(self, "put off, because it took long, until the end", branch)
		end
	end
end

-- How much longer questions took than the CPU worked on them: other processes want it, too.
local function slowness(self)
	local worked = self.solve_cpu + self:solver_counts().child_seconds
	return math.max(1, math.min(32, self.asking / math.max(worked, 0.01)))
end

-- How much of the time that questions without an answer may take they took; more than 1: too much.
local function vanity(self)
	return self.vain / math.max(patience * self.slowness, vain * (core.now() - self.began))
end

-- Seconds that a question may take, which is not asked beyond the session's end; nil: all that the solver gives.
function Questions:question_time()
	local left = self.deadline and math.max(least_question, self.deadline - core.now())
	if not self.hard then
		return left
	end
	local time = self.deadline and self.deadline - self.began or math.huge
	local taken = vanity(self)
	local most = self.longer or taken > 1 and math.min(hasty, first(self)) / taken ^ 2 or first(self)
	return math.min(math.max(most, math.min(most * self.slowness, longest * time)), left or math.huge)
end

local function site_of(self, branch)
	return (select(8, self.space:branch(branch)))
end

local function defer(self, branch)
	self.space:put_off(branch)
	self.hard[#self.hard + 1] = branch
end

-- Is it put off without being asked, as others of its condition were not answered?
function Questions:hopeless(branch)
	local is_vain = self.hard and not self.longer and vanity(self) > 1
	if is_vain and (self.unanswered[site_of(self, branch)] or 0) >= few then
		defer(self, branch)
		return true
	end
end

-- A question without an answer took some seconds: is the branch put off?
function Questions:put_off(branch, seconds, given)
	if not self.hard or core.interrupted() then
		return false
	end
	self.vain = self.vain + seconds
	self.slowness = slowness(self)
	if seconds < given / 2 then
		return false
	end
	local site = site_of(self, branch)
	self.unanswered[site] = (self.unanswered[site] or 0) + 1
	if self.open_questions then
		lose(self, "put off, because it took long", branch)
	end
	defer(self, branch)
	return true
end

-- An input that takes a pending branch; a search may have made one itself: { input = INPUT }. A fault that
-- some run has shown is not asked for again. `most`: seconds that the question may take; it stays pending without an
-- answer then.
function Questions:solve(branch, most)
	if type(branch) == "table" then
		return branch.input
	end
	self:closed_alias(branch)
	if self.space:waive(branch) or self:hopeless(branch) then
		return nil
	end
	local before, began = core.cpu(), core.now()
	local left = self:question_time()
	local answer, model, why = self.solver:ask(branch, most and math.min(most, left or most) or left)
	self.solve_cpu = self.solve_cpu + core.cpu() - before
	self.asking = self.asking + core.now() - began
	if answer == "sat" then
		return model
	end
	if answer == "unknown" and most then
		return nil
	end
	if answer == "unknown" and self:put_off(branch, core.now() - began, left) then
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
			lose(self, why, branch)
		end
		self.space:drop(branch, answer == "unsat")
	end
	self:tick()
end

return Questions
