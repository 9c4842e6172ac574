-- concolic: run, flip a branch of what was seen, solve for it, run again, until no branch is left
-- (DART, CUTE; the search decides which branch is next, or has an input of its own); with wider limits, when that
-- helps.
--   concolic(session, name, enough)   name of another search than the session's; enough(): true when it is time to end
local function explore(session, search, enough)
	session:hurry()
	repeat
		while not search:empty() and not session:over() and not session:stagnates() and not enough() do
			session:offer()
			local branch = search:select()
			local input = session:solve(branch)
			if input then
				search:update(session:run(input, branch))
			end
		end
	until not session:resume(search)
end

local function never()
	return false
end

return function(session, name, enough)
	enough = enough or never
	repeat
		local search = session:search(name)
		for path in session:start() do
			search:update(path)
		end
		explore(session, search, enough)
		for path in session:adopt() do
			search = session:search(name)
			search:update(path)
			explore(session, search, enough)
		end
	until enough() or not session:widen()
end
