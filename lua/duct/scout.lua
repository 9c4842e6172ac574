-- scout: methods of a session that first run an input which was made without solving with concrete values. In programs
-- that compute much with their inputs this is much faster than a symbolic run, so that more inputs can be tried. An
-- input that covers something new, or whose run does not end normally, is then run symbolically.
--   session:scout(input)           -> path, without branches if it covered nothing new; nil: it has to be run
--                                  symbolically
--   session:look(input)            -> how many objectives such a run covered for the first time; nil: it has to be run
--   session:scouted(origin, trace) notes the cost of a symbolic run
-- Whether this is worthwhile is judged by counts, not by times, so that equal sessions do the same.
local core = require "duct.core"

local Scout = {}

local least = 40000                -- expressions of a run in the mean, about 8 ms
local share = 0.25                 -- expressions for each block that runs
local sample = 8                   -- runs of which the mean is known
local fade = 0.05                  -- weight of the last run

function Scout:scouted(origin, trace)
	local how = origin == "mutated" and trace:ended()
	if how == "exit" or how == "limit" or how == "timeout" then
		local mean = self.means or { n = 0, expressions = 0, blocks = 0 }
		local expressions, _, _, _, blocks = trace:sizes()
		self.means, mean.n = mean, mean.n + 1
		local weight = math.max(1 / mean.n, fade)
		mean.expressions = mean.expressions + (expressions - mean.expressions) * weight
		mean.blocks = mean.blocks + (blocks - mean.blocks) * weight
	end
end

local function pays(self)
	local mean = not self.blocks and not self.only and self.means
	return mean and mean.n >= sample and mean.expressions > least and mean.expressions > share * mean.blocks
end

-- A run with fixed values: how many objectives it covered for the first time; nil: it did not end as it should, which
-- does not count.
function Scout:look(input)
	if self.deadline then
		self.runner:within(self:allowance(true, false))
	end
	local fixed <close> = core.partition()
	local trace <close> = self.runner:run(self.runs + 1, input, fixed)
	if not self.store:plain(trace) then
		return nil
	end
	self.runs = self.runs + 1
	self.steps = self.steps + select(5, trace:sizes())
	local covered, kept, _, test = self.store:add(trace, "mutated", nil, false, false, self:credited(trace), false)
	if covered > 0 then
		self:note_news(trace, kept and test)
	end
	self:tick()
	return covered
end

function Scout:scout(input)
	local covered = pays(self) and self:look(input)
	if not covered then
		return nil
	elseif covered == 0 then
		return { id = self.runs, covered = 0, length = 0, n = 0 }
	end
	local path = self:run(input, nil, "replay", self.runs)
	path.covered = path.covered + covered
	return path
end

return Scout
