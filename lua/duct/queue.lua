-- Queue: a priority queue; the item with the largest weight is first, among equal weights the oldest.
--   queue.new(), q:put(item, weight), q:take() -> item; q:top() -> its weight; q.count
local Queue = {}
Queue.__index = Queue

local queue = {}

function queue.new()
	return setmetatable({ item = {}, weight = {}, age = {}, count = 0, puts = 0 }, Queue)
end

-- Whether item i comes before item k.
local function before(q, i, k)
	return q.weight[i] > q.weight[k] or q.weight[i] == q.weight[k] and q.age[i] < q.age[k]
end

local function swap(q, i, k)
	local item, weight, age = q.item, q.weight, q.age
	item[i], item[k] = item[k], item[i]
	weight[i], weight[k] = weight[k], weight[i]
	age[i], age[k] = age[k], age[i]
end

function Queue:put(item, weight)
	local i = self.count + 1
	self.count, self.puts = i, self.puts + 1
	self.item[i], self.weight[i], self.age[i] = item, weight, self.puts
	while i > 1 and before(self, i, i // 2) do
		swap(self, i, i // 2)
		i = i // 2
	end
end

function Queue:top()
	return self.weight[1]
end

function Queue:take()
	local n, item = self.count, self.item[1]
	swap(self, 1, n)
	self.item[n], self.weight[n], self.age[n] = nil, nil, nil
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
	return item
end

return queue
