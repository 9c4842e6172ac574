#!/usr/bin/env lua5.4
-- A crash in duct's own runtime is duct's error, with the place where the program was, and no finding of the program; a
-- crash of the program is one, also where the runtime reads its memory for it.
-- limit: 120
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"
local folder = tap.folder("own")

local function session(name, code)
	local file = ("%s/%s.c"):format(folder, name)
	tap.spit(file, code)
	local _, out, err = tap.run(("DUCT_OWN_CALLS=1 duct concolic %s --entry f --json --quiet --time 20"):format(file))
	local fine, r = pcall(json.decode, out)
	return fine and r or tap.ok(false, name, err) or { failures = {}, lost = {}, branches = {} }
end

-- The program hands the runtime an expression that there is not.
local r = session("broken", [[
void duct_rt_store_at(void *u, unsigned place, void *p, unsigned a, unsigned bytes, unsigned width, unsigned v,
    unsigned long value);
int f(int n)
{
	if (n == 5)
		duct_rt_store_at(0, 0, &n, 0x7ffffff0, 4, 32, 0, 0);
	return n;
}
]])
local lost = r.lost[1] or {}
tap.is(#r.failures, 0, "no finding of the program")
tap.ok((lost.reason or ""):find("duct itself failed in a run: signal %d+ in duct.s own code"), "it is said to be duct's", lost.reason)
tap.is(lost.line, 6, "with the place")
tap.ok(not r.exhausted and r.branches.infeasible == 0, "it decides nothing")

for name, code in pairs {
	text = "#include <stdio.h>\nint f(int n) { char b[9]; return n == 5 ? snprintf(b, 9, \"%s\", (char *)0x1234567) : 0; }\n",
	length = "#include <string.h>\nint f(int n) { return n == 5 ? (int)strlen((char *)0x1234567) : 0; }\n",
	copy = "#include <string.h>\nint f(int n) { if (n == 5) memcpy((char *)0x1234567, &n, 4); return 0; }\n",
	read = "int f(int n) { return n == 5 ? *(int *)0x1234567 : 0; }\n",
	symbolic = "#include <duct.h>\nint f(int n) { if (n == 5) duct_symbolic((void *)0x1234567, 4, \"x\"); return 0; }\n",
	unmapped = [[
#include <sys/mman.h>
int f(int n)
{
	int *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*p = n;
	munmap(p, 4096);
	return n == 5 ? *p : 0;
}
]],
	-- the optimiser removes writes to what is constant
	literal = "int f(int n) { char *s = \"ab\"; if (n == 5) s[0] = 'x'; return n > 5 || s[0] == 'x'; }\n",
	constant = "static const int t[] = { 1, 2 };\nstatic void set(int *p) { *p = 3; }\nint f(int n) { if (n == 5) set((int *)t + (n & 1)); return t[n & 1]; }\n",
} do
	local own = session(name, code)
	tap.ok(#own.failures == 1 and own.failures[1].line, name .. ": a finding of the program",
		("%d failures, lost %s"):format(#own.failures, own.lost[1] and own.lost[1].reason))
end
tap.done()
