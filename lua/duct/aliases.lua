-- aliases: methods of a session that query pairs on paths that already pass their definition and use: is there an input
-- of the same path for which both access the same place, and nothing in between overwrites it (EV_ALIAS)? A pair is
-- queried a few times at once; its other questions remain among the branches from which searches choose. Where answers
-- cover nothing new, these questions come seldom, too: most have no input, and some take long.
--   session:note_aliases(path)     the new questions of a run
--   session:alias()                -> a branch to solve next, or nil
--   session:closed_alias(branch)   is it a question for pairs that are all decided? Then it is settled
local earned = require "duct.earned"

local Aliases = {}

local few = 8                      -- questions for the same pairs, until more runs have come by them
local often = 16                   -- one more for so many that were not asked
local seldom, vain = 64, 4         -- one of so many choices, at least; turns without news before they come half as much

-- The pairs that the branch asks for, with how often they were asked for; the same table for the same pairs.
local function fact_of(self, branch)
	local pairs_of = self.space:possible(branch, self.defuse)
	if not pairs_of then
		return nil
	end
	local key = table.concat(pairs_of, " ")
	self.facts = self.facts or {}
	self.facts[key] = self.facts[key] or { pairs = pairs_of, met = 0, asked = 0 }
	return self.facts[key]
end

local function any_wanted(self, fact)
	for _, pair in ipairs(fact.pairs) do
		if self:is_wanted(pair) then
			return true
		end
	end
	return false
end

function Aliases:closed_alias(branch)
	local fact = self.defuse and fact_of(self, branch)
	if not fact or any_wanted(self, fact) then
		return false
	end
	self.space:settle(branch)
	return true
end

function Aliases:note_aliases(path)
	if not self.defuse then                        -- the program was built with pairs that are no goals here
		for _, branch in ipairs(path.aliases or {}) do
			self.space:settle(branch)
		end
		return
	end
	local queue = self.waiting or { first = 1 }
	self.waiting = queue
	for _, branch in ipairs(path.aliases or {}) do
		if not self:closed_alias(branch) then
			local fact = fact_of(self, branch)
			fact.met = fact.met + 1
			if fact.asked < few + fact.met // often then
				fact.asked = fact.asked + 1
				queue[#queue + 1] = branch
			end
		end
	end
end

function Aliases:alias()
	local queue = self.waiting
	self.alias_turns = self.alias_turns or earned.turns(1, seldom, vain)
	if queue and not self.alias_turns:due(self.news) then
		return nil
	end
	while queue and queue.first <= #queue do
		local branch = queue[queue.first]
		queue.first = queue.first + 1
		if self.space:open(branch) and not self:closed_alias(branch) then
			return branch
		end
	end
	self.waiting = nil
end

return Aliases
