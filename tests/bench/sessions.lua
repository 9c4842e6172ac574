-- Sessions of strategies in tests/bench that measure several of them with the program that was built.
local core = require "duct.core"
local parts = require "duct.parts"
local session = require "duct.session"

local sessions = {}

-- A new session, which keeps no tests, with the given options; those in `changed` override them.
function sessions.open(options, changed)
	local o = { began = core.now(), keep = "new", quiet = true }
	for _, more in ipairs { options, changed } do
		for key, value in pairs(more) do
			if key ~= "store" and (more == changed or o[key] == nil) then o[key] = value end
		end
	end
	return session.new(o, parts.open(o))
end

-- Ends a session; its figures.
function sessions.close(s)
	local figures = s:finish()
	s.solver:close()
	s.store:close()
	s.space:close()
	collectgarbage()
	return figures
end

return sessions
