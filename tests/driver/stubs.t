#!/usr/bin/env lua5.4
-- Functions that nothing defines: what their stubs write, and what must not be concluded from it.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("s.c", [[
#include <string.h>
struct box { char *text; struct box *next; int size; };
int fill(struct box *b, int n);
int look(const struct box *b);
int grow(char **buf, int *size, int n);
int each(int (*f)(void *), void *p);
int poke(int n);
int scans(const char *format, ...);
int old();
struct given { int *p; };
void take(struct given g);
int g;
static int s;
int pointer(int n) { struct box b = { 0, 0, 0 }; fill(&b, n); if (b.text) return 1; return 2; }
int itself(int n) { struct box b = { 0, 0, 0 }; fill(&b, n); if (b.next == &b) return 1; return 2; }
int there(int n) { static char x; struct box b = { &x, 0, 0 }; fill(&b, n); if (b.text != &x) return 1; return 2; }
int behind(int n) { int v = 1; struct box b = { (char *)&v, 0, n }; look(&b); if (v == 7) return 1; return 0; }
int global(int n) { g = n; poke(1); if (g != n) return 1; return 0; }
int state(int n) { s = n; poke(1); if (s != n) return 1; return 0; }
void set(int n) { s = n; }
int variadic(int n) { int v = 0; scans("%d", &v); if (v == 5) return 1; return n; }
int undeclared(int n) { int v = 0; old(&v); if (v == 5) return 1; return n; }
int passed(int n) { int v = 0; struct given g = { &v }; take(g); if (v == 5) return 1; return n; }
int callback(int (*f)(const struct box *))
{
	int v = 1;
	struct box b = { (char *)&v, 0, 0 };
	f(&b);
	if (v == 7)
		return 1;
	return 0;
}
char *copy(const char *t)
{
	static char *buf;
	static int size;
	int n = (int)strlen(t);
	if (!grow(&buf, &size, n + 1))
		return 0;
	memcpy(buf, t, n);
	buf[n] = 0;
	return buf;
}
struct item { struct item *next, *prev; };
struct ring { struct item head; };
void around(struct ring *l, void (*f)(struct item *))
{
	struct item *c, *n;
	for (c = l->head.next, n = c->next; c != &l->head; c = n, n = c->next)
		f(c);
}
_Noreturn void die(const char *, ...);
int fails(int) __attribute__((noreturn));
int ends(int x)
{
	if (x > 7)
		die("%d", x);
	if (x == 3)
		return fails(x);
	return 2;
}
void *malloc(unsigned long);
void free(void *);
int append(void *list, void *item);
int kept(void *list, int n)
{
	char *mine = malloc(4);
	if (!mine || !append(list, &mine)) {
		free(mine);
		return 0;
	}
	return n;
}
void *element(void *list, int i);
struct rule { int kind; char *text; };
int rule(void *list, const char *s)
{
	char **name = element(list, 0);
	struct rule *r = element(list, 1);
	if (name && !strcmp(s, *name))
		return 1;
	return r->kind == 3;
}
int rules(void *list, const char *s)
{
	for (int i = 0; i < 2; i++) {
		struct rule *r = element(list, i);
		if (r->kind == 3 && !strcmp(r->text, s))
			return 1;
	}
	return 0;
}
struct pair { int a, b; };
int fetch(struct pair *);
int changed(struct pair *p, char *s)
{
	int was = p->a;
	if (fetch(p) && p->a == was + 7)
		return 1;
	if (p->b == 3 && scans(s, s) && s[1] == 'x')
		return 2;
	return 0;
}
]])

local function session(entry, options)
	local _, out, err = tap.run(("duct dft s.c --entry %s --prove --json --quiet --time 20 --runs 200 %s"):format(entry,
		options or ""))
	local fine, r = pcall(json.decode, out)
	return fine and r or { branches = {}, pairs = {}, failures = { err } }, out .. err
end

-- All of them can happen: no run and no proof may say that they cannot.
for _, entry in ipairs { "itself", "there", "behind", "global", "state", "callback", "variadic",
	"undeclared", "passed" } do
	local r, text = session(entry)
	tap.ok(r.branches.infeasible == 0 and r.pairs.infeasible == 0, entry .. ": may happen", text)
