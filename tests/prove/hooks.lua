-- hooks.lua FROM TO: functions that call through pointers: of a caller's structures, of an undefined function's, of tables and of
-- variables, from seeds. Native callers, drawn at random, call each of them with functions of the program and of their own. A session
-- without an option must call no outcome infeasible that they take, nor find out that a verdict was wrong.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local from, to = tonumber(arg[1]), tonumber(arg[2])
local seconds = tonumber(os.getenv("SECONDS") or 3)
local totals = { outcomes = 0, infeasible = 0, taken = 0, covered = 0 }

local function generate(seed)
	math.randomseed(seed, 33)
	local between = math.random
	local function chance(percent) return between(100) <= percent end
	local function pick(list) return list[between(#list)] end
	local lines = {}
	local function put(fmt, ...) lines[#lines + 1] = fmt:format(...) end
	local function number() return tostring(between(0, 5)) end
	put "typedef int (*op)(int);"
	put "struct hooks { int n; op call[2]; struct hooks *next; int (*two)(int, int); };"
	put "extern struct hooks *current(void);"
	put "int g = 1;"
	put("static int s = %s;", number())
	put "static int never = 5;"
	put "static op saved;"
	-- one: not static, its address may be taken nowhere; two: static, in a table; three: two parameters
	local function leaf(head, given)
		put("%s", head)
		put "{"
		put "\tint r = a;"
		for _ = 1, between(1, 2) do
			put("\tif (COND(%s %s %s))", pick { "a", "a", "g", "s", "r & 7", "never" }, pick { "==", ">", "<" }, number())
			put("\t\t%s = %s;", pick { "r", "r", "g", "s" }, pick { number(), "a", "r + 1", given })
		end
		put "\treturn r & 7;"
		put "}"
	end
	leaf("int one(int a)", "a ^ 1")
	leaf("static int two(int a)", "a & 3")
	leaf("int three(int a, int b)", "b")
	put("static %sop table[2] = { %s, two };", chance(50) and "const " or "", pick { "one", "two", "0" })
	put "int f(struct hooks *h, int n)"
	put "{"
	put "\tint x = n & 7;"
	put "\tstruct hooks *c;"
	put "\tif (!h) return 0;"
	for _ = 1, between(3, 6) do
		local how = between(8)
		if how == 1 then
			put("\tif (h->call[%d]) x = h->call[%d](x) & 7;", 0, 0)
		elseif how == 2 then
			put "\tif (table[n & 1]) x = table[n & 1](x) & 7;"
		elseif how == 3 then
			put("\tsaved = %s;", pick { "h->call[0]", "h->call[1]", "table[1]", "table[n & 1]", "one" })
		elseif how == 4 then
			put "\tif (saved) x = saved(x) & 7;"
		elseif how == 5 then
			put "\tif ((c = current()) && c->call[n & 1])"
			put "\t\tx = c->call[n & 1](x) & 7;"
		elseif how == 6 then
			put "\tif (h->next && h->next->two)"
			put "\t\tx = h->next->two(x, n & 3) & 7;"
		elseif how == 7 then
			put("\tif (COND(%s == %s)) return %s;", pick { "x", "g", "s", "h->n", "never", "(saved == one)" }, number(), number())
		else
			put("\tif (COND(%s > %s))", pick { "x", "g", "s", "h->n & 7" }, number())
			put("\t\t%s = %s;", pick { "x", "g", "s", "h->n" }, pick { number(), "x + 1" })
		end
	end
	put("\tif (COND(x == %s)) return 9;", number())
	put "\treturn x;"
	put "}"
	return table.concat(lines, "\n") .. "\n"
end

local head = [[
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char taken[400][2];
static int cond(int line, int c) { taken[line][c] = 1; return c; }
#define COND(c) cond(__LINE__, !!(c))
#line 1
]]

local caller = [[

static int own(int a) { return rand() & 7; }
static int own_two(int a, int b) { if (rand() % 9 == 0) g = rand() & 7; return b; }
static struct hooks pool[4];
struct hooks *current(void) { return rand() % 4 ? &pool[rand() & 3] : 0; }
static op an_op(void) { switch (rand() % 5) { case 0: return 0; case 1: case 2: return one; default: return own; } }
int main(void)
{
	for (int run = 0; run < 300000; run++) {
		for (int i = 0; i < 4; i++) {
			struct hooks *h = &pool[i];
			h->n = rand() & 7;
			h->call[0] = an_op(), h->call[1] = an_op();
			h->two = rand() % 3 == 0 ? 0 : rand() % 2 ? three : own_two;
			h->next = rand() % 3 ? &pool[rand() & 3] : 0;
		}
		if (run % 5 == 0) g = rand() & 7;
		f(rand() % 20 ? &pool[rand() & 3] : 0, rand() & 15);
	}
	for (int i = 0; i < 400; i++)
		for (int k = 0; k < 2; k++)
			if (taken[i][k]) printf("%d %s\n", i, k ? "true" : "false");
	return 0;
}
]]

for seed = from, to do
	local text, taken, wrong = generate(seed), {}, {}
	tap.spit("x.c", text)
	tap.spit("n.c", head .. text .. caller)
	local status, out, err = tap.run "gcc -O1 -w -o n n.c && ./n"
	for key in out:gmatch("[^\n]+") do taken[key] = true end
	local command = ("rm -rf x.db* && duct dft x.c --entry f --prove --time %d --quiet --keep new --store x.db -- '-DCOND(c)=(c)'"):format(seconds)
	local _, said, complaint = tap.run(command .. " 2>&1")
	local status2, branches = tap.run "duct report x.db --branches"
	for line, side, verdict, why in branches:gmatch("x%.c:(%d+):%d+\tp:(%a+)\t(%a+)\t([^\n]*)") do
		if text and (branches or ""):len() > 0 then
			local key = line .. " " .. side
			totals.outcomes = totals.outcomes + 1
			totals.taken = totals.taken + (taken[key] and 1 or 0)
			totals.covered = totals.covered + (verdict == "covered" and 1 or 0)
			if verdict == "infeasible" then
				totals.infeasible = totals.infeasible + 1
				if taken[key] then wrong[#wrong + 1] = key .. ": " .. why end
			end
		end
	end
	if (said .. complaint):find("that were wrong", 1, true) then wrong[#wrong + 1] = "a session refuted its own verdict" end
	tap.ok(status == 0 and status2 == 0 and #wrong == 0, ("seed %d: no caller takes what is infeasible"):format(seed),
		table.concat(wrong, "\n") .. "\n" .. err .. (#wrong > 0 and text or ""))
end
print(("# %d outcomes: %d taken by callers, %d covered, %d infeasible"):format(totals.outcomes, totals.taken, totals.covered, totals.infeasible))
tap.ok(totals.infeasible > 0 and totals.covered > totals.infeasible, "some are infeasible")
tap.done()
