-- bfs: the open branch with the fewest conditions before it, the oldest of these first.
return function(session)
	local level, lowest, count = {}, 0, 0         -- level[depth]: a queue
	local search = {}
	function search:update(path)
		for _, b in ipairs(path) do
			local _, _, _, depth = session.space:branch(b)
			local q = level[depth] or { first = 1, last = 0 }
			level[depth] = q
			q.last = q.last + 1
			q[q.last] = b
			lowest = math.min(lowest, depth)
			count = count + 1
		end
	end
	function search:select()
		local q = level[lowest]
		while not q or q.first > q.last do
			level[lowest] = nil
			lowest = lowest + 1
			q = level[lowest]
		end
		local b = q[q.first]
		q[q.first], q.first = nil, q.first + 1
		count = count - 1
		return b
	end
	function search:empty()
		return count == 0
	end
	return search
end
