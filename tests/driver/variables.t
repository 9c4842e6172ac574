#!/usr/bin/env lua5.4
-- Pointers of callers may lead to variables of the program that they are compared with, as a list that ends at a static node,
-- or that the entry accesses by name, too; tests pass these. Where they are not tried, or cannot be named, that is a limit, and
-- nothing is infeasible for it.
-- limit: 140
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
struct choice { const int *which; const int *const *list; };
static const int one = 1, two = 2;
int several(struct choice *c)
{
	if (c->which != &one && c->which != &two)
		return 0;
	return *c->which;
}
const int *hidden(const int *p) { static const int own[2]; return p == own ? 0 : own; }
]])
tap.spit("c.c", [[
struct node { int key; struct node *next; };
static const struct node none = { 1, 0 };
const struct node *nothing(void) { return &none; }
int chosen(const struct node *p, int k)
{
	static const struct node *const table[2] = { 0, &none };

	return k >= 0 && k < 2 && p == table[k] && p ? 1 : 0;
}
]])
tap.spit("d.c", [[
int count, most;
struct unit { int state; double level; } unit;
static int buffer[4], own;
int *lent(void) { return buffer; }
int number(int *p) { count = 1; *p = 2; if (count == 2) return 1; return 0; }
int element(int *p) { buffer[1] = 1; *p = 2; if (buffer[1] == 2) return 1; return 0; }
static char text[4];
char *written(void) { return text; }
int byte(char *p) { text[0] = 1; *p = 2; if (text[0] == 2) return 1; return 0; }
int bytes(char *p) { count = 1; *p = 2; if (count == 2) return 1; return 0; }
int before(int *p, int n) { most = n; for (int i = 0; i < most && i < 4; i++) p[i] = 0; if (most != n) return 1; return 0; }
int part(int *p) { unit.state = 1; *p = 2; if (unit.state == 2) return 1; return 0; }
int *inner(int *p) { static int kept[2]; kept[0] = 1; *p = 2; if (kept[0] == 2) return kept; return 0; }
int apart(int *p) { own = 1; *p = 2; if (own == 2) return 1; return 0; }
int other(double *p) { count = 1; *p = 2; if (count == 2) return 1; return 0; }
static short near[4];
short tab[4];
static short behind[4] = { 1 };
int sum(short *p)
{
	int s = near[0] + behind[0];

	tab[0] = 1;
	p[0] = 3;
	for (int k = 0; k < 3; k++)
		s += p[k - 3];
	if (tab[0] == 3)
		return s;
	return 0;
}
int past(short *p) { tab[0] = 1; p[6] = 3; if (tab[0] == 3) return 1; return 0; }
int reads(const int *p) { if (most > 3 && most < 3) return 1; if (*p > 3 && *p < 3) return 2; return 0; }
]])
tap.spit("b.c", "int local(const int *p) { int own = 1; return p == &own ? own : 0; }")

local function session(command, entry, options, file)
	local _, out, err = tap.run(("duct %s %s --entry %s --json --quiet --time 20 %s"):format(command, file or "a.c", entry,
		options or ""))
	local fine, r = pcall(json.decode, out)
	tap.ok(fine and #r.failures == 0, entry .. ": no finding", err .. out)
	return r, out
end

for _, entry in ipairs { "length", "constant", "set", "bytes", "several" } do
	local r, out = session("concolic", entry, "--out " .. entry)
	tap.ok(r.branches.covered == r.branches.total, entry .. ": all outcomes are covered", out)
	local status, check = tap.run(("make -s -C %s check"):format(entry))
	tap.ok(status == 0 and check:find(" 0 failed", 1, true), entry .. ": its tests pass", check)
end
for _, command in ipairs { "concolic", "dft --prove" } do
	local r, out = session(command, "hidden", "--time 2")
	tap.ok(r.branches.infeasible == 0 and r.branches.covered == r.branches.total - 1 and out:find "does not point into other objects",
		command .. ": a static local that callers may know is a limit", out)
end
local r, out = session("concolic", "local", "--time 2", "b.c")
tap.is(r.branches.infeasible, 1, "no caller knows a local variable", out)
r, out = session("concolic", "chosen", "--time 2", "c.c")
tap.is(r.branches.infeasible, 0, "an address that inputs choose may be a variable's", out)
for _, entry in ipairs { "number", "element", "byte", "before" } do
	r, out = session("concolic", entry, "--out d-" .. entry, "d.c")
	tap.ok(r.branches.covered == r.branches.total, entry .. ": a pointer may lead to a global that is used by name", out)
	local status, check = tap.run(("make -s -C d-%s check"):format(entry))
	tap.ok(status == 0 and check:find(" 0 failed", 1, true), entry .. ": its tests pass", check)
end
for _, entry in ipairs { "part", "inner", "past", "sum", "bytes" } do
	r, out = session("dft --prove", entry, "--time 2", "d.c")
	tap.ok(r.branches.infeasible == 0 and r.branches.covered == r.branches.total - 1 and out:find "does not point into other objects", entry .. ": not tried, a limit", out)
end
for _, entry in ipairs { "apart", "other", "reads" } do
	local proved, text = session("concolic --prove", entry, "--time 20", "d.c")
	tap.ok(proved.branches.infeasible == (entry == "reads" and 2 or 1), entry .. ": no pointer leads there", text)
end
r, out = session("concolic", "number", "--distinct all", "d.c")
tap.ok(r.branches.infeasible == 1, "--distinct all: none leads to a variable that is used by name", out)
tap.ok(not select(2, session("concolic", "reads", "", "d.c")):find "does not point into other objects", "reads: nothing is written")
r, out = session("concolic", "constant", "--distinct all --time 2")
tap.ok(r.branches.infeasible == 0, "distinct pointers may lead to variables", out)
tap.done()