end
local r, text = session("pointer", "--stub fill")
tap.ok(r.branches.covered == 2, "a stub writes pointers", text)
for entry, stub in pairs { itself = "fill", variadic = "scans", undeclared = "old", passed = "take" } do
	r, text = session(entry, "--stub " .. stub)
	tap.ok(r.branches.infeasible == 0, entry .. ": a stub that was asked for may know the address", text)
end
r, text = session("global", "--stub poke")
tap.ok(r.branches.infeasible == 1 and text:find("changes only the targets of its arguments", 1, true),
	"one that was asked for changes only what its arguments point to", text)

-- What a stub writes, its call defines; what it leaves as it was is still defined by what was written before.
tap.spit("p.c", [[
int sensor(int *v, char *text);
int f(int n)
{
	int x = n;
	char text[4];
	sensor(&x, text);
	if (x > 3)
		return 1;
	if (text[1] == 'q')
		return 2;
	return 0;
}
]])
do
	local _, out, err = tap.run("duct dft p.c --entry f --json --quiet --time 20 --store p.db --out p")
	local fine, given = pcall(json.decode, out)
	local list = select(2, tap.run("duct report p.db --pairs"))
	local open = 0
	for line in list:gmatch "[^\n]+" do
		open = open + (line:find "^f\t" and not line:find "\tcovered\t" and 1 or 0)
	end
	tap.ok(fine and given.branches.covered == 4 and open == 0 and not list:find "x\tp.c:4:%d+\tp.c:6:"
		and list:find "x\tp.c:6:%d+\tp.c:7:%d+\tp:true\tcovered",
		"the call of a stub defines what it writes; it is no use, as nobody knows what it reads", out .. err .. list)
	local status, checked = tap.run("make -s -C p check")
	tap.ok(status == 0 and checked:find(" 0 failed", 1, true), "its tests pass", checked)
end

-- The test of what a stub must give is a need, and the tests of the rest pass.
r, text = session("copy", "--out tests")
local needs = ""
for _, n in ipairs(r.needs or {}) do needs = needs .. n.text .. "; " end
tap.ok(r.branches.covered == 2 and #r.failures == 0 and needs:find("grow%(%)%.1%[0%] != NULL"),
	"a stub that gives NULL: a need", text)
local status, out = tap.run("make -C tests check")
tap.ok(status == 0 and out:find("duct_give_behind", 1, true) == nil and out:find(" 0 failed", 1, true),
	"its tests pass", out)
tap.ok(tap.slurp("tests/tests.c"):find("duct_give_behind(\"grow().1[0]\", 0, ", 1, true), "they set the pointer")

-- What nothing has read before the call has any value, so that no path asks what a stub wrote there. Lists end at their
-- head, which begins with an item.
r, text = session("around")
tap.ok(r.branches.covered == 2 and r.pairs.covered == r.pairs.total and r.runs <= 40, "lists that a callback is given",
	text)
r, text = session("changed")
tap.ok(r.branches.covered == r.branches.total, "a stub changes what was read, and what was not", text)
r, text = session("kept")
tap.ok(r.branches.covered == 4 and #r.failures == 0 and text:find("that they reach through append().2", 1, true),
	"a stub makes up no address where the program has a pointer", text)
-- A result of type `void *` is what the entry takes it for; bytes where it takes it for two things.
r, text = session("rules", "--out rules")
status, out = tap.run("make -C rules check")
tap.ok(r.branches.covered == 6 and r.branches.total == 6 and #r.failures == 0 and status == 0
	and out:find(" 0 failed", 1, true), "a container gives structures with texts", text .. out)
r, text = session("rule")
tap.ok(r.branches.infeasible == 0 and r.pairs.infeasible == 0, "it gives two things: no outcome is infeasible", text)
r, text = session("ends", "--out ends")
status, out = tap.run("make -C ends check")
tap.ok(r.branches.covered == 4 and #r.failures == 0 and #r.lost == 0 and status == 0 and out:find("3 passed, 0 failed", 1,
	true), "stubs of functions that do not return end the run", text .. out)

