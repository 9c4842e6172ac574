#include <stdlib.h>

#include "lib/summary/effects.h"
#include "lib/script/inner.h"

/* core.effects(file): what the functions of a program may read and write, as a table. */

static void push_function(lua_State *L, const struct effects *e, uint32_t number)
{
	uint32_t unit, id, n = alias_functions(e->alias);
	const struct flow_func *func = alias_function_of(e->alias, number, &unit, &id);
	char *setup = effects_setup(e, number);
	lua_createtable(L, 0, 8);
	script_set_string(L, "name", func->name);
	script_set_integer(L, "unit", unit);
	script_set_integer(L, "id", id);
	script_set_bool(L, "harness", func->is_harness);
	script_set_string(L, "hidden", effects_hidden(e, number));
	script_set_string(L, "setup", setup);
	free(setup);
	lua_newtable(L);
	for (uint32_t i = 0; i < n; i++)
		if (e->reaches[(size_t)number * n + i]) {
			lua_pushboolean(L, true);
			lua_rawseti(L, -2, (lua_Integer)i + 1);
		}
	lua_setfield(L, -2, "reaches");
}

/* core.effects(file) -> { { name, unit, id, harness, hidden, setup, reaches = { [index] = true } },
 * ... } hidden: nil, or why its calls cannot be abstract; setup: what run-trace is told of it;
 * unit: index in the flow */
static int new_effects(lua_State *L)
{
	char *files[2] = { (char *)(uintptr_t)luaL_checkstring(L, 1), NULL }, *error = NULL;
	int status;
	struct flow *fl = flow_read_files(files, &status, &error);
	struct effects *e;
	if (!fl)
		return script_fail(L, error);
	e = effects_new(fl);
	lua_createtable(L, (int)alias_functions(e->alias), 0);
	for (uint32_t i = 0; i < alias_functions(e->alias); i++) {
		push_function(L, e, i);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	effects_free(e);
	flow_free(fl);
	return 1;
}

void script_add_effects(lua_State *L)
{
	lua_pushcfunction(L, new_effects);
	lua_setfield(L, -2, "effects");
}
