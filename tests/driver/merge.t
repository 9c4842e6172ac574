#!/usr/bin/env lua5.4
-- Merged paths: where branches of loops only choose values (checksums bit by bit, counts), what depends on these values is
-- reached; sessions judge by their own tree alone.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local folder = tap.folder("merge")

local function session(name, text, options, strategy)
	tap.spit(("%s/%s.c"):format(folder, name), text)
	local _, out = tap.run(("cd %s && duct %s %s.c %s --json --quiet 2>&1"):format(folder, strategy or "concolic", name,
		options))
	return out:find("^{") and json.decode(out) or { branches = { total = 0 }, paths = 0, text = out }
end

local crc = [[
static unsigned crc(const unsigned char *p, int n)
{
	unsigned c = 0xffff;
	for (int i = 0; i < n; i++) {
		c ^= p[i];
		for (int k = 0; k < 8; k++)
			if (c & 1)
				c = c >> 1 ^ 0xa001;
			else
				c >>= 1;
	}
	return c;
}
]]

-- 2^32 paths; the right sum is that of few inputs, and only some of these begin so.
local sum = crc .. [[
int check(const unsigned char p[4])
{
	if (crc(p, 4) != 0x1234)
		return 0;
	return p[0] == 'a' ? 2 : p[1] > p[2] ? 3 : 1;
}
]]
local r
for _, strategy in ipairs { "concolic", "dft" } do
	r = session("sum", sum, "--entry check --time 8", strategy)
	tap.ok(r.branches.covered == r.branches.total and r.branches.total > 0 and r.mispredicted == 0,
		strategy .. ": behind a checksum of bits", r.text or r.branches.covered)
end

-- The number of letters, 17 of 20: one side alone computes, and 64 bits.
r = session("count", [[
int count(const char s[20])
{
	long letters = 0;
	for (int i = 0; i < 20; i++)
		if (s[i] >= 'a')
			letters++;
	if (letters == 17)
		return 1;
	return 0;
}
]], "--entry count --len s=20 --time 30")
tap.ok(r.branches.covered == r.branches.total and r.branches.total > 0 and r.mispredicted == 0, "a count",
	r.text or r.branches.covered)

-- All 1,024 paths are run whatever was tried on merged ones: what none of them takes is infeasible.
r = session("all", [[
int all(unsigned short x)
{
	unsigned c = x & 0x3ff;
	for (int k = 0; k < 10; k++)
		if (c & 1)
			c = c >> 1 ^ 0xa001;
		else
			c >>= 1;
	if (c > 0xffff)
		return 1;
	return 0;
}
]], "--entry all --time 60")
tap.ok(r.ended == "exhausted" and r.branches.infeasible == 1 and r.paths >= 1024 and r.mispredicted == 0,
	"every path is run afterwards", r.text or ("%s, %d paths"):format(r.ended, r.paths))

tap.done()
