#!/usr/bin/env lua5.4
-- Assertions about what a caller passes are preconditions, not findings; those about what the program computed, about
-- answers of stubs and of the environment, and all in main, are findings. Undefined functions that the entry cannot call
-- are no limit of it.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("a.c", [[
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
struct s { int state; unsigned flags; };
int half(int x);
int scalar(int n) { assert(n > 0); return n > 3; }
int pointer(struct s *p) { assert(p); assert(p->flags & 4); return p->state == 3; }
int implied(struct s *p) { if (p->flags & 4) return 1; assert(p->flags & 4); return 0; }
int answered(long (*cb)(char, long), int n) { assert(cb('a', n) != 3); return n > 3; }
static int inner(int m) { assert(m != 8); return m > 1; }
int callee(int n) { return inner(n); }
int computed(int n) { int y = n * 2; assert(y != 14); return 0; }
int sum(int n, int m) { assert(n + m < 100 && n > 0); return 0; }
int added(struct s *p, int m) { int n = p->state; n += m; n *= 2; assert(n != 14); return 0; }
int copied(int n) { int y = n; assert(y != 14); return 0; }
int stubbed(int n) { assert(half(n) != 3); return 0; }
int asked(int n) { int c = getchar(); assert(c != 'x'); return n; }
int constant(int n) { if (n == 5) assert(0 && "never"); return n; }
int state(struct s *p)
{
	switch (p->state) {
	case 0: return 1;
	case 1: return 2;
	default: assert(0 && "unknown state");
	}
	return 3;
}
int member(struct s *p) { int n = p->state; n++; assert(n == 1); return n; }
struct tree { struct tree *next, *parent; int state; };
int walk(struct tree *t) { if (t->next) return 1; if (t->parent) return 2; assert(false); return 3; }
int tenth(int n) { if (n == 10) assert(0); return n; }
int main(int argc, char **argv) { (void)argv; assert(argc < 2); return 0; }
]])

local function session(entry, options)
	local status, out, err = tap.run(("duct concolic a.c --entry %s --json --quiet --time 20 %s"):format(entry, options or ""))
	local fine, r = pcall(json.decode, out)
	if not fine then
		tap.ok(false, entry, ("%s %s"):format(status, err))
		return { failures = {}, needs = {}, limits = {}, branches = {} }
	end
	return r, out
end

