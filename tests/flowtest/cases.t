#!/usr/bin/env lua5.4
-- Constructs through which flows are followed, and others through which they are not, one small program each: the
-- blocks at the end.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local folder = tap.folder("cases")

local head = [[
#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define HIT(c) do { if (c) hits++; } while (0)
static int hits;
struct two { int u, v; };
]]

local function check(name, want, code, options)
	local file = ("%s/%s.c"):format(folder, name:gsub("%W", "_"))
	tap.spit(file, head .. code)
	local status, out, err = tap.run(("duct flowtest %s --calls 1 %s --json --quiet --check none --time 30"):format(file, options or "--entry f"))
	if not tap.ok(status == 0, name .. ": runs", err) then return end
	local r = json.decode(out)
	local list = {}
	for i, b in ipairs(r.blocks) do
		table.sort(b)
		list[i] = table.concat(b, " ")
	end
	table.sort(list)
	tap.is(table.concat(list, " | "), want, name)
end

-- data
check("one condition", "a b", "void f(int a, int b) { HIT(a + b == 3); }")
check("conditions of their own", "a | b", "void f(int a, int b) { HIT(a == 3); HIT(b == 3); }")
check("a sum that decides nothing", "a | b", "int f(int a, int b) { HIT(a == 3); HIT(b == 3); return a + b; }")
check("a variable that is used again", "a | b", "void f(int a, int b) { int t = a; HIT(t == 3); t = b; HIT(t == 3); }")
check("memory", "a b | c", "static int m[4]; void f(int a, int b, int c) { m[1] = a; m[2] = c; HIT(m[1] == b); HIT(m[2] == 1); }")
check("a member", "a b | c", "void f(int a, int b, int c) { struct two s = { a, c }, t = s, *p = &t; HIT(p->u == b); HIT(p->v == 3); }")
check("a structure by value", "a b | c",
	"struct big { int u, v, w[9]; }; static void g(struct big s, int b) { HIT(s.u == b); HIT(s.v == 3); }\n"
	.. "void f(int a, int b, int c) { struct big s = { a, c, { 0 } }; g(s, b); }")
check("a structure as a result", "a b",
	"static struct two g(int a) { struct two s = { 1, a }; return s; } void f(int a, int b) { HIT(g(a).v == b); }")
check("a result", "a b", "static int g(int a) { return a + 1; } void f(int a, int b) { HIT(g(a) == b); }")
check("calls apart", "a | b", "static int g(int a) { return a == 3; } void f(int a, int b) { HIT(g(a)); HIT(g(b)); }")
check("recursion", "a b", "static int g(int n, int a) { return n ? g(n - 1, a) : a; } void f(int a, int b) { HIT(g(3, a) == b); }")
check("heap", "a b | c", "void f(int a, int b, int c) { int *p = malloc(8); p[0] = a; p[1] = c; p = realloc(p, 80); HIT(p[0] == b); HIT(p[1] == 3); }")
check("a block of the heap that lies elsewhere", "a | b c d",
	"void f(int a, int b, int c, int d) { if (a) free(malloc(24)); int *k = a ? malloc(24) : NULL, *p = malloc(24);\n"
	.. "\t*p = 1; if (b == 7) *p = 0; int y = 1; if (c == 7) y = 0; if (*p == 1) HIT(d == y); free(k); }",
		"--entry f --fixed b=7")
check("memory that is freed", "a | b",
	"void f(int a, int b) { int *p = malloc(8); p[0] = a; HIT(p[0] == 1); free(p); p = calloc(1, 8); HIT(p[0] + b == 1); }")
check("numbers", "a b", "void f(int a, int b) { double x = a; x = x * 2; HIT(x > b); }")
check("a bit-field", "a b", "void f(int a, int b) { struct { unsigned u : 3, v : 5; } s = { 0, 0 }; s.u = a; s.v = b; HIT(s.u == 3 && s.v == 1); }")
check("variable arguments", "a b",
	"static int g(int n, ...) { va_list l; va_start(l, n); (void)va_arg(l, int); int v = va_arg(l, int); va_end(l); return v; }\n"
	.. "void f(int a, int b) { HIT(g(2, 1, a) == b); }")
