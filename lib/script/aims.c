/* Objectives, pairs and targets of a store: methods of core.store. */
#include "lib/protocol/checks.h"
#include "lib/script/inner.h"
#include "lib/store/store.h"

#include <stdlib.h>
#include <string.h>

/* store:objectives() -> number; store:objective(i) -> table, i from 1 */
int script_store_objectives(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)store_objectives(script_store(L)));
	return 1;
}

static const char *const verdicts[] = { "unknown", "covered", "infeasible", NULL };

int script_store_objective(lua_State *L)
{
	struct store *s = script_store(L);
	lua_Integer i = luaL_checkinteger(L, 2);
	const struct store_objective *o;
	struct store_known k;
	if (i < 1 || (size_t)i > store_objectives(s))
		return 0;
	o = store_objective(s, (size_t)i - 1);
	k = store_known(s, STORE_BRANCHES, (size_t)i - 1);
	lua_createtable(L, 0, 10);
	script_set_integer(L, "unit", o->unit);
	script_set_integer(L, "branch", o->branch);
	script_set_integer(L, "outcome", o->outcome);
	script_set_string(L, "func", o->function);
	script_set_string(L, "file", o->file);
	script_set_integer(L, "line", o->line);
	script_set_integer(L, "col", o->col);
	script_set_string(L, "text", o->text);
	script_set_string(L, "verdict", verdicts[k.verdict]);
	script_set_integer(L, "hits", (lua_Integer)k.hits);
	script_set_string(L, "evidence", k.evidence);
	return 1;
}

/* store:wanted(i) -> unit, outcome, still uncovered and not infeasible? */
int script_store_wanted(lua_State *L)
{
	struct store *s = script_store(L);
	lua_Integer i = luaL_checkinteger(L, 2);
	const struct store_objective *o;
	if (i < 1 || (size_t)i > store_objectives(s))
		return 0;
	o = store_objective(s, (size_t)i - 1);
	lua_pushinteger(L, o->unit);
	lua_pushinteger(L, o->outcome);
	lua_pushboolean(
	    L, store_known(s, STORE_BRANCHES, (size_t)i - 1).verdict == VERDICT_UNKNOWN);
	return 3;
}

/* store:targets() -> { { reached = BOOLEAN, I... }, ... }, one for each target that was asked for;
 * I: the objectives of which a run that reaches it covers one; none: they are not known */
int script_store_targets(lua_State *L)
{
	struct store *s = script_store(L);
	struct store_target t;
	lua_newtable(L);
	for (size_t i = 0, n = 0; store_target(s, i, &t); i++) {
		if (!t.asked)
			continue;
		lua_newtable(L);
		lua_pushboolean(L, t.reached);
		lua_setfield(L, -2, "reached");
		for (size_t k = 0; k < t.ways; k++) {
			lua_pushinteger(L, (lua_Integer)t.way[k] + 1);
			lua_rawseti(L, -2, (lua_Integer)k + 1);
		}
		lua_rawseti(L, -2, (lua_Integer)++n);
	}
	return 1;
}

/* store:ways(unit, block) -> a list of objectives of which each run that reaches the block covers
 * at least one; nil: not known */
int script_store_ways(lua_State *L)
{
	size_t n;
	uint32_t *way = store_ways(script_store(L), (uint32_t)luaL_checkinteger(L, 2),
	    (uint32_t)luaL_checkinteger(L, 3), &n);
	if (!way)
		return 0;
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		lua_pushinteger(L, (lua_Integer)way[i] + 1);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	free(way);
	return 1;
}

/* The kind of objectives that argument 2 names, and as *i the index that argument 3, from 1 on, has
 * among them. */
static enum store_aim aim_of(lua_State *L, struct store *s, size_t *i)
{
	static const char *const names[] = { "branches", "pairs", NULL };
	enum store_aim aim = (enum store_aim)luaL_checkoption(L, 2, NULL, names);
	lua_Integer number = luaL_checkinteger(L, 3);

	if (number < 1 || (size_t)number > store_totals(s, aim).total)
		luaL_argerror(L, 3, "no number of an objective");
	*i = (size_t)number - 1;
	return aim;
}

