#!/usr/bin/env lua5.4
-- After a change what is not reached keeps its verdicts, wherever it stands now; what is reached is asked anew, and an
-- old `infeasible` never answers for it.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local folder = tap.folder("incremental")

local header = [[
#define LIMIT 10
struct part { unsigned low : 3; };
]]
local source = [[
#include "unit.h"
int elsewhere(int x) { return x > 1; }
static int mode = 1;
static int clamp(int x) { return x > LIMIT ? LIMIT : x; }
int f(int x)
{
	struct part p = { 0 };
	int r = 0;
	p.low = x;
	if (clamp(x) > 10)
		r = 1;
	if ((mode + x & ~1) == 2 && x == 0)
		r += 2;
	if (p.low == 9)
		r += 4;
	if (clamp(x) == STEP)
		r += 8;
	return r;
}
]]

local function session(strategy, changes, flags)
	local h, c = header, source
	for from, to in pairs(changes or {}) do
		local n, m
		h, n = h:gsub(from, to)
		c, m = c:gsub(from, to)
		assert(n + m > 0, from)
	end
	tap.spit(folder .. "/unit.h", h)
	tap.spit(folder .. "/unit.c", c)
	local status, out, err = tap.run(("cd %s && duct %s unit.c --entry f --store all.db --json --quiet -- -DSTEP=%d"):format(
		tap.quote(folder), strategy, flags or 11))
	return tap.ok(status == 0, strategy .. ": runs", err) and json.decode(out) or { branches = {}, pairs = {}, cpu = {} }
end

local first = session("dft --prove")
tap.ok(first.kept == 0 and first.branches.infeasible == 4 and first.pairs.infeasible > 2 and first.cpu.prove > 0,
	"a first session", first.kept)
local known = first.branches.infeasible + first.pairs.infeasible
local moved = session("dft --prove",
	{ ["int elsewhere.-\n"] = "int other(void) { return 2; }\n\n\nint elsewhere(int x)\n{ return x + 2; }\n" })
tap.is(moved.kept, known, "a function that is not reached: all is kept")
tap.is(moved.cpu.prove, 0, "and nothing asked")
tap.ok(moved.branches.infeasible == first.branches.infeasible and moved.branches.unknown == 0
	and moved.pairs.infeasible == first.pairs.infeasible and moved.pairs.unknown == 0, "with the same verdicts")
local _, rows = tap.run(("duct report --branches --store %s/all.db"):format(folder))
tap.ok(rows:find("unit.c:16:6", 1, true) and not rows:find("unit.c:13:6", 1, true), "at their new places", rows)
local status, out, err = tap.run(("cd %s && duct prove --check all.db"):format(folder))
tap.ok(status == 0 and out:find("proofs check"), "proofs that were kept check", out .. err)

for what, change in pairs {
	["a function that is called"] = { ["x > LIMIT %? LIMIT :"] = "x > 20 ? LIMIT + 3 :", ["STEP"] = "100" },
	["a macro of a header"] = { ["LIMIT 10"] = "LIMIT 11", ["STEP"] = "12" },
	["the initial value of a global"] = { ["mode = 1"] = "mode = 2" },
	["the layout of a structure"] = { ["low : 3"] = "low : 4" },
} do
	local r = session("concolic", change)
	tap.ok(r.kept == 0 and r.branches.infeasible == 3 and r.branches.unknown == 0,
		what .. ": what was infeasible is covered",
		("kept %s, infeasible %s"):format(r.kept, r.branches.infeasible))
end
local r = session("concolic", nil, 9)
tap.ok(r.kept == 0 and r.branches.infeasible == 3 and r.branches.unknown == 0, "a compiler's option: likewise", r.kept)
r = session("concolic --range x=..4")
tap.ok(r.kept == 0 and r.branches.infeasible > 4, "what is assumed of the inputs: nothing is kept", r.kept)
r = session("concolic")
tap.is(r.kept, first.branches.infeasible, "the first program again: all of its branches are kept")
tap.done()
