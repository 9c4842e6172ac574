-- Worklist: the pending branches for one pair, in levels: the goals that their paths have passed.
--   worklist.new(backtrack), W:put(branch, level, weight), W:take() -> branch, level; W.count
-- The deepest level is first, and in it the heaviest. With `backtrack` a level in which n were taken counts
-- log2(n + 1) less: a loop that always passes as many goals does not keep the others from their turn.
local queue = require "duct.queue"

local Worklist = {}
Worklist.__index = Worklist

local worklist = {}

function worklist.new(backtrack)
	return setmetatable({ level = {}, taken = {}, backtrack = backtrack, count = 0 }, Worklist)
end

function Worklist:put(branch, level, weight)
	self.level[level] = self.level[level] or queue.new()
	self.level[level]:put(branch, weight)
	self.count = self.count + 1
end

local function deepest(self)
	local best, most
	for level, q in pairs(self.level) do
		local depth = level - (self.backtrack and math.log((self.taken[level] or 0) + 1, 2) or 0)
		if q.count > 0 and (not best or depth > most or depth == most and level > best) then
			best, most = level, depth
		end
	end
	return best
end

function Worklist:take()
	local level = deepest(self)
	self.taken[level] = (self.taken[level] or 0) + 1
	self.count = self.count - 1
	return self.level[level]:take(), level
end

return worklist
