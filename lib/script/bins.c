#include <stdlib.h>

#include "lib/base/grow.h"
#include "lib/base/map.h"
#include "lib/script/inner.h"

/* core.bins(space): branches by a key, such as their class: a list for each key. Branches that are
 * pending no more are left out when a list of many grows. User value 1: the space. */

enum { MANY = 1024 };

struct bin {
	pending *at;
	uint32_t n, swept; /* n when those that are not pending were left out last */
	size_t room;
};
struct bins {
	struct space *space;
	struct map of; /* key + 1 -> 1 + index */
	struct bin *bin;
	size_t n;
};

static struct bins *bins_of(lua_State *L)
{
	return luaL_checkudata(L, 1, META_BINS);
}

static struct bin *bin_of(struct bins *b, uint64_t key)
{
	bool fresh;
	uint32_t *at = map_at(&b->of, key + 1, &fresh);
	if (fresh) {
		(void)PUSH(b->bin, b->n);
		*at = (uint32_t)b->n;
	}
	return &b->bin[*at - 1];
}

static void sweep(const struct bins *b, struct bin *bin)
{
	struct tree_branch info;
	uint32_t n = 0;
	for (uint32_t i = 0; i < bin->n; i++)
		if (tree_pending(b->space->tree, bin->at[i], &info))
			bin->at[n++] = bin->at[i];
	bin->n = bin->swept = n;
}

/* How many are there before? */
static uint32_t put_branch(struct bins *b, struct bin *bin, pending branch)
{
	uint32_t before = bin->n;
	if (before >= MANY && before / 2 >= bin->swept)
		sweep(b, bin);
	GROW(bin->at, bin->room, (size_t)bin->n + 1);
	bin->at[bin->n++] = branch;
	return before;
}

static int new_bins(lua_State *L)
{
	struct space *s = script_space(L, 1);
	struct bins *b = script_box(L, sizeof *b, META_BINS);
	b->space = s;
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, 1);
	return 1;
}

static int close_bins(lua_State *L)
{
	struct bins *b = bins_of(L);
	for (size_t i = 0; i < b->n; i++)
		free(b->bin[i].at);
	free(b->bin);
	map_close(&b->of);
	b->bin = NULL;
	b->n = 0;
	return 0;
}

/* b:put(key, branch) -> how many the key has before */
static int put(lua_State *L)
{
	struct bins *b = bins_of(L);
	struct bin *bin = bin_of(b, (uint64_t)luaL_checkinteger(L, 2));
	lua_pushinteger(L, put_branch(b, bin, (pending)luaL_checkinteger(L, 3)));
	return 1;
}

/* b:add(branches) -> { branch, ... }: puts pending branches to their classes, times 8 as keys; the
 * first ones of classes that had none */
static int add(lua_State *L)
{
	struct bins *b = bins_of(L);
	lua_Integer first = 0;
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_newtable(L);
	for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
		pending branch = (pending)lua_tointeger(L, -1);
		struct bin *bin = bin_of(b, script_class_of(b->space, branch) << 3);
		if (put_branch(b, bin, branch))
			lua_pop(L, 1);
		else
			lua_rawseti(L, -2, ++first);
	}
	lua_pop(L, 1);
	return 1;
}

static struct bin *filled(lua_State *L)
{
	struct bins *b = bins_of(L);
	uint32_t i = map_get(&b->of, (uint64_t)luaL_checkinteger(L, 2) + 1);
	luaL_argcheck(L, i && b->bin[i - 1].n, 2, "it has no branches");
	return &b->bin[i - 1];
}

/* b:count(key) */
static int count(lua_State *L)
{
	lua_pushinteger(L, filled(L)->n);
	return 1;
}

/* b:take(key, i) -> the i-th branch, whose place the last one takes; how many are left */
static int take(lua_State *L)
{
	struct bin *bin = filled(L);
	lua_Integer i = luaL_checkinteger(L, 3);
	luaL_argcheck(L, i >= 1 && i <= bin->n, 3, "there are not so many");
	lua_pushinteger(L, bin->at[i - 1]);
	bin->at[i - 1] = bin->at[--bin->n];
	lua_pushinteger(L, bin->n);
	return 2;
}

static const luaL_Reg methods[] = {
	{ "put", put },
	{ "add", add },
	{ "count", count },
	{ "take", take },
	{ "close", close_bins },
	{ NULL, NULL },
};

void script_add_bins(lua_State *L)
{
	script_class(L, META_BINS, methods, close_bins);
	lua_pushcfunction(L, new_bins);
	lua_setfield(L, -2, "bins");
}
