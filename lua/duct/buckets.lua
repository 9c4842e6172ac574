-- Buckets: a priority queue for few different priorities; the lowest priority is first.
--   buckets.new("oldest" | "newest")   which item is first among equal priorities
--   q:put(priority, item), q:take() -> item, priority; q.count
local Buckets = {}
Buckets.__index = Buckets

local buckets = {}

function buckets.new(which)
	return setmetatable({ newest = which == "newest", at = {}, lowest = math.huge, count = 0 }, Buckets)
end

function Buckets:put(priority, item)
	local b = self.at[priority]
	if not b then
		b = { first = 1, last = 0 }
		self.at[priority] = b
	end
	b.last = b.last + 1
	b[b.last] = item
	self.lowest = math.min(self.lowest, priority)
	self.count = self.count + 1
end

function Buckets:take()
	local priority = self.lowest
	local b = self.at[priority]
	local i = self.newest and b.last or b.first
	local item = b[i]
	b[i] = nil
	if self.newest then
		b.last = i - 1
	else
		b.first = i + 1
	end
	self.count = self.count - 1
	if b.first > b.last then
		self.at[priority] = nil
		self.lowest = math.huge
		for other in pairs(self.at) do
			self.lowest = math.min(self.lowest, other)
		end
	end
	return item, priority
end

return buckets
