#!/usr/bin/env lua5.4
-- Pairs, cut points and distances in a script.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

tap.run(("duct cfg-dump %s/share/examples/power.c >power.flow"):format(tap.root))
tap.spit("pairs.lua", [[
local core = require "duct.core"
return function(session)
	local d = core.defuse("power.flow", { protocol = "paper", entry = "power" })
	assert(d:count() == 24)
	local seen
	for i = 1, d:count() do
		local p = d:pair(i)
		assert((p.kind == "c") == not p.outcome and #p.key == 16 and p.def.func == "power")
		if p.name == "res" and p.def.line == 28 and p.use.line == 37 then
			local points, blocks = d:points(i), {}
			for k, point in ipairs(points) do blocks[k] = point.role .. point.block end
			assert(table.concat(blocks, " ") == "cut1 def4 cut5 cut7 cut8 use10", table.concat(blocks, " "))
			local kills = d:kills(i)
			assert(#kills == 2 and kills[1].must and kills[2].must)
			local out, into = d:distance(0, 3, 0, points[4].inst), d:distance(0, 2, 0, points[4].inst)
			assert(out == 0 and into > out, "the loop's exit is nearer than its body")
			assert(not d:distance(0, 4, 0, kills[1].inst), "no way back")
			seen = true
		end
	end
	assert(seen)
	for _, bad in ipairs { { scope = "wide" }, { entry = "powr" }, { criterion = "x" } } do
		assert(not pcall(core.defuse, "power.flow", bad))
	end
	assert(not pcall(core.defuse, "nowhere"))
	assert(select(2, pcall(session.flow.needed, session.flow, "isSorted")):find "needs core.flow", "sections are too little")
	assert(not pcall(core.merge, "merged.db", 1))
	assert(not pcall(d.pair, d, 25) and not pcall(d.distance, d, 0, 99, 0, 1))
	d:close()
	assert(not pcall(d.count, d))
	for _ in session:start() do end
end
]])
local status, _, err = tap.run(("duct ./pairs.lua %s/share/examples/is_sorted.c --entry isSorted --runs 1 --quiet"):format(tap.root))
tap.ok(status == 0, "pairs in a script", err)
tap.done()
