-- extents.lua FROM TO: functions that let the C library write into members of a structure, from seeds. No outcome that prove calls
-- infeasible is taken by a native program that tries inputs; outcomes that ask of members beside those are proved.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local tables = require "tables"
local from, to = tonumber(arg[1]), tonumber(arg[2])
local totals = { outcomes = 0, infeasible = 0, taken = 0 }

local function generate(seed)
	math.randomseed(seed, 45)
	local between = math.random
	local function pick(list) return list[between(#list)] end
	local lines = { "#include <stdio.h>", "#include <string.h>",
		"static struct { unsigned char a; char text[8]; unsigned char b; char tail[4]; unsigned char c; } g;",
		"int f(int n, unsigned char k)", "{", "\tchar *p = k & 1 ? g.text : g.tail; int r = 0;",
		("\tg.a = %d, g.b = %d, g.c = %d;"):format(between(0, 3), between(0, 3), between(0, 3)),
		"\tmemset(g.text, 0, 8), memset(g.tail, 0, 4);" }
	local function put(fmt, ...) lines[#lines + 1] = "\t" .. fmt:format(...) end
	for _ = 1, between(2, 4) do
		local at = between(0, 3)
		local how = between(11)
		if how == 1 then put('snprintf(g.text + %d, %d, "%%d", n);', at, between(1, 8 - at))
		elseif how == 2 then put("memset(g.text + %d, k, %d);", at, between(1, 8 - at))
		elseif how == 3 then put("memset(g.text + %d, k, k & 7);", at)
		elseif how == 4 then put("memcpy(g.tail, g.text + %d, %d);", at, between(1, 4))
		elseif how == 5 then put('strncpy(g.text + %d, "abc", %d);', at, between(1, 8 - at))
		elseif how == 6 then put('strcpy(g.tail, "%s");', pick { "", "x", "xyz" })
		elseif how == 7 then put('sprintf(g.tail, "%%d", n & 7);')
		elseif how == 8 then put("memmove(g.text + %d, g.text, %d);", between(0, 2), between(1, 6))
		elseif how == 9 then put("memset(p, 1, %d);", between(1, 3))
		elseif how == 10 then put("memset(g.text, k, k & 15);")
		else put("g.%s = k & 3;", pick { "a", "b", "c" }) end
	end
	for i = 1, 5 do
		put("if (COND(%s %s %d)) r += %d;", pick { "g.a", "g.b", "g.c", "g.text[1]", "g.text[6]", "g.text[7]", "g.tail[0]", "g.tail[3]" },
			pick { "==", "!=", ">" }, between(0, 3), i)
	end
	put("return r;")
	lines[#lines + 1] = "}"
	return table.concat(lines, "\n") .. "\n"
end

local head = [[
static char taken[100][2];
static int cond(int line, int c) { taken[line][c] = 1; return c; }
#define COND(c) cond(__LINE__, !!(c))
#line 1
]]
local caller = [[
int main(void)
{
	static const int some[] = { 0, 1, -1, 7, 10, -10, 99, 100, 12345, -12345, 1234567, 2147483647, -2147483647 - 1 };
	for (int n = -200; n < 200; n++)
		for (int k = 0; k < 256; k++) f(n, k);
	for (unsigned i = 0; i < sizeof some / sizeof *some; i++)
		for (int k = 0; k < 256; k++) f(some[i], k);
	for (int i = 0; i < 100; i++)
		for (int k = 0; k < 2; k++)
			if (taken[i][k]) printf("%d %s\n", i, k ? "true" : "false");
	return 0;
}
]]

for seed = from, to do
	local text, taken, wrong, line_of, of = generate(seed), {}, {}, {}, {}
	tap.spit("n.c", head .. text .. caller)
	tap.spit("x.c", text)
	local status, out, err = tap.run "gcc -O0 -w -fno-builtin -D_FORTIFY_SOURCE=0 -o n n.c && ./n"
	for key in out:gmatch "[^\n]+" do taken[key] = true end
	local _, flow = tap.run [[duct cfg-dump x.c -- '-DCOND(c)=(c)' >x.flow && defuse -e f x.flow |
		awk '/^#/; END { print "end\t0" }' >p && cutpoints -b -f x.flow p >g && cat x.flow]]
	for r in tables.records(flow) do
		if r[1] == "branch" then
			line_of[tonumber(r[6])], line_of[tonumber(r[6]) + 1] = r[8] .. " true", r[8] .. " false"
		end
	end
	for r in tables.records(tap.slurp "g") do
		if r[1] == "outcome" then of["o" .. r[2]] = line_of[tonumber(r[5])] end
	end
	local status2, verdicts, err2 = tap.run "prove -g state -t 20 -f x.flow g"
	for r in tables.records(verdicts) do
		if r[1] == "verdict" and of[r[4]] then
			totals.outcomes = totals.outcomes + 1
			totals.taken = totals.taken + (taken[of[r[4]]] and 1 or 0)
			totals.infeasible = totals.infeasible + (r[5] == "infeasible" and 1 or 0)
			if r[5] == "infeasible" and taken[of[r[4]]] then wrong[#wrong + 1] = of[r[4]] .. ": " .. r[6] end
		end
	end
	tap.ok(status == 0 and status2 == 0 and #wrong == 0, ("seed %d: nothing infeasible is taken"):format(seed),
		table.concat(wrong, "\n") .. err .. err2 .. (#wrong > 0 and text or ""))
end
print(("# %d outcomes: %d taken, %d infeasible"):format(totals.outcomes, totals.taken, totals.infeasible))
tap.ok(totals.infeasible > 0 and totals.taken > totals.infeasible, "some are infeasible")
tap.done()