for entry, needs in pairs { scalar = { "n > 0" }, pointer = { "p", "p->flags & 4" }, callee = { "m != 8" },
	implied = { "p != NULL", "p->flags & 4" }, answered = { "cb != NULL", "cb('a', n) != 3" },
	stubbed = { "half(n) != 3" }, member = { "n == 1", "p != NULL" },
	sum = { "n + m < 100 && n > 0" }, added = { "n != 14", "p != NULL" },
	walk = { "t != NULL", "t->parent has none of the values for which the assertion fails" }, state = { "p != NULL", "p->state has none of the values for which the assertion fails" } } do
	local r, out = session(entry)
	local texts = {}
	for i, n in ipairs(r.needs) do
		texts[i] = n.text
		tap.ok((n.kind == "assert" or n.kind == "value" or n.kind == "null") and n.line > 0 and n.file == "a.c", entry .. ": the need has its place", out)
	end
	table.sort(texts)
	tap.is(table.concat(texts, "; "), table.concat(needs, "; "), entry .. ": needs")
	-- that an assertion holds which the function has refuted before is infeasible
	tap.ok(#r.failures == 0 and r.branches.covered + (entry == "implied" and 1 or 0) == r.branches.total, entry .. ": no finding, all covered", out)
end
for _, entry in ipairs { "computed", "copied", "asked", "constant", "tenth", "main" } do
	local r, out = session(entry)
	tap.ok(#r.failures == 1 and r.failures[1].kind == "assert" and #r.needs == 0, entry .. ": a finding", out)
end

local r, out = session("scalar", "--assume-needs")
tap.ok(#r.failures == 0 and r.exhausted and r.branches.infeasible == 1
	and table.concat(r.assumptions, "\n"):find("scalar: n > 0", 1, true), "--assume-needs: the assertion is assumed", out)
tap.run("duct concolic a.c --entry pointer --quiet --out made")
local status, check = tap.run("make -s -C made check")
tap.ok(status == 0 and check:find(" 0 failed", 1, true), "the tests that break a need fail as recorded", check)

-- Functions that do not terminate for some arguments of the caller.
tap.spit("b.c", [[
#include <string.h>
struct hooks { void (*release)(void *); };
static struct hooks *now;
void calls_itself(void *p) { now->release(p); }
int hook(struct hooks *h, void *p) { now = h; h->release(p); return p ? 1 : 2; }
unsigned gcd(unsigned a, unsigned b) { while (a != b) if (a > b) a -= b; else b -= a; return a; }
struct queue { int count, done; };
static char room[1 << 20];
int count(int n, int (*compare)(const void *, const void *))
{
	int less = 0;
	while (n != 7)
		memset(room, 0, sizeof room), less += compare(&room[n & 1], &room[2]) < 0, n += 2;
	return less;
}
static void step(struct queue *q) { memset(room, q->done, sizeof room); memset(room, q->done + 1, sizeof room); }
int drain(struct queue *q) { while (q->count > 0) step(q); return q->done; }
int parse(const char *s)
{
	int n = 0;
	while (*s)
		if (*s == 'a')
			s++, n++;
		else if (*s != '!')
			return -1;
	return n;
}
]])
for entry, text in pairs { hook = "h[0].release() does not call itself without end",
	gcd = "values for which the loop `a != b` ends", drain = "values for which the loop `q->count > 0` ends",
	count = "values for which the loop `n != 7` ends" } do
	-- on a busy machine a second is not enough for a stack to overflow
	local slow = entry == "hook" and "20 --timeout 15" or "60 --timeout 0.1 --runs 8"
	local _, text_out = tap.run(("duct concolic b.c --entry %s --quiet --time %s"):format(entry, slow))
	tap.ok(text_out:find("failures: none", 1, true) and text_out:find(text, 1, true), entry .. ": a need", text_out)
end
-- A run that stops in the stub of a callback; its test is no failure in other formats, either.
tap.spit("spin.c", "int spin(int *room, int (*step)(void)) {\n\twhile (*room)\n\t\tstep();\n\treturn 0;\n}\n")
local _, spins = tap.run("duct concolic spin.c --entry spin --quiet --time 20 --runs 6 --timeout 0.1 --store spin.db")
tap.ok(spins:find("failures: none", 1, true) and spins:find("spin: values for which the loop `*room` ends at spin.c:2", 1, true)
	and not spins:find "duct[_-]stub" and not spins:find "duct-harness", "a loop around a callback: a need of the loop", spins)
local _, junit = tap.run("duct report spin.db --junit -")
tap.ok(junit:find(' failures="0" errors="0" skipped="1" ', 1, true) and junit:find("<skipped message=", 1, true),
	"... and skipped in JUnit", junit)
-- ... but not a run that only duct makes long, as all of its 8 million sums are symbolic.
tap.spit("sums.c", [[
int sums(const unsigned char *s)
{
	unsigned sum = 0;
	for (int k = 0; k < 1000000; k++)
		for (int i = 0; i < 8; i++)
			sum = sum * 31 + s[i];
	return sum % 7 == 3;
}
]])
local _, long = tap.run("duct concolic sums.c --entry sums --quiet --time 8 --timeout 0.5 --runs 3")
tap.ok(long:find("failures: none", 1, true) and long:find("a run has at most 0.5 s here", 1, true), "a run that is slow: no finding", long)
local _, parsed = tap.run("duct concolic b.c --entry parse --quiet --time 20 --timeout 0.15 --runs 15")
tap.ok(parsed:find("time limit of a run at b.c:", 1, true), "a text that is parsed without end: a finding", parsed)

r = session("scalar")
tap.ok(#r.limits == 0 and r.exhausted, "a stub that the entry cannot call is no limit")
r = session("stubbed")
tap.ok(#r.limits == 1 and r.limits[1].kind == "stub", "one that it calls is")

-- An index into an object so large that what lies where in it is not followed.
tap.spit("large.c", [[
static char large[8 << 20];
int set(int i) { large[i] = 1; return large[7]; }
]])
local _, any_index = tap.run("duct concolic large.c --entry set --time 3 --quiet")
tap.ok(any_index:find("failures: none", 1, true) and any_index:find("set: 0 <= i <= 8388607 at large.c:2", 1, true),
	"an index of the caller's into a large object is a need, too", any_index)

-- Calls that may fail in loops that callers bound; assertions about pointers that may lead into several objects.
tap.spit("blocks.c", [[
#include <assert.h>
#include <errno.h>
#include <unistd.h>
int fill(int fd, unsigned n)
{
	char block[1024] = { 0 };
	if (n < 1000000)
		return 0;
	while (n) {
		int l = write(fd, block, sizeof block);
		if (l > 0)
			n -= l / 1024;
		else if (l < 0 && errno != EINTR)
			return -1;
	}
	return 1;
}
int drain(int fd)
{
	char block[1024] = { 0 };
	for (;;)
		if (write(fd, block, sizeof block) < 0)
			return -1;
}
struct node { int tag; struct node *parent; };
int join(struct node *list, struct node *n)
{
	assert(n->parent == NULL);
	n->parent = list;
	return list->tag == 4;
}
]])
local blocks = {}
for _, entry in ipairs { "fill", "drain", "join" } do
	blocks[entry] = select(2, tap.run(("duct dft blocks.c --entry %s --quiet --runs 60 --time 20"):format(entry)))
end
tap.ok(blocks.fill:find("failures: none", 1, true) and blocks.fill:find("the loop `n` ends", 1, true),
	"a loop that writes as often as callers say, and whose writes may fail: a need", blocks.fill)
tap.ok(blocks.drain:find("output limit of a run", 1, true), "one that writes without end: a finding", blocks.drain)
tap.ok(blocks.join:find("failures: none", 1, true) and blocks.join:find("n->parent == NULL", 1, true),
	"an assertion about a pointer that may lead into another object: a need", blocks.join)
-- Numbers of elements for which no array is large enough, in a library function that copies them.
tap.spit("sort.c", [[
#include <stdlib.h>
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int sort(int *a, size_t n) { qsort(a, n, sizeof *a, order); return n > 2; }
]])
local _, sorted = tap.run("duct concolic sort.c --entry sort --runs 60 --time 2 --json 2>/dev/null")
tap.ok(#json.decode(sorted).failures == 0, "qsort of more elements than there can be is no finding", sorted)

-- A length that wraps around, in a block of the caller's.
tap.spit("moves.c", [[
#include <string.h>
struct list { void **array; size_t length; };
int delete(struct list *l, size_t i, size_t count)
{
	size_t stop = i + count;
	if (i >= l->length || stop < i || stop > l->length)
		return -1;
	memmove(l->array + i, l->array + stop, (l->length - stop) * sizeof *l->array);
	memset(l->array + i, 0, (l->length - stop) * sizeof *l->array);
	l->length -= count;
	return 0;
}
]])
local _, moved = tap.run("duct concolic moves.c --entry delete --runs 200 --json 2>/dev/null")
tap.ok(#json.decode(moved).failures == 0, "blocks that are longer than what a caller passes are no finding", moved)
-- A length that is no object's: the block that is read has it, too. One that only the block that is written lacks is a finding.
tap.spit("piece.c", [[
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int piece(const char *s, int l)
{
	char *p = malloc(l + 1);
	int r;
	if (!p)
		return -1;
	memcpy(p, s, l);
	p[l] = 0;
	r = p[0] == 'x';
	free(p);
	return r;
}
void octal(int n, char *to, size_t size) { snprintf(to, size, "%*o", (int)size - 1, n); to[size - 1] = ' '; }
int fixed(const char *s, size_t n) { char p[8]; memcpy(p, s, n); return n && p[0] == 'x'; }
]])
for entry, found in pairs { piece = 0, fixed = 1, octal = 0 } do
	local _, text_out = tap.run(("duct concolic piece.c --entry %s --runs 300 --time 8 --json --quiet 2>/dev/null"):format(entry))
	local report = json.decode(text_out)
	tap.ok(#report.failures == found and report.branches.covered == report.branches.total, entry .. ": lengths of blocks", text_out)
end

-- What is behind a `void *`: of the type that the function copies it to, else bytes.
tap.spit("void.c", [[
#include <string.h>
struct node { int v; struct node *next; };
int order(const void *a, const void *b) { const struct node *x = a, *y = b; return x->next->v < y->next->v ? -1 : 1; }
int bytes(void *p) { return ((struct node *)p)->next->v == 3 ? 1 : 0; }
int library(void *p) { char *s = *(char **)p; return s && strlen(s) > 3; }
struct out { char *at; int room; struct out *next; };
static int put(const char *b, void *data)
{
	struct out *o = data;
	if (!o->room)
		return o->next ? o->next->at[0] : -1;
	o->at[0] = b[0];
	return 1;
}
static int skip(const char *b, void *data) { (void)data; return b[0] == 'y'; }
static int twice(int k, int (*f)(const char *, void *), void *data) { return f(k > 3 ? "x" : "y", data) + f("z", data); }
int dump(int k, int (*f)(const char *, void *), void *data) { if (k == 9) return 4; return twice(k, f, data); }
int use(int k) { struct out o = { 0 }; return dump(k, k == 1 ? put : skip, &o); }
]])
local _, void = tap.run("duct concolic void.c --entry order --quiet --time 20 --out void-tests")
tap.ok(void:find("branches: 2 of 2 covered", 1, true) and void:find("failures: none", 1, true)
	and void:find("order: a[0].next != NULL", 1, true), "void *: the type that it is copied to", void)
local built, ran = tap.run("make -s -C void-tests check")
tap.ok(built == 0 and ran:find(" 0 failed", 1, true), "void *: its tests pass", ran)
_, void = tap.run("duct concolic void.c --entry dump --quiet --time 8")
tap.ok(void:find("branches: 8 of 8 covered", 1, true) and void:find("data[0].at != NULL", 1, true)
	and not void:find("data is NULL or an object", 1, true),
	"void *: the type that a callback copies it to", void)
_, void = tap.run("duct concolic void.c --entry bytes --quiet --time 4")
tap.ok(void:find("failures: none", 1, true) and void:find("bytes: p", 1, true),
	"void *: a NULL of the caller's bytes is a need", void)
_, void = tap.run("duct concolic void.c --entry library --quiet --time 4")
tap.ok(void:find("failures: none", 1, true)
	and void:find("a pointer to an object, or NULL, begins at", 1, true),
	"void *: so is what a function of the library reads through them", void)
-- An offset to NULL, which only the library follows, and a pointer to a function in the place of one to data.
tap.spit("kept.c", [[
#include <stdio.h>
struct buf { char *b; size_t size, room; };
int put(struct buf *b, int x) { return snprintf(b->b + b->size, b->room - b->size, "%d", x) > 3; }
struct head { int (*data)(struct head *, int); };
struct whole { struct head up; int *target; };
int feed(struct head *c, int x) { struct whole *b = (struct whole *)c; *b->target = x; return x > 3; }
]])
for entry, need in pairs { put = "put: b", feed = "c%[0%].whole.target != NULL" } do
	local _, told = tap.run(("duct dft kept.c --entry %s --quiet --runs 40 --time 6"):format(entry))
	tap.ok(told:find("failures: none", 1, true) and told:find(need), entry .. ": a need", told)
end
-- An index into an array that is a part of the caller's structure; one that the function bounds badly is its own.
tap.spit("part.c", [[
struct s { int state; char buf[5]; unsigned long pos; };
int next(struct s *p) { if (!p->buf[p->pos]) { p->buf[0] = 3; p->pos = 0; } return p->buf[p->pos++]; }
int before(struct s *p) { return p->buf[p->state - 1]; }
int late(struct s *p) { if (p->pos < 5) p->pos++; return p->buf[p->pos]; }
int over(struct s *p, int i) { return i >= 0 && i <= 5 ? p->buf[i] : 0; }
]])
for entry, need in pairs { next = "next: p%[0%].pos <= 4", before = "before: p%[0%].state is an index within its object", late = false, over = false } do
	local _, told = tap.run(("duct dft part.c --entry %s --quiet --runs 30 --time 4"):format(entry))
	tap.ok(not need == (told:find("access outside of an object", 1, true) ~= nil) and (not need or told:find(need)),
		entry .. ": an index into a part of a structure", told)
end
-- Numbers in an array of the caller's: that they are of some kind is no bound of a table; a check of its size is.
tap.spit("kinds.c", [[
static const char table[64];
int kind(const int *a) { int c = a[0]; if (c >= 5 && c < 9) return 1; return table[c >> 2]; }
int some(const int *a) { int c = a[0]; if (c - 5u < 4u) return 1; return table[c >> 2]; }
int third(const int *a) { int k = a[2]; return table[k] > 3; }
int text(const char *s) { return s[0] == 'a' && table[s[1] + 8]; }
int checked(const int *a) { int c = a[0]; if (c < 0 || c > 64) return 1; return table[c]; }
]])
for entry, need in pairs { kind = "kind: 0 <= a%[0%] <= 255", some = "some: 0 <= a%[0%] <= 255",
	third = "third: 0 <= a%[2%] <= 63", text = false, checked = false } do
	local _, told = tap.run(("duct dft kinds.c --entry %s --quiet --runs 30 --time 4"):format(entry))
	tap.ok(not need == (told:find("access outside of an object", 1, true) ~= nil) and (not need or told:find(need)),
		entry .. ": an index from the caller's array", told)
end
-- A va_list of the caller's, and copies of it, lead to the arguments that are read.
tap.spit("list.c", [[
#include <stdarg.h>
int copied(const char *fmt, va_list ap)
{
	va_list aq;
	va_copy(aq, ap);
	int n = fmt[0] == 'd' ? va_arg(aq, double) > 1 : 0;
	va_end(aq);
	return n;
}
struct j { int type; unsigned long refs; };
int pack(const char *fmt, va_list ap)
{
	struct j *j;
	if (fmt[0] == 'O') {
		j = va_arg(ap, struct j *);
		if (j && j->refs + 1)
			j->refs++;
		return 2;
	}
	return fmt[0] == 'i' ? va_arg(ap, int) == 7 : 0;
}
]])
do
	local _, packed = tap.run("duct dft list.c --entry pack --quiet --runs 40 --time 20")
	tap.ok(packed:find("failures: none", 1, true) and packed:find("pack: ap leads to arguments of the types", 1, true),
		"an argument that is no pointer to such an object is a need", packed)
	local _, told = tap.run("duct dft list.c --entry copied --quiet --runs 40 --time 4")
	tap.ok(told:find("failures: none", 1, true) and told:find "copied: ap[^\n]* at list.c:6", "a copy of a va_list", told)
end
-- A count and the links of its list have to agree; a null pointer behind the loop is the function's own.
tap.spit("links.c", [[
struct node { struct node *next; int v; };
struct list { unsigned count; struct node *first; };
int drain(struct list *l)
{
	struct node *mine = 0, *n, *next;
	int sum = 0;

	for (n = l->first; n; n = next) {
		next = n->next;
		n->next = mine;
		mine = n;
	}
	while (l->count > 0) {
		sum += mine->v > 0;
		mine = mine->next;
		l->count--;
	}
	return sum;
}
int last(struct list *l)
{
	struct node *found = 0;

	for (struct node *n = l->first; n && l->count > 1; n = n->next)
		if (n->v == 7)
			found = n;
	return found->v;
}
]])
for entry, found in pairs { drain = 0, last = 1 } do
	local _, text_out = tap.run(("duct concolic links.c --entry %s --runs 200 --time 8 --json --quiet 2>/dev/null"):format(entry))
	local report, agrees = json.decode(text_out), false
	for _, n in ipairs(report.needs) do
		agrees = agrees or n.text:find("[0].count agrees with", 1, true)
	end
	tap.ok(#report.failures == found and not agrees == (found == 1), entry .. ": counts and links", text_out)
end
-- Numbers that a structure of the caller's or an undefined function has: divisors, sizes of memory, and lengths of blocks. What
-- the function asks itself, or a parameter says, is its own.
tap.spit("numbers.c", [[
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
struct text { int tab, size, room; char *text; };
int find(char *, int), doc(int x, char **res), half(int);
int tabs(struct text *t, int x) { do x++; while (x % t->tab && x < 9); return x > 3; }
int answer(int x) { return x / half(x) > 1; }
int asked(struct text *t, int x) { if (x > 1 && t->tab == 0) return 4; return 100 / t->tab; }
int given(int x, int y) { return x > 3 ? x / y : 2; }
int make(unsigned n) { char *p = malloc(((size_t)n << 34) + 1); p[0] = 0; n = p[0] == 'x'; free(p); return n; }
#define EXPAND(x) (((x).size >= (x).room ? (x).text = (x).text ? realloc((x).text, (x).room += 10) : malloc((x).room += 10) : 0), \
	&(x).text[(x).size++])
int push(struct text *t, int c)
{
	char *end;
	if (t->size == 0)
		end = EXPAND(*t);
	else
		end = &t->text[t->size - 1];
	*end = (char)c;
	return c > 4;
}
static int keep(const char *b, size_t n) { char d[300]; memcpy(d, b, n); return d[0] == 3; }
int number(int x) { char b[100]; int n = find(b, x); if (n < 0) return -1; return keep(b, n); }
int print(int x, FILE *out) { char *d; int n = doc(x, &d); return fwrite(d, n, 1, out) == 1; }
static int to_file(const char *b, void *data) { FILE *f = data; return fputs(b, f) > 0; }
static int from_file(const char *b, void *data) { FILE *f = data; return b[0] == fgetc(f); }
static int to_count(const char *b, void *data) { size_t *n = data; *n += b[0] == 'x'; return 0; }
int dump(int k, int (*out)(const char *, void *), void *data) { return out(k > 3 ? "x" : "d", data); }
int wait_for(int s, int t)
{
	fd_set r;
	struct timeval none = { 0, 0 };
	FD_ZERO(&r);
	FD_SET(s, &r);
	if (select(s + 1, &r, 0, 0, t > 3 ? &none : NULL) < 0)
		return -1;
	return FD_ISSET(s, &r) ? 1 : t;
}
struct link { int header, most, (*get)(unsigned char *, int); };
static int receive(struct link *l, unsigned char *to)
{
	int left = l->header + 1, n = 0, got;
	while (left != 0) {
		if ((got = l->get(to + n, left)) <= 0 || got > left)
			return -1;
		n += got;
		left -= got;
		if (n + left > l->most)
			return -2;
	}
	return n;
}
int reply(struct link *l) { unsigned char b[20] = { 0 }; int n = receive(l, b); return n < 0 ? n : b[l->header] == 3; }
int adds(struct text *t)
{
	char *to = realloc(t->text, t->size);
	if (to)
		t->text = to;
	return realloc(t->text, 10) != 0;
}
int shrink(int n)
{
	char *p = malloc(8), *less = p ? realloc(p, n & 7) : 0;
	free(less ? less : p);
	return n > 3;
}
int main(int argc, char **argv)
{
	int n = argc;
	if (argc == 4)
		return dump(argc, strcmp(argv[0], "x") ? to_file : from_file, stdout);
	return dump(argc, to_count, &n);
}
]])
for entry, need in pairs { tabs = "tab has none of the values for which it divides", answer = "half%(%) has none of the values",
	make = "there is enough memory for a size of n", push = "points into an object, with elements before",
	number = "0 <= find%(%) <= 100", print = "doc%(%).2%[0%] != NULL", dump = "data is an open stream",
	wait_for = "wait_for: s is an index", reply = "reply: 0 <= l%[0%].header <= 19",
	adds = "adds: there is enough memory for a size of t%[0%].size", asked = false, given = false,
	shrink = false } do
	local _, told = tap.run(("duct dft numbers.c --entry %s --quiet --runs 40 --time 5 --faults 0"):format(entry))
	local limit = entry ~= "dump" or (told:find("data is no stream here", 1, true) and not told:find "to_file\n[^\n]*proved")
	tap.ok(not need == (told:find("failures: none", 1, true) == nil) and (not need or told:find(need)) and limit,
		entry .. ": a number of the caller's", told)
end
-- A block of the caller's that the function itself frees is gone.
tap.spit("freed.c", [[
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; };
int sometimes(char *p, int x) { if (x > 3) free(p); return x == 7 ? p[0] == 'a' : 1; }
int at(char *p, int i) { free(p); return p[i] == 'x'; }
int text(char *p) { free(p); return strlen(p) == 3; }
int moved(char *p) { char *q = realloc(p, 100); return q ? p[0] == 1 : 0; }
int list(struct node *l) { for (; l; l = l->next) free(l); return 0; }
int drop(struct node *l) { for (struct node *next; l; l = next) next = l->next, free(l); return 0; }
int print(char *p) { free(p); printf("%s", p); return 0; }
int send(char *p) { free(p); return fwrite(p, 1, 4, stdout) == 4; }
int over(int n) { char b[4] = "abc"; return n == 3 ? fwrite(b, 1, 5, stdout) == 4 : 0; }
int both(char *p, char *q) { free(p); return q[0] == 3; }
struct text { int n; char *at; };
int none(struct text *t) { return realloc(t->at, 0) ? 1 : 2; }
]])
local _, decided = tap.run("duct concolic freed.c --entry none --quiet --runs 40 --time 5 --faults 0")
tap.ok(decided:find("branches: 2 of 2 covered", 1, true), "whether realloc() is passed NULL decides", decided)
for entry, message in pairs { sometimes = "used after it was freed", at = "used after it was freed", text = "used after it was freed",
	moved = "used after it was freed", print = "used after it was freed", send = "used after it was freed",
	over = "an access leaves its object", list = "used after it was freed", drop = false, both = false } do
	local _, told = tap.run(("duct concolic freed.c --entry %s --quiet --runs 40 --time 5 %s"):format(entry,
		entry == "both" and "--may-alias p,q" or ""))
	tap.ok(not message == (told:find("failures: none", 1, true) ~= nil) and (not message or told:find(message, 1, true)),
		entry .. ": what it frees itself", told)
end
-- Needs name the line of the access or call, not that of its block.
tap.spit("lines.c", [[
int f(int *p, int (*h)(int), int x)
{
	int y = x + 1;
	y *= 3;
	y += h(y);
	return y + *p;
}
]])
local _, placed = tap.run("duct concolic lines.c --entry f --quiet --runs 40 --time 5")
tap.ok(placed:find("h != NULL at lines.c:5 ", 1, true) and placed:find("p != NULL at lines.c:6 ", 1, true), "lines of needs", placed)
-- Numbers that functions of the caller return are its own, as those of undefined functions are, unless they are checked wrongly.
tap.spit("answers.c", [[
struct source { int (*read)(void *, unsigned char *, int); };
struct text { struct source *s; unsigned char at[16], *end; };
int place(struct text *z) { int n = z->s->read(z, z->at, 16); if (n < 0) return 1; z->end = &z->at[n]; return 0; }
int passed(struct text *z, int (*f)(int), int n) { return z->at[f(n)]; }
int again(struct text *z) { z->s->read(z, z->at, 1); return z->at[z->s->read(z, z->at, 16)]; }
int share(struct source *s) { return 100 / s->read(0, 0, 1); }
int checked(struct text *z) { int n = z->s->read(z, z->at, 16); if (n < 0 || n > 16) return 1; return z->at[n]; }
]])
for entry, need in pairs { place = "0 <= callback4() <= 16", passed = "0 <= f() <= 15", again = "0 <= callback4()#2 <= 15",
	share = "callback2() has none of the values for which it divides by zero", checked = false } do
	local _, told = tap.run(("duct concolic answers.c --entry %s --quiet --runs 100 --time 5"):format(entry))
	tap.ok(not need == not told:find("failures: none", 1, true) and (not need or told:find(need, 1, true)),
		entry .. ": what the caller's function returns", told)
end
tap.done()
