-- What a session tells while it works: one line that is written over on a terminal, else a line
-- every ten seconds.
local core = require "duct.core"

local progress = {}

-- Until the nearest bound: of time, or of runs at the rate so far.
local function left(session, seconds)
	local bounds, runs = {}, session.runs
	if session.deadline then
		bounds[#bounds + 1] = session.deadline - core.now()
	end
	if session.last_run and runs > 0 then
		bounds[#bounds + 1] = (session.last_run - runs) * seconds / runs
	end
	return #bounds > 0 and ("  at most %.0f s left"):format(math.max(0, math.min(table.unpack(bounds)))) or ""
end

local function text(session, seconds)
	local c = session.store:counts()
	local rate = seconds > 0 and session.paths / seconds or 0
	local pairs = session.defuse and ("  pairs %d/%d"):format(c.pairs.covered, c.pairs.total - c.pairs.infeasible) or ""
	return ("duct: %.1f s  %d runs  %d paths (%.0f/s)  branches %d/%d%s  %d open  %d failure%s%s"):format(
		seconds, session.runs, session.paths, rate, c.covered, c.total - c.infeasible, pairs,
		session.space:pending(), c.failures, c.failures == 1 and "" or "s",
		left(session, seconds))
end

-- A function to be called often; `finish` ends the line.
function progress.new(session, quiet)
	local terminal = core.terminal()
	local interval = terminal and 0.2 or 10
	local due, shown = session.began + interval, false
	local self = {}
	function self.tick(now)
		if quiet or now < due then
			return
		end
		due = now + interval
		core.say((terminal and "\r%s\27[K" or "%s\n"):format(text(session, now - session.began)))
		shown = terminal
	end
	function self.finish()
		if shown then
			core.say("\r\27[K")
		end
	end
	return self
end

return progress
