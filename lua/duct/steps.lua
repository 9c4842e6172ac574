-- steps: what the loops of strategies are made of.
--   steps.first(session, name)     -> the search, with the first paths in it; name: another one than the session's
--   steps.flip(session, search, branch, seconds)   solves for a branch that the search chose, and runs what comes of
--                                  it; seconds: that the question may take
--   steps.prove(session, search, prover)   a round of proofs; the inputs that it proposes are run
--   steps.taken_over(session, name)    an iterator over searches with the first path of a tree that another process
--                                  gave away (--jobs)
local steps = {}

function steps.first(session, name)
	local search = session:search(name)
	for path in session:start() do
		search:update(path)
	end
	return search
end

function steps.flip(session, search, branch, seconds)
	local input = session:solve(branch, seconds)
	if input then
		search:update(session:run(input, branch))
	end
end

function steps.prove(session, search, prover)
	for input in prover:round() do
		search:update(session:run(input, nil, "prove"))
	end
end

function steps.taken_over(session, name)
	local next_path, state = session:adopt()
	return function()
		local path = next_path(state)
		local search = path and session:search(name)
		if search then
			search:update(path)
		end
		return search
	end
end

return steps
