-- outcomes: searches for outcomes of conditions that a strategy did not need, in the time and runs that are left.
--   outcomes.after_pairs(session)  of dft: unless pairs alone were asked for
--   outcomes.after_calls(session)  of latest: those inside of calls; with --abstract only the paths of the function
--                                  under test are asked for
--   outcomes.due(session)          of latest: nothing new for long: its paths wait until outcomes inside of calls were
--                                  looked for
--   outcomes.again(session)        latest, which ended early, begins again when something is missing
--   outcomes.with_calls(session)   begins again, with an empty tree, and with every call executed
local closest = require "duct.closest"
local core = require "duct.core"
local concolic = require "strategy.concolic"

local outcomes = {}

local vain = 2000                  -- runs without news after which it ends
local vain_inside = 500            -- the same, where limits are widened afterwards

function outcomes.after_pairs(session)
	local o = session.options
	local asked = o.criterion or o.protocol or o.scope or o.pairs_only or o.share or session.blocks
	local vectors = core.any_criterion(o.criteria, "evaluations")    -- wanted when all outcomes are covered, too
	local open = session.store:counts()
	if asked or (open.unknown + open.conditions == 0 and not vectors) or session:over() then
		return
	end
	if session:all_within() then
		if not session:widen() then
			return
		end
	else
		closest.pairs(session)
		session:restart()
	end
	concolic(session, "mix", function() return session.runs - session.news_run > vain end)
end

-- The definition of a path stays the same: paths that were counted are not counted again.
function outcomes.with_calls(session)
	session:restart()
	session:reopen({})
	session.paths = 0
end

local function wants_calls(session)
	local o = session.options
	return not o.abstract and not session.blocks and not (o.share and o.share.number > 1) and not session:over()
		and session:missing()
end

function outcomes.due(session)
	local quiet = session.runs - session.news_run
	return quiet >= math.max(vain_inside, session.runs // 2) and wants_calls(session)
end

function outcomes.again(session)
	local again = not session:over() and session:missing()
	if again then
		session:restart()
	end
	return again
end

-- Nothing is widened here. What the strategy judged of its own paths stays, unless all paths are run now.
function outcomes.after_calls(session)
	if not wants_calls(session) then
		return
	end
	local paths = session.paths
	session:unshared(function()
		outcomes.with_calls(session)
		concolic(session, "mix cfg coverage", function()
			return not session:missing() or session.runs - session.news_run > vain_inside
				or session.added > 0 and session:complete()
		end)
	end)
	session.paths = paths
end

return outcomes