check("a static variable", "a b",
	"static int g(int a) { static int last; int was = last; last = a; return was; } void f(int a, int b) { g(a); HIT(g(0) == b); }")

-- control
check("a condition within another", "a b", "void f(int a, int b) { if (a == 3) HIT(b == 3); }")
check("a side that writes", "a b", "void f(int a, int b) { int t = 0; if (a == 3) t = 1; HIT(t + b == 7); }")
check("after both sides", "a | b", "void f(int a, int b) { if (a == 3) hits++; else hits--; HIT(b == 3); }")
check("a switch", "a b", "void f(int a, int b) { int t = 0; switch (a) { case 1: t = 2; break; case 5: t = 3; } HIT(t == b); }")
check("a loop", "a b", "void f(unsigned a, int b) { int n = 0; for (unsigned i = 0; i < (a & 3); i++) n++; HIT(n == b); }")
check("a way out of a loop", "a? | a[0] a[1] a[2] | b",
	"void f(int *a, int b) { for (int i = 0; i < 3; i++) if (a[i] == 7) break; HIT(b == 3); }", "--entry f --len a=3")
check("an early return", "a b", "void f(int a, int b) { if (a == 3) return; HIT(b == 3); }")
check("a jump", "a b", "void f(int a, int b) { if (a == 3) goto out; HIT(b == 3); out: hits = 0; }")
check("an end of the program", "a | b", "void f(int a, int b) { if (a == 3) exit(1); HIT(b == 3); }")
check("logical operators", "a b | c", "void f(int a, int b, int c) { int t = a == 1 && b == 2; HIT(t); HIT(c == 1); }")
check("a choice", "a b | c", "void f(int a, int b, int c) { int t = a == 1 ? 3 : 4; HIT(t == b); HIT(c); }")
check("a function that is called on one side", "a b",
	"static void g(int *p) { *p = 1; } void f(int a, int b) { int t = 0; if (a == 3) g(&t); HIT(t == b); }")
check("a pointer to a function", "a b",
	"static int g(int x) { return x; } static int h(int x) { return -x; } void f(int a, int b) { int (*p)(int) = a == 3 ? g : h; HIT(p(b) == 3); }")
check("a pointer", "a b | c", "void f(int a, int b, int c) { int x = 1, y = 2, *p = a == 3 ? &x : &y; *p = 5; HIT(x == b); HIT(c); }")

-- places that depend on inputs
check("an index that is read at", "b i | c",
	"static int m[4] = { 1, 2, 3, 4 }; void f(unsigned i, int b, int c) { HIT(m[i & 3] == b); HIT(c); }")
check("what is read at an index", "a? | a[0] a[1] a[2] i", "void f(unsigned i, int *a) { HIT(a[i % 3] == 7); }",
	"--entry f --len a=3")
check("an index that is written at", "b i | c",
	"static int m[4]; void f(unsigned i, int b, int c) { m[i & 3] = 1; HIT(m[2] == b); HIT(c); }")
check("what is written at an index", "b i v",
	"static int m[4]; void f(unsigned i, int b, int v) { m[i & 3] = v; HIT(m[2] == b); }")

-- the C library
check("strcmp", "s? | s[0] s[1] | t? | t[0] t[1]",
	"void f(const char *s, const char *t) { HIT(!strcmp(s, \"a\")); HIT(!strcmp(t, \"a\")); }",
	"--entry f --len s=2 --len t=2")
check("strcmp of two", "s? | s[0] s[1] t[0] t[1] | t?",
	"void f(const char *s, const char *t) { HIT(!strcmp(s, t)); }", "--entry f --len s=2 --len t=2")
