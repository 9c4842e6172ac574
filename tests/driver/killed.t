#!/usr/bin/env lua5.4
-- Sessions that are killed at some moment and resumed lose nothing; `make bench` does it at 200 moments.
-- limit: 120
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, killed = require "tap", require "killed"

local wrong, count = killed.try(tap.root .. "/share/examples/bsort.c --entry bsort --len a=4", 3, 7, "-- -DN=4")
tap.ok(#wrong == 0, ("killed at 3 moments and resumed (%d with tests kept, %d late)"):format(count.killed, count.late),
	table.concat(wrong, "\n"))

-- A session that was killed while it made the tests of an earlier one again: the earlier one is told.
local session = "duct concolic " .. tap.root .. "/share/examples/bsort.c --entry bsort --len a=4 --runs 30 --quiet --store k.db"
tap.run(session .. " -- -DN=4 && " .. session .. " --seed 2 -- -DN=4")
local _, before = tap.run("duct report k.db | grep ^branches:")
tap.run([[sqlite3 k.db "DELETE FROM objective WHERE session = 2; DELETE FROM test WHERE session = 2;
	UPDATE session SET ended = NULL WHERE id = 2"]])
local _, after = tap.run("duct report k.db | grep ^branches:")
tap.is(after, before, "what it had not reached yet is told of the session before")
tap.done()
