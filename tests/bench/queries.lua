-- A strategy for tests/bench/queries: concolic, with the time of each question to the solver.
-- Its line on stderr: questions, percentage within 100 us, median and 99th percentile in us, the longest in ms, its and
-- all questions' percentage of the session, and the layers and engines that answered.
local core = require "duct.core"
local names = require "duct.names"

local function percentile(times, share)
	return (times[math.max(1, math.ceil(share * #times))] or 0) * 1e6
end

return function(session)
	local times, began = {}, core.now()
	local solve = session.solve
	function session:solve(branch, ...)
		if type(branch) == "table" then
			return solve(self, branch, ...)          -- the search made this input itself
		end
		local before = core.now()
		local input = solve(self, branch, ...)
		times[#times + 1] = core.now() - before
		return input
	end
	names.load("strategy", "concolic")(session)
	local whole, sum, quick = core.now() - began, 0, 0
	table.sort(times)
	for _, t in ipairs(times) do
		sum = sum + t
		quick = quick + (t < 100e-6 and 1 or 0)
	end
	local by = {}
	for _, layer in ipairs(session.solver:counts().layers) do
		by[#by + 1] = layer.answered > 0 and ("%s %d"):format(layer.name, layer.answered) or nil
	end
	local longest = times[#times] or 0
	core.say(("%d\t%.2f\t%.1f\t%.1f\t%.3f\t%.3f\t%.2f\t%s\n"):format(#times, 100 * quick / math.max(1, #times),
		percentile(times, 0.5), percentile(times, 0.99), 1000 * longest, 100 * longest / whole, 100 * sum / whole,
		table.concat(by, ", ")))
end
