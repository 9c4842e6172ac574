#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/partition/partition.h"
#include "lib/script/inner.h"

/* core.partition(keep, share): inputs in blocks. keep: blocks that are given stay apart and are
 * checked; share: an input that guards several blocks becomes a block of its own. */

struct partition *script_partition(lua_State *L, int i)
{
	return script_held(L, i, META_PARTITION);
}

static int new_partition(lua_State *L)
{
	void **box = script_box(L, sizeof *box, META_PARTITION);
	struct partition *p = partition_new();
	p->keep = lua_toboolean(L, 1);
	p->share = lua_toboolean(L, 2);
	*box = p;
	return 1;
}

static int close_partition(lua_State *L)
{
	partition_free(script_taken(L, META_PARTITION));
	return 0;
}

/* p:read(file) -> true, or nil and a message */
static int read_blocks(lua_State *L)
{
	struct partition *p = script_partition(L, 1);
	const char *name = luaL_checkstring(L, 2);
	char *error = NULL;
	FILE *f = fopen(name, "r");
	bool ok = f && partition_read(p, f, name, &error);
	if (ok)
		lua_pushboolean(L, true);
	else
		lua_pushnil(L);
	if (!f)
		lua_pushfstring(L, "%s: %s", name, strerror(errno));
	else
		lua_pushstring(L, ok ? NULL : error);
	if (f)
		fclose(f);
	free(error);
	return 2;
}

static const struct partition *settled(lua_State *L)
{
	struct partition *p = script_partition(L, 1);
	partition_settle(p);
	return p;
}

/* p:learn(trace) -> number of changes so far, inputs so far, entries that are known of scopes */
static int learn(lua_State *L)
{
	struct partition *p = script_partition(L, 1);
	const struct trace *t = script_trace(L, 2);
	partition_learn(p, t);
	lua_pushinteger(L, (lua_Integer)p->changes);
	lua_pushinteger(L, (lua_Integer)p->inputs);
	lua_pushinteger(L, (lua_Integer)t->learned);
	return 3;
}

/* p:decided(trace) -> a string with a bit for each input: set for one input of each class that took
 * part in a decision */
static int decided(lua_State *L)
{
	const struct partition *p = script_partition(L, 1);
	const struct trace *t = script_trace(L, 2);
	size_t size = p->inputs / 8 + 1;
	luaL_Buffer b;
	char *bits = luaL_buffinitsize(L, &b, size);
	memset(bits, 0, size);
	for (size_t i = 0; i < t->meets; i++) {
		uint32_t n = t->meet[i].kind == MEET_DECIDES
		    ? partition_find(p, t->var[t->meet[i].a - 1].name)
		    : 0;
		if (n)
			bits[n / 8] = (char)(bits[n / 8] | 1 << n % 8);
	}
	luaL_pushresultsize(&b, size);
	return 1;
}

static void push_input(lua_State *L, const struct partition *p, const struct trace *t, uint32_t var)
{
	if (var)
		lua_pushinteger(L, partition_find(p, t->var[var - 1].name));
	else
		lua_pushnil(L);
}

/* p:ended(trace) -> an input that the scope depends on in which the run ended, and what could end
 * it there, or nil; the last block that was entered, as a number */
static int ended(lua_State *L)
{
	const struct partition *p = script_partition(L, 1);
	const struct trace *t = script_trace(L, 2);
	push_input(L, p, t, t->control);
	push_input(L, p, t, t->risk);
	lua_pushinteger(L, (lua_Integer)((uint64_t)t->fault_unit << 32 | t->fault_block));
	return 3;
}

static uint32_t number(lua_State *L, int i, size_t max)
{
	lua_Integer n = luaL_checkinteger(L, i);
	luaL_argcheck(L, n >= 1 && (size_t)n <= max, i, "no such number");
	return (uint32_t)n;
}

/* p:merge(i) -> the i-th merge: the block that two became, or the two blocks if they are kept
 * apart; two inputs that flow into one decision; its file, line, column. Line 0: file is the name
 * of a flow that is not followed */
static int merge(lua_State *L)
{
	const struct partition *p = settled(L);
	uint32_t n = number(L, 2, p->merges + p->unites);
	const struct partition_merge *m =
	    n > p->merges ? &p->unite[n - p->merges - 1] : &p->merge[n - 1];
	lua_pushinteger(L, m->block);
	lua_pushinteger(L, m->with);
	lua_pushstring(L, p->input[m->a - 1].name);
	lua_pushstring(L, p->input[m->b - 1].name);
	lua_pushstring(L, m->text);
	lua_pushinteger(L, m->line);
	lua_pushinteger(L, m->col);
	return 7;
}

