-- calltree: which calls the runs of LATEST executed and which they left abstract, as a tree of calls, for reports.
--   calltree.new()                 -> an empty tree
--   tree:learn(events, replaced)   adds the calls of a run; replaced: the outcome of one that stays abstract
--   tree:json()                    -> the children of its root, as a JSON list
local calltree = {}
local Tree = {}
Tree.__index = Tree

local deepest = 12                                    -- calls of deeper ones, as of recursion, count as the last one's

function calltree.new()
	return setmetatable({ below = {}, order = {} }, Tree)
end

local function child(node, name)
	local found = node.below[name]
	if not found then
		found = { name = name, abstract = 0, executed = 0, below = {}, order = {} }
		node.below[name] = found
		node.order[#node.order + 1] = found
	end
	return found
end

function Tree:learn(run, replaced)
	local way, depth = { self }, 1
	for _, e in ipairs(run) do
		if e.kind == "asked" then
			local node = child(way[math.min(depth, deepest)], e.called or "?")
			if e.outcome == replaced then
				node.abstract = node.abstract + 1
			else
				node.executed = node.executed + 1
				depth = depth + 1
				way[depth] = node
			end
		elseif e.kind == "return" then
			depth = math.max(depth - 1, 1)
		end
	end
end

function Tree:json()
	local list = {}
	for i, node in ipairs(self.order) do
		list[i] = ('{"name": "%s", "abstract": %d, "executed": %d, "calls": %s}'):format(node.name, node.abstract,
			node.executed, Tree.json(node))
	end
	return "[" .. table.concat(list, ", ") .. "]"
end

return calltree
