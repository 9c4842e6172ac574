#!/usr/bin/env lua5.4
-- Which functions a call through a pointer may come to: those of its type. Casts, unions, missing prototypes, variable
-- arguments, structures and the C library leave it open, and then any function whose address is taken is reachable.
-- Functions that have pairs are among these.
-- limit: 60
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local folder = tap.folder("pointed")

local cases = {}

-- pairs: the functions besides f that have pairs, if not just any of the reachable ones
local function check(name, expected, text, other, pairs)
	local file = ("%s/%d.c"):format(folder, #cases + 1)
	tap.spit(file, text)
	if other then
		tap.spit(file .. ".other.c", other)
	end
	local flow = file .. ".flow"
	local status, _, err = tap.run(("cfg-dump %s %s >%s"):format(file, other and file .. ".other.c" or "", flow))
	cases[#cases + 1] = { name = name, expected = expected, flow = flow, pairs = pairs, err = status == 0 and "" or err }
end

local three = [[
struct pair { long x, y; };
int one(int x) { int y = x + 1; return y; }
int two(int x, const char *s) { int y = x + *s; return y; }
long three(struct pair p) { long z = p.x; return z; }
int (*a)(int) = one;
int (*b)(int, const char *) = two;
long (*c)(struct pair) = three;
]]

check("a type", "one three", three .. "int f(void) { return a(1); }")
check("another type", "three two", three .. "int f(void) { return b(1, \"a\"); }")
check("no call", "", three .. "int f(void) { return a != 0; }")
check("structures leave it open", "three", three .. "int f(int x) { struct pair p = { x, x }; return c(p); }")
check("types of pointers are alike", "one three two",
	three .. "int (*d)(int, void *) = (int (*)(int, void *))two; int f(void) { return a(1) + d(1, 0); }")
check("a cast to another type", "one three two", three .. "int (*d)(int) = (int (*)(int))two; int f(void) { return a(1); }")
check("a cast to void *", "one three two", three .. "void *d = (void *)two; int f(void) { return a(1); }")
check("a cast within a function", "one three two",
	three .. "unsigned long g(void) { return (unsigned long)two; } int f(void) { return a(1); }")
check("a cast of a pointer", "one three two", three .. "void *g(void) { return (void *)b; } int f(void) { return a(1); }")
check("a cast of a pointer to a pointer", "one three two",
	three .. "void **g(void) { return (void **)&b; } int f(void) { return a(1); }")
check("a union", "one three two",
	three .. "union { int (*x)(int, const char *); int (*y)(int); } u = { two }; int f(void) { return a(1); }")
check("a call without a prototype", "one three two", three .. "int (*d)() = one; int f(void) { return d(1); }")
check("a function without a prototype", "old one three",
	three .. "int old(x) int x; { int y = x + 2; return y; } int (*d)() = old; int f(void) { return a(1); }")
check("a pointer without a prototype is converted", "one three two",
	three .. "int (*d)() = two; int (*e)(int); int f(void) { e = d; return a(1); }")
check("an argument without a prototype", "one three two",
	three .. "int g(); int h(void) { return g(two); } int f(void) { return a(1); }")
check("variable arguments", "many one three",
	three .. "int many(int x, ...) { int y = x; return y; } int (*d)(int, ...) = many; int f(void) { return a(1); }")
check("the library calls back", "one three two",
	three .. "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));\n"
	.. "int f(int (*g)(const void *, const void *)) { qsort(0, 0, 1, g); return 0; }")
check("what is reached calls another type", "g one three two",
	three .. "int g(int x) { return b(x, \"a\") + x; } int f(void) { return a(1) + g(2); }")
check("small numbers", "byte three", three .. "_Bool byte(char x, unsigned short y) { int z = x + y; return z; }\n"
	.. "_Bool (*d)(char, unsigned short) = byte; int f(void) { return d(1, 2); }")
check("floats", "three wide", three .. "long double wide(float x, long double y) { float z = x; return z + y; }\n"
	.. "long double (*d)(float, long double) = wide; int f(void) { return d(1, 2) > 3; }")
check("integers of several words", "three twice",
	three .. "long twice(__int128 x) { long z = x; return z; } long (*d)(__int128) = twice; long f(void) { return d(1); }")
check("one heap for two structures", "make one", [[
void *malloc(unsigned long);
struct a { int (*g)(int); };
struct b { int (*h)(int, const char *); };
int one(int x) { int y = x + 1; return y; }
int two(int x, const char *s) { int y = x + *s; return y; }
void *make(unsigned long size) { void *p = malloc(size); return p; }
int f(void) { struct a *a = make(8); struct b *b = make(8); a->g = one; b->h = two; return a->g(1); }
]], nil, "make one")
check("a pointer of the caller's, and functions that outside code knows", "", [[
struct s { int (*g)(int); int (*h)(int, const char *); };
struct s *outside(void);
static int one(int x) { int y = x + 1; return y; }
void set(void) { outside()->g = one; }
int f(struct s *s) { return s->h(1, "a"); }
]], nil, "")
check("another unit declares it with another type", "two",
	"int f(void); extern int two(int); static int (*a)(int) = two; int f(void) { return a(1); }",
	"int two(int x, int z) { int y = x + z; return y; }")

tap.spit("reach.lua", [[
local core = require "duct.core"
return function(session)
	local names, out = {}, io.open("reached", "w")
	for line in io.lines("flows") do
		names = {}
		for unit in io.open(line):read("a"):gmatch("\nunit\t.-\nend\t") do
			local list = {}
			for name in unit:gmatch("\nfunc\t%d+\t([%w_]+)") do
				list[#list + 1] = name
			end
			names[#names + 1] = list
		end
		local list = {}
		for unit, set in pairs(core.flow(line, "records"):reachable("f")) do
			for k in pairs(set) do
				list[#list + 1] = names[unit + 1][k] ~= "f" and names[unit + 1][k] or nil
			end
		end
		table.sort(list)
		out:write(table.concat(list, " "), "\n")
	end
	out:close()
	for _ in session:start() do end
end
]])
local list = io.open("flows", "w")
for _, case in ipairs(cases) do
	list:write(case.flow, "\n")
end
list:close()
tap.spit("none.c", "int f(int x) { return x; }")
local _, out, err = tap.run("duct reach.lua none.c --entry f --time 1")
local next_line = (io.open("reached") or io.open("flows")):lines()
for _, case in ipairs(cases) do
	local reached = next_line() or ""
	tap.ok(reached == case.expected, case.name, case.err .. reached)
end
tap.ok(not err:find "error", "the script", out .. err)

local function paired(flow)
	local list = {}
	local _, text, failed = tap.run("defuse -e f -s inter " .. flow)
	for name in text:gmatch("\nfunc\t%d+\t%d+\t%d+\t([%w_]+)") do
		if name ~= "f" then
			list[#list + 1] = name
		end
	end
	table.sort(list)
	return table.concat(list, " "), failed
end
for _, case in ipairs(cases) do
	local found, failed = paired(case.flow)
	local all = true
	for name in found:gmatch "%S+" do
		all = all and (" " .. case.expected .. " "):find(" " .. name .. " ", 1, true)
	end
	tap.ok(all and failed == "" and (case.pairs or found) == found, case.name .. ": pairs", failed .. found)
end
tap.done()
