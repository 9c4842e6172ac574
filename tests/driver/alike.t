#!/usr/bin/env lua5.4
-- Pointers that lead into objects of other types, and parameters that are declared restrict.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("a.c", [[
struct n { void *self; const char *name; int value; };
int types(int *p, char *c)
{
	*p = 5;
	*c = 9;
	if (*p == 9)
		return 1;
	return 0;
}
int self(struct n *p)
{
	if (p->self == p)
		return 1;
	if (p->name == (const char *)p)
		return 2;
	return 0;
}
void move(char *to, const char *from, unsigned n)
{
	if (n > 3)
		return;
	if (to < from)
		while (n--)
			*to++ = *from++;
	else if (to > from)
		while (n--)
			to[n] = from[n];
}
int written(int *restrict p, int *restrict q)
{
	*p = 1;
	*q = 2;
	if (*p == 2)
		return 1;
	return 0;
}
int compared(char *restrict to, char *restrict from, int n)
{
	if (!to || !from || to == from)                        /* a caller may pass one object: nothing is written then */
		return to && from;
	if (n > 0)
		*to = *from;
	return n > 0 && *to == 'x' ? 2 : 3;
}
int equal(const int *restrict p, const int *restrict q)
{
	if (p == q)
		return 1;
	if (*p > *q)
		return 2;
	return 0;
}
int plain(int *p, int *q)
{
	*p = 1;
	*q = 2;
	if (*p == 2)
		return 1;
	return 0;
}
int three(int *p, int *q, int *r)
{
	*p = 1;
	*q = 2;
	*r = 3;
	if (*p == 2)
		return 1;
	if (*p == 3)
		return 2;
	if (*q == 3)
		return 3;
	return 0;
}
]])

local function session(entry, options)
	local status, out, err = tap.run(("duct concolic a.c --entry %s --json --quiet --time 30 %s"):format(entry, options or ""))
	local fine, r = pcall(json.decode, out)
	return fine and r or { branches = {}, failures = {}, assumptions = {} }, ("%d %s%s"):format(status, out, err)
end

for _, entry in ipairs { "types", "self", "equal", "plain", "move" } do
	local r, said = session(entry, "--out " .. entry)
	tap.ok(r.branches.covered == r.branches.total and r.branches.infeasible == 0 and #r.failures == 0 and r.mispredicted == 0,
		entry .. ": covered", said)
	local status, checked, err = tap.run(("make -s -C %s check CFLAGS='-Wall -Wextra -Werror'"):format(entry))
	tap.ok(status == 0 and checked:find(" 0 failed", 1, true), entry .. ": tests", checked .. err)
end
local r, said = session("written")
tap.ok(r.branches.covered == 1 and r.branches.infeasible == 1 and said:find("p: a distinct object (restrict)", 1, true),
	"restrict is an assumption", said)
r, said = session("compared")
tap.ok(r.branches.infeasible == 0 and r.branches.covered < r.branches.total
	and said:find("to leads to no object of another pointer here, as it is declared restrict: --may-alias P,Q", 1, true),
	"... and a limit where such pointers are compared", said)
r, said = session("compared", "--may-alias to,from")
tap.ok(r.branches.covered == r.branches.total and not said:find("(restrict)", 1, true), "... which the user may lift", said)
r, said = session("types", "--distinct all")
tap.ok(r.branches and r.branches.covered == 1 and r.branches.infeasible == 1, "--distinct all: also of other types", said)
for options, covered in pairs { ["--distinct p,q"] = 5, ["--distinct p"] = 4, ["--distinct p,q --distinct p,r"] = 4,
	["--distinct p,q,r"] = 3, [""] = 6 } do
	r, said = session("three", options)
	tap.ok(r.branches and r.branches.covered == covered and r.branches.infeasible == (covered == 3 and 3 or 0),
		("three pointers, %s: %d outcomes"):format(options, covered), said)
end
tap.done()
