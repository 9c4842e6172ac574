-- callers.lua FROM TO: functions with pointers, globals and static locals, from seeds. Each is called natively by callers
-- drawn at random: pointers that are one, that lead to globals, that are NULL, that the function gave before, into arrays of
-- several sizes, all of two elements at least; several calls one after the other. No outcome that prove calls infeasible for the entry may be taken;
-- what it proves of the first call alone shows that the limits are not empty.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local tables = require "tables"
local from, to = tonumber(arg[1]), tonumber(arg[2])
local totals = { outcomes = 0, infeasible = 0, limited = 0, taken = 0 }

local function generate(seed)
	math.randomseed(seed, 21)
	local between = math.random
	local function chance(percent) return between(100) <= percent end
	local function pick(list) return list[between(#list)] end
	local lines = { "int g[2] = { 1, 0 };", "static int s[2] = { 2, 0 }, never = 5;", "static int *kept;", "int *f(int *p, int *q, int n)", "{",
		"\tstatic int count;", "\tint x = n & 7, y = 3;", "\tif (!p || !q) return kept;" }
	local function put(fmt, ...) lines[#lines + 1] = "\t" .. fmt:format(...) end
	local function place() return pick { "g[0]", "g[1]", "g[n & 1]", "s[0]", "s[1]", "count", "x", "y", "*p", "*q", "p[n & 1]" } end
	local function number() return tostring(between(0, 6)) end
	local function value() return pick { number(), number(), place(), place() .. " & 7", ("(%s + %s) & 7"):format(place(), number()) } end
	local function condition()
		local a = chance(8) and "never" or place()
		return ("%s %s %s"):format(a, pick { "==", "!=", "<", ">" }, chance(70) and number() or place())
	end
	local function statement(depth)
		local how = between(12)
		if how <= 5 then put("%s = %s;", place(), value())
		elseif how <= 10 and depth < 3 then
			put("if (COND(%s)) {", condition())
			for _ = 1, between(1, 2) do statement(depth + 1) end
			put("}")
		elseif how == 11 then put("kept = %s;", pick { "p", "q", "s", "g" })
		else put("if (kept) %s = *kept & 7;", place()) end
	end
	for _ = 1, between(6, 11) do statement(1) end
	put("count++;")
	put("return %s;", pick { "p", "q", "s", "g", "kept" })
	lines[#lines + 1] = "}"
	return table.concat(lines, "\n") .. "\n"
end

local batch = 25                             -- seeds whose functions are called by one native program

local head = [[
#include <stdio.h>
#include <stdlib.h>
static char taken[200][2];
static int cond(int line, int c) { taken[line][c] = 1; return c; }
#define COND(c) cond(__LINE__, !!(c))
]]

-- One seed's part of that program: the function and its variables under names of their own, and its callers.
local caller = [[
#define g g_SEED
#define s s_SEED
#define never never_SEED
#define kept kept_SEED
#define f f_SEED
#line 1
%s
static void calls_SEED(void)
{
	static int a[2], b[4];
	int *pool[8], *last = 0;
	srand(SEED);
	for (int run = 0; run < 60000; run++) {
		a[0] = rand() & 7, a[1] = rand() & 7;
		for (int i = 0; i < 4; i++) b[i] = rand() & 7;
		if (run %% 5 == 0) g[0] = rand() & 7, g[1] = rand() & 7;
		pool[0] = a; pool[1] = b; pool[2] = b + 1; pool[3] = g; pool[4] = 0; pool[5] = last; pool[6] = b; pool[7] = b + 2;
		last = f(pool[rand() & 7], pool[rand() & 7], rand() & 15);
	}
	for (int i = 0; i < 200; i++)
		for (int k = 0; k < 2; k++) {
			if (taken[i][k]) printf("SEED %%d %%s\n", i, k ? "true" : "false");
			taken[i][k] = 0;
		}
}
#undef g
#undef s
#undef never
#undef kept
#undef f
]]

-- By seed: the outcomes that native callers take, as a set; nil and a message.
local function call_natively(first, last)
	local parts, main, taken = { head }, {}, {}
	for seed = first, last do
		parts[#parts + 1] = caller:gsub("SEED", seed):format(generate(seed))
		main[#main + 1] = ("calls_%d();"):format(seed)
		taken[seed] = {}
	end
	parts[#parts + 1] = ("int main(void) { %s return 0; }\n"):format(table.concat(main, " "))
	tap.spit(tap.scratch .. "/n.c", table.concat(parts, "\n"))
	local status, out, err = tap.run(("cd %s && gcc -O0 -w -fwrapv -o n n.c && ./n"):format(tap.scratch))
	for seed, key in out:gmatch("(%d+) ([^\n]+)\n") do taken[tonumber(seed)][key] = true end
	return status == 0 and taken, err
end

local function check(seed, taken)
	local text, line_of, wrong = generate(seed), {}, {}
	tap.spit(tap.scratch .. "/x.c", text)
	-- the goals are outcomes alone, no pairs
	local _, flow = tap.run(([[cd %s && duct cfg-dump x.c -- '-DCOND(c)=(c)' >x.flow && defuse -e f x.flow |
		awk '/^#/; END { print "end\t0" }' >p && cutpoints -b -f x.flow p >g && cat x.flow]]):format(tap.scratch))
	for r in tables.records(flow) do
		if r[1] == "branch" then
			line_of[tonumber(r[6])], line_of[tonumber(r[6]) + 1] = r[8] .. " true", r[8] .. " false"
		end
	end
	local of = {}
	for r in tables.records(tap.slurp(tap.scratch .. "/g")) do
		if r[1] == "outcome" then of["o" .. r[2]] = line_of[tonumber(r[5])] end
	end
	local status2, verdicts, err2 = tap.run(("cd %s && prove -t 20 -f x.flow g"):format(tap.scratch))
	for r in tables.records(verdicts) do
		if r[1] == "verdict" and of[r[4]] then
			totals.outcomes = totals.outcomes + 1
			totals.taken = totals.taken + (taken[of[r[4]]] and 1 or 0)
			totals.limited = totals.limited + (r[6]:find("^limits: ") and 1 or 0)
			if r[5] == "infeasible" then
				totals.infeasible = totals.infeasible + 1
				if taken[of[r[4]]] then wrong[#wrong + 1] = of[r[4]] .. ": " .. r[6] end
			end
		end
	end
	tap.ok(status2 == 0 and #wrong == 0, ("seed %d: no caller takes what is infeasible"):format(seed), table.concat(wrong, "\n") .. err2 ..
		(#wrong > 0 and text or ""))
end

for first = from, to, batch do
	local last = math.min(first + batch - 1, to)
	local taken, err = call_natively(first, last)
	tap.ok(taken, ("seeds %d to %d run"):format(first, last), err)
	for seed = first, taken and last or 0 do check(seed, taken[seed]) end
end
print(("# %d outcomes: %d taken, %d infeasible, %d within limits"):format(totals.outcomes, totals.taken, totals.infeasible, totals.limited))
tap.ok(totals.infeasible > 0 and totals.limited > 0 and totals.taken > totals.infeasible, "some are infeasible, some within limits")
tap.done()
