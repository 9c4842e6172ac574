/* Commands that are confined as runs are, and the recount of a session's coverage. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "lib/run/run.h"
#include "lib/script/inner.h"
#include "lib/store/store.h"

enum { MEMORY_MIB = 2048 };

/* core.confined{ folder, argv = list, seconds, confine } -> exit status, 128 + signal, or nil when
 * it was stopped for its time. What it prints is in the file `output` of its folder, the only one
 * that it can write in. */
int script_confined(lua_State *L)
{
	struct run_command c = { .memory = (uint64_t)MEMORY_MIB << 20,
		.stop = &script_interrupted };
	const char *level;
	int status, rc;

	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	c.folder = script_get_string(L, 1, "folder", NULL);
	c.seconds = script_get_number(L, 1, "seconds", 10);
	level = script_get_string(L, 1, "confine", "full");
	c.argv = (char *const *)script_get_list(L, 1, "argv");
	luaL_argcheck(L, c.folder && c.argv && c.argv[0], 1, "needs folder and argv");
	luaL_argcheck(L, run_confine_level(level, &c.confine), 1, "full, some or none");
	if ((rc = run_command(&c, &status)) < 0)
		return luaL_error(L, "%s: cannot be started: %s", c.argv[0], strerror(errno));
	if (rc == RUN_LATE)
		return 0;
	lua_pushinteger(L, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 1;
}

/* store:questions(doubtful) -> { session, entry } of those that answer the store's questions; of
 * those with tests whose coverage may be other elsewhere, if asked so */
int script_store_questions(lua_State *L)
{
	struct store *s = script_store(L);
	bool doubtful = lua_toboolean(L, 2);
	size_t n;
	int64_t *list = store_questions(s, &n);

	lua_newtable(L);
	for (size_t i = 0; i < n; i++)
		if (!doubtful || store_is_doubtful(s, list[i])) {
			char *entry = store_entry(s, list[i]);
			lua_createtable(L, 0, 2);
			script_set_integer(L, "session", (lua_Integer)list[i]);
			script_set_string(L, "entry", entry);
			lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
			free(entry);
		}
	free(list);
	return store_error(s) ? script_store_fail(L, s) : 1;
}

static void set_counts(
    lua_State *L, const char *name, const struct store_recount *r, enum store_aim aim)
{
	lua_createtable(L, 0, 3);
	script_set_integer(L, "taken", (lua_Integer)r->taken[aim]);
	script_set_integer(L, "missed", (lua_Integer)r->missed[aim]);
	script_set_integer(L, "unmeasured", (lua_Integer)r->unmeasured[aim]);
	lua_setfield(L, -2, name);
}

/* store:recount(session, counts) -> { branches, pairs: { taken, missed, unmeasured }, missed: list
 * of outcomes }: store_recount with these counts */
int script_store_recount(lua_State *L)
{
	struct store *s = script_store(L);
	const char *counts = luaL_checkstring(L, 3);
	struct store_recount r;

	if (store_recount(s, luaL_checkinteger(L, 2), counts, &r))
		return script_store_fail(L, s);
	lua_newtable(L);
	set_counts(L, "branches", &r, STORE_BRANCHES);
	set_counts(L, "pairs", &r, STORE_PAIRS);
	char **missed = store_missed(s);
	lua_newtable(L);
	for (size_t i = 0; missed[i]; i++) {
		lua_pushstring(L, missed[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
		free(missed[i]);
	}
	free(missed);
	lua_setfield(L, -2, "missed");
	return 1;
}
