-- concolic: run, negate a branch of a path, solve for it, run again, until no branch is left
-- (DART, CUTE; the search decides which branch is next, or has an input of its own); with wider limits, when that
-- helps.
--   concolic(session, name, enough, prover)   name of another search than the session's; enough(): true when it is time
--                                             to end; a prover (duct.proof) takes turns with the search
local function prove(session, search, prover)
	for input in prover:round() do
		search:update(session:run(input, nil, "prove"))
	end
end

local function explore(session, search, enough, prover)
	session:hurry()
	repeat
		while not session:over() and not session:settled() and not session:stagnates() and not enough() do
			local idle = search:empty()
			if prover and (prover.rounds == 0 or prover:due(idle)) then
				prove(session, search, prover)
			elseif idle then
				break
			else
				session:offer()
				local branch = search:select()
				local input = session:solve(branch)
				if input then
					search:update(session:run(input, branch))
				end
			end
		end
	until not session:resume(search)
end

local function never()
	return false
end

return function(session, name, enough, prover)
	enough = enough or never
	repeat
		local search = session:search(name)
		for path in session:start() do
			search:update(path)
		end
		explore(session, search, enough, prover)
		for path in session:adopt() do
			search = session:search(name)
			search:update(path)
			explore(session, search, enough, prover)
		end
	until enough() or not session:widen()
end
