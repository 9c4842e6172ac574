-- latest: calls of the function under test are abstract at first, what they return and write is any input; a
-- path found so is made real call by call, in the order of execution, by a search in the callee for a path
-- that keeps to it, and so on in what the callee calls (Majumdar, Sen: LATEST: Lazy Dynamic Test Input
-- Generation). A path of which no run is real is refuted.
local abstract = require "duct.abstract"
local names = require "duct.names"

local most_begun = 2000                               -- runs that go on from one real run

-- A real run that keeps to this one, or nil. useful: values for inputs; last: the number of the last run.
local function concretize(a, run, useful, last)
	if not run.call then
		return run
	end
	for next_run in a:keeping(run, useful, last) do
		local found = concretize(a, next_run, useful, last)
		if found then
			return found
		end
	end
end

-- Summaries first, then what begins as the nearest real run; only the search from the start refutes.
local function make_real(a, run)
	if a:guess(run) then
		return
	end
	local begun, useful = a:begun(run), a:nearest(run)
	local found = begun and concretize(a, begun, useful, a.session.runs + most_begun)
		or concretize(a, run, useful, math.huge)
	if found then
		a:shorten(found)
	end
end

local function explore(a)
	a:replay()
	for run in a:paths() do
		if not a.shown[run.key] then
			make_real(a, run)
		end
	end
end

return function(session)
	local refused, again = {}, true
	while again do
		local a = abstract.new(session, refused)
		if not a.any then
			return names.load("strategy", "concolic")(session)
		end
		again = a:attempt(explore, refused)
		if not again then
			session:judge(a.complete, a:under_test())
		end
	end
end
