-- Progress of a session on stderr: one line that is overwritten on a terminal, otherwise a new line
-- every ten seconds.
--   progress.phase(name, quiet)    sets the phase, shown at once on a terminal: "building", "searching", "proving f"
--   progress.new(session, quiet) -> { tick(now), finish() }
local core = require "duct.core"

local progress = { name = "searching", prefix = "" }
local terminal, shown = core.terminal(), false

-- Shows one line, cut to the width of the terminal, because a longer one would scroll.
local function show(text)
	local width = core.columns() - 1
	core.say("\r" .. text:sub(1, width) .. "\27[K")
	shown = true
end

function progress.clear()
	if shown then
		core.say("\r\27[K")
		shown = false
	end
end

-- The time left until the nearest bound, that of time or, at the current rate, that of runs.
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

-- The text of the line, most important facts first, as the end may be cut off.
local function text(session, seconds)
	local c = session.store:counts()
	local rate = seconds > 0 and session.paths / seconds or 0
	local pairs = session.defuse and ("  pairs %d/%d"):format(c.pairs.covered, c.pairs.total - c.pairs.infeasible) or ""
	return ("duct: %s%s  %.0f s%s  branches %d/%d%s  %d finding%s  %d runs (%.0f/s)"):format(progress.prefix,
		progress.name, seconds, left(session, seconds), c.covered, c.total - c.infeasible, pairs, c.failures,
			c.failures == 1 and "" or "s",
		session.runs, rate)
end

function progress.phase(name, quiet)
	progress.name = name
	if terminal and not quiet then
		show(("duct: %s%s"):format(progress.prefix, name))
	end
end

-- `tick` is to be called often; `finish` ends the line.
function progress.new(session, quiet)
	local interval = terminal and 0.2 or 10
	local due = session.began + interval
	local self = {}
	progress.name = "searching"
	function self.tick(now)
		if quiet or now < due then
			return
		end
		due = now + interval
		local line = text(session, now - session.began)
		if terminal then
			show(line)
		else
			core.say(line .. "\n")
		end
	end
	self.finish = progress.clear
	return self
end

return progress
