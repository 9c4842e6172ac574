#!/usr/bin/env lua5.4
-- waits
-- A verdict that depends on behaviour which the standard leaves to the compiler is unknown, with that reason, also with
-- proofs.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local folder = tap.folder("leeway")

tap.spit(folder .. "/order.c", [[
static int count;
static int next(void) { return ++count; }
static int first(int a, int b) { return a - b; }
int f(int x)
{
	count = x & 255;
	if (first(next(), next()) > 0)
		return 1;
	return 0;
}
int g(int x)
{
	if ((x & 3) == 4)
		return 1;
	return x > 2;
}
int h(int x)
{
	if (g(x) == 7)
		return 2;
	return f(x);
}
unsigned long strcspn(const char *, const char *);
int cut(int x)
{
	char l[4] = { 'a', (char)x, '\n' };
	l[strcspn(l, "\n")] = 0;
	return l[0] == 'b' ? 1 : 0;
}
int own(int x)
{
	int a[2] = { x & 1, 1 };
	a[a[0]++] = 5;
	return a[0] == 5 ? 1 : 0;
}
static int lend(int *to, int by) { *to = 5; return by; }
int passed(int x)
{
	int i = x & 3;
	i = first(++i, 0);
	i = lend(&i, i & 3);
	return i == 9 ? 1 : 0;
}
int stored(int x)
{
	int i = x & 3;
	i = (x & 4) + i++;
	return i == 9 ? 1 : 0;
}
]])

local function rows(strategy, entry)
	local store = ("%s/%s-%s.db"):format(folder, strategy:match("%l+"), entry)
	local status, out, err = tap.run(("cd %s && duct %s order.c --entry %s --quiet --json --runs 60 --time %d --store %s"):format(folder,
		strategy, entry, 20 * (tonumber(os.getenv "SLOWER") or 1), store))
	local fine, r = pcall(json.decode, out)
	tap.ok(status == 0 and fine, ("%s of %s"):format(strategy, entry), err)
	local _, text = tap.run("duct report --branches --store " .. store)
	return text, fine and r or {}
end

for _, strategy in ipairs { "concolic", "dft --prove" } do
	local text, r = rows(strategy, "f")
	tap.ok(text:find("order.c:7:6\tp:true\tunknown\t[^\n]*limits: [^\n]*order of evaluation of the arguments at order.c:7"),
		strategy .. ": unknown, with the place", text)
	tap.ok(not text:find("infeasible", 1, true) and not r.exhausted, strategy .. ": nothing is infeasible", text)
	text = rows(strategy, "g")
	tap.ok(text:find("order.c:13:6\tp:true\tinfeasible", 1, true),
		strategy .. ": a function without it is not concerned", text)
end
local text = rows("concolic", "cut")
tap.ok(text:find("p:true\tinfeasible", 1, true), "an element is written when its index is known: that order is no compiler's", text)
text = rows("concolic", "own")
tap.ok(text:find("order of evaluation at order.c:33", 1, true), "... but that of `++` in the index is", text)
text = rows("concolic", "passed")
tap.ok(text:find("p:true\tinfeasible", 1, true), "a call's arguments and body come before its result is stored", text)
text = rows("concolic", "stored")
tap.ok(text:find("order of evaluation at order.c:47", 1, true), "... but `++` may come after that", text)
text = rows("dft --prove", "h")
tap.ok(text:find("order.c:13:6\tp:true\tinfeasible\tproof", 1, true),
	"a proof of a function by itself holds although the entry reaches another order", text)
-- Where the allocator puts a block: also, tests do not expect what depends on it, and outcomes that the untouched program does
-- not take are unknown.
tap.spit(folder .. "/moved.c", [[
#include <stdlib.h>
struct list { char *at; size_t n; };
int moved(char c)
{
	char *p = malloc(4), *q;
	if (!p) return 1;
	q = realloc(p, 8);
	if (!q) { free(p); return 2; }
	if (q == p) { free(q); return 3; }
	free(q);
	return c == 'x' ? 5 : 4;
}
int again(struct list *l, char c)
{
	char *old = l->at = malloc(4), *q;
	if (!old) return 1;
	free(l->at);
	q = malloc(4);
	if (q != l->at) { free(q); return c == 'x' ? 5 : 4; }
	free(q);
	return 3;
}
int other(char c)
{
	char *p = malloc(4), *q = malloc(4);
	free(p);
	p = q;
	if (p == q && c == 'x') c = 3;
	free(q);
	return c;
}
]])
-- Bits of addresses: objects of tests lie as those of runs.
tap.spit(folder .. "/align.c", [[
#include <stdint.h>
int align(const char *p, const int *q)
{
	if ((uintptr_t)p & 1) return 1;
	if ((uintptr_t)p & 2) return 2;
	if ((uintptr_t)q % 8 == 4) return 4;
	return p[0] == 'x' ? q[0] : 5;
}
]])
tap.run(("cd %s && duct test align.c:align --time 20 --out align"):format(folder))
local _, aligned = tap.run("duct report " .. folder .. "/align/store.db --branches")
tap.ok(aligned:find("align.c:4:6\tp:true\tcovered") and aligned:find("align.c:6:6\tp:true\tcovered"),
	"outcomes that need other addresses are covered", aligned)
for _, compiler in ipairs { "gcc", "clang-19" } do
	local status, made = tap.run(("make -s -C %s/align clean check CC=%s 2>&1"):format(folder, compiler))
	tap.ok(status == 0, "align: its tests pass with " .. compiler, made)
end
for entry, limit in pairs { moved = true, again = true, other = false } do
	local at = folder .. "/" .. entry
	local _, out = tap.run(("cd %s && duct test moved.c:%s --time 20 --out %s 2>&1"):format(folder, entry, at))
	tap.ok((out:find("is the allocator's at moved.c", 1, true) ~= nil) == limit, entry .. ": where a block is is the allocator's, or not asked", out)
	local status, made = tap.run(("make -s -C %s check 2>&1"):format(at))
	tap.ok(status == 0, entry .. ": its tests pass", made)
	local _, counted = tap.run("duct recount " .. at .. " 2>&1")
	tap.ok(not counted:find("fewer", 1, true), entry .. ": a recount finds no less", counted)
end
tap.done()
