-- steps: the building blocks of the loops of strategies.
--   steps.first(session, name)     -> the search, with the first paths in it; name: another one than the session's
--   steps.choose(session, search)  -> the branch that the search chooses next; nil: the session is over
--   steps.flip(session, search, branch, seconds)   solves for a branch that the search chose, and runs the input;
--                                                  seconds: time limit of the query
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

-- Tells the search of paths that the session ran on its own; was there any?
local function tell(session, search)
	local paths = session:untold()
	for _, path in ipairs(paths) do
		search:update(path)
	end
	return #paths > 0
end

-- A search asks whether the session is over, too, and then its last branches may be those of such a path.
function steps.choose(session, search)
	tell(session, search)
	local branch = search:select()
	if not branch and tell(session, search) then
		branch = search:select()
	end
	assert(branch or session:over(), "the search chose no branch")
	return branch
end

function steps.flip(session, search, branch, seconds)
	local input = branch and session:solve(branch, seconds)
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