-- An inline definition of C99 is the function's, unless another file has an external one.
tap.spit("half.h", "inline int half(int x) { if (x > 9) return x / 2; return 0; }\n")
tap.spit("in.c", '#include "half.h"\nint f(int x) { if (half(x) == 7) return 1; return 2; }\n')
tap.spit("out.c", '#include "half.h"\nextern int half(int);\n')
for _, files in ipairs { "in.c", "in.c out.c" } do
	local _, told, err = tap.run(("duct dft %s --entry f --time 20 --quiet --force --out inline"):format(files))
	local made, ran = tap.run("make -C inline check")
	tap.ok(told:find("branches: 4 of 4", 1, true) and made == 0 and ran:find("3 passed, 0 failed", 1, true),
		files .. ": inline functions", told .. err .. ran)
end

-- Pairs within functions that an undefined one may call back: those whose address the entry's code or an initialiser has.
tap.spit("back.c", [[
#include <stdlib.h>
int each(int *a, int (*f)(int));
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void sorted(int *a, size_t n) { qsort(a, n, sizeof *a, order); }
static int twice(int x) { int y = 2 * x; return y; }
static int hooked(int x) { int y = 3 * x; return y; }
int (*hook)(int) = hooked;
int go(int *a) { int r = each(a, twice); return r > 3; }
]])
local _, pairs_of_go = tap.run("duct cfg-dump back.c >back.flow && defuse -e go back.flow")
for name, is_there in pairs { order = false, twice = true, hooked = true } do
	tap.ok((pairs_of_go:find("\t" .. name .. "\n") ~= nil) == is_there, "called back, or not: " .. name, pairs_of_go)
end

-- Calls of a pointer come to functions of its type alone, though the harness has tables of others.
tap.spit("types.c", [[
#include <stdlib.h>
struct parser { int (*step)(struct parser *, const char *); void *(*alloc)(size_t); int n; };
static int second(struct parser *p, const char *s) { return s[1] == 'b' ? p->n : 0; }
static int first(struct parser *p, const char *s) { p->step = second; return s[0] == 'a'; }
void init(struct parser *p) { p->step = first; }
int make(struct parser *p) { return p->alloc(p->n) != NULL; }
]])
local _, of_make = tap.run("duct concolic types.c --entry make --time 1 --json --quiet")
tap.ok(json.decode(of_make).branches.total == 0, "handlers of another type are not reached", of_make)

-- The answers of undefined functions that are arguments of one call come in the order in which the compiler evaluates these.
tap.spit("ordered.c", [[
int num(int n);
static int two(int a, int b) { return 2 * a + b; }
int ordered(void) { return two(num(1), num(2)) == 7 ? 1 : 0; }
int after(void) { int a = num(1), b = num(2); return two(a, b) == 7; }
]])
for entry, fixed in pairs { ordered = false, after = true } do
	local status, said, err = tap.run(("duct dft ordered.c --entry %s --time 10 --quiet --store ordered.db --out %s.d && make -s -C %s.d check")
		:format(entry, entry, entry))
	tap.ok(status == 0 and said:find(" 0 failed", 1, true), entry .. ": its tests pass, whatever the order", said .. err)
	tap.ok((tap.slurp(entry .. ".d/tests.c"):find("may differ elsewhere: the arguments at ordered.c:3", 1, true) == nil) == fixed,
		entry .. ": its tests say what they depend on")
end

-- Padding of a local structure that is copied into memory of a callback's is not known: tests do not compare it.
tap.spit("padding.c", [[
struct part { unsigned char kind; unsigned short n; union { unsigned x; void *p; } v; };
struct room { void *(*get)(unsigned long); };
int padding(struct room *s, int n)
{
	struct part r, *q = s->get(2 * sizeof *q);
	if (!q)
		return 1;
	r.kind = 3, r.n = n, r.v.x = 5;
	q[0] = r, q[1] = r;
	return n > 4 ? 2 : 0;
}
]])
local status, said, err = tap.run "duct dft padding.c --entry padding --time 10 --quiet --store padding.db --out padding.d && make -s -C padding.d check"
tap.ok(status == 0 and said:find(" 0 failed", 1, true), "copied padding is not compared", said .. err)
tap.ok(tap.slurp("padding.d/tests.c"):find("callback%d+ %+ 8, \"\\005\""), "the members are", tap.slurp("padding.d/tests.c"))

