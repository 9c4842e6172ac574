#!/usr/bin/env lua5.4
-- Pointers that are compared by < or subtracted: into different objects of a caller's, a need that a search meets with one
-- object; into different objects of the program's own, a limit with a mark on the test. Tests that are written see the
-- root directory as runs did, begin with the default actions of signals, and do not compare what stat() tells.
-- limit: 100
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("a.c", [[
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
static const char low[40], high[40];
int order(void *p, const char *q)
{
	char *s = p;

	if (*s == 1)
		return 3;
	return s < q ? 1 : s > q ? 2 : 0;
}
int move(char *to, const char *from, size_t n)
{
	if (to < from) {
		for (size_t i = 0; i < n; i++)
			to[i] = from[i];
		return 1;
	}
	while (n--)
		to[n] = from[n];
	return 2;
}
int own(int x)
{
	const char *p = x > 1 ? high : low;

	while (p < high + 20)
		if (*p++ == 3)
			return 7;
	return 0;
}
int one(int x)
{
	const char *p = x > 1 ? high : low, *end = x > 1 ? high + sizeof high : low + sizeof low;

	while (p < end)
		if (*p++ == 3)
			return 7;
	return end - p;
}
int turns(int x, int across)
{
	const char *p = x > 1 ? high : low, *pe = p + sizeof low, *q = x > 1 ? low : high, *qe = q + sizeof high;

	while (p < pe && q < qe)
		p += 8, q += 8;
	return across && p < qe ? 5 : 6;
}
int apart(const int *first, const int *last) { return last - first > 3 ? 1 : 2; }
struct stat about;
int regular(const char *path) { return stat(path, &about) ? -1 : S_ISREG(about.st_mode); }
int handled(void) { return signal(SIGINT, SIG_IGN) == SIG_IGN ? 1 : 2; }
int main(void)
{
	FILE *f = fopen("/duct-order", "w");

	return f ? 1 : 0;
}
struct cursor { const char *end, *at; };
int cursor(struct cursor *c)
{
	int n = 0;

	while (c->at < c->end)
		if (*c->at++ == ',')
			n++;
	return n == 3 ? 1 : 0;
}
]])

local function session(entry, options)
	local _, out, err = tap.run(("duct concolic a.c --entry %s --json --quiet --time 20 --out %s %s"):format(entry, entry,
		options or ""))
	local fine, r = pcall(json.decode, out)
	tap.ok(fine and #r.failures == 0, entry .. ": no finding", err .. out)
	local tests = io.open(entry .. "/tests.c"):read("a")
	local status, check = tap.run(("make -s -C %s check"):format(entry))
	tap.ok(status == 0 and check:find(" 0 failed", 1, true), entry .. ": its tests pass", check)
	return r, tests
end

local function has(list, kind)
	for _, l in ipairs(list) do
		if l.kind == kind then
			return true
		end
	end
	return false
end

for _, entry in ipairs { "order", "move" } do
	local r, tests = session(entry)
	tap.ok(r.branches.covered == r.branches.total, entry .. ": all covered")
	tap.ok(has(r.needs, "apart"), entry .. ": callers pass pointers into one object")
	tap.ok(not tests:find "different objects", entry .. ": no test depends on where objects lie")
end
local r, tests = session "own"
tap.ok(has(r.limits, "address") and not r.exhausted, "own: where the objects lie is a limit")
tap.ok(tests:find("pointers to different objects are compared at a.c:29", 1, true), "own: the test says so", tests)
r, tests = session "one"
tap.ok(r.exhausted and not tests:find "different objects", "one: an end is no other object", tests)
r, tests = session "turns"
tap.ok(has(r.limits, "address") and tests:find("different objects are compared at a.c:49", 1, true),
	"turns: of two objects that hold two pointers by turns, both are known, and pointers into each are apart", tests)
r = session("apart", "--distinct all")
tap.ok(r.branches.infeasible == 0 and has(r.limits, "apart"), "apart: no verdict by what C leaves open")
r = session "cursor"
tap.ok(r.branches.covered == r.branches.total and has(r.needs, "apart"), "cursor: the end of what another member leads to")
for _, entry in ipairs { "regular", "handled", "main" } do
	session(entry)
end
local status, ignored = tap.run("cd handled && (trap '' INT; ./tests)")
tap.ok(status == 0, "handled: its tests pass where the caller ignores the signal", ignored)
tap.done()
