#include <stdlib.h>

#include "lib/base/grow.h"
#include "lib/script/inner.h"

/* core.branches(space): a list of open branches in the order in which they were added, four bytes
 * each. Closed ones are removed each time that the list has doubled. User value 1: the space. */

enum { MANY = 1 << 16 };

struct branches {
	struct space *space;
	pending *at;
	size_t n, room;
	size_t swept;  /* the number of branches after closed ones were removed last */
	size_t oldest; /* all before this index are closed */
};

static struct branches *branches_of(lua_State *L, int i)
{
	struct branches *b = luaL_checkudata(L, i, META_BRANCHES);
	luaL_argcheck(L, b->space->tree, i, "its space is closed");
	return b;
}

static bool is_open(const struct branches *b, size_t i)
{
	return tree_is_pending(b->space->tree, b->at[i]);
}

static void leave_out_closed(struct branches *b)
{
	size_t n = 0;
	for (size_t i = 0; i < b->n; i++)
		if (is_open(b, i))
			b->at[n++] = b->at[i];
	b->n = b->swept = n;
	b->oldest = 0;
}

const pending *script_branches(lua_State *L, int i, size_t *n)
{
	const struct branches *b = branches_of(L, i);
	*n = b->n;
	return b->at;
}

static int new_branches(lua_State *L)
{
	struct space *s = script_space(L, 1);
	struct branches *b = script_box(L, sizeof *b, META_BRANCHES);
	b->space = s;
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, 1);
	return 1;
}

static int close_branches(lua_State *L)
{
	struct branches *b = luaL_checkudata(L, 1, META_BRANCHES);
	free(b->at);
	b->at = NULL;
	b->n = b->room = 0;
	return 0;
}

/* b:add(path): a list of branches */
static int add(lua_State *L)
{
	struct branches *b = branches_of(L, 1);
	luaL_checktype(L, 2, LUA_TTABLE);
	for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
		GROW(b->at, b->room, b->n + 1);
		b->at[b->n++] = (pending)lua_tointeger(L, -1);
		lua_pop(L, 1);
	}
	if (b->n > 2 * b->swept + MANY)
		leave_out_closed(b);
	return 0;
}

/* b:sweep() -> how many are open */
static int sweep(lua_State *L)
{
	struct branches *b = branches_of(L, 1);
	leave_out_closed(b);
	lua_pushinteger(L, (lua_Integer)b->n);
	return 1;
}

/* b:list() -> { branch, ... }, of which some may be closed */
static int list(lua_State *L)
{
	const struct branches *b = branches_of(L, 1);
	lua_createtable(L, (int)b->n, 0);
	for (size_t i = 0; i < b->n; i++) {
		lua_pushinteger(L, b->at[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* b:draw(random) -> a random open branch, which is removed; nil: there is none */
static int draw(lua_State *L)
{
	struct branches *b = branches_of(L, 1);
	uint64_t *random = luaL_checkudata(L, 2, META_RANDOM);
	while (b->n) {
		size_t i = (size_t)script_below(random, b->n);
		bool open = is_open(b, i);
		pending one = b->at[i];
		b->at[i] = b->at[--b->n];
		b->oldest = i < b->oldest ? i : b->oldest;
		if (!open)
			continue;
		lua_pushinteger(L, one);
		return 1;
	}
	return 0;
}

/* b:oldest() -> the open one that was met first; nil: there is none */
static int oldest(lua_State *L)
{
	struct branches *b = branches_of(L, 1);
	while (b->oldest < b->n && !is_open(b, b->oldest))
		b->oldest++;
	if (b->oldest == b->n)
		return 0;
	lua_pushinteger(L, b->at[b->oldest]);
	return 1;
}

static const luaL_Reg methods[] = {
	{ "add", add },
	{ "sweep", sweep },
	{ "list", list },
	{ "draw", draw },
	{ "oldest", oldest },
	{ "close", close_branches },
	{ NULL, NULL },
};

void script_add_branches(lua_State *L)
{
	script_class(L, META_BRANCHES, methods, close_branches);
	lua_pushcfunction(L, new_branches);
	lua_setfield(L, -2, "branches");
}
