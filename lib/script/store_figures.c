/* store, figures: those that a session gives the store, and those that the store counts. */
#include "lib/script/inner.h"
#include "lib/store/store.h"

static void figures(lua_State *L, int t, struct store_figures *f)
{
	*f = (struct store_figures){
		.seconds = script_get_number(L, t, "seconds", 0),
		.cpu_run = script_get_number(L, t, "cpu_run", 0),
		.cpu_solve = script_get_number(L, t, "cpu_solve", 0),
		.cpu_prove = script_get_number(L, t, "cpu_prove", 0),
		.cpu_strategy = script_get_number(L, t, "cpu_strategy", 0),
		.exhausted = script_get_bool(L, t, "exhausted"),
		.judged = script_get_bool(L, t, "judged"),
		.within = script_get_bool(L, t, "within"),
		.ended = script_get_string(L, t, "ended", NULL),
		.extra = script_get_string(L, t, "extra", NULL),
		.share = script_get_string(L, t, "share", NULL),
	};
#define COUNT(name) f->name = (uint64_t)script_get_integer(L, t, #name, 0)
	COUNT(runs);
	COUNT(paths);
	COUNT(mispredicted);
	COUNT(cut);
	COUNT(pending);
	COUNT(asked);
	COUNT(cached);
	COUNT(engine);
	COUNT(sat);
	COUNT(unsat);
	COUNT(unknown);
	COUNT(disagreed);
	COUNT(confirmed);
	COUNT(conjuncts);
	COUNT(conjuncts_max);
	COUNT(tree);
	COUNT(common);
	COUNT(given);
	COUNT(adopted);
	COUNT(questions);
	COUNT(infeasible);
	COUNT(pruned);
	COUNT(rounds_max);
#undef COUNT
}

int script_store_progress(lua_State *L)
{
	struct store_figures f;
	luaL_checktype(L, 2, LUA_TTABLE);
	figures(L, 2, &f);
	store_progress(script_store(L), &f);
	return 0;
}

int script_store_finish(lua_State *L)
{
	struct store *s = script_store(L);
	struct store_figures f;
	luaL_checktype(L, 2, LUA_TTABLE);
	figures(L, 2, &f);
	if (store_finish(s, &f))
		return script_store_fail(L, s);
	return 0;
}

static void totals(lua_State *L, struct store_totals t)
{
	script_set_integer(L, "total", (lua_Integer)t.total);
	script_set_integer(L, "covered", (lua_Integer)t.covered);
	script_set_integer(L, "infeasible", (lua_Integer)t.infeasible);
	script_set_integer(L, "unknown", (lua_Integer)t.unknown);
	script_set_integer(L, "suite", (lua_Integer)t.suite);
}

/* store:counts() -> of branches; pairs: the same of pairs; runs, tests, failures, lost,
 * contradictions; suite: of the covered, those that only tests of a recorded suite cover */
int script_store_counts(lua_State *L)
{
	struct store_counts c = store_counts(script_store(L));
	lua_createtable(L, 0, 10);
	totals(L, store_totals(script_store(L), STORE_BRANCHES));
	script_set_integer(L, "conditions", (lua_Integer)store_open_places(script_store(L)));
	lua_createtable(L, 0, 4);
	totals(L, store_totals(script_store(L), STORE_PAIRS));
	lua_setfield(L, -2, "pairs");
	script_set_integer(L, "runs", (lua_Integer)c.runs);
	script_set_integer(L, "tests", (lua_Integer)c.tests);
	script_set_integer(L, "failures", (lua_Integer)c.failures);
	script_set_integer(L, "lost", (lua_Integer)c.lost);
	script_set_integer(L, "contradictions", (lua_Integer)c.contradictions);
	return 1;
}

/* store:missing() -> how many branches, pairs and conditions are neither covered nor infeasible */
int script_store_missing(lua_State *L)
{
	struct store *s = script_store(L);
	lua_pushinteger(L,
	    (lua_Integer)(store_totals(s, STORE_BRANCHES).unknown
	        + store_totals(s, STORE_PAIRS).unknown + store_open_places(s)));
	return 1;
}

/* store:unknown() -> how many branches are neither covered nor infeasible */
int script_store_unknown(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)store_totals(script_store(L), STORE_BRANCHES).unknown);
	return 1;
}
