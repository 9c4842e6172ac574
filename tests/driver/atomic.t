#!/usr/bin/env lua5.4
-- Atomic objects may be changed by other threads at any time: neither runs nor proofs say that they keep their value.
-- limit: 60
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("a.c", [[
#include <stdatomic.h>
#include <stdbool.h>
static atomic_int state;
static _Atomic unsigned char bytes[4];
static int counter, plain;
static atomic_flag lock = ATOMIC_FLAG_INIT;
int load(void) { atomic_store(&state, 1); if (atomic_load(&state) == 2) return 1; return 0; }
int assigned(int n) { state = n; if (state != n) return 1; return 0; }
int added(void) { atomic_store(&state, 1); if (atomic_fetch_add(&state, 1) == 7) return 1; return 0; }
int exchanged(void)
{
	int one = 1;
	atomic_store(&state, 1);
	if (!atomic_compare_exchange_strong(&state, &one, 2))
		return 1;
	return 0;
}
int element(int i) { if (i < 0 || i > 3) return 2; bytes[i] = 1; if (bytes[i] == 2) return 1; return 0; }
int old(void) { counter = 1; if (__sync_fetch_and_add(&counter, 1) == 7) return 1; return 0; }
int flag(void) { atomic_flag_clear(&lock); if (atomic_flag_test_and_set(&lock)) return 1; return 0; }
int own(void) { atomic_int mine = 1; if (atomic_load(&mine) == 2) return 1; return 0; }
int ordinary(void) { plain = 1; if (plain == 2) return 1; return 0; }
]])

for _, command in ipairs { "concolic --prove", "dft --prove" } do
	for _, entry in ipairs { "load", "assigned", "added", "exchanged", "element", "old", "flag", "own", "ordinary" } do
		local _, out, err = tap.run(("duct %s a.c --entry %s --json --quiet --time 10 --runs 100"):format(command, entry))
		local fine, r = pcall(json.decode, out)
		local mine = entry == "own" or entry == "ordinary"
		tap.ok(fine and r.branches.infeasible == (mine and 1 or 0) and (mine or out:find("no other thread", 1, true)),
			("%s %s: %s"):format(command, entry, mine and "no other thread knows it" or "another thread may change it"), out .. err)
	end
end
tap.done()
