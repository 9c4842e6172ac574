-- replays: finds runs by the inputs that they read, so that none is repeated. The next input that a run reads depends
-- on the values of those before it, so runs form a trie.
--   replays.new()
--   r:put(inputs, model)           a run with these values read these inputs, as trace:inputs gives them
--   r:has(model)                   would a run with these values be one of them?
local Replays = {}
Replays.__index = Replays

local replays = {}

function replays.new()
	return setmetatable({ root = { next = {} } }, Replays)
end

-- Two integers as a key.
local function key_of(low, high)
	return ("%x:%x"):format(low, high)
end

function Replays:put(inputs, model)
	local node = self.root
	for _, input in ipairs(inputs) do
		local key = key_of(input.value, input.high)
		if node.ended or node.name and node.name ~= input.name then
			return
		end
		node.name = input.name
		node.unset = node.unset or not model:get(input.name) and key
		node.next[key] = node.next[key] or { next = {} }
		node = node.next[key]
	end
	node.ended = node.name == nil
end

function Replays:has(model)
	local node = self.root
	while node and not node.ended do
		local low, high = model:get(node.name or "")
		node = node.next[low and key_of(low, high) or node.unset]
	end
	return node ~= nil
end

return replays
