#!/usr/bin/env lua5.4
-- Proofs outlast edits: after an edit of each kind the verdicts are those of a session that knows nothing, and proofs of
-- what the edit does not reach are kept; prove has checked them with the new program.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local folder = tap.folder("kept")

local source = [[
#define LIMIT 10
struct part { unsigned low : 3; int other; };
static int mode = 1;
static struct part state;
static int clamp(int x) { return x > LIMIT ? LIMIT : x; }
static int even(unsigned char n)
{
	int odd = 0, s = 0;
	for (int i = 0; i < (n & 7); i++) {
		s += 2;
		if (s % 2)
			odd = 1;
	}
	if (odd)
		return -1;
	return s;
}
static int leaf(int x)
{
	if (clamp(x) > 10)
		return 1;
	state.low = x;
	if (state.low > 7)
		return 2;
	if (mode == 2)
		return 4;
	return 0;
}
static int other(int x) { if (x > 4 && x < 3) return 1; return 2; }
int f(int x, unsigned char n)
{
	int r = leaf(x) + other(x) + even(n);
	if (x > 5 && x < 3)
		r++;
	return r;
}
]]

local function session(store)
	local status, out, err = tap.run(("cd %s && duct dft unit.c --entry f --prove --store %s --json --quiet -t 20"):format(
		tap.quote(folder), store))
	local lines = {}
	for _, what in ipairs { "branches", "pairs" } do
		local rows = select(2, tap.run(("duct report --store %s/%s --session latest --%s"):format(folder, store, what)))
		for row in rows:gmatch("[^\n]+") do
			lines[#lines + 1] = row:gsub("\t[^\t]*$", "")
		end
	end
	table.sort(lines)
	return status == 0 and json.decode(out), table.concat(lines, "\n"), err
end

tap.spit(folder .. "/unit.c", source)
local first, _, why = session("first.db")
local known = first and first.branches.infeasible + first.pairs.infeasible or 0
tap.ok(first and first.kept == 0 and first.branches.infeasible == 7 and first.branches.unknown == 0, "a first session", why)

-- Each: what is replaced, by what, and how many proofs are kept at least. Those of `even` take the longest.
local edits = {
	["a leaf"] = { "x > LIMIT %? LIMIT : x", "x > LIMIT ? LIMIT - 1 : x", 4 },
	["a leaf, which makes an outcome feasible"] = { "x > LIMIT %? LIMIT : x", "x > LIMIT ? LIMIT + 1 : x", 4 },
	["a function that says the same elsewhere"] = { "return 2; }\nint f", "return 3; }\nint f", 4 },
	["the entry"] = { "r%+%+", "r += 2", 4 },
	["the entry, which gives another argument"] = { "leaf%(x%) %+ other", "leaf(mode + x) + other", 4 },
	["the initial value of a global"] = { "mode = 1", "mode = 2", 4 },
	["the layout of a structure"] = { "low : 3", "low : 4", 4 },
	["a macro"] = { "LIMIT 10", "LIMIT 11", 4 },
	["a function that was there before the others"] = { "^", "int before(int x) { return x > 3; }\n\n", known - 1 },
	["a function that has proofs"] = { "s %+= 2", "s += 3", 1 },
}
local names = {}
for name in pairs(edits) do
	names[#names + 1] = name
end
table.sort(names)
for i, name in ipairs(names) do
	local from, to, least = table.unpack(edits[name])
	local changed, n = source:gsub(from, (to:gsub("%%", "%%%%")), 1)
	assert(n == 1, name)
	tap.spit(folder .. "/unit.c", changed)
	tap.run(("cp %s/first.db %s/edit%d.db"):format(folder, folder, i))
	local after, verdicts, err = session(("edit%d.db"):format(i))
	local fresh, expected = session(("fresh%d.db"):format(i))
	tap.ok(after and fresh and verdicts == expected, name .. ": the verdicts of a session that knows nothing",
		("%s\n%s\n---\n%s"):format(err, verdicts, expected))
	tap.ok(after and after.kept >= least, name .. ": proofs are kept", after and after.kept)
	if i <= 2 then
		local status, out, said = tap.run(("cd %s && duct prove --check edit%d.db"):format(tap.quote(folder), i))
		tap.ok(status == 0 and out:find("proofs check"), name .. ": these check, too", out .. said)
	end
end
tap.done()