-- Addresses of functions and objects in memory of a callback's differ in the next process, and so do single bytes of them.
tap.spit("addresses.c", [[
struct stream { void *owner; int (*flush)(int); unsigned char *buffer, *end; int n; unsigned char *at, block[40000]; };
struct room { void *(*get)(unsigned long); };
static int flush(int x) { return x + 1; }
struct stream *addresses(struct room *s, int n)
{
	struct stream *z = s->get(sizeof *z);
	if (!z || !(z->buffer = s->get(n)))
		return 0;
	z->owner = s, z->flush = flush, z->end = z->buffer, z->n = n + 70000, z->at = z->block + 39000;
	return z;
}
]])
status, said, err = tap.run [[duct dft addresses.c --entry addresses --time 10 --quiet --store addresses.db --out addresses.d &&
	make -s -C addresses.d check && for i in 1 2 3 4; do addresses.d/tests || exit 1; done]]
tap.ok(status == 0 and not said:find("[1-9]%d* failed"), "addresses are not compared", said .. err)
tap.ok(tap.slurp("addresses.d/tests.c"):find("callback%d+ %+ 32, \""), "what is beside them is", tap.slurp("addresses.d/tests.c"))

-- What an undefined function writes into an object of the caller's is a definition, also where nothing has read it yet.
tap.spit("couples.c", [[
struct s { int m, n; };
void setup(struct s *);
int couples(struct s *s)
{
	setup(s);
	return s->n > 3 ? s->m : 0;
}
void fill(char *, int);
int filled(char *buf, int n)
{
	int r = 0;
	fill(buf, n);
	for (int i = 0; i < n; i++)
		r += buf[i] == 'x';
	return r > 2;
}
]])
for entry, pairs in pairs { couples = 10, filled = 19 } do
	status, said, err = tap.run(([[duct dft couples.c --entry %s --time 20 --quiet --store %s.db --out %s.d && make -s -C %s.d check &&
		duct recount %s.db]]):format(entry, entry, entry, entry, entry))
	local covered, all = said:match("pairs: (%d+) of (%d+) covered")
	tap.ok(status == 0 and covered == all and tonumber(all) >= pairs and said:find(" 0 failed", 1, true),
		entry .. ": pairs with the call of an undefined function", said .. err)
end

-- Parameters that are pointers to functions do not make a function variadic, or one without a prototype, and undefined functions
-- may give pointers to functions.
tap.spit("pointers.c", [[
typedef int (*print)(const char *, ...);
typedef int (*next)(int);
int show(int x, print p);
int old(int x, int (*f)());
next lookup(int k);
static int mine(int x) { return x + 1; }
int passes(int x, print p, int (*g)()) { return show(x, p) > 3 ? 1 : old(x, g) > 3 ? 2 : 0; }
int gives(int x)
{
	next f = lookup(x);
	if (!f)
		return 1;
	if (f == mine)
		return 2;
	return f(2) > 3 ? 3 : 4;
}
]])
for entry, outcomes in pairs { passes = 4, gives = 6 } do
	status, said, err = tap.run(([[duct concolic pointers.c --entry %s --time 20 --quiet --store %s.db --out %s.d && make -s -C %s.d check &&
		duct recount %s.db]]):format(entry, entry, entry, entry, entry))
	tap.ok(status == 0 and said:find(("branches: %d of %d covered"):format(outcomes, outcomes)) and said:find(" 0 failed", 1, true)
		and said:find(("takes branches %d of %d"):format(outcomes, outcomes)),
		entry .. ": pointers to functions as arguments and results of undefined functions", said .. err)
end
tap.done()
