#!/usr/bin/env lua5.4
-- A bound that duct itself sets is a limit: nothing is infeasible because of it, the report names it and the option that moves
-- it, and a session whose runs touch it goes on with a wider one. What the user states is an assumption.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("t.c", [[
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "duct.h"
struct node { int v; struct node *next; };
union both { long n; char *p; struct { int first; char *p; } __attribute__((packed)) late; };
struct has { union both b; };
struct two { int a, b; };
static int state;
void set(struct two t) { state = t.a; }
int text(const char *s) { return strlen(s) > 20 ? 1 : 0; }
int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n && i < 1; i++) s += a[i]; if (s > 5 && n > 10 && n < 5) return 1; return 0; }
int scans(const char *s) { int i = 0; while (s[i]) i++; return i > 100 ? 1 : 2; }
int some(const int *a) { return a ? 1 : 2; }
int count(struct node *p) { int n = 0; while (p) { n++; p = p->next; } if (n > 4) return 1; return 0; }
int alias(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) return 1; return 0; }
int later(int x) { if (state == 5) return 1; return x; }
static int ticks;
int ticking(void) { if (ticks == 40) return 1; ticks++; return 0; }
int calls(void (*f)(void)) { if (f) return 1; return 0; }
int any(int n, ...) { if (n > 3 && n < 2) return 1; return 0; }
int gets_memory(void) { char *p = malloc(10); if (!p) return 1; free(p); return 0; }
int asks_time(void) { if (time(0) == 0) return 1; return 0; }
int environment(void) { if (getenv("FOO")) return 1; return 0; }
int reads(void) { if (getchar() == 'x') return 1; return 0; }
int again(void) { if (getchar() == EOF) { clearerr(stdin); if (getchar() != EOF) return 1; } return 0; }
int reads_on(void) { char b[4]; if (!fgets(b, 4, stdin) && fgets(b, 4, stdin)) return 1; return 0; }
int reads_again(void) { char b; if (pread(0, &b, 1, 0) == 0 && pread(0, &b, 1, 0) == 1) return 1; return 0; }
int opens(void) { FILE *f = fopen("a", "r"); if (f) { fclose(f); return 1; } return 0; }
int closed(int x) { if (x > 3) { if (x < 2) return 1; return 2; } return 0; }
int deep(int n) { int s = 0; for (int i = 0; i < n; i++) s++; if (s == 100) return 1; return 0; }
int slow(int n) { if (n > 5) while (n) n |= 1; return n; }
int behind(int n, int d) { int m = n / d; if (m == 10) return 1; return 2; }
int fatal(int x) { int *p = 0; if (x > 3) x++; *p = x; if (x > 7) return 1; return 0; }
int before(int x) { if (x > 3) x = 4; duct_assume(x > 100); return x; }
int stops(int x) { if (x == 7) abort(); if (x == 7) return 1; return 0; }
int apart(int x) { if (x > 1) return 1; return 0; }
int long_list(struct node *p) { int n = 0; while (p) { n++; p = p->next; } if (n > 9) return 1; return 0; }
int holds_inside(struct has *h) { if (h && h->b.late.p && *h->b.late.p == 'x') return 1; return 0; }
int far(const int *a, int n) { int s = 0; if (n < 0 || n > 4) return 0; for (int i = 0; i < n; i++) s += a[i] > 0; if (s > 3) return 1; return 0; }
int asks_process(void) { if (getpgrp() == -1) return 1; return 0; }
int long_variable(void) { const char *s = getenv("FOO"); if (s && strlen(s) > 5) return 1; return 0; }
int reads_three(void) { getchar(); getchar(); if (getchar() == 'x') return 1; return 0; }
int main(int argc, char **argv) { if (argc > 2) return 2; if (argc > 1 && argv[1][0] == 'v') return 1; return 0; }
]])

tap.spit("stub.c", "#include <stdarg.h>\nint undefined(int);\nint stubbed(int x) { if (undefined(x) && x > 3 && x < 2) return 1; return 0; }\n"
	.. "int lists(const char *, va_list);\nint stubbed_list(int x, ...) { va_list ap; va_start(ap, x); x = lists(\"\", ap); va_end(ap); "
	.. "return x == 7 ? 1 : 2; }\n")

