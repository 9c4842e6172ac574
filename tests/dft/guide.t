#!/usr/bin/env lua5.4
-- Where branches stand on the way to (8,17,res) of power, as in the paper's Table 1: cut points 4 8 9 13 14 17. Line
-- n of the figure is line n + 20 of the file. The condition of 13 is decided by that of 4: it is no branch.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

local folder = tap.folder("guide")
tap.spit(folder .. "/states.lua", [[
local function tell(session, way, path, name)
	for _, b in ipairs(path) do
		local unit, branch, outcome = session.space:branch(b)
		local passed, distance, since = way:state(b)
		io.stderr:write(("state %s %d%s %d %s %d\n"):format(name, session.flow:branches(unit)[branch].line - 20,
			outcome == 1 and "T" or "F", passed, distance == math.huge and "far" or distance, since))
	end
end
return function(session)
	local d, guide = session.defuse, session:guide()
	for i = 1, d:count() do
		local p = d:pair(i)
		if p.name == "res" and p.def.line == 28 and p.use.line == 37 then
			local way = guide:aim(i, "all")
			io.stderr:write(("goals %d %d\n"):format(way:goals()))
			tell(session, way, session:run(nil), "zero")
			local one = session.space:model()
			one:set("y", "i", 32, 1)
			tell(session, way, session:run(one), "one")
			local goals, furthest = way:goals()
			io.stderr:write(("furthest %d %s\n"):format(furthest, tostring(way:goal(6))))
		end
	end
end
]])
local _, _, err = tap.run(("duct %s/states.lua %s/share/examples/power.c --entry power --protocol paper --json --quiet")
	:format(folder, tap.root))
local state = {}
for name, at, passed, distance, since in err:gmatch("state (%w+) (%w+) (%d+) (%w+) (%d+)") do
	state[name .. " " .. at] = { passed = tonumber(passed), distance = tonumber(distance) or math.huge,
		since = tonumber(since) }
end
local function is(at, passed, far, what)
	local s = state[at]
	tap.ok(s and s.passed == passed and (s.distance == math.huge) == far and s.since >= 1, what,
		s and ("passed %d, distance %s"):format(s.passed, s.distance) or err)
end
tap.ok(err:find("goals 6 0\n"), "six goals, none passed before anything was run", err)
is("zero 4T", 1, false, "the first condition: one cut point")
is("zero 9T", 3, false, "the loop's condition: three")
is("zero 14F", 5, false, "14F: five, the one to take")
tap.ok(state["zero 14F"] and state["zero 9T"] and state["zero 14F"].distance < state["zero 9T"].distance,
	"the next cut point is nearer from 14F than from 9T")
is("one 9F", 3, false, "9F of the first turn: not overwritten yet")
is("one 9T", 1, true, "9T after a turn: overwritten, and the definition cannot be reached again")
tap.ok(err:find("furthest 5 %S+power%.c:37:17\n"), "how far paths came, and what is next", err)
tap.done()
