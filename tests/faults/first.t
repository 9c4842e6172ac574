#!/usr/bin/env lua5.4
-- A fault on the first path hides nothing: all inputs are 0 first, which fails at once; both outcomes behind it are
-- covered, whatever is looked for.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local folder = tap.folder("first")
local source = folder .. "/first.c"
tap.spit(source, [[
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "duct.h"
int divide(int n, int d) { int m = n / d; if (m == 10) return 1; return 2; }
int rest(unsigned n, unsigned char d) { unsigned m = n % d; if (m == 10) return 1; return 2; }
int shift(int n, unsigned s) { int m = n << (s + 32); if (m == 8) return 1; return 2; }
int bounds(int n) { int a[4] = { 1, 2, 3, 4 }, m; if (n == -6) return 0; m = a[n + 7]; if (m == 3) return 1; return 2; }
int length(int n) { char a[16] = "", b[4] = "abc"; memcpy(a, b, n + 9u); if (a[1] == 'b') return 1; return 2; }
int overflow(int n) { int m = 2147483647 + (n + 1); if (m == 5) return 1; return 2; }
int leak(int n) { char *p = malloc(3); if (n) free(p); if (n == 4) return 1; return 2; }
int uninit(int n) { int x; if (n) x = n; if (x == 7) return 1; return 2; }
int null(int n, int j) { int a[2] = { 1, 2 }, *p = n == 3 ? a : NULL; j &= 1; if (p[j] == 2) return 1; return 2; }
int assertion(int n) { assert(n != 0); if (n == 77) return 1; return 2; }
int claim(int n) { duct_assert(n > 3); if (n == 77) return 1; return 2; }
int assumption(int n) { duct_assume(n > 3); if (n == 77) return 1; return 2; }
]])

local found = { divide = "div", rest = "div", shift = "shift", bounds = "bounds", length = "bounds",
	overflow = "overflow",
	leak = "leak", uninit = "uninit", null = "null" }

local function session(entry, checks)
	local _, out, err = tap.run(("duct concolic %s --entry %s --check %s --quiet --json"):format(source, entry, checks))
	local good, r = pcall(json.decode, out)
	return good and r or { message = out .. err }
end

for _, entry in ipairs { "divide", "rest", "shift", "bounds", "length", "overflow", "leak", "uninit", "null",
	"assertion",
	"claim", "assumption" } do
	for _, checks in ipairs { "none", "div,bounds,null", "all" } do
		local r = session(entry, checks)
		local b = r.branches or {}
		tap.ok(b.total and b.covered == b.total and b.infeasible == 0, entry .. ": all outcomes, --check " .. checks,
			r.message or ("%s of %s covered, %s infeasible"):format(b.covered, b.total, b.infeasible))
		if checks == "all" and found[entry] then
			local c = r.checks and r.checks[found[entry]] or {}
			tap.ok(c.found and c.found > 0, entry .. ": its fault is found", r.message or tostring(c.found))
		end
	end
end

-- solve, asked for all that may be flipped, says how to get past the fault.
tap.run(("duct instrument --entry divide -o %s/divide %s"):format(folder, source))
local _, out = tap.run(("duct run-trace --default %s/divide | duct solve --flip all"):format(folder))
tap.ok(out:find("\nv\td\ti\t32\t"), "solve --flip all offers the other side of a check that failed", out)

-- A division whose result nobody uses ends the run all the same: what stands behind it is not covered, nor infeasible.
tap.spit(folder .. "/unused.c", [[
int unused(int a) { if (a == 3) { int q = 1 / (a - 3); (void)q; if (a > 2) return 5; } return 0; }
]])
do
	local _, out, err = tap.run(("duct concolic %s/unused.c --entry unused --quiet --json -- -O1"):format(folder))
	local good, r = pcall(json.decode, out)
	local b = good and r.branches or {}
	tap.ok(b.covered == 2 and b.unknown == 2 and b.infeasible == 0 and #r.failures == 1, "a division without a use", out .. err)
end

-- A pointer that has left its object is seen, and so is one that goes on to what is not known.
tap.spit(folder .. "/walk.c", [[
int walk(int n) { char a[5], *s = a; for (int i = 0; i < 5; i++) a[i] = 'a'; while (*s != 's') s++; return n; }
int inside(int n) { char a[5] = "abcs", *s = a; while (*s != 's') s++; return n; }
static const char *skip(const char *s) { while (*s != 's') s++; return s; }
int called(int n) { char a[5]; for (int i = 0; i < 5; i++) a[i] = 'a'; return skip(a) - a + n; }
]])
-- The fault ends every run of walk: nothing is said of its other access, a[i], as runs that end so exhaust nothing.
for _, x in ipairs { { "walk", 1, 1 }, { "inside", 0, 0 }, { "called" } } do
	local _, out, err = tap.run(("duct concolic %s/walk.c --entry %s --quiet --json"):format(folder, x[1]))
	local good, r = pcall(json.decode, out)
	local c = good and r.checks.bounds or {}
	if x[2] then
		tap.ok(c.found == x[2] and c.unknown == x[3], x[1] .. ": bounds", out .. err)
	else
		tap.ok(c.found == 1 or c.unknown > 0, x[1] .. ": bounds are not called safe", out .. err)
	end
end
tap.done()