check("memcpy", "a b | c", "void f(int a, int b, int c) { int x[2] = { a, c }, y[2]; memcpy(y, x, sizeof x); HIT(y[0] == b); HIT(y[1]); }")
check("memset", "a b", "void f(unsigned char a, int b) { char x[4]; memset(x, a, 4); HIT(x[2] == b); }")
check("sprintf", "a b", "void f(unsigned char a, int b) { char x[20]; sprintf(x, \"%d\", a & 7); HIT(x[0] == b); }")
check("qsort", "a? | a[0] a[1] a[2] | b",
	"static int by(const void *x, const void *y) { return *(const int *)x - *(const int *)y; } void f(int *a, int b) { qsort(a, 3, sizeof *a, by); HIT(b); }", "--entry f --len a=3")
check("what is printed", "a | b", "void f(int a, int b) { printf(\"%d %d\\n\", a, b); HIT(a == 3); HIT(b == 3); }")
check("how much is printed", "a b",
	"void f(unsigned char a, unsigned char b) { HIT(printf(\"%d %d\\n\", a, b) == 4); }")
check("standard input", "stdin.len stdin[0] stdin[1]",
	"int main(void) { int c = getchar(), d = getchar(); HIT(c == 'a'); HIT(d == 'b'); return 0; }", "--stdin 2")

-- what is not followed
check("a call of what has no probes", "a b | c",
	"void f(int a, int b, int c) { char s[8] = { '.', a & 63, b & 63 }; HIT(a64l(s) == 3); HIT(c); }")
check("a random number is an input, however it is seeded", "a | b random.lrand48[0]",
	"void f(int a, int b) { srand48(a); HIT(lrand48() == b); }")
check("and whether it is", "a | b random.lrand48[0]",
	"void f(int a, int b) { if (a == 3) srand48(1); HIT(lrand48() == b); }")
check("longjmp", "a b c", "static jmp_buf j; void f(int a, int b, int c) { if (!setjmp(j)) { if (a == 3) longjmp(j, 1); HIT(b); } HIT(c); }")


-- Inputs that do not vary keep to --range and --fixed; inputs that appear while a block is explored are in the
-- partition, too.
local four = folder .. "/four.c"
tap.spit(four, "int f(int a, int b, int c) { if (a > 5) return c == 22; if (b == 25) return 2; return b == c; }\n")
local function session(options)
	local status, out, err = tap.run(("duct flowtest %s --entry f --calls 1 --keep all --json --quiet --time 30 %s"):format(four, options))
	return status, status == 0 and json.decode(out) or err
end
local status, r = session("--range c=20..30 --fixed random")
tap.ok(status == 0 and r.branches.unknown == 0 and r.runs <= r.paths + 3, "random values are drawn within --range: no run is rejected",
	status == 0 and r.runs .. " runs, paths: " .. r.paths or r)
for options, message in pairs {
	["--range c=20..30 --fixed c=7"] = "--fixed c=7: --range c=20..30 excludes it",
	["--fixed zz=7"] = "--fixed zz=7: no run has met an input of this name",
} do
	status, r = session(options)
	tap.ok(status == 2 and r:find(message, 1, true), options .. " is refused", r)
end
check("inputs that appear in a block", "a | s? | s[0] s[1] s[2]",
	"void f(const char *s, int a) { HIT(a == 3); if (s && s[0] == 'x' && s[1] == 'y' && s[2] == 'z') hits++; }",
	"--entry f --runs 60")

-- A pointer of the caller that is NULL behind a decision: no failure, and what is behind it is covered.
tap.spit(folder .. "/need.c", [[
struct v { int kind; const char *text; };
int f(struct v *v)
{
	if (v->kind == 1)
		return v->text[0] == 'a';
	return v->kind == 2 ? 5 : 0;
}
]])
local _, needed = tap.run(("duct flowtest %s/need.c --entry f --json --quiet --time 30"):format(folder))
local r = json.decode(needed)
tap.ok(#r.failures == 0 and #r.needs > 0 and r.branches.covered == r.branches.total, "a need behind a decision", needed)
tap.done()
