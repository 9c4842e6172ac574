#!/usr/bin/env lua5.4
-- Preconditions of a function are needs in its own session, in data-flow sessions, too; a caller in the program that
-- breaks it is a finding, with the caller's input.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("i.c", [[
#include <stdlib.h>
struct n { int v; };
int get(const struct n *p) { if (p->v > 3) return 1; return 0; }
int back(const int *a) { if (a[-1] == 7) return 1; return 0; }
struct l { struct l *next, *head; };
int two(struct l *s)
{
	struct l *p = s->head->next;
	int k = 0;
	while (p != s->head && k < 3) {
		p = p->next;
		k++;
	}
	return k;
}
int caller(int k)
{
	struct n *p = NULL, q = { k };
	if (k > 5)
		p = &q;
	if (k == 9)
		p = NULL;
	return get(k > 0 ? p : &q);
}
int mine(int k)
{
	int a[4] = { 1, 2, 3, 7 };
	if (k >= 0 && k <= 4)
		return back(a + k);
	return 0;
}
]])

local function session(command)
	local _, out, err = tap.run("duct " .. command .. " i.c --runs 300 --time 30 --json --quiet")
	local fine, r = pcall(json.decode, out)
	return fine and r or { branches = {}, failures = {}, needs = {} }, out .. err
end

for _, how in ipairs { "concolic", "dft --scope inter" } do
	for entry, text in pairs { get = "p != NULL", back = "elements before a[0]" } do
		local r, out = session(how .. " --entry " .. entry)
		local told = false
		for _, n in ipairs(r.needs) do
			told = told or (n.text or ""):find(text, 1, true) ~= nil
		end
		tap.ok(told and #r.failures == 0, ("%s: %s needs: %s"):format(how, entry, text), out)
	end
	local two, out = session(how .. " --entry two")
	tap.ok(#two.failures == 0 and #two.needs > 1, how .. ": pointers that are compared with others need not be NULL", out)
	for _, entry in ipairs { "caller", "mine" } do
		local r
		r, out = session(how .. " --entry " .. entry)
		tap.ok(#r.failures == 1 and #r.needs == 0, ("%s: %s breaks it"):format(how, entry), out)
	end
end
tap.done()
