-- aliases: small programs whose accesses go through symbolic indices and through pointers into one of several objects:
-- arrays, scalars, structures, memory written as one type and read as another. Under --aliases=late a session has exactly
-- one test for each path that trying all inputs finds.
--   lua5.4 aliases.lua FROM TO [KIND]     one result a seed; KIND: of --aliases, late
--   lua5.4 aliases.lua SEED print   the program
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

local head = [[
#include <string.h>
#ifdef ALL
#include <stdio.h>
static unsigned long path;
static int T(int c) { path = path * 3 + 1 + (c != 0); return c != 0; }
#else
#include "duct.h"
#define T(c) ((c) != 0)
#endif
struct s { int x; short y[2]; signed char z; };
static int a[4], b[3], u, v;
static short c[4];
static struct s s1, s2, t[2];
static unsigned char m[16];
static int *const ints[4] = { &u, &a[1], &s1.x, &v };
static struct s *const structs[4] = { &s1, &t[1], &s2, &t[0] };
static short *const shorts[4] = { &c[0], &s1.y[1], &c[2], &s2.y[0] };

int f(unsigned i, unsigned j, unsigned k, int w)
{
	int *p = ints[0], r = 0;
	struct s *q = structs[0];
	short *h = shorts[0];
	int *list[3] = { &u, &b[0], &a[2] };
	struct node { int x; struct node *next; } n1 = { 1, 0 }, n2 = { 2, &n1 }, n3 = { 3, &n2 }, *n = &n3;

	memcpy(a, (int [4]){ 1, 2, 3, 4 }, sizeof a);
	memcpy(b, (int [3]){ 5, 6, 7 }, sizeof b);
	memcpy(c, (short [4]){ 8, 9, 10, 11 }, sizeof c);
	memset(m, 1, sizeof m);
	u = 12, v = 13;
	s1 = (struct s){ 14, { 15, 16 }, 17 };
	s2 = (struct s){ 18, { 19, 20 }, 21 };
	t[0] = (struct s){ 22, { 23, 24 }, 25 };
	t[1] = (struct s){ 26, { 27, 28 }, 29 };
#ifndef ALL
	duct_assume(i < 4);
	duct_assume(j < 4);
	duct_assume(k < 4);
	duct_assume(w >= 0);
	duct_assume(w < 6);
#endif
]]

local tail = [[
	return r;
}
#ifdef ALL
static unsigned long seen[4 * 4 * 4 * 6];
int main(void)
{
	unsigned n = 0, at;

	for (unsigned x = 0; x < 4 * 4 * 4 * 6; x++) {
		path = 1;
		f(x & 3, x >> 2 & 3, x >> 4 & 3, (int)(x >> 6));
		for (at = 0; at < n && seen[at] != path; at++)
			;
		if (at == n)
			seen[n++] = path;
	}
	printf("%u\n", n);
	return 0;
}
#endif
]]

local function program(seed)
	math.randomseed(seed, 7)
	local function pick(list) return list[math.random(#list)] end
	local function index() return pick { "i", "j", "k", "(i ^ j)", "((j + k) & 3)", "(3 - k)" } end
	local function small() return pick { "i", "j", "k", "w", "1", "2", "5", "9", "16" } end
	-- Places that hold a number.
	local function place()
		return (pick { "*p", "*p", "q->x", "q->y[" .. pick { "i & 1", "k >> 1", "1" } .. "]", "q->z", "*h", "a[" .. index() .. "]",
			"b[" .. index() .. " % 3]", "c[" .. index() .. "]", "u", "s1.x", "t[" .. index() .. " >> 1].y[" .. index() .. " & 1]",
			"m[" .. index() .. " * 4 + (" .. index() .. ")]", "((int *)m)[" .. index() .. "]", "((short *)a)[" .. index() .. " * 2]",
			"((signed char *)p)[" .. index() .. "]", "*list[" .. index() .. " % 3]", "n->x" })
	end
	local lines, decisions = {}, 0
	local function statement(depth)
		local kind = math.random(10)
		if kind <= 2 then
			lines[#lines + 1] = pick { "p = ints[" .. index() .. "];", "q = structs[" .. index() .. "];", "h = shorts[" .. index() .. "];",
				"p = &a[" .. index() .. "];", "q = &t[" .. index() .. " & 1];", "h = &q->y[" .. index() .. " & 1];", "p = &q->x;",
				"list[" .. index() .. " % 3] = p;", "list[" .. index() .. " % 3] = list[" .. index() .. " % 3];", "*list[1] += 3;", "p = list[0];", "p = list[" .. index() .. " % 3];", "p = &n->x;", "n = (struct node *[]){ &n3, &n2 }[k & 1];",
				"if (T(n->next != 0)) n = n->next;", "n2.next = (struct node *[]){ &n1, &n3 }[i & 1];", "memcpy(p, &q->x, 2);",
				"*q = (struct s){ (int)" .. small() .. ", { 1, 2 }, 3 };",
				"if (T(q != &s2)) memcpy(&s2, q, sizeof s2);" }
		elseif kind <= 6 then
			lines[#lines + 1] = ("%s %s %s;"):format(place(), pick { "=", "+=", "^=" }, pick { small(), place() })
		elseif kind == 7 then
			lines[#lines + 1] = ("r += %s;"):format(place())
		elseif depth > 0 and decisions < 7 then
			decisions = decisions + 1
			lines[#lines + 1] = ("if (T(%s %s %s)) {"):format(place(), pick { "==", "<", ">", "!=" }, pick { small(), place() })
			for _ = 1, math.random(3) do statement(depth - 1) end
			lines[#lines + 1] = "}"
		end
	end
	for _ = 1, 14 do statement(2) end
	return head .. "\t" .. table.concat(lines, "\n\t") .. "\n" .. tail
end

-- The session's report of the file, or nil and why there is none.
local function session(file)
	local status, out, err = tap.run(("duct concolic %s --entry f --calls 1 --search dfs --keep all --aliases=%s --quiet --json --time 100 "
		.. "-- -w -fno-strict-aliasing -fwrapv"):format(file, arg[3] or "late"))
	if status ~= 0 then return nil, err end
	return json.decode(out)
end

local function one(seed)
	local file, all = ("%s/aliases%d.c"):format(tap.scratch, seed), ("%s/all%d"):format(tap.scratch, seed)
	local f = assert(io.open(file, "w"))
	f:write(program(seed))
	f:close()
	local _, out, err = tap.run(("gcc -w -O0 -fno-strict-aliasing -fwrapv -DALL -o %s %s && %s"):format(all, file, all))
	local paths = tonumber(out)
	local r, why = session(file)
	if not paths or not r then return tap.ok(false, ("seed %d"):format(seed), err .. (why or "")) end
	local lost = r.lost and r.lost[1] and r.lost[1].reason
	tap.ok(tap.whole(r) and r.paths == paths and r.tests == paths and r.mispredicted == 0, ("seed %d: %d paths"):format(seed, paths),
		("exhausted %s, %d paths, %d tests, %d mispredicted, %d unknown%s"):format(r.exhausted, r.paths, r.tests, r.mispredicted,
		r.solver.unknown, lost and "; lost: " .. lost or ""))
end

if arg[2] == "print" then io.write(program(math.tointeger(arg[1]))) os.exit(0) end
for seed = math.tointeger(arg[1]), math.tointeger(arg[2]) do one(seed) end
tap.done()
