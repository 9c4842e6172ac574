#!/usr/bin/env lua5.4
-- Bytes of objects that no member has: padding, and what stands behind a structure in its object, are inputs that tests set.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

tap.spit("p.c", [[
#include <stdlib.h>
#include <string.h>
struct pair { char a; int b; };
struct nested { short n; struct pair of[2]; unsigned : 5; unsigned bits : 3; };
struct message { unsigned char type; unsigned short n; unsigned char data[]; };
struct reals { double d; int n; double v[]; };
struct node { struct node *next; int n; char name[]; };
struct list { unsigned n; struct { int k; const char *s; } of[0]; };
struct hack { short n; char s[1]; };

/* equal members, and other padding */
int compared(const struct pair *x, const struct pair *y)
{
	if (x->a == y->a && x->b == y->b && memcmp(x, y, sizeof *x)) return 1;
	return 0;
}
int bytes(const struct nested *p)
{
	const unsigned char *c = (const void *)p;
	if (c[2] == 1 && c[3] == 2) return 1;
	if (c[5] == 1 && c[14] == 7) return 2;
	if (c[20] & 0x1f) return 3;
	if (c[22] == 9) return 4;
	return p->bits;
}
int written(struct pair *p, const struct pair *q)
{
	struct pair local = { 1, 2 };
	if (q->b == 3) local = *q;
	*p = local;
	return p->b;
}
int flexible(const struct message *m)
{
	unsigned sum = 0;
	if (m->n > 3) return 1;
	for (int i = 0; i < m->n; i++) sum += m->data[i];
	if (m->n == 2 && m->data[0] == 'E' && m->data[1] == 'L') return 2;
	return sum == 100;
}
int numbers(const struct reals *r) { if (r->n == 2 && r->v[0] == 2.0 && r->v[1] == 3.0) return 1; return 0; }
/* a flexible array member that begins before the structure's end, behind a pointer; it is written and freed, too */
int named(struct node *list)
{
	int n = 0;
	while (list) {
		struct node *next = list->next;
		if (!strcmp(list->name, "word")) n++;
		list->name[1] = 'x';
		if (list->n == 7) free(list);
		list = n < 2 ? next : 0;
	}
	return n == 2 ? 5 : 6;
}
int pointers(const struct list *l)
{
	int sum = 0;
	for (unsigned i = 0; i < l->n; i++) { sum += l->of[i].k; if (l->of[i].s && *l->of[i].s == '-') sum -= 2; }
	if (sum == 100) return 1;
	return 0;
}
/* a global that others write */
struct pair last;
int global(void) { const unsigned char *c = (const void *)&last; if (c[1] == 5) return 1; return last.b; }
int hack(const struct hack *h) { if (h->n == 4 && h->s[1] == 'x' && h->s[3] == 'y') return 1; return 0; }
]])
for entry, outcomes in pairs { compared = 6, bytes = 12, written = 2, flexible = 10, numbers = 6, named = 10, pointers = 8, hack = 6,
	global = 2 } do
	local _, out = tap.run(("duct concolic p.c --entry %s --distinct all --quiet --runs 400 --out %s 2>&1"):format(entry, entry))
	tap.ok(out:find(("branches: %d of %d covered, 0 infeasible"):format(outcomes, outcomes), 1, true),
		entry .. ": all outcomes are covered", out)
	for _, compiler in ipairs { "gcc", "clang-19" } do
		local status, made = tap.run(("make -s -C %s clean check CC=%s CFLAGS=-O2 2>&1"):format(entry, compiler))
		tap.ok(status == 0, entry .. ": its tests pass, " .. compiler, made)
	end
end

-- What is passed by value has any bytes in its padding, which compilers choose: a limit, and never infeasible.
tap.spit("v.c", [[
#include <string.h>
struct pair { char a; int b; };
struct tall { char a; long double d; struct pair of[2]; unsigned bits : 3; char t; };
int byte(struct pair s) { const unsigned char *c = (const void *)&s; if (c[1] == 5) return 1; return 0; }
int compared(struct pair x, struct pair y)
{
	if (x.a == y.a && x.b == y.b && memcmp(&x, &y, sizeof x)) return 1;
	return 0;
}
int tall(struct tall s)
{
	const unsigned char *c = (const void *)&s;
	if (c[1]) return 1;
	if (c[26]) return 2;
	if (c[33]) return 3;
	if (c[51]) return 4;
	return s.bits;
}
static int inner(struct pair s) { const unsigned char *c = (const void *)&s; if (c[2] == 5) return 1; return 0; }
int outer(char a, int b) { struct pair s = { a, b }; return inner(s); }
int real(long double x) { unsigned char c[sizeof x]; memcpy(c, &x, sizeof x); if (c[12]) return 1; return 0; }
int reals(const long double *x) { const unsigned char *c = (const void *)x; if (c[28]) return 1; return x[1] > 2; }
int members(struct tall s) { if (s.d > 3 && s.of[1].b == 7) return 1; return 0; }
struct list { int n; struct pair of[4]; };
int put(struct list *l, struct pair s) { if (l->n < 0 || l->n > 3) return 0; l->of[l->n++] = s; return 1; }
]])
for entry, outcomes in pairs { byte = 2, compared = 6, tall = 8, outer = 2, real = 2, reals = 2, members = 4, put = 4 } do
	local _, out = tap.run(("duct concolic v.c --entry %s --quiet --runs 400 --out %s 2>&1"):format(entry, entry))
	local unset = entry ~= "members" and entry ~= "put" -- copied to another place, it has no name
	tap.ok(out:find(("of %d covered, 0 infeasible"):format(outcomes), 1, true), entry .. ": none is infeasible", out)
	tap.ok(not unset == not out:find("is used uninitialised", 1, true),
		entry .. (unset and ": padding is a limit" or ": padding that nothing looks at is none"), out)
	tap.ok(unset or out:find("every feasible path was run", 1, true), entry .. ": its paths end", out)
end

-- Formats of floating-point numbers that are not modelled are fixed, which is said.
tap.spit("f.c", [[
int quad(__float128 x) { if (x > 3.5) return 1; return 0; }
struct quads { int n; __float128 x; };
int member(struct quads *p) { if (p->n > 3 && p->x > 1) return 1; return 0; }
]])
for entry, what in pairs { quad = "x is zero here", member = "some members of struct quads are fixed here" } do
	local _, out = tap.run(("duct concolic f.c --entry %s --quiet --runs 400 --out %s 2>&1"):format(entry, entry))
	tap.ok(out:find("0 infeasible, 1 unknown", 1, true) and out:find(what, 1, true), entry .. ": a limit", out)
	local status, made = tap.run(("make -s -C %s clean check CC=gcc CFLAGS=-O2 2>&1"):format(entry))
	tap.ok(status == 0, entry .. ": its tests pass", made)
end
tap.done()
