#!/usr/bin/env lua5.4
-- Unions of pointers, structures and numbers, without an option: each member takes its values, and the tests that are
-- written set them. Numbers that equal an address in a run do not in a test: what they lead to is counted only where the
-- untouched program does it.
-- limit: 200
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("a.c", [[
#include <stdbool.h>
#include <string.h>
struct list;
struct table;
struct value { int type; union { double number; char *text; struct list *list; struct table *table; bool truth; } u; };
struct list { int n; struct value *v; };
struct table { int n; struct value *v; char **keys; };
static int look(const struct value *v)
{
	switch (v->type) {
	case 0: return v->u.number > 3;
	case 1: return strlen(v->u.text) > 2;
	case 2: return v->u.list->n > 3 ? 4 : 5;
	case 3: return v->u.table->n == 2 && v->u.table->keys[1][0] == 'k' ? 6 : 7;
	case 4: return v->u.truth ? 8 : 9;
	}
	return -1;
}
int pointed(const struct value *v) { return look(v); }
int passed(struct value v) { return look(&v); }
struct value state;
int global(void)
{
	if (state.type == 2 && state.u.list->n == 5 && state.u.list->v[1].type == 9)
		return 1;
	return state.type == 0 && state.u.number == 2.5 ? 2 : 3;
}
struct event {
	int kind;
	union {
		struct { int x, y; } moved;
		struct { char *text; int length; } typed;
		struct { long code; void (*then)(int); } called;
		unsigned char raw[24];
	};
};
int happened(struct event *e)
{
	switch (e->kind) {
	case 1: return e->moved.x == 5 && e->moved.y == 6;
	case 2: return e->typed.length > 2 && e->typed.text[2] == 'z' ? 2 : 3;
	case 3:
		if (e->called.code == 7)
			e->called.then(3);
		return 4;
	default: return e->raw[20] == 9 && e->raw[23] == 1 ? 5 : 6;
	}
}
union both { struct { int type, number; } a; struct { int type; double number; } b; char bytes[16]; void *p; };
int bytes(union both *u)
{
	if (u->a.type == 1)
		return u->a.number == 5;
	return u->a.type == 2 && u->b.number > 1e10 ? 2 : 3;
}
]])
for _, entry in ipairs { "pointed", "passed", "global", "happened", "bytes" } do
	local _, out, err = tap.run(("duct concolic a.c --entry %s --json --quiet --time 20 --out %s"):format(entry, entry))
	local fine, r = pcall(json.decode, out)
	tap.ok(fine and r.branches.covered == r.branches.total and #r.failures == 0, entry .. ": all covered", err .. out)
	local status, check = tap.run(("make -s -C %s check"):format(entry))
	tap.ok(status == 0 and check:find(" 0 failed", 1, true), entry .. ": the tests pass", check)
end

tap.spit("b.c", [[
#include <stdint.h>
#include <string.h>
int g;
union both { long number; void *p; };
int equal(uintptr_t a) { return a == (uintptr_t)&g ? 1 : 2; }
int less(uintptr_t a) { return a < (uintptr_t)&g ? 1 : 2; }
int called(long a) { return (void *)a == (void *)equal ? 1 : 2; }
int copied(const unsigned char *c) { void *p; memcpy(&p, c, sizeof p); return p == &g ? 1 : 2; }
int in_union(union both b) { return b.p == &g ? 1 : 2; }
]])
local _, out, err = tap.run "duct test b.c --time 30 --json --out b"
local fine, r = pcall(json.decode, out)
tap.ok(fine and r.branches.infeasible == 0, "numbers that are addresses: nothing is called infeasible", err .. out)
local _, check = tap.run "make -s -C b check"
tap.ok(check:find(" 0 failed", 1, true) and not check:find("[1-9]%d* failed"), "the tests pass", check)
local _, counted, why = tap.run "duct recount b/store.db"
tap.ok(counted:find "in_union: the untouched program takes branches 2 of 2", "a pointer to the variable is passed", counted .. why)
local claimed = fine and r.branches.covered or 0
tap.ok(claimed >= 6 and claimed <= 7, "what needs an address as a number is not counted", out)
tap.done()