/* p:block(input) -> the number of its block; blocks with other inputs have other numbers */
static int block(lua_State *L)
{
	const struct partition *p = settled(L);
	uint32_t b = partition_block(p, number(L, 2, p->inputs));
	lua_pushinteger(L, b);
	lua_pushinteger(L, (lua_Integer)p->input[b - 1].key);
	return 2;
}

/* p:guard(block) -> the block that guards it directly, or nil */
static int guard(lua_State *L)
{
	const struct partition *p = settled(L);
	uint32_t g = partition_guard(p, number(L, 2, p->inputs));
	if (g)
		lua_pushinteger(L, g);
	else
		lua_pushnil(L);
	return 1;
}

/* p:members(input) -> the inputs of its block, ascending */
static int members(lua_State *L)
{
	const struct partition *p = settled(L);
	uint32_t first = partition_block(p, number(L, 2, p->inputs)), i = first;
	lua_Integer n = 0;
	lua_newtable(L);
	do {
		lua_pushinteger(L, i);
		lua_rawseti(L, -2, ++n);
	} while ((i = partition_next(p, i)) != first);
	return 1;
}

/* p:input(number) -> name, kind, width; width 0: only given, not met */
static int input(lua_State *L)
{
	const struct partition *p = script_partition(L, 1);
	const struct partition_input *i = &p->input[number(L, 2, p->inputs) - 1];
	char kind[2] = { (char)i->kind, 0 };
	lua_pushstring(L, i->name);
	lua_pushstring(L, kind);
	lua_pushinteger(L, i->width);
	return 3;
}

/* p:counts() -> inputs, blocks, merges */
static int counts(lua_State *L)
{
	const struct partition *p = settled(L);
	lua_pushinteger(L, (lua_Integer)p->inputs);
	lua_pushinteger(L, (lua_Integer)partition_blocks(p));
	lua_pushinteger(L, (lua_Integer)(p->merges + p->unites));
	return 3;
}

/* p:unite(names): makes these inputs one class; -> their numbers, in the order of the names */
static int unite(lua_State *L)
{
	struct partition *p = script_partition(L, 1);
	luaL_checktype(L, 2, LUA_TTABLE);
	size_t n = lua_rawlen(L, 2);
	const char **name = lua_newuserdatauv(L, (n + 1) * sizeof *name, 0);
	for (size_t i = 0; i < n; i++) {
		luaL_argcheck(
		    L, lua_rawgeti(L, 2, (lua_Integer)i + 1) == LUA_TSTRING, 2, "a list of names");
		name[i] = lua_tostring(L, -1); /* the list keeps it */
		lua_pop(L, 1);
	}
	partition_unite(p, name, n);
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		lua_pushinteger(L, partition_find(p, name[i]));
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* p:class_size(input) -> how many inputs are of its class */
static int class_size(lua_State *L)
{
	const struct partition *p = script_partition(L, 1);
	uint32_t class = partition_class(p, number(L, 2, p->inputs));
	lua_pushinteger(L, (lua_Integer)partition_class_size(p, class));
	return 1;
}

/* p:find(name) -> the number of that input, or nil */
static int find(lua_State *L)
{
	const struct partition *p = script_partition(L, 1);
	uint32_t n = partition_find(p, luaL_checkstring(L, 2));
	if (n)
		lua_pushinteger(L, n);
	else
		lua_pushnil(L);
	return 1;
}

static const luaL_Reg methods[] = {
	{ "read", read_blocks },
	{ "learn", learn },
	{ "decided", decided },
	{ "ended", ended },
	{ "merge", merge },
	{ "block", block },
	{ "guard", guard },
	{ "members", members },
	{ "input", input },
	{ "counts", counts },
	{ "unite", unite },
	{ "class_size", class_size },
	{ "find", find },
	{ "close", close_partition },
	{ NULL, NULL },
};

void script_add_partition(lua_State *L)
{
	script_class(L, META_PARTITION, methods, close_partition);
	lua_pushcfunction(L, new_partition);
	lua_setfield(L, -2, "partition");
}