/* store:known(kind, i) -> verdict, runs that covered it, evidence */
int script_store_known(lua_State *L)
{
	struct store *s = script_store(L);
	size_t i;
	enum store_aim aim = aim_of(L, s, &i);
	struct store_known k = store_known(s, aim, i);

	lua_pushstring(L, verdicts[k.verdict]);
	lua_pushinteger(L, (lua_Integer)k.hits);
	lua_pushstring(L, k.evidence);
	return 3;
}

/* store:decide(kind, i, verdict, evidence) */
int script_store_decide(lua_State *L)
{
	struct store *s = script_store(L);
	size_t i;
	enum store_aim aim = aim_of(L, s, &i);
	enum store_verdict verdict = (enum store_verdict)luaL_checkoption(L, 4, NULL, verdicts);

	return store_decide(s, aim, i, verdict, luaL_checkstring(L, 5)) ? script_store_fail(L, s)
	                                                                : 0;
}

/* store:closest(kind, i, test, FILE:LINE): the test that comes closest to it, and where it stops */
int script_store_closest(lua_State *L)
{
	struct store *s = script_store(L);
	size_t i;
	enum store_aim aim = aim_of(L, s, &i);

	store_closest(s, aim, i, (uint64_t)luaL_checkinteger(L, 4), luaL_checkstring(L, 5));
	return 0;
}

/* store:exhaust(kind, i): every feasible path was run */
int script_store_exhaust(lua_State *L)
{
	struct store *s = script_store(L);
	size_t i;
	enum store_aim aim = aim_of(L, s, &i);

	return store_exhaust(s, aim, i) ? script_store_fail(L, s) : 0;
}

/* The goal of arguments 2 to 4: the tag of its record in goals(5), its unit, its numbers with
 * commas between them; of a condition its instruction and its kind. The list is on top of the
 * stack. */
static struct store_goal goal_of(lua_State *L)
{
	static const char *const tags[] = { "outcome", "condition", "blocks", "evaluation", NULL };
	struct store_goal g = { (enum goals_kind)luaL_checkoption(L, 2, NULL, tags),
		(uint32_t)luaL_checkinteger(L, 3), NULL, 0 };
	const char *s = luaL_checkstring(L, 4);
	uint32_t *list = lua_newuserdatauv(L, (strlen(s) + 1) * sizeof *list, 0);
	for (char *end; *s; s = end + (*end == ',')) {
		list[g.n] = (uint32_t)strtoul(s, &end, 10);
		if (end == s)
			list[g.n] = check_find(s);
		g.n++;
		end += strcspn(end, ",");
	}
	g.list = list;
	return g;
}

/* store:goal_open(tag, unit, list): has no run met it, and no proof shown it infeasible? */
int script_store_goal_open(lua_State *L)
{
	struct store_goal g = goal_of(L);
	lua_pushboolean(L, store_goal_open(script_store(L), &g));
	return 1;
}

/* store:goal_judge(tag, unit, list, verdict, evidence): what a proof says of it */
int script_store_goal_judge(lua_State *L)
{
	struct store *s = script_store(L);
	struct store_goal g = goal_of(L);
	enum store_verdict verdict = (enum store_verdict)luaL_checkoption(L, 5, NULL, verdicts);
	return store_goal_judge(s, &g, verdict, luaL_checkstring(L, 6)) ? script_store_fail(L, s)
	                                                                : 0;
}

/* store:blocks() -> for each target that no run came to, and whose ways are not known: { unit =
 * UNIT, BLOCK... } */
int script_store_blocks(lua_State *L)
{
	struct store_goal g;
	uint32_t *list;
	lua_newtable(L);
	for (size_t i = 0, n = 0; store_goal_target(script_store(L), i, &g, &list); i++) {
		if (!list)
			continue;
		lua_newtable(L);
		script_set_integer(L, "unit", g.unit);
		for (size_t k = 0; k < g.n; k++) {
			lua_pushinteger(L, list[k]);
			lua_rawseti(L, -2, (lua_Integer)k + 1);
		}
		lua_rawseti(L, -2, (lua_Integer)++n);
		free(list);
	}
	return 1;
}
