-- random: any open branch, with equal probability.
return function(session)
	local open = {}
	local search = {}
	function search:update(path)
		table.move(path, 1, #path, #open + 1, open)
	end
	function search:select()
		return session.random:draw(open)
	end
	function search:empty()
		return #open == 0
	end
	return search
end
