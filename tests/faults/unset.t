#!/usr/bin/env lua5.4
-- A variable that is read before it was written may have any value: both outcomes are covered, and the run says what it
-- used. Variables that are written first are not reported.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local folder = tap.folder("unset")
local source = folder .. "/unset.c"
tap.spit(source, [[
#include <stdlib.h>
#include <string.h>
struct S { char a; int b; };
int plain(void) { static int g; int x; if (x) g++; else g += 2; return g; }
int some(int n) { int x; if (n > 3) x = n; if (n > 2 && x == 9) return 1; return 0; }
int loop(int n) { for (int i = 0; i < 2; i++) { int x; if (n) x = i; if (x == 5) return 1; } return 0; }
int small(void) { _Bool b; unsigned char c; if (b) return 1; return c > 200; }
int number(void) { double d; if (d > 3) return 1; return 0; }
int pointer(int n) { char *p; if (n) p = "x"; if (p) return 1; return 0; }
static void out(int *p, int n) { if (n > 3) *p = n; }
int address(int n) { int x; out(&x, n); if (x == 9) return 1; return 0; }
int member(int n) { struct S s; s.a = n; if (s.b == 7) return 1; return 0; }
int copied(int n) { struct S s, t; s.a = n; t = s; if (t.b == 7) return 1; return 0; }
int array(int n) { int a[10]; for (int i = 0; i < 5; i++) a[i] = i; if (a[n & 3] == 2) return 2; if (a[7] == 100) return 1; return 0; }
int variable(unsigned n) { n = n % 3 + 1; char a[n]; a[0] = 1; if (n == 2 && a[1] == 'x') return 1; return 0; }
int heap(int n) { int *p = malloc(8); p[0] = n; if (p[1]) return 2; return 3; }
int grown(int n) { char *p = malloc(2); p[0] = n; p[1] = 1; p = realloc(p, 4); if (p[3] == 'q') return 1; return 0; }
int anywhere(unsigned n) { char a[4]; a[0] = 1; if (n > 3) return -1; if (a[n] == 1) return 1; return 0; }
static int falls_off(int n) { if (n) return 1; }
int result(int n) { if (falls_off(n) == 3) return 1; return 0; }
]])

tap.spit(folder .. "/set.c", [[
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct S { char a; int b; };
static void out(int *p, int n) { *p = n; }
int plain(int n) { int x, y; if (n) x = 1; else x = 2; y = x; if (y == 1) return 3; return 4; }
int address(int n) { int x; out(&x, n); if (x == 9) return 1; return 0; }
int member(int n) { struct S s, t; s.a = 1; s.b = n; t = s; if (t.b == 7) return 1; return 0; }
int array(int n) { int a[10], s = 0; for (int i = 0; i < 10; i++) a[i] = i + n; for (int i = 0; i < 10; i++) s += a[i]; if (s == 55) return 1; return 0; }
int cleared(int n) { char b[16], c[8] = "abc"; memset(b, 0, sizeof b); b[3] = n; strcpy(c, "x"); if (b[3] == c[0]) return 1; return 0; }
int heap(int n) { struct S *s = malloc(sizeof *s); s->a = 1; s->b = n; n = s->b == 7; free(s); if (n) return 1; return 0; }
int library(int n) { char b[20]; snprintf(b, sizeof b, "%d", n & 7); if (b[0] == '5') return 1; return 0; }
int indexed(unsigned n) { char a[4]; a[n & 3] = (char)(n >> 2); if (a[n & 3] == 7) return 1; return 0; }
int matrix(unsigned n) { char m[n & 1 ? 3 : 2][2]; for (unsigned i = 0; i < sizeof m; i++) m[i / 2][i % 2] = (char)(n >> i); if (m[n >> 1 & 1][1] == 5) return 1; return 0; }
int scanned(int n) { int y; sscanf("17", "%d", &y); if (y == n) return 1; return 0; }
]])

-- Branches, and what trace(5) says of values without one.
local function session(file, entry)
	local _, out, err = tap.run(("duct concolic %s --entry %s --quiet --json"):format(file, entry))
	local good, r = pcall(json.decode, out)
	local _, trace = tap.run(("duct instrument --entry %s -o %s/program %s 2>/dev/null && duct run-trace --default %s/program"):format(
		entry, folder, file, folder))
	return good and r or { branches = {}, message = out .. err }, trace:match("\nlimit\tuninit\t([^\t]*)"), trace
end

local function covers(r, name)
	local b = r.branches
	tap.ok(b.total and b.covered == b.total and r.mispredicted == 0, name .. ": all outcomes are covered, as foretold",
		r.message or ("%s of %s, %s mispredicted"):format(b.covered, b.total, r.mispredicted))
end

for _, x in ipairs { { "plain", "x" }, { "loop", "x" }, { "small", "b" }, { "number", "d" }, { "pointer", "p" },
	{ "address", "x" },
	{ "member", "s" }, { "copied", "s" }, { "array", "a" }, { "heap", "memory of malloc()" }, { "grown", "memory of malloc()" },
		{ "some" }, { "variable" },
	{ "result" } } do
	local entry, what = x[1], x[2]
	local r, said, trace = session(source, entry)
	covers(r, entry)
	if what then
		tap.ok(said and (said == what or said:find("^" .. what .. " of unset%.c:%d+$")),
			entry .. ": the run says what it used", trace)
	end
