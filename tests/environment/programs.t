#!/usr/bin/env lua5.4
-- Programs whose outcomes only arguments, standard input, variables, files, time and the like reach: a session without
-- an option takes them all, and its tests set them up again on the untouched source. In a program's first line,
-- `infeasible: N` outcomes are, and `open: N` lie beyond the first limits.
-- limit: 600
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local folder = tap.folder("environment")
local list = io.popen("ls " .. os.getenv("ROOT") .. "/tests/environment/programs/*.c")
local wanted = os.getenv("PROGRAM")

for source in list:lines() do
	local name = source:match("([^/]+)%.c$")
	if not wanted or wanted == name then
		local first = tap.slurp(source):match("^[^\n]*")
		local infeasible = tonumber(first:match("infeasible: (%d+)") or 0)
		local open = tonumber(first:match("open: (%d+)") or 0)
		local out = folder .. "/" .. name
		local status, text, err, done, b
		for _, runs in ipairs { 60, 250, 1000, 4000 } do      -- more only where the sessions before had too few
			status, text, err = tap.run(("duct concolic %s --runs %d --time 16 --out %s --keep new --json --quiet"):format(
				source, runs, out))
			local fine, r = pcall(json.decode, text)
			b = fine and r.branches or { covered = 0, total = 1, infeasible = 0 }
			local right = status == 0 and b.infeasible <= infeasible
			done = right and b.covered >= b.total - infeasible - open
			if done or not right then break end
		end
		tap.ok(done, name .. ": outcomes", ("%d of %d covered, %d infeasible %s"):format(b.covered, b.total,
			b.infeasible, err))
		status, text = tap.run(("timeout 60 make -s -C %s check CFLAGS=-w"):format(out))
		tap.ok(status == 0 and text:find(" 0 failed") and not text:find("not failing"), name .. ": tests", text)
		status, text = tap.run(("ls -l /proc/[0-9]*/exe 2>/dev/null | grep %s/tests"):format(out))
		tap.ok(status ~= 0, name .. ": no process of the tests is left", text)
	end
end
list:close()
tap.done()
