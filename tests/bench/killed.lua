-- killed.lua MOMENTS [SEED]: sessions killed at that many random moments and resumed: what was lost.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, killed = require "tap", require "killed"

local moments, seed = tonumber(arg[1]), tonumber(arg[2] or 1)
local sessions = {
	{ "bsort", 0.6, "--entry bsort --len a=5", "-- -DN=5" }, { "gcd", 0.3, "--entry gcd", "-- -DLIMIT=12" },
	{ "power", 0.1, "--entry power" },
}
local bad = false
for _, s in ipairs(sessions) do
	local n = math.floor(moments * s[2] + 0.5)
	local wrong, count = killed.try(("%s/share/examples/%s.c %s"):format(tap.root, s[1], s[3]), n, seed, s[4])
	print(("killed: %-8s %3d moments: %d in progress (%d tests kept by then), %d before the first test, %d late; %d wrong"):format(
		s[1], n, count.killed, count.tests, count.early, count.late, #wrong))
	for _, line in ipairs(wrong) do
		print("  " .. line)
		bad = true
	end
end
os.exit(not bad)
