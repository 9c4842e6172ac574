-- cfg: the open branch from which the fewest branches lead to an outcome that is not covered yet
-- (CREST's control-flow distance); the newest of these first. Distances only grow as coverage
-- does, so that a branch is put off when it comes up with a distance that has become wrong.
return function(session)
	local far = 1 << 20                           -- no way to anything uncovered: last
	local bucket, nearest, count = {}, 0, 0       -- bucket[distance]: a stack
	local search = {}

	local function put(b)
		local d = session:distance(b) or far
		bucket[d] = bucket[d] or {}
		table.insert(bucket[d], b)
		nearest = math.min(nearest, d)
		return d
	end
	function search:update(path)
		for _, b in ipairs(path) do
			put(b)
			count = count + 1
		end
	end
	function search:select()
		while true do
			local stack = bucket[nearest]
			local b = stack and table.remove(stack)
			if not b then
				bucket[nearest] = nil
				nearest = math.min(next(bucket) and search.lowest() or far, far)
			elseif put(b) == nearest then
				table.remove(bucket[nearest])
				count = count - 1
				return b
			end
		end
	end
	function search.lowest()
		local d = far
		for k in pairs(bucket) do
			d = math.min(d, k)
		end
		return d
	end
	function search:empty()
		return count == 0
	end
	return search
end
