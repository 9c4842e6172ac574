#!/usr/bin/env lua5.4
-- Proofs about what is not modelled: vectors as uses and definitions, parameters that runs keep zero.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("u.c", [[
typedef int v4 __attribute__((vector_size(16)));
v4 vector;
int reads(void) { if (vector[1] == 5) return 1; return 0; }
int writes(int n) { v4 a = { 1, 2, 3, n }; v4 *p = &vector; *p = a; if (vector[3] == 7) return 1; return 0; }
double complex_number(double _Complex z) { if (__real__ z == 2) return 1; return 0; }
struct s { double _Complex z; int k; };
int member(struct s s) { if (__imag__ s.z == 3 && s.k == 1) return 1; return 0; }
int atomic(int n) { static int c; int k = __sync_fetch_and_add(&c, n); if (c == 6) return k; return 0; }
]])
for _, entry in ipairs { "reads", "writes", "complex_number", "member", "atomic" } do
	local _, out, err = tap.run(("duct dft u.c --entry %s --prove --json --quiet --runs 50 --time 10"):format(entry))
	local fine, r = pcall(json.decode, out)
	tap.ok(fine and r.branches.total > 0 and r.branches.infeasible == 0 and r.pairs.infeasible == 0,
		entry .. ": nothing is infeasible", out .. err)
end
tap.done()
