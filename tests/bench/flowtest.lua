-- flowtest beside concolic testing where all inputs depend on each other.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, cost = require "tap", require "cost"

for _, p in ipairs {
	{ "gcd.c", "--entry gcd" }, { "bsort.c", "--entry bsort --len a=7 -- -DN=7" }, { "find.c", "--entry find --len a=4 -- -DN=4" },
	{ "factor.c", "--entry factor -- -DLIMIT=200" },
} do
	local with, without = cost.compare("flowtest --search dfs", "concolic --search dfs", p)
	tap.ok(#with.blocks == 1 and with.exhausted and without.exhausted, p[1] .. ": one block, both exhausted")
end
tap.done()
