#!/usr/bin/env lua5.4
-- Global variables that the program declares and nothing defines are inputs: constants, arrays of unknown length, pointers,
-- functions, thread-local and volatile ones, of main, too. What tests define passes with any compiler.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("e.c", [[
struct opt { int verbose; struct opt *next; };
extern int level;
extern struct opt options;
extern const char *const name;
extern const int table[4];
extern unsigned char map[];
extern int (*hook)(int, int);
extern volatile unsigned irq;
extern __thread long seen;
static int count;
int f(int x)
{
	extern short inner;
	if (level > 3 && x == level)
		return 1;
	if (options.next && options.next->verbose == 5)
		return 2;
	if (name && name[0] == 'x')
		return 3;
	if (x >= 0 && x < 4 && table[x] == 7)
		return 4;
	if (map[x & 127] == 9)
		return 5;
	if (hook && hook(x, 1) == 4)
		return 6;
	if (irq == 1)
		return 7;
	return seen == 2 ? 8 : inner == 3 ? 9 : 0;
}
int g(int x)
{
	if (count == 1 && level == 2 && table[0] != 4)
		return 1;
	if (level == 1 && x && table[0] == 4)
		count = 1;
	if (level > 0) {
		if (level < 0)
			return 2;
	}
	return 0;
}
int h(int i) { return map[(i & 15) + 70] == 1 ? 1 : 0; }
]])
tap.spit("m.c", [[
#include <stdio.h>
struct far;
extern struct far hidden;
extern int verbose;
extern char line[];
void use(struct far *);
int main(void)
{
	use(&hidden);
	if (verbose > 2 && line[80] == 'z')
		puts("z");
	return 0;
}
]])
tap.spit("a.c", "extern struct { int a; } odd;\nextern int level;\nint far(void) { return odd.a + level; }\n")
tap.spit("b.c", "int far(void);\nint near(int x) { return x + far() == 3 ? 1 : 0; }\n")

local function session(command)
	local status, out, err = tap.run(command .. " --json --quiet --time 30 --runs 300")
	local fine, r = pcall(json.decode, out)
	if not fine then
		tap.ok(false, command, ("%s %s"):format(status, err))
	end
	return fine and r or { branches = {}, failures = {}, limits = {}, needs = {} }, out .. err
end

local function passes(folder)
	for _, cc in ipairs { "gcc -O2", "clang-19" } do
		local status, out, err = tap.run(("make -s -B -C %s check CC='%s' CFLAGS='-Wall -Werror -Wno-unused-function'"):format(folder, cc))
		tap.ok(status == 0 and out:find(" 0 failed", 1, true), ("%s: tests with %s"):format(folder, cc), out .. err)
	end
end

for _, how in ipairs { "concolic", "dft --prove", "concolic --pipes" } do
	local r, out = session(("duct %s e.c --entry f --out %s"):format(how, how:match "%l+"))
	tap.ok(r.branches.total == 30 and r.branches.covered == 30 and #r.failures == 0 and r.mispredicted == 0,
		how .. ": all outcomes", out)
end
passes "concolic"
local r, out = session "duct dft --prove e.c --entry g"
tap.ok(r.branches.total == 16 and r.branches.infeasible == 1 and r.branches.covered == 14,
	"called twice: a variable has another value, a constant has not", out)
r, out = session "duct concolic e.c --entry h --len map=80"
tap.ok(r.branches.covered == 2 and #r.failures + #r.needs > 0, "a stated length is one", out)
r, out = session "duct dft m.c --out m"
tap.ok(r.branches.covered == 4 and out:find("hidden, verbose, line: nothing defines it", 1, true), "main", out)
passes "m"
r, out = session "duct concolic b.c a.c --entry near"
tap.ok(r.branches.covered == 2 and out:find("odd is zero here", 1, true), "declared in another file", out)
tap.ok(select(2, tap.run "duct plan e.c --entry h"):find("extern  map: nothing defines it", 1, true), "the plan lists them")

-- A function that only another file calls, and whose types the entry's file declares without the structure: its stub gives
-- numbers, and bytes of structures without pointers.
tap.spit("api.h", [[
typedef struct point point;
typedef struct part { int kind; } part;
unsigned long both(const point *p, part *n, int (*each)(const point *, void *), void *to);
int get(const char *text, point *to);
int middle(const char *text);
]])
tap.spit("first.c", "#include \"api.h\"\nint first(const char *text) { return middle(text) == 7 ? 1 : 0; }\n")
tap.spit("second.c", [[
#include "api.h"
struct point { int x, y; };
int middle(const char *text)
{
	point p = { 0, 0 };
	part k = { 0 };
	if (get(text, &p) == 3 && p.y == 9)
		return 7;
	return both(&p, &k, 0, 0) > 5 && k.kind == 4 ? 7 : 0;
}
]])
r, out = session "duct concolic first.c second.c --entry first --out first"
tap.ok(r.branches.total == 10 and r.branches.covered == 10 and #r.failures == 0, "a stub for what another file calls", out)
passes "first"

-- A structure with a reserved name is the program's, when it defines it; one that nothing completes has 64 bytes.
tap.spit("r.c", [[
struct _Node { int v; struct _Node *next; };
struct hidden;
int sum(const struct _Node *n, struct hidden *h) { return n && n->next && n->next->v == 4 ? 1 : ((char *)h)[40] == 0 ? 2 : 3; }
]])
r, out = session "duct dft r.c --entry sum --out r"
tap.ok(r.branches.covered >= 7, "a structure with a reserved name", out)
passes "r"

-- A library in a header.
tap.spit("lib.h", [[
#ifdef LIB
#include <stdlib.h>
static int part(int x) { return x > 10 ? 10 : x; }
int sum(int a, int b) { return part(a) + part(b) == abs(3) ? 1 : 0; }
#endif
]])
tap.spit("lib.c", "#define LIB\n#include \"lib.h\"\n")
local status
status, out = tap.run "duct test lib.c --time 5 && make -s -C lib-duct check"
tap.ok(status == 0 and out:find("  sum ", 1, true) and out:find("branches: 4 of 4", 1, true), "functions of a header", out)
tap.done()
