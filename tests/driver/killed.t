#!/usr/bin/env lua5.4
-- Sessions that are killed at some moment and resumed lose nothing; `make bench` does it at 200 moments.
-- limit: 120
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, killed = require "tap", require "killed"

local wrong, count = killed.try(tap.root .. "/share/examples/bsort.c --entry bsort --len a=4", 3, 7, "-- -DN=4")
tap.ok(#wrong == 0, ("killed at 3 moments and resumed (%d with tests kept, %d late)"):format(count.killed, count.late),
	table.concat(wrong, "\n"))
tap.done()
