#!/usr/bin/env lua5.4
-- Sessions that are killed at some moment and resumed lose nothing; `make bench` does it at 200 moments.
-- limit: 120
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, killed = require "tap", require "killed"

local example = tap.root .. "/share/examples/%s.c --entry %s"
for _, row in ipairs { { "power", "power", 2 }, { "tcas", "advise", 3 } } do
	local wrong, count = killed.try(example:format(row[1], row[2]), row[3], 7)
	tap.ok(#wrong == 0, ("%s: killed at %d moments and resumed (%d late)"):format(row[1], row[3], count.late), table.concat(wrong, "\n"))
end
tap.done()
