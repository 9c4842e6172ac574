-- flowtest beside concolic testing where all inputs depend on each other.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, cost = require "tap", require "cost"

for _, p in ipairs {
	{ "gcd.c", "--entry gcd" }, { "bsort.c", "--entry bsort --len a=7 -- -DN=7" }, { "find.c", "--entry find --len a=4 -- -DN=4" },
	{ "factor.c", "--entry factor -- -DLIMIT=200" },
} do
	local with, without = cost.compare("flowtest --search dfs", "concolic --search dfs", p)
	local blocks = 0                                   -- whether a pointer is NULL is a block of one path
	for _, paths in ipairs(with.partition.paths) do
		blocks = blocks + (paths > 1 and 1 or 0)
	end
	local all = { exhausted = true, limits = true }
	tap.ok(blocks == 1 and all[with.ended] and all[without.ended], p[1] .. ": one block, both run all paths")
end
tap.done()
