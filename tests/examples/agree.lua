-- One share of the examples and of tests/programs: each runs its own `duct:` line, then agree.check; of a share every
-- second without gcov, which is asked of all where GCOV=all (make bench).
--   lua agree.lua K N           programs K, K + N, K + 2N ...
--   lua agree.lua NAME          the one of that name
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local agree, tap = require "agree", require "tap"

local first, step = tonumber(arg[1]), tonumber(arg[2])
local list = io.popen(("cd %s && ls share/examples/*.c tests/programs/*.c tests/programs/*/main.c"):format(tap.quote(tap.root)))
local i = 0
for path in list:lines() do
	i = i + 1
	local name = path:match("([^/]+)/main%.c$") or path:match("([^/]+)%.c$")
	path = tap.root .. "/" .. path
	if step and (i - first) % step == 0 or name == arg[1] then
		local h = agree.header(path)
		if tap.ok(h.duct and h.expect, name .. ": has its command and expectation") then
			local result = agree.check { name = name, file = path, strategy = h.strategy, args = h.args,
				flags = h.flags, expect = h.expect, units = h.units, sources = h.sources,
				gcov = not step or os.getenv("GCOV") == "all" or (i - first) // step % 2 == 0 }
			if result and h.oracle then
				local _, out = tap.run(("%s/tests/lib/paths %s %s"):format(tap.root, name, h.oracle))
				tap.is(result.paths, tonumber(out), name .. ": as many paths as trying all inputs finds")
			end
		end
	end
end
list:close()
tap.done()
