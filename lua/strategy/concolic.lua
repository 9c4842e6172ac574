-- concolic: run, negate a branch of a path, solve for it, run again, until no branch is left
-- (DART, CUTE; the search decides which branch is next, or has an input of its own); with wider limits, when that
-- helps; at last with drawn values, where the program used concrete ones.
--   concolic(session, name, enough, prover)   name of another search than the session's; enough(): true when it is time
--                                             to end; a prover (duct.proof) takes turns with the search
local drawn = require "duct.drawn"
local steps = require "duct.steps"

local function explore(session, search, enough, prover)
	local function more()
		return not enough()
	end
	session:hurry()
	repeat
		while not session:over() and not session:settled() and not session:stagnates() and not enough() do
			local idle = search:empty()
			if prover and (prover.rounds == 0 or prover:due(idle)) then
				steps.prove(session, search, prover)
			elseif idle then
				break
			else
				session:offer()
				session:merge(search)
				steps.flip(session, search, steps.choose(session, search))
			end
		end
	until not session:resume(search) and not session:relent(search, more, true)
end

local function never()
	return false
end

return function(session, name, enough, prover)
	enough = enough or never
	local search
	repeat
		search = steps.first(session, name)
		explore(session, search, enough, prover)
		for other in steps.taken_over(session, name) do
			explore(session, other, enough, prover)
		end
	until enough() or not session:widen()
	while drawn(session, search, enough) do
		explore(session, search, enough, prover)
	end
end
