-- dfs: the deepest open branch of the newest path first.
return function()
	local stack = {}
	local search = {}
	function search:update(path)
		table.move(path, 1, #path, #stack + 1, stack)
	end
	function search:select()
		return table.remove(stack)
	end
	function search:empty()
		return #stack == 0
	end
	return search
end
