#!/usr/bin/env lua5.4
-- Small functions and programs of kinds that real ones have: the simplest command covers every outcome of their
-- conditions, and the tests that it writes pass on the untouched source.
-- limit: 240
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

local folder = tap.folder("kinds")
tap.run(("cp %s/tests/driver/kinds/*.c '%s'"):format(tap.root, folder))
for file in select(2, tap.run(("cd '%s' && ls *.c"):format(folder))):gmatch("[^\n]+") do
	local kind, all = tap.slurp(folder .. "/" .. file):match("^/%* (.-) Outcomes: (%d+)")
	local name = file:gsub("%.c$", "")
	local _, out = tap.run(("cd '%s' && duct test %s --time 40 2>/dev/null"):format(folder, file))
	tap.ok(out:find(("branches: %s of %s covered"):format(all, all), 1, true), file .. ": " .. kind, out)
	local status, made = tap.run(("make -s -C '%s/%s-duct' check"):format(folder, name))
	tap.ok(status == 0 and not made:find("[1-9]%d* failed"), file .. ": its tests pass", made)
end
tap.done()
