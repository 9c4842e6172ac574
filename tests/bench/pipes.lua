-- The cost of filters as co-processes beside the session that has them built in, by strategy: seconds of wall clock, the
-- least of three, and their quotient. The program is compiled once, before.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

local subjects = {
	{ "concolic", "bsort.c", "bsort", "--len a=5", "-- -DN=5" }, { "ippc", "tcas.c", "advise" },
	{ "late-aliases", "get_order.c", "getOrder", "--len p=4", "-- -DN=4" }, { "dft", "power.c", "power", "--runs 200" },
	{ "flowtest", "page_free.c", "page_free", "--len A=3 --len count=3 --calls 1", "-- -DN=3" },
	{ "latest", "calculator.c", "calculate", "--string text=2 --calls 1" },
	{ "random", "triangle.c", "triangle", "--runs 500" },
}
local function seconds(s, more)
	local best, runs
	for _ = 1, 3 do
		local status, out, err = tap.run(("duct %s %s/share/examples/%s --entry %s %s %s --json --quiet %s"):format(
			s[1], tap.root, s[2], s[3], s[4] or "", more, s[5] or ""))
		local r = status == 0 and json.decode(out) or error(err)
		best, runs = math.min(best or r.seconds, r.seconds), r.runs
	end
	return best, runs
end
print(("%-14s %8s %10s %10s %8s"):format("strategy", "runs", "built in", "--pipes", "times"))
for _, s in ipairs(subjects) do
	local one, runs = seconds(s, "")
	local other = seconds(s, "--pipes")
	print(("%-14s %8d %9.2fs %9.2fs %8.1f"):format(s[1], runs, one, other, other / one))
end
