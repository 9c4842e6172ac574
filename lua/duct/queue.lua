-- Queue: a priority queue of items with two weights, the second of which decides between equal first ones;
-- the heaviest is first, of equals the oldest.
--   queue.new(), q:put(item, first, second), q:take() -> item, first, second; q.count
local Queue = {}
Queue.__index = Queue

local queue = {}

function queue.new()
	return setmetatable({ item = {}, first = {}, second = {}, age = {}, count = 0, puts = 0 }, Queue)
end

-- Does i come before k?
local function before(q, i, k)
	if q.first[i] ~= q.first[k] then
		return q.first[i] > q.first[k]
	elseif q.second[i] ~= q.second[k] then
		return q.second[i] > q.second[k]
	end
	return q.age[i] < q.age[k]
end

local function swap(q, i, k)
	for _, field in ipairs { q.item, q.first, q.second, q.age } do
		field[i], field[k] = field[k], field[i]
	end
end

function Queue:put(item, first, second)
	local i = self.count + 1
	self.count, self.puts = i, self.puts + 1
	self.item[i], self.first[i], self.second[i], self.age[i] = item, first, second, self.puts
	while i > 1 and before(self, i, i // 2) do
		swap(self, i, i // 2)
		i = i // 2
	end
end

function Queue:take()
	local n = self.count
	local item, first, second = self.item[1], self.first[1], self.second[1]
	swap(self, 1, n)
	self.item[n], self.first[n], self.second[n], self.age[n] = nil, nil, nil, nil
	self.count = n - 1
	local i = 1
	while 2 * i < n do
		local k = 2 * i
		if k + 1 < n and before(self, k + 1, k) then
			k = k + 1
		end
		if not before(self, k, i) then
			break
		end
		swap(self, i, k)
		i = k
	end
	return item, first, second
end

return queue
