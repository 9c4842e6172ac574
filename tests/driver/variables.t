#!/usr/bin/env lua5.4
-- Pointers of callers may lead to variables of the program that they are compared with, as a list that ends at a static node;
-- tests pass these. Where they are not tried, or cannot be named, that is a limit, and nothing is infeasible for it.
-- limit: 100
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("a.c", [[
struct node { int key; struct node *next; };
static struct node nil;
static const struct node none = { 1, 0 };
static const int order[4] = { 3, 1, 2, 0 };
struct node *nobody(void) { return &nil; }
const struct node *nothing(void) { return &none; }
int length(struct node *p)
{
	int n = 0;

	while (p != &nil) {
		n++;
		p = p->next;
	}
	return n > 2 ? 1 : 0;
}
int constant(const struct node *p) { return p == &none ? 1 : 0; }
int set(const struct node *p) { return p && p->key == 1 && p == &none ? 1 : 0; }
int bytes(const char *p) { return p == (const char *)(order + 2) ? 1 : 0; }
const int *hidden(const int *p) { static const int own[2]; return p == own ? 0 : own; }
]])
tap.spit("b.c", "int local(const int *p) { int own = 1; return p == &own ? own : 0; }")

local function session(command, entry, options, file)
	local _, out, err = tap.run(("duct %s %s --entry %s --json --quiet --time 20 %s"):format(command, file or "a.c", entry,
		options or ""))
	local fine, r = pcall(json.decode, out)
	tap.ok(fine and #r.failures == 0, entry .. ": no finding", err .. out)
	return r, out
end

for _, entry in ipairs { "length", "constant", "set", "bytes" } do
	local r, out = session("concolic", entry, "--out " .. entry)
	tap.ok(r.branches.covered == r.branches.total, entry .. ": all outcomes are covered", out)
	local status, check = tap.run(("make -s -C %s check"):format(entry))
	tap.ok(status == 0 and check:find(" 0 failed", 1, true), entry .. ": its tests pass", check)
end
for _, command in ipairs { "concolic", "dft --prove" } do
	local r, out = session(command, "hidden", "--time 2")
	tap.ok(r.branches.infeasible == 0 and r.branches.covered == 1 and out:find "does not point into other objects",
		command .. ": a static local that callers may know is a limit", out)
end
local r, out = session("concolic", "local", "--time 2", "b.c")
tap.is(r.branches.infeasible, 1, "no caller knows a local variable", out)
r, out = session("concolic", "constant", "--distinct all --time 2")
tap.ok(r.branches.infeasible == 0, "distinct pointers may lead to variables", out)
tap.done()