local function duct(strategy, entry, options)
	local status, out, err = tap.run(("duct %s %s --entry %s --json --quiet --time 20 %s"):format(strategy,
		entry:find "^stubbed" and "stub.c" or "t.c", entry, options or ""))
	local fine, r = pcall(json.decode, out)
	return fine and r or { branches = {}, pairs = {}, limits = {} }, status, err
end

-- Some outcome of the function stays unknown, for this reason.
local function json_text(limits)
	local list = {}
	for _, l in ipairs(limits or {}) do
		list[#list + 1] = ("%s %s: %s"):format(l.kind, l.name, l.text)
	end
	return table.concat(list, "\n")
end

local function limited(entry, kind, sentence, options)
	local r, status, err = duct("concolic", entry, options)
	local found
	for _, l in ipairs(r.limits or {}) do
		found = found or l.kind == kind and l.text == sentence
	end
	tap.ok(status == 0 and r.branches.infeasible == 0 and r.branches.limited > 0
		and r.branches.limited == r.branches.unknown
		and r.exhausted == false and r.ended == "limits" and found, entry .. ": " .. sentence, err .. json_text(r.limits))
end

limited("text", "string", "s has at most 8 characters here: --string s=N", "--string s=8")
limited("text", "string", "s has at most 4 characters here: --string s=N", "--string s=4")
limited("far", "elements", "a has at most 2 elements here: --len a=0..N", "--len a=0..2")
limited("long_list", "depth", "p is NULL here, below 3 pointers: --pointer-depth N", "--pointer-depth 3 --distinct all")
limited("long_list", "objects", "a run makes at most 2 objects here: --objects N", "--objects 2 --distinct all")
limited("ticking", "calls", "ticks has its initial value here: --calls N or --global ticks")
limited("holds_inside", "members",
	"some members of struct has are fixed here: a union with a pointer, or a type that is not modelled", "--distinct all")
limited("again", "ended", "standard input has no more bytes after its end here")
limited("reads_again", "ended", "standard input has no more bytes after its end here")
limited("reads_on", "ended", "standard input has no more bytes after its end here")
limited("any", "variadic", "no variable arguments are passed to any() here")
limited("stubbed", "stub", "nothing defines undefined: a stub gives any value here: --stub undefined")
limited("gets_memory", "faults", "no calls fail here (malloc): --faults N", "--faults 0")
limited("asks_process", "concrete", "getpgrp() answers as on this machine")
limited("long_variable", "env", "FOO has at most 3 bytes here: --env FOO=N", "--env FOO=3")
limited("reads_three", "stdin", "standard input has at most 2 bytes here: --stdin N", "--stdin 2")
limited("main", "args", "the program has at most 1 argument here: --arg I=N", "--args 1")
-- Sizes that the user does not state grow until all is covered.
local function widened(entry)
	local r, status, err = duct("concolic", entry)
	tap.ok(status == 0 and r.branches.total > 0 and r.branches.unknown == 0 and r.branches.infeasible == 0,
		entry .. ": widened until all is covered", err .. json_text(r.limits))
end
for _, entry in ipairs { "text", "some", "far", "count", "alias", "calls", "later", "gets_memory", "stubbed_list",
	"asks_time", "environment", "opens", "reads", "main" } do
	widened(entry)
end

do
	local r = duct("concolic", "scans")
	tap.ok(r.branches.unknown == 0 and #r.needs == 1 and r.needs[1].count == 1,
		"what is needed is asked once, not again where limits are wider",
		json_text(r.needs))
end

limited("deep", "branches", "a path has at most 9 symbolic branches here: --depth N", "--depth 9")
limited("deep", "steps", "a run has at most 50 steps here: --steps N", "--steps 50 --range n=0..30")
limited("slow", "time", "a run has at most 0.2 s here: --timeout SECONDS", "--timeout 0.2")

-- Of several loops without end, one takes a run's time when all is covered, the others less.
do
	tap.spit("endless.c", [[
int f(unsigned a, unsigned b, unsigned c)
{
	volatile unsigned k = 0;
	if (a % 7 == 3) for (;;) k++;
	if (b % 5 == 2) for (;;) k++;
	if (c % 3 == 2) for (;;) k++;
	return a == 100 && b == 101 && c == 102;
}]])
	local _, out, err = tap.run("duct concolic endless.c --entry f --json --quiet --time 60 --timeout 0.25")
	local r = json.decode(out)
	tap.ok(r.branches.unknown == 0 and r.failures[1].kind == "timeout" and r.cut < 6 and r.ended ~= "time"
		and json_text(r.limits):find "a run has at most 0.25 s here: %-%-timeout SECONDS",
		"runs without end do not take a session's time", err .. json_text(r.limits))
end

-- With a timer, sleep() and its kin take their time: without one, no program can tell that they do not.
local sleeps = [[
#include <sys/time.h>
#include <unistd.h>
static void rest(unsigned us)
{
	struct itimerval far = { .it_value.tv_sec = 1000 };
	setitimer(ITIMER_REAL, &far, 0);
	usleep(us);
}
]]

-- A run that needs more time than runs have at first gets it when nothing else is left.
do
	tap.spit("slow.c", sleeps .. "int f(int x) { rest(1200000); return x == 7 ? 1 : 2; }\n")
	local _, out, err = tap.run("duct concolic slow.c --entry f --json --quiet --time 20")
	local r = json.decode(out)
	tap.ok(r.branches.total == 2 and r.branches.covered == 2 and #r.failures == 0,
		"the time of a run is a limit that widens", out .. err)
end

-- A run that takes longer than others is put off; when it was made again, with more time, no limit was reached.
do
	tap.spit("later.c", [[
static void work(void)
{
	for (volatile unsigned i = 0; i < 60000000; i++)
		;
}
int f(int x, int y)
{
	if (x == 5) {
		work();
		if (y == 3)
			return 1;
		return x > 7 ? 3 : 1;
	}
	return 2;
}]])
	local _, out, err = tap.run("duct concolic later.c --entry f --json --quiet --time 60 --timeout 10")
	local r = json.decode(out)
	tap.ok(r.exhausted and r.cut > 0 and r.branches.covered == 7 and r.branches.infeasible == 1 and #r.limits == 0
		and #r.failures == 0, "a run that was put off is made again", out .. err)
end

-- An exact statement of the user is an assumption; under it the space of inputs is closed.
local function closed(entry, options, assumption, infeasible)
	local r, status, err = duct("concolic", entry, options)
	tap.ok(status == 0 and r.exhausted and r.branches.infeasible == infeasible and r.branches.limited == 0
		and table.concat(r.assumptions or {}, "\n"):find(assumption, 1, true), ("%s %s: closed"):format(entry, options),
		err .. table.concat(r.assumptions or {}, "\n") .. json_text(r.limits))
end

closed("closed", "", "", 1)
closed("sum", "--len a=1", "a: 1 element", 1)
closed("some", "--len a=2", "a: 2 elements", 0)
closed("some", "--len a=2 --assume a", "a: 2 elements", 1)
closed("alias", "--len p=1 --len q=1 --distinct all", "all: distinct objects", 1)
closed("apart", "--range x=..0", "x=..0", 1)

-- Coverage is covered / (total - infeasible), and nothing of nothing is no number.
local r = duct("concolic", "closed")
tap.ok(r.branches.coverage == 1 and r.branches.covered == 3 and r.branches.total == 4, "coverage")
tap.ok(r.solver.rounds_max == 1 and r.solver.rounds_mean == 1, "without --partial a question is one query")
local _, out = tap.run("duct concolic t.c --entry set --json --quiet")
tap.ok(out:find('"coverage": null', 1, true), "0 of 0 is null in JSON", out)
_, out = tap.run("duct concolic t.c --entry set --quiet")
tap.ok(out:find("branches: 0 of 0 covered, 0 infeasible, 0 unknown; coverage -\n", 1, true), "and - in text", out)

-- Code after a fault, or before an assumption that always fails, is not infeasible: covered, or unknown.
for entry, unknown in pairs { behind = 2, fatal = 2, before = 2, ["text --len s=4"] = 1 } do
	r = duct("concolic", entry)
	tap.ok(r.branches.infeasible == 0 and (r.branches.unknown == unknown or r.branches.unknown == 0), entry .. ": unknown",
		("%s infeasible, %s unknown"):format(r.branches.infeasible, r.branches.unknown))
end
r = duct("concolic", "stops")
tap.ok(r.branches.infeasible == 1 and r.exhausted, "behind abort: infeasible")

-- A run that ends before the entry decides nothing, and is duct's own error.
tap.spit("boom.c", "#include <stdlib.h>\nvoid boom(void) { abort(); }\nint f(int x) { if (x > 3) return 1; return 0; }\n")
_, out = tap.run("duct concolic boom.c --entry f --init boom --quiet")
tap.ok(out:find("0 infeasible", 1, true)
	and out:find("\nerror: a run ended (abort) before the first statement of the entry at boom.c:3 (1 time)\n", 1, true),
	"a run that dies before the entry", out)

-- Every output says the same.
tap.run("duct concolic t.c --entry text --string s=8 --quiet --store s.db; duct concolic t.c --entry closed --quiet --store c.db")
local function says(command, what, text)
	local _, o = tap.run(command)
	tap.ok(o:find(text, 1, true), what, o)
end
local sentence = "s has at most 8 characters here: --string s=N"
says("duct report --store s.db --branches", "the table",
	"p:true\tunknown\treached by 9 runs, never taken; limits: " .. sentence)
says("duct report --store s.db --branches", "and its end", "# limit: " .. sentence)
says("duct report --store s.db", "text", "\n  " .. sentence .. "\n")
says("duct report --store s.db --html page && cat page/index.html", "the page", sentence)
says("duct report --store s.db --sarif - 2>/dev/null || (duct report --store s.db --sarif x.sarif; cat x.sarif)", "SARIF", sentence)
_, out = tap.run("duct report --store s.db --sarif x.sarif; cat x.sarif")
tap.ok(not out:find('"ruleId": "infeasible"', 1, true) and out:find('"ruleId": "open"', 1, true),
	"what is only limited is open, not infeasible", out)
says("duct report --store s.db --junit j.xml; cat j.xml", "JUnit", '<property name="limit" value="' .. sentence
	.. '"/>')

-- Assumptions that leave nothing are errors.
local function refused(options, message, entry)
	local _, status, err = duct("concolic", entry or "apart", options)
	tap.ok(status == 2 and err:find(message, 1, true), options .. ": refused", ("%s %s"):format(status, err))
end
refused("--assume 0", "no input satisfies the assumptions: 0")
refused("--assume 'x > x'", "no input satisfies the assumptions: x > x")
refused("--range x=9..5", "range 'x=9..5': LOW is more than HIGH")
refused("--assume 'x > 3' --assume 'x < 4'", "no input satisfies the assumptions: x > 3; x < 4")
refused("--assume 'x > x' --jobs 2", "status 2")
refused("--assume 'a[100000000] > 0'", "no input satisfies the assumptions: a[100000000] > 0", "sum")

-- Widening. The program asks what the limit is, as the runtime does.
tap.spit("grow.c", [[
extern void duct_rt_limit(const char *, const char *, unsigned long);
extern unsigned long duct_rt_setup(const char *, const char *);
int f(int x)
{
	unsigned long n = duct_rt_setup("grow:", "objects");
	int i;
	n += 8 * !n;
	for (i = 0; i < x; i++)
		if (i == (int)n) {
			duct_rt_limit("objects", "", n);
			return -1;
		}
	if (i == 40)
		return 1;
	return 0;
}
]])
local function grow(strategy, options)
	local _, o, err = tap.run(("DUCT_OWN_CALLS=1 duct %s grow.c --entry f --json --quiet --time 60 %s"):format(strategy,
		options or ""))
	local fine, found = pcall(json.decode, o)
	return fine and found or { branches = {} }, err, o
end
for _, strategy in ipairs { "concolic", "ippc", "late-aliases", "concolic --pipes", "concolic --jobs 2",
	"concolic --search bfs" } do
	local found, err = grow(strategy, "--runs 2000")
	tap.ok(found.branches.unknown == 0, strategy .. ": widened until all is covered",
		err .. tostring(found.branches.covered))
end
local found, err = grow("dft", "--runs 2000")
tap.ok(found.branches.unknown == 0 and found.branches.total > 0, "dft: widened", err)
found, err = grow("flowtest", "--runs 2000")
tap.ok(found.branches.unknown == 0, "flowtest: widened", err)
local first, second = select(3, grow("concolic", "--runs 300")), select(3, grow("concolic", "--runs 300"))
local function plain(text)
	return (text:gsub('"seconds": [%d.]+', ""):gsub('"cpu": %b{}', ""))
end
tap.is(plain(first), plain(second), "the same seed, the same session")
grow("concolic", "--runs 30 --store g.db")
tap.run("DUCT_OWN_CALLS=1 duct concolic grow.c --entry f --json --quiet --runs 2000 --store g.db --resume >again.json")
local again = json.decode(tap.slurp("again.json"))
tap.ok(again.branches.unknown == 0, "--resume goes on with the limits that there were", again.branches.covered)

-- Preconditions of a function: no failures, but findings where the program tests the pointer elsewhere.
tap.spit("needs.c", [[
int asks(int x, int *out, char *a)
{
	if (x == 5)
		*out = 1;
	if (x == 6)
		return a[1L << 36];
	return x == 7;
}
int inconsistent(int x, int *p)
{
	int y = 0;
	if (x == 5)
		y = *p;
	if (p)
		y = 1;
	return y;
}
]])
local function needs(entry, options)
	local _, o, err = tap.run(("duct concolic needs.c --entry %s --json --quiet --store n.db %s"):format(entry,
		options or ""))
	local fine, result = pcall(json.decode, o)
	return fine and result or { branches = {} }, err
end
local asked, err = needs("asks")
tap.ok(#(asked.failures or {}) == 0 and #asked.needs == 2 and asked.needs[1].text == "out != NULL"
	and asked.needs[1]["function"] == "asks" and asked.needs[1].line == 4 and asked.needs[1].count == 1
	and asked.needs[2].text == "a != NULL", "needs", err)
tap.ok(not asked.exhausted and asked.limits[#asked.limits].kind == "size", "an object that cannot be made so large is a limit")
says("duct report --store n.db", "text lists them", "\n  asks: out != NULL at needs.c:4 (1 run)\n")
says("duct report --store n.db --html page && cat page/index.html", "so does the page", '["asks","out != NULL",0,4,')
local called = duct("concolic", "text", "--string s=4")
tap.ok(#(called.failures or {}) == 0 and #called.needs == 1 and called.needs[1].text == "s != NULL",
	"NULL that a library function dereferences")
local found = needs("inconsistent")
tap.ok(#(found.needs or {}) == 0 and #found.failures == 1 and found.failures[1].kind == "null"
	and found.failures[1].line == 13
	and found.failures[1].test > 0 and found.failures[1].message == "p is NULL here, and the function tests it for that",
	"a pointer that is tested elsewhere: a finding")
tap.spit("shared.c", [[
struct n { struct n *next; int v; };
int far(char *a, char *b, unsigned long i)
{
	b[0] = 2;
	if (i > 0xbffffffffffffff0 && i + 3 == 0xc000000000000000)
		b[i] = 1;
	return a[0] == 2;
}
struct l { struct n *mark; };
int moved(struct n *t, struct l *l)
{
	t->next = 0;
	if (l->mark == t)
		return l->mark->next->v;
	return 3;
}
int asked(struct n *t, struct l *l)
{
	t->v = 0;
	return l->mark == t ? 1 : 0;
}
]])
local _, text = tap.run("duct concolic shared.c --entry far --quiet --may-alias a,b")
tap.ok(text:find("failures: none", 1, true), "an index that leaves all memory, of a pointer into one of several objects", text)
_, text = tap.run("duct concolic shared.c --entry moved --quiet")
tap.ok(text:find("failures: none", 1, true) and text:find("moved: l points to an object of its own", 1, true),
	"a fault of runs that share objects alone is none of the program's", text)
_, text = tap.run("duct concolic shared.c --entry asked --quiet")
tap.ok(text:find("branches: 2 of 2 covered", 1, true), "whether a pointer in a structure leads to another object", text)
tap.spit("after.c", [[
#include <stddef.h>
#define RELEASE(p) do { if (p) (p)->a = 0; } while (0)
struct s { int a, b; };
int after(struct s *p) { int q = p->a; if (p == NULL) return -1; return q > p->b; }
char *strchr(const char *, int);
int found(char *s) { char *t = strchr(s, 'x'); if (!t) return 1; return strchr(s, 'y') != NULL; }
int by_macro(struct s *p) { int q = p->a; RELEASE(p); return q; }
int needed(struct s *p, int n) { int q = 0; for (int i = 0; i < n; i++) q += p[i].a; if (!p) q++; return q; }
int contradicts(struct s *p, int n) { if (!p) n = 2; if (n) p->a = 1; return 0; }
]])
_, text = tap.run("duct concolic after.c --entry after --quiet")
tap.ok(text:find("null pointer dereferenced at after.c:4 in after: p is NULL here, and the function tests it for that", 1,
	true), "a pointer that is tested after its use: a finding", text)
_, text = tap.run("duct concolic after.c --entry by_macro --quiet")
_, found = tap.run("duct concolic after.c --entry found --quiet")
tap.ok(found:find("failures: none", 1, true) and found:find("found: s != NULL", 1, true),
	"no finding when what strchr found is tested", found)
tap.ok(text:find("failures: none", 1, true) and text:find("by_macro: p != NULL", 1, true),
	"no finding when a macro tests its argument after its use", text)
_, text = tap.run("duct concolic after.c --entry needed --quiet")
tap.ok(text:find("failures: none", 1, true) and text:find("needed: p != NULL at after.c:8", 1, true),
	"no finding where a test does not need the access before it", text)
_, text = tap.run("duct concolic after.c --entry contradicts --quiet")
tap.ok(text:find("null pointer dereferenced at after.c:9 in contradicts: p is NULL here", 1, true),
	"a finding where the run tested the pointer before", text)
found = needs("inconsistent", "--assume-needs")
tap.ok(#(found.failures or {}) == 0 and #found.needs == 1 and table.concat(found.assumptions,
	"\n"):find("p != NULL", 1, true),
	"--assume-needs: it is assumed", table.concat(found.assumptions or {}, "\n"))

-- NULL that only duct passed, in other places than a plain access, and offsets that leave all memory.
tap.spit("null.c", [[
#include <string.h>
struct box { void (*done)(int); char *text; unsigned long at; };
int callee(int (*c)(int), int x) { return c(x) == 3; }
int member(struct box *b) { if (b->at == 9) b->done(3); return 0; }
int behind(struct box *b) { if (b->at < 100) b->text[b->at - 1] = 0; return 0; }
int copies(char *d, unsigned long at) { memcpy(d + at, "abc", 3); return 0; }
int far(char *a, long i) { if (i > 1L << 50) a[i] = 1; return 0; }
int tested(int (*c)(int), int x) { if (!c) x = 3; return c(x); }
]])
for entry, need in pairs { callee = "c != NULL", member = "b[0].done != NULL", behind = "b[0].text != NULL",
	copies = "d != NULL",
	far = "a != NULL" } do
	local _, o = tap.run(("duct concolic null.c --entry %s --json --quiet --runs 100"):format(entry))
	local r = json.decode(o)
	local has = false
	for _, n in ipairs(r.needs) do has = has or n.text == need end
	tap.ok(#r.failures == 0 and has and r.mispredicted == 0, "no finding, but a need: " .. entry, o)
end
local _, o = tap.run("duct concolic null.c --entry tested --json --quiet --runs 100")
tap.is(json.decode(o).failures[1].message, "c is NULL here, and the function tests it for that",
	"a callee that was tested for NULL: a finding")

-- The same of the C library: a function with a model, one without, and strtok, which goes on with what a call before left.
tap.spit("library.c", [[
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int writes(const char *p) { return fwrite(p, 1, 4, stdout) == 4; }
int asks(const char *name) { return getenv(name) != 0; }
int splits(char *s) { return strtok(s, ",") != 0; }
int mixes(char *s) { strfry(s); return s[0] == 'a'; }
int mixes_own(int x) { char t[] = "ab", *p = x == 3 ? 0 : t; strfry(p); return x; }
int goes_on(int x) { if (x == 3) return strtok(0, ",") != 0; return x; }
int main(void) { return strtok(0, ",") == 0; }
]])
for entry, need in pairs { writes = "p != NULL", asks = "name != NULL", splits = "s != NULL", mixes = "s != NULL",
	goes_on = "strtok() was called before", mixes_own = false, main = false } do
	local _, o, err = tap.run(("duct concolic library.c --entry %s --json --quiet --runs 20"):format(entry))
	local r = json.decode(o)
	local first = r.needs[1] and r.needs[1].text or false
	tap.ok(first == need and #r.failures == (need and 0 or 1) and not (need and r.exhausted),
		"library: " .. entry .. (need and ": a need" or ": a finding"), o .. err)
end

-- A block of symbolic length that begins where the path has one address only.
tap.spit("part.c", [[
#include <stdlib.h>
#include <string.h>
int part(const char *s, unsigned at, unsigned n)
{
	char *p = n > 0 && n < 8 && at == 3 ? malloc(n + 2) : NULL;
	int last = -1;
	if (!p)
		return last;
	p[0] = 1;
	memcpy(p + 1, s + at, n);
	p[n + 1] = 0;
	last = p[n] == 7;
	free(p);
	return last;
}
]])
_, o = tap.run("duct concolic part.c --entry part --json --quiet --runs 100")
local part = json.decode(o)
tap.ok(#part.failures == 0 and #part.lost == 0 and part.branches.covered == 8 and part.mispredicted == 0,
	"a part of a block that grows: no finding, and nothing is lost", o)

-- A session that is over before anything was run within wider limits has proved nothing.
tap.spit("widens.lua", [[
return function(session)
	local search = session:search()
	for path in session:start() do search:update(path) end
	while not search:empty() do
		local branch = search:select()
		local input = session:solve(branch)
		if input then search:update(session:run(input, branch)) end
	end
	assert(session:widen())
end
]])
tap.spit("ring.c", [[
struct node { int v; struct node *next; };
int f(struct node *l)
{
	struct node *slow = l, *fast = l;
	while (fast && fast->next) {
		slow = slow->next;
		fast = fast->next->next;
		if (slow == fast)
			return 9;
	}
	return 0;
}
]])
_, o = tap.run("duct ./widens.lua ring.c --entry f --json --quiet --runs 300")
local widened_last = json.decode(o)
tap.ok(not widened_last.exhausted and widened_last.branches.infeasible == 0,
	"wider limits that nothing was run within prove nothing", o)

-- Assumptions of a proof are reported like any other limit; objectives that are open because a call was not followed say so.
tap.spit("earlier.c", [[
int f(const int *p, unsigned n)
{
	static int calls;
	int r = p && *p == 9;

	if (calls++ == 100000)
		r = 3;
	return r + (n > 3);
}
]])
_, o = tap.run("duct concolic earlier.c --entry f --prove --quiet --runs 2 --store e.db && duct report e.db --branches")
tap.ok(o:find("limits: [^\n]*calls has its initial value here: %-%-calls N or %-%-global calls")
	and not o:find("limits: [^\n]*, null p"), "limits of a proof are sentences, with their options", o)
tap.spit("lost.c", [[
#include <wchar.h>
int main(void)
{
	if (getwchar() == 'q')
		return 1;
	return 0;
}
]])
_, o = tap.run("duct concolic lost.c --quiet")
tap.ok(o:find("never taken; lost: input of getwchar, which is not followed at lost.c:4", 1, true),
	"what was not followed is the evidence", o)

-- A search that gives up before all paths within the limits were run, and then widens them, does not blame them.
tap.spit("early.lua", [[
local steps = require "duct.steps"
return function(session)
	local search = steps.first(session)
	while not session:wider() do
		steps.flip(session, search, search:select())
	end
	assert(not search:empty() and session:widen())
	for _ in session:start() do end
end
]])
tap.spit("early.c", "int f(char *s, char *t, int k) { t[0] = s[0] ? 1 : 2; if (k == 77 && t[1] == 'x') return 1; return s[1]; }\n")
tap.run "duct ./early.lua early.c --entry f --quiet --store early.db"
_, o = tap.run "duct report early.db --branches"
tap.ok(o:find("unknown\treached by", 1, true) and not o:find("limits: ", 1, true), "limits are not blamed for paths within them", o)
tap.done()