end
local r, said, trace = session(source, "anywhere")
local told
for _, limit in ipairs(r.limits or {}) do told = told or (limit.kind == "uninit" and limit.name:find("^a of")) end
covers(r, "anywhere")
tap.ok(not said and told and not r.exhausted,
	"anywhere: runs whose index leads to it say so, the first one does not", trace)

for _, entry in ipairs { "plain", "address", "member", "array", "cleared", "heap", "library", "scanned",
	"indexed", "matrix" } do
	local r, said, trace = session(folder .. "/set.c", entry)
	covers(r, "set: " .. entry)
	tap.ok(not said and (entry == "indexed" or not trace:find("uninit", 1, true)),
		"set: " .. entry .. ": nothing was used too early", trace)
end

-- Two objects that are only read, and two activations, have addresses of their own.
tap.spit(folder .. "/apart.c", [[
struct S { int a, b; };
int objects(int n) { struct S s = { 1, 2 }, t = { 1, 2 }, *p = &s, *q = &t; if (n) return p->a + q->b; return p == q; }
static int again(const struct S *p, int n) { struct S s = { 1, 2 }; if (!n) return p == &s; return again(&s, n - 1); }
int calls(int n) { return again(0, (n & 1) + 1); }
int pairs(int n) { struct S s = { 1, 2 }; struct S t = { 1, 2 }; int r = s.a; r += t.a; r += s.b; return r + n; }
]])
for _, x in ipairs { { "objects", "0" }, { "calls", "0" } } do
	tap.run(("duct instrument --entry %s -o %s/program %s/apart.c"):format(x[1], folder, folder))
	local _, out = tap.run(("duct run-trace --default %s/program"):format(folder))
	tap.ok(out:find("\nresult\t" .. x[2] .. "\n"), "apart: " .. x[1], out)
end
local _, out = tap.run(("duct dft %s/apart.c --entry pairs --quiet --json"):format(folder))
local good, r = pcall(json.decode, out)
tap.ok(good and r.pairs.total > 0 and r.pairs.covered == r.pairs.total,
	"apart: pairs of two objects with one initial value", out)

-- Assembly that may write anywhere, and a vector in a file, with pairs.
tap.spit(folder .. "/odd.c", [[
#include <emmintrin.h>
int bytes(const unsigned char *p) { __m128i x = _mm_loadu_si128((const __m128i *)p); return _mm_movemask_epi8(_mm_slli_epi32(x, 4)); }
int assembly(int n) { int x = 3, *p = &x; __asm__ volatile("" : : "r"(p) : "memory"); if (n == x) return 1; return 0; }
int other(int n) { if (n == 7) return 1; return 2; }
]])
for _, entry in ipairs { "assembly", "other" } do
	local _, out, err = tap.run(("duct dft %s/odd.c --entry %s --quiet --json"):format(folder, entry))
	local good, r = pcall(json.decode, out)
	tap.ok(good and r.branches.covered == 2 and #r.failures == 0, entry .. ": both outcomes", out .. err)
end

-- Without its header, malloc returns what it returns.
tap.spit(folder .. "/header.c", [[
int bare(int n) { char *p = malloc(strlen("abc") + n * 0); p[0] = n; n = p[0] == 7; free(p); if (n) return 1; return 0; }
]])
do
	local _, out, err = tap.run(("duct concolic %s/header.c --entry bare --quiet --json"):format(folder))
	local good, r = pcall(json.decode, out)
	tap.ok(good and r.branches.covered == 2 and #r.failures == 0, "malloc without its header", out .. err)
end

-- Pointers that the program makes symbolic: what they decide is covered, and what they lead to is lost.
tap.spit(folder .. "/pointers.c", [[
#include "duct.h"
int reads(void) { int *p; duct_symbolic(&p, sizeof p, "p"); if (p) { if (*p == 3) return 1; return 2; } return 0; }
int call(void) { int (*p)(int); duct_symbolic(&p, sizeof p, "p"); if (p(3) == 4) return 1; return 0; }
int jump(int n) { void *t[] = { &&a, &&b }, *p; duct_symbolic(&p, sizeof p, "p"); if (n) p = t[n & 1]; goto *p; a: return 1; b: if (n) return 2; return 3; }
]])
for _, x in ipairs { { "reads", "symbolic address of no known object" }, { "call", "call through a symbolic pointer" },
	{ "jump", "goto through a symbolic pointer" } } do
	local _, out, err = tap.run(("duct concolic %s/pointers.c --entry %s --quiet --json"):format(folder, x[1]))
	local good, r = pcall(json.decode, out)
	local lost = good and r.lost[1] or {}
	tap.ok(good and not r.exhausted and r.branches.infeasible == 0 and lost.reason == x[2] and lost.line > 0,
		x[1] .. ": lost, with the place",
		out .. err)
end

-- Results that depend on such a value differ between builds: their tests compare nothing.
tap.spit(folder .. "/prints.c", [[
#include <stdio.h>
int main(int argc, char **argv) { char c; (void)argv; if (argc > 1) c = 'x'; putchar(c); return 0; }
]])
local status, out, err = tap.run(("cd %s && duct concolic prints.c --quiet --out prints && make -C prints check"):format(folder))
tap.ok(status == 0 and out:find(" 0 failed", 1, true), "tests of values that are not initialised pass", out .. err)
tap.done()
