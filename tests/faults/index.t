#!/usr/bin/env lua5.4
-- Indices that only a caller can bound are needs; those that the function looks at are findings. An access whose value
-- the optimiser has no use for, or knows, is looked at as well.
-- limit: 60
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"
local file = tap.folder("index") .. "/a.c"
tap.spit(file, [[
#include <stdlib.h>
static const int table[10] = { 1, 2, 3, 4 };
static const int zeros[100];
int local(int i) { int a[10] = { 0 }; return a[i]; }
int global(unsigned i) { return table[i]; }
static int callee(short k) { return table[k]; }
int passes(short k) { return callee(k); }
int more(int i) { return table[i * 2 + 1]; }
int given(unsigned n, unsigned i) { char *p = calloc(n, 1); int r; if (!p) return 0; r = p[i]; free(p); return r; }
int chosen(int i) { if (zeros[i]) return 1; return 2; }

int unused(int i) { (void)table[i]; return 1; }
int known(unsigned char i) { return zeros[i]; }
int dead(int i) { int a[3] = { 1, 2, 3 }, x = a[i]; x = 2; return x; }

int off_by_one(int i) { if (i < 0 || i > 10) return -1; return table[i]; }
int late(int i) { int r = table[i]; if (i >= 10) return -1; return r; }
int wraps(unsigned n) { char *p = malloc(n + 1); int r; if (!p) return 0; p[n] = 0; r = p[0]; free(p); return r; }
int contents(const char *s) { return table[s[2] & 15]; }
struct list { char **at; unsigned used, room; int state, n; unsigned kind : 4, phase : 6; };
int state(struct list *l) { if (l->state == 3) return 1; if (l->state == 5) return 2; return table[l->state]; }
int push(struct list *l, char *s)
{
	if (l->used == l->room) {
		char **p = malloc((l->room + 20) * sizeof *p);
		if (!p) return -1;
		free(l->at);
		l->at = p;
		l->room += 20;
	}
	l->at[l->used++] = s;
	return 0;
}
int add(struct list *l) { unsigned at = l->used++; char *p = calloc(4, 1); if (at >= l->used) return 0; p[at] = 1; free(p); return 1; }
int bits(struct list *l) { if (l->kind == 3) return 0; return table[l->phase]; }
int full(struct list *l, int c) { char *p = calloc(4, 1); if (l->n == l->state) return 0; p[l->n] = c; free(p); return 1; }
int below(struct list *l) { if (l->n > 5) return -1; return table[l->n]; }
int minus(struct list *l) { if (7 > 12 - l->n) return -1; return table[l->n]; }
int related(struct list *l, int n) { if (n < l->n) return -1; return table[l->n]; }
int versus(int i, int n) { if (i >= n) return -1; return table[i]; }

int member_above(struct list *l) { if (1 > 11 - l->n) return -1; return table[l->n]; }
int member_off_by_one(struct list *l) { if (l->n < 0 || l->n > 10) return -1; return table[l->n]; }
int member_late(struct list *l) { int r = table[l->n]; if (l->n >= 10) return -1; return r; }
int member_wraps(struct list *l) { char *p = malloc(l->used + 1); if (!p) return 0; p[l->used] = 0; free(p); return 1; }
#define SIZE 16
struct ring { unsigned char buf[SIZE]; unsigned head, tail; int count; char *text; size_t length, room; };
void ring_put(struct ring *r, char c) { r->buf[r->head++] = c; if (r->head >= SIZE) r->head = 0; }
void ring_next(struct ring *r, char c) { r->buf[r->head] = c; if (++r->head > SIZE - 1) r->head = 0; }
int ring_get(struct ring *r) { int c = r->buf[r->tail]; r->tail = r->tail + 1 < SIZE ? r->tail + 1 : 0; return c; }
void ring_fill(struct ring *r)
{
	if (r->count < 12) {
		r->buf[r->count++] = 0x80;
		while (r->count < 12)
			r->buf[r->count++] = 0;
	} else {
		r->buf[r->count++] = 0x80;
		while (r->count < 16)
			r->buf[r->count++] = 0;
	}
}
int ring_text(struct ring *r, size_t n)
{
	if (n > 100)
		return 1;
	if (r->length + n + 1 > r->room) {
		size_t room = 16;
		while (room < r->length + n + 1)
			room *= 2;
		char *p = realloc(r->text, room);
		if (!p)
			return 1;
		r->text = p;
		r->room = room;
	}
	r->text[r->length] = 0;
	return 0;
}
int member_past(struct ring *r, char c) { r->buf[r->count++] = c; if (r->count > 16) r->count = 0; return 0; }

int main(int argc, char **argv) { (void)argv; return table[argc * 20]; }
]])
local function session(entry, options)
	local _, out, err = tap.run(("duct concolic %s --entry %s --json --quiet --time 20 %s"):format(file, entry, options or ""))
	local fine, r = pcall(json.decode, out)
	return fine and r or { failures = {}, needs = {}, checks = { bounds = {} } }, out .. err
end
for entry, need in pairs { ["local"] = "0 <= i <= 9", global = "i <= 9", passes = "0 <= k <= 9", chosen = "0 <= i <= 99",
	more = "i is an index within its object", unused = "0 <= i <= 9", known = "i <= 99",
	bits = "l[0].kind[0] is an index within its object",
	member_wraps = "l[0].used is an index within its object",
	push = "l[0].used is an index within its object",
	add = "l[0].used <= 3",
	below = "0 <= l[0].n <= 9", minus = "0 <= l[0].n <= 9", related = "0 <= l[0].n <= 9", versus = "0 <= i <= 9",
	ring_put = "r[0].head <= 15", ring_next = "r[0].head <= 15", ring_get = "r[0].tail <= 15", ring_fill = "0 <= r[0].count <= 15",
	ring_text = "r[0].length is an index within its object",
	state = "0 <= l[0].state <= 9", full = "0 <= l[0].n <= 3", given = "i is an index within its object", dead = "0 <= i <= 2" } do
	local r, out = session(entry)
	local asks = {}
	for _, n in ipairs(r.needs) do
		asks[n.text] = true
	end
	tap.ok(#r.failures == 0 and #r.needs <= (entry:find "^ring" and 5 or 3) and asks[need], entry .. ": a need", out)
	tap.ok(r.checks.bounds.safe == 0, entry .. ": not called safe", out)
end
for _, entry in ipairs { "off_by_one", "late", "wraps", "contents", "member_above", "member_off_by_one", "member_late", "member_past", "main" } do
	local r, out = session(entry)
	tap.ok(#r.failures == 1 and r.failures[1].kind == "bounds", entry .. ": a finding", out)
end
local r, out = session("global", "--assume-needs")
tap.ok(#r.failures == 0 and r.assumptions and r.assumptions[2] == "global: i <= 9", "--assume-needs", out)
tap.done()
