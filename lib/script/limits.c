/* limits: those that a session's runs reached, and how they are widened. */
#include "lib/script/inner.h"

#include <stdlib.h>

#include "lib/limits/limits.h"
#include "lib/store/store.h"

/* store:limits() -> { { kind, name, value, runs }, ... }: that runs touched, or known before: then
 * runs is 0 */
int script_store_limits(lua_State *L)
{
	struct store *s = script_store(L);
	struct store_limit l;
	lua_newtable(L);
	for (size_t i = 0; store_limit(s, i, &l); i++) {
		lua_createtable(L, 0, 4);
		script_set_string(L, "kind", l.kind);
		script_set_string(L, "name", l.name);
		script_set_integer(L, "value", (lua_Integer)l.value);
		script_set_integer(L, "runs", (lua_Integer)l.runs);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* store:widen({ NAME = N }, longer, again): runs have these limits from now on; longer: and more
 * time; again: failures are judged again */
int script_store_widen(lua_State *L)
{
	struct store *s = script_store(L);
	luaL_checktype(L, 2, LUA_TTABLE);
	store_widen(s);
	const char *drop = lua_toboolean(L, 4) ? NULL : trace_end_name(END_TIMEOUT);
	if ((lua_toboolean(L, 3) || !drop) && store_drop_failures(s, drop))
		return script_store_fail(L, s);
	for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1))
		if (store_grow(s, luaL_checkstring(L, -2), (uint64_t)luaL_checkinteger(L, -1)))
			return script_store_fail(L, s);
	return 0;
}

/* store:unreach(kind): runs that touched it were made again without touching it */
int script_store_unreach(lua_State *L)
{
	store_unreach(script_store(L), luaL_checkstring(L, 2));
	return 0;
}

/* store:grown(entry, plan, { NAME = N }) -> what it was widened to before for these inputs, at
 * least what is given */
int script_store_grown(lua_State *L)
{
	struct store *s = script_store(L);
	lua_settop(L, 4);
	for (unsigned i = 0; limit_at(i); i++) {
		const char *name = limit_at(i)->grow;
		uint64_t before =
		    name ? store_grown(s, luaL_checkstring(L, 2), luaL_checkstring(L, 3), name) : 0;
		if (name && lua_getfield(L, 4, name) != LUA_TNIL
		    && (uint64_t)lua_tointeger(L, -1) >= before)
			before = 0;
		lua_settop(L, 4);
		if (before)
			script_set_integer(L, name, (lua_Integer)before);
	}
	return 1;
}

/* core.limit(kind [, name, value]) -> sentence, option, entry that widens it or nil, its first
 * value, its last */
int script_limit(lua_State *L)
{
	const char *kind = luaL_checkstring(L, 1), *name = luaL_optstring(L, 2, "");
	const struct limit_kind *k = limit_find(kind);
	char *sentence = limit_sentence(kind, name, (uint64_t)luaL_optinteger(L, 3, 0)),
	     *option = limit_option(kind, name);
	lua_pushstring(L, sentence);
	lua_pushstring(L, option);
	lua_pushstring(L, k ? k->grow : NULL);
	lua_pushinteger(L, k ? (lua_Integer)k->first : 0);
	lua_pushinteger(L, k ? (lua_Integer)k->most : 0);
	free(sentence);
	free(option);
	return 5;
}
