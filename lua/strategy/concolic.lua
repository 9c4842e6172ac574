-- concolic: run, flip a branch of what was seen, solve for it, run again, until no branch is left
-- (DART, CUTE; the search decides which branch is next, or has an input of its own); with wider limits, when that helps.
local function explore(session, search)
	session:hurry()
	repeat
		while not search:empty() and not session:over() and not session:stagnates() do
			session:offer()
			local branch = search:select()
			local input = session:solve(branch)
			if input then
				search:update(session:run(input, branch))
			end
		end
	until not session:resume(search)
end

return function(session)
	repeat
		local search = session:search()
		for path in session:start() do
			search:update(path)
		end
		explore(session, search)
		for path in session:adopt() do
			search = session:search()
			search:update(path)
			explore(session, search)
		end
	until not session:widen()
end
