-- Worklist: the pending branches for one pair, in levels: the goals that their paths have passed.
--   worklist.new(backtrack), W:put(branch, level, weight, class), W:take() -> branch, level; W.count
-- The deepest level is first, and in it the heaviest. With `backtrack` a level in which n were taken counts
-- log2(n + 1) less: a loop that always passes as many goals does not keep the others from their turn. Within a level
-- a branch of a class of which n were taken in vain weighs as if it were n + 1 times as far: many that are alike,
-- such as those of one loop, are no better than one.
local queue = require "duct.queue"

local Worklist = {}
Worklist.__index = Worklist

local worklist = {}

function worklist.new(backtrack)
	return setmetatable({ level = {}, taken = {}, tried = {}, backtrack = backtrack, count = 0 }, Worklist)
end

function Worklist:put(branch, level, weight, class)
	local l = self.level[level] or { count = 0, class = {}, list = {} }
	local q = l.class[class] or queue.new()
	self.level[level] = l
	if not l.class[class] then
		q.name = class
		l.class[class], l.list[#l.list + 1] = q, q
	end
	q:put(branch, weight)
	l.count = l.count + 1
	self.count = self.count + 1
end

local function deepest(self)
	local best, most
	for level, l in pairs(self.level) do
		local depth = level - (self.backtrack and math.log((self.taken[level] or 0) + 1, 2) or 0)
		if l.count > 0 and (not best or depth > most or depth == most and level > best) then
			best, most = level, depth
		end
	end
	return best
end

-- The class whose heaviest counts most.
local function heaviest(self, l)
	local best, most
	for _, q in ipairs(l.list) do
		local w = q.count > 0 and q:top() / ((self.tried[q.name] or 0) + 1) ^ 2
		if w and (not best or w > most) then
			best, most = q, w
		end
	end
	return best
end

function Worklist:take()
	local level = deepest(self)
	local l = self.level[level]
	local q = heaviest(self, l)
	self.taken[level] = (self.taken[level] or 0) + 1
	self.tried[q.name] = (self.tried[q.name] or 0) + 1
	self.count, l.count = self.count - 1, l.count - 1
	return q:take(), level
end

return worklist
