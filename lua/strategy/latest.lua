-- latest: calls of the function under test are abstract at first, what they return and write is any input; a
-- path found so is made real call by call, in the order of execution, by a search in the callee for a path
-- that keeps to it, and so on in what the callee calls (Majumdar, Sen: LATEST: Lazy Dynamic Test Input
-- Generation). A path of which no run is real is refuted.
local abstract = require "duct.abstract"
local names = require "duct.names"

-- A real run that keeps to this one, or nil.
local function concretize(a, run, useful)
	if not run.call then
		return run
	end
	for next_run in a:keeping(run, useful) do
		local found = concretize(a, next_run, useful)
		if found then
			return found
		end
	end
end

local function explore(a)
	a:replay()
	for run in a:paths() do
		if not a.shown[run.key] then
			local _ = a:guess(run) or concretize(a, run, a:nearest(run))
		end
	end
end

return function(session)
	local refused, again = {}, true
	while again do
		local a = abstract.new(session, refused)
		if not a:any() then
			return names.load("strategy", "concolic")(session)
		end
		again = a:attempt(explore, refused)
		if not again then
			session:judge(a.complete, a:under_test())
		end
	end
end
