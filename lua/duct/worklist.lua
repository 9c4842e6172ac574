-- Worklist: the pending branches for one pair, by level: the number of goals that their paths have passed.
--   worklist.new(backtrack), W:put(branch, level, weight, class), W:take() -> branch, level; W.count
-- The highest level is first, and in it the largest weight. With `backtrack`, log2(n + 1) is subtracted from a level
-- from which n branches were taken, so that a loop that always passes the same number of goals does not block other
-- levels. Within a level, the weight of a class from which n branches were taken is divided by (n + 1)^2, as if its
-- branches were n + 1 times as far: many similar branches, such as those of one loop, are no better than one.
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

-- The class with the largest weight after that division.
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
