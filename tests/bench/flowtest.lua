-- flowtest beside concolic where all inputs depend on each other: CPU a path, and in all; the least of five sessions.
-- Fails when it costs more than 1.3 times a path, or twice in all.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

local programs = {
	{ "gcd.c", "--entry gcd" }, { "bsort.c", "--entry bsort --len a=7 -- -DN=7" }, { "find.c", "--entry find --len a=4 -- -DN=4" },
	{ "factor.c", "--entry factor -- -DLIMIT=200" },
}

local function session(strategy, p)
	local best
	for _ = 1, 5 do
		local status, out, err = tap.run(("duct %s %s/share/examples/%s --json --quiet --search dfs %s"):format(strategy, tap.root, p[1], p[2]))
		if status ~= 0 then error(err) end
		local r = json.decode(out)
		r.all = r.cpu.run + r.cpu.solve + r.cpu.strategy
		best = best and best.all < r.all and best or r
	end
	return best
end

for _, p in ipairs(programs) do
	local without, with = session("concolic", p), session("flowtest", p)
	local a_path, total = with.all / with.paths / (without.all / without.paths), with.all / without.all
	tap.ok(#with.blocks == 1 and with.exhausted and without.exhausted, p[1] .. ": one block, both exhausted")
	tap.ok(a_path <= 1.3 and total <= 2, ("%s: %.2f times a path, %.2f times in all (%d and %d paths, %.3f and %.3f s)"):format(p[1],
		a_path, total, with.paths, without.paths, with.all, without.all))
end
tap.done()
