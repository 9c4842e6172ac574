#!/usr/bin/env lua5.4
-- limit: 300
-- LATEST beside concolic testing that is exhausted, on callees of every kind: the same outcomes of the entry
-- function are covered, and none is infeasible that is not.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

local function branches(strategy, name, options)
	local store = ("%s/%s.%s"):format(tap.scratch, name, strategy)
	local status, out, err = tap.run(("duct %s %s/%s.c --keep all --calls 1 --entry test --store %s --json --quiet %s"):format(strategy, tap.scratch, name, store, options))
	if not tap.ok(status == 0, name .. ": " .. strategy, err) then return {}, {} end
	local verdicts = {}
	for line in select(2, tap.run(("duct report --store %s --branches"):format(store))):gmatch("[^\n]+") do
		local func, place, kind, verdict = line:match("^(%S+)\t[^\t]*\t[^\t]*\t(%S+)\t(%S+)\t(%S+)")
		if func == "test" then verdicts[place .. " " .. kind] = verdict end
	end
	return verdicts, json.decode(out)
end

-- `more` holds conditions on latest's report: exhausted, failures, at most as many runs. alone: of the paths of the
-- function under test.
local function compare(name, text, more, options)
	options = options or ""
	tap.spit(("%s/%s.c"):format(tap.scratch, name), text)
	local want, full = branches("concolic", name, options)
	local got, r = branches("latest", name, options .. (more.alone and " --abstract all" or ""))
	tap.is(tap.whole(full), true, name .. ": concolic testing is exhausted")
	if more.exhausted ~= nil then tap.is(tap.whole(r), more.exhausted, name .. ": exhausted") end
	local wrong = {}
	for key, verdict in pairs(want) do
		local mine = got[key]
		if mine ~= verdict and (mine ~= "unknown" or verdict == "covered" or tap.whole(r)) then
			wrong[#wrong + 1] = ("%s: %s, not %s"):format(key, mine, verdict)
		end
	end
	tap.ok(#wrong == 0, name .. ": the same verdicts", table.concat(wrong, "\n"))
	if more.runs then tap.ok(r.runs <= more.runs, ("%s: at most %d runs"):format(name, more.runs), r.runs) end
	if more.executed then
		local list = {}
		for i, f in ipairs(r.calls.executed) do list[i] = f.why and f["function"] end
		tap.is(table.concat(list, " "), more.executed, name .. ": what is executed is told")
		tap.ok(r.mispredicted == 0 and r.paths <= full.paths, name .. ": what was refused leaves no trace", r.paths)
	end
	if more.failures then tap.is(#r.failures, more.failures, name .. ": failures") end
end

compare("through", [[
static void set(int *p, int x) { if (x > 3) *p = x; else *p = 7; }
int test(int x) { int y = 0; set(&y, x); if (y == 2) return 2; if (y == 9) return 9; return 0; }
]], { exhausted = true })

compare("passed", [[
static int flag;
static void set(int *p, int v) { if (v > 3) *p = 7; }
int test(int *p, int a, int b) { set(&flag, a); *p = 0; set(p, b); return *p == 7 ? flag : 2; }
]], {}, "--len p=1")

compare("picked", [[
static int flag;
static int *pick(int *p, int c) { return c > 3 ? p : &flag; }
int test(int *p, int c) { *p = 0; *pick(p, c) = 5; if (*p == 5) return 1; return flag; }
]], {}, "--len p=1")

compare("structure", [[
struct pair { int a, b; };
static struct pair make(int x) { struct pair p = { x & 3, 5 }; if (x > 100) p.b = 6; return p; }
int test(int x) { struct pair p = make(x); if (p.b == 5 && p.a == 2) return 1; if (p.b == 7) return 2; return p.a == 9; }
]], { exhausted = true })

compare("leaves", [[
#include <stdlib.h>
static int half(int x) { if (x & 1) exit(3); return x / 2; }
int test(unsigned char x) { int y = half(x); if (y == 20) return 1; if (y == 300) return 2; return 0; }
]], { exhausted = true })

compare("pointer", [[
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *add(struct node *list, int x)
{
	struct node *n = malloc(sizeof *n);
	if (x == 5)
		return list;
	n->value = x;
	n->next = list;
	return n;
}
int test(int x, int y)
{
	struct node *list = add(add(NULL, x), y);
	if (list == NULL)
		return 0;
	list->value++;
	if (list->next && list->next->value == 8)
		return 1;
	return list->value == 3;
}
]], { exhausted = true, executed = "add" })

-- The blocks that these return are fresh objects: read, written and freed where the calls are abstract.
compare("blocks", [[
#include <stdlib.h>
struct field { int kind, length; };
static struct field *parse(int a, int b)
{
	struct field *f = malloc(sizeof *f);
	if (!f)
		return NULL;
	f->kind = a > 10 ? 1 : a > 5 ? 2 : 3;
	f->length = b > 7 ? b : 0;
	return f;
}
static int *numbers(int n, int v)
{
	int *r = calloc(4, sizeof *r);
	for (int i = 0; r && i < 4 && i < n; i++)
		r[i] = v > i ? v : -1;
	return r;
}
static void cut(struct field *f, int by) { f->length = by > f->length ? 0 : f->length - by; }
int test(int a, int b, int n, int v)
{
	struct field *f = parse(a, b);
	int *w = numbers(n, v), r = 0;
	if (!f || !w)
		return -1;
	if (f->kind == 2)
		r = 1;
	cut(f, n);
	if (f->length > 20)
		r += 2;
	f->kind = 8;
	if (f->kind == 9)
		r += 8;
	if (w[2] == 5)
		r += 4;
	free(f);
	free(w);
	return r;
}
]], { runs = 700, executed = "", alone = true }, "--runs 3000")

-- A write through the block's pointer also changes the list, which the next call returns.
compare("cached", [[
#include <stdlib.h>
static int *last;
static int *get(int x)
{
	if (!last && !(last = malloc(sizeof *last)))
		exit(1);
	if (x > 5)
		*last = x;
	return last;
}
int test(int x, int y)
{
	last = 0;
	int *p = get(9), *q = get(x);
	*p = 3;
	if (*q == 3) return 1;
	if (*get(y) == 7) return 2;
	return 0;
}
]], { executed = "get" })

-- Only what the result may point to keeps this call abstract: executed, it has 512 paths.
compare("targets", [[
static int x, y, table[3];
static int *pick(const char *s)
{
	int i, n = 0;
	for (i = 0; i < 9; i++)
		if (s[i] == 'a')
			n++;
	return n == 2 ? &x : n == 3 ? &y : n > 3 ? &table[n % 3] : 0;
}
int test(const char *s)
{
	int *p = pick(s);
	x = y = table[0] = table[1] = table[2] = 1;
	if (!p)
		return 0;
	*p = 9;
	if (x == 9)
		return 1;
	if (y == 9)
		return 2;
	if (table[1] == 9)
		return 3;
	if (table[0] == 1 && table[2] == 1)
		return 4;
	return 5;
}
]], { exhausted = true, runs = 60, executed = "" }, "--len s=9")

compare("table", [[
static int table[4] = { 3, 1, 4, 1 };
static int where(int x) { int i; for (i = 0; i < 4; i++) if (table[i] == x) return i; return -1; }
static int twice(int x) { return where(x) * 2; }
int test(int x)
{
	int i = where(x), j = twice(x);
	if (i < 0) return -1;
	if (j == 3) return 3;
	if (table[i] != x) return 4;
	return i == 2;
}
]], { exhausted = true })

compare("fault", [[
static int divisor(int x) { if (x == 77) return 0; return x | 1; }
int test(int x) { int d = divisor(x); if (100 / d == 4) return 1; return 0; }
]], { exhausted = true, failures = 1 })

compare("callback", [[
static int less(int a, int b) { return a < b; }
static int more(int a, int b) { return a > b; }
static int both(int (*f)(int, int), int a, int b) { return f(a, b) && f(a, 10); }
int test(int a, int b) { if (both(less, a, b)) return 1; if (both(more, a, b)) return 2; return 0; }
]], { exhausted = true })

compare("switches", [[
static int kind(char c)
{
	switch (c) {
	case 0: return 1;
	case ':': return 2;
	}
	switch (c) {
	case '.': return 3;
	case ',': return 4;
	}
	return 5;
}
int test(char c) { int k = kind(c); if (k == 3) return 1; if (k == 4) return 2; return k == 2; }
]], { exhausted = true })

compare("nothing", [[
int test(int a, int b) { if (a > b) return a == 3 ? 1 : 2; return b == 4; }
]], { exhausted = true })

compare("counter", [[
static int count;
static void next(void) { count++; }
static int jump(int x) { if (x == 3) count += 2; return x; }
int test(int x) { count = 0; next(); jump(x); next(); if (count == 4) return 1; if (count == 3) return 2; return 0; }
]], { exhausted = true })

-- A loop on what abstract calls give has no end; that does not keep real runs from their share.
local status, out, err = tap.run(("duct latest %s/share/examples/gcd.c --entry gcd --runs 400 --json --quiet"):format(tap.root))
local gcd = status == 0 and json.decode(out) or { branches = { covered = 0 } }
tap.ok(gcd.branches.covered >= 15 and gcd.paths >= 20 and not gcd.exhausted, "gcd: an abstract loop", err)

local _
status, _, err = tap.run(("duct latest %s/table.c --entry test --abstract wher --quiet"):format(tap.scratch))
tap.ok(status == 2 and err:find("unknown function `wher`: did you mean `where`?", 1, true),
	"a function that is not there", err)
tap.run(("instrument -o %s/program %s/table.c --entry test"):format(tap.scratch, tap.scratch))
status, _, err = tap.run(("duct latest %s/program"):format(tap.scratch))
tap.ok(status == 2 and err:find("needs the C files", 1, true), "a program is refused", err)
for _, strategy in ipairs { "concolic", "ippc", "late-aliases", "flowtest", "random" } do
	local status, _, err = tap.run(("duct %s %s/pointer.c --entry test --abstract all"):format(strategy, tap.scratch))
	tap.ok(status == 2 and err:find("--abstract is for latest", 1, true), strategy .. " refuses --abstract", err)
end

-- Outcomes inside of calls that no path needed come last; with --abstract the paths of the function alone are run.
tap.spit(tap.scratch .. "/order.c", [[
static int larger(int a, int b) { return a > b ? a : b; }
int test(int a, int b, int c) { int first = larger(a, b); if (first == 17) return 1; return c == 3 ? 2 : 0; }
]])
local function json_of(rest)
	local status, out, err = tap.run(("duct %s --entry test --calls 1 --json --quiet"):format(rest:gsub("@", tap.scratch)))
	return tap.ok(status == 0, rest, err) and json.decode(out)
end
local whole, alone = json_of("latest @/order.c"), json_of("latest @/order.c --abstract all")
tap.ok(whole.branches.covered == 6 and tap.whole(whole), "outcomes inside of calls are covered, too")
tap.ok(whole.paths == alone.paths and whole.runs > alone.runs and alone.branches.covered < 6 and tap.whole(alone),
	"--abstract all: the function under test alone", alone.branches.covered)

-- Where paths have no end, outcomes inside of calls do not wait for it: 7 of 10 were covered in 2500 runs.
tap.spit(tap.scratch .. "/weights.c", [[
static int weight(char c, int i)
{
	if (i > 8 && c == 'Q')
		return 2;
	return c & 3;
}
int test(const char *s)
{
	int sum = 0;
	for (int i = 0; s[i]; i++)
		switch (weight(s[i], i)) {
		case 0: sum += 1; break;
		case 1: sum += 3; break;
		case 2: sum += 9; break;
		default: sum += 4;
		}
	return sum == 7;
}
]])
local endless = json_of("latest @/weights.c --runs 1500")
tap.spit(tap.scratch .. "/sum.c", [[
static int weight(char c) { if (c == 'Q') return 2; return c & 3 ? 1 : 2; }
int test(const char *s) { int sum = 0; while (*s) sum += weight(*s++); return sum == 7 ? 1 : 0; }
]])
local bounded = json_of("latest @/sum.c --abstract all --runs 300")
tap.ok(bounded.runs == 300 and bounded.ended == "runs", "no more runs than are asked for", bounded.runs)
tap.is(endless.branches.covered, 10, "endless paths: what is inside of calls is covered, too")

-- Conditions on results of several calls: paths through one call are reused for the others as formulas. Without that
-- these were 164 runs.
tap.spit(tap.scratch .. "/numbers.c", [[
static int number(const char *s, int at)
{
	int n = 0;
	for (int i = 0; i < 3; i++) {
		if (s[at + i] < '0' || s[at + i] > '9')
			return -1;
		n = n * 10 + s[at + i] - '0';
	}
	return n;
}
int test(const char *s)
{
	int a = number(s, 0), b = number(s, 3), c = number(s, 6);
	if (a < 0 || b < 0 || c < 0)
		return -1;
	if (a + b == 999)
		return 1;
	if (a - b == 17 && c == 2 * b)
		return 2;
	if (a > 500 && b > a && c > b + 100)
		return 3;
	if ((a ^ b) == 255)
		return c == a ? 4 : 5;
	return 0;
}
]])
local numbers = json_of("latest --abstract all @/numbers.c --string s=9")
tap.ok(numbers.branches.covered == 28 and numbers.paths == 22 and numbers.runs <= 130, "summaries as formulas", numbers.runs)

-- dft --abstract: only paths that exercise a wanted pair are made real; the same pairs are covered in the end.
tap.spit(tap.scratch .. "/marks.c", [[
static int count(const char *s, char c) { int n = 0; while (*s) n += *s++ == c; return n; }
int test(const char *s, int k)
{
	int stars = 0, dots = 0, marks = 0, r = 0;
	if (k > 0) stars = count(s, '*');
	if (k > 1) dots = count(s, '.');
	if (k > 2) marks = count(s, '!');
	if (dots == 3) r = 1;
	if (stars > dots) r = 2;
	if (marks == 2) r = r + 4;
	return r;
}
]])
local function executed(r) return r.calls.tree[1].executed end
local string = "@/marks.c --string s=5"
local of_k, all = json_of("dft --abstract all --var k " .. string), json_of("latest --abstract all " .. string)
tap.ok(4 * executed(of_k) < executed(all), "calls are executed where a pair needs them", executed(of_k))
local plain, lazy = json_of("dft " .. string), json_of("dft --abstract all " .. string)
tap.ok(executed(lazy) > 0 and lazy.pairs.covered == plain.pairs.covered and plain.pairs.covered > 40,
	"dft --abstract covers the pairs that dft covers", lazy.pairs.covered)
tap.done()
