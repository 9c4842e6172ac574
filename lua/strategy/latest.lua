-- latest: calls of the function under test are abstract at first: their results and writes are any inputs. A path found
-- in this way is made real call by call, in the order of execution, by a search in the callee for a path that agrees
-- with it, and likewise for calls in the callee (Majumdar, Sen: LATEST: Lazy Dynamic Test Input Generation, Figures 4
-- and 5). A path without a real run is refuted. Paths that take long are put off. Outcomes inside of calls that no path
-- needed come last.
local agenda = require "duct.agenda"
local names = require "duct.names"
local outcomes = require "duct.outcomes"
local turns = require "duct.turns"

-- A real run that keeps to this one, or nil. next_path() executes one call more and keeps to the path; several of these
-- paths are made real by turns. useful: values for inputs.
local function concretize(calls, path, useful)
	if not path.call then
		return path
	end
	local next_path = calls:next_path(path, useful)
	return turns.first(function()
		local longer = next_path()
		return longer and function() return concretize(calls, longer, useful) end
	end)
end

-- Each path that calls:abstract_next_path() finds, and that is wanted, is made real; the agenda says in which order.
-- Ends early when nothing is new for long; then not all paths were found.
local function latest(calls, wanted)
	local session, paths = calls.session, agenda.new(calls, concretize, wanted)
	calls:replay()
	while not session:over() and (not wanted or wanted()) and paths:step() do
		if not wanted and outcomes.due(session) then
			calls.complete, calls.early = false, true
			return
		end
	end
end

-- wanted(path): is it of use to make this path real; wanted(): is any? Then it is for others to judge what follows, and
-- what comes next (dft).
return function(session, wanted)
	if wanted then
		return session:abstract(function(calls) latest(calls, wanted) end)
	end
	repeat
		local calls = session:abstract(latest)
		if not calls then
			return names.load("strategy", "concolic")(session)
		end
		session:judge(calls.complete, calls:under_test())
		outcomes.after_calls(session)
	until not session:widen() and not (calls.early and outcomes.again(session))
end, { abstract = true }
