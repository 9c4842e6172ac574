#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/script/inner.h"
#include "lib/report/report.h"
#include "lib/store/store.h"

/* core.store(path, mode): what a session keeps. User value 1: the flow, 2: the pairs. */

struct store_box {
	struct store *store;
	struct script_view view;
};

struct store *script_store(lua_State *L)
{
	struct store_box *b = luaL_checkudata(L, 1, META_STORE);
	luaL_argcheck(L, b->store, 1, "closed");
	return b->store;
}

struct script_view *script_store_view(lua_State *L)
{
	struct store_box *b = luaL_checkudata(L, 1, META_STORE);
	return &b->view;
}

struct store *const *script_store_held(lua_State *L, int i)
{
	struct store_box *b = luaL_checkudata(L, i, META_STORE);
	return &b->store;
}

int script_store_fail(lua_State *L, struct store *s)
{
	const char *e = store_error(s);
	return luaL_error(L, "%s: %s", store_path(s), e ? e : "the store failed");
}

static int new_store(lua_State *L)
{
	static const char *const modes[] = { "read", "write", NULL };
	const char *path = luaL_checkstring(L, 1);
	enum store_mode mode = luaL_checkoption(L, 2, "write", modes) ? STORE_WRITE : STORE_READ;
	struct store_box *b = script_box(L, sizeof *b, META_STORE);
	char *error = NULL;
	lua_gc(L, LUA_GCRESTART); /* script.c stopped it */
	if (!(b->store = store_open(path, mode, &error)))
		return script_fail(L, error);
	return 1;
}

static int collect_store(lua_State *L)
{
	struct store_box *b = luaL_checkudata(L, 1, META_STORE);
	store_view_free(b->view.view);
	b->view.view = NULL;
	if (b->store)
		store_close(b->store);
	b->store = NULL;
	return 0;
}

/* store:close(): an error when something could not be written */
static int close_store(lua_State *L)
{
	struct store_box *b = luaL_checkudata(L, 1, META_STORE);
	struct store *s = b->store;
	b->store = NULL;
	store_view_free(b->view.view);
	b->view.view = NULL;
	if (s && store_close(s))
		return luaL_error(L, "the store could not be written completely");
	return 0;
}

/* { strategy, search, entry, seed, flow, defuse, model, files, flags, ... }: leaves the flow at 3,
 * the pairs at 4. */
static struct store_start start_of(lua_State *L)
{
	struct store_start start = { 0 };
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	luaL_checkstack(L, 24, NULL);
	lua_getfield(L, 2, "flow");
	start.flow = script_held(L, 3, META_FLOW);
	lua_getfield(L, 2, "defuse");
	if (!lua_isnil(L, 4))
		start.defuse = ((struct defuse_box *)luaL_checkudata(L, 4, META_DEFUSE))->d;
	lua_getfield(L, 2, "model");
	if (!lua_isnil(L, 5)) {
		start.records = script_held(L, 5, META_FLOW);
		luaL_argcheck(L, flow_has_code(start.records), 2,
		    "`model` needs core.flow(file, \"records\")");
	}
	start.strategy = script_get_string(L, 2, "strategy", NULL);
	start.search = script_get_string(L, 2, "search", NULL);
	start.entry = script_get_string(L, 2, "entry", "main");
	start.plan = script_get_string(L, 2, "plan", NULL);
	start.narrowing = script_get_string(L, 2, "narrowing", NULL);
	start.seed = (uint64_t)script_get_integer(L, 2, "seed", 0);
	start.file = script_get_list(L, 2, "files");
	start.flag = script_get_list(L, 2, "flags");
	start.linked = script_get_bool(L, 2, "linked");
	start.environment = script_get_list(L, 2, "environment");
	start.bound = script_get_list(L, 2, "bounds");
	start.content = script_get_list(L, 2, "contents");
	start.variable = script_get_list(L, 2, "variables");
	start.parameter = script_get_list(L, 2, "parameters");
	start.target = script_get_list(L, 2, "targets");
	return start;
}

/* store:begin{...} -> session number */
static int begin(lua_State *L)
{
	struct store *s = script_store(L);
	struct store_start start = start_of(L);
	if (store_begin(s, &start))
		return script_store_fail(L, s);
	lua_pushvalue(L, 3);
	lua_setiuservalue(L, 1, 1); /* both are kept by reference */
	lua_pushvalue(L, 4);
	lua_setiuservalue(L, 1, 2);
	lua_pushinteger(L, (lua_Integer)store_session(s));
	return 1;
}

/* store:answered{...} -> the session that was asked for in the same way and ended, or nil */
static int answered(lua_State *L)
{
	struct store *s = script_store(L);
	struct store_start start = start_of(L);
	int64_t session = store_answered(s, &start);
	if (store_error(s))
		return script_store_fail(L, s);
	if (!session)
		return 0;
	lua_pushinteger(L, (lua_Integer)session);
	return 1;
}

/* The numbers in the list at index t, counted from 0; on the stack as long as they are used. */
static uint32_t *numbers(lua_State *L, int t, size_t limit, size_t *n)
{
	uint32_t *list;
	if (!lua_isnoneornil(L, t))
		luaL_checktype(L, t, LUA_TTABLE);
	*n = lua_isnoneornil(L, t) ? 0 : (size_t)lua_rawlen(L, t);
	list = lua_newuserdatauv(L, (*n + 1) * sizeof *list, 0);
	for (size_t i = 0; i < *n; i++) {
		lua_rawgeti(L, t, (lua_Integer)i + 1);
		lua_Integer v = lua_tointeger(L, -1);
		lua_pop(L, 1);
		luaL_argcheck(L, v >= 1 && (size_t)v <= limit, t, "no such pair");
		list[i] = (uint32_t)v - 1;
	}
	return list;
}

/* store:add(trace, origin, parent, keep, mispredicted, pairs, partial, need, of) -> newly covered,
 * kept, failure, test number, newly covered pairs, came to the entry; pairs: numbers of those that
 * it covers */
static int add(lua_State *L)
{
	struct store *s = script_store(L);
	struct store_run run = {
		.trace = script_trace(L, 2),
		.origin = luaL_checkstring(L, 3),
		.parent = (uint64_t)luaL_optinteger(L, 4, 0),
		.keep = lua_toboolean(L, 5),
		.mispredicted = lua_toboolean(L, 6),
		.partial = lua_toboolean(L, 8),
		.need = luaL_optstring(L, 9, NULL),
		.of = luaL_optstring(L, 10, NULL),
	};
	struct store_added added;
	run.pair = numbers(L, 7, store_totals(s, STORE_PAIRS).total, &run.pairs);
	if (store_add(s, &run, &added))
		return script_store_fail(L, s);
	lua_pushinteger(L, (lua_Integer)added.covered);
	lua_pushboolean(L, added.kept);
	lua_pushboolean(L, added.failure);
	lua_pushinteger(L, (lua_Integer)added.test);
	lua_pushinteger(L, (lua_Integer)added.pairs);
	lua_pushboolean(L, added.entered);
	return 6;
}

/* store:plain(trace) (store_is_plain) */
static int plain(lua_State *L)
{
	script_store(L);
	lua_pushboolean(L, store_is_plain(script_trace(L, 2)));
	return 1;
}

/* store:initialisers() -> { { choice, name }, ... } (store.h) */
static int initialisers(lua_State *L)
{
	struct store *s = script_store(L);
	uint64_t choice = 0;
	char *name;

	lua_newtable(L);
	for (lua_Integer i = 1; (name = store_initialiser(s, &choice)); i++) {
		lua_createtable(L, 0, 2);
		script_set_integer(L, "choice", (lua_Integer)choice);
		script_set_string(L, "name", name);
		lua_rawseti(L, -2, i);
		free(name);
	}
	return 1;
}

/* store:set_outside(input) -> name or nil (store.h) */
static int set_outside(lua_State *L)
{
	char *name = store_set_outside(script_store(L), luaL_checkstring(L, 2));

	lua_pushstring(L, name);
	free(name);
	return 1;
}

/* store:handler(failed, again) -> name (store.h) */
static int handler(lua_State *L)
{
	lua_pushstring(L, store_handler(script_store(L), script_trace(L, 2), script_trace(L, 3)));
	return 1;
}

/* store:replay(space) -> models of the tests that were kept before */
static int replay(lua_State *L)
{
	struct store *s = script_store(L);
	struct input *in;
	size_t n = store_replay(s, &in);
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		struct model *m = script_new_model(L, 2);
		for (size_t k = 0; k < in[i].n; k++) {
			const struct input_value *v = &in[i].v[k];
			assignment_set(
			    &m->a, expr_var(m->space->pool, v->name, v->kind, v->width), v->value);
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	store_inputs_free(in, n);
	return 1;
}

static int inherit(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)store_inherit(script_store(L)));
	return 1;
}

/* store:learn(): what others found out about the same question */
static int learn(lua_State *L)
{
	struct store *s = script_store(L);
	return store_learn(s) ? script_store_fail(L, s) : 0;
}

/* store:suites() -> objectives that recorded suites cover */
static int suites(lua_State *L)
{
	struct store *s = script_store(L);
	size_t n = store_suites(s);
	if (store_error(s))
		return script_store_fail(L, s);
	lua_pushinteger(L, (lua_Integer)n);
	return 1;
}

/* store:elsewhere() -> { [pair] = true } of those that tests of sessions with other questions cover
 */
static int elsewhere(lua_State *L)
{
	struct store *s = script_store(L);
	size_t n = store_totals(s, STORE_PAIRS).total;
	bool *covered = store_elsewhere(s);
	lua_newtable(L);
	for (size_t i = 0; i < n; i++) {
		if (!covered[i])
			continue;
		lua_pushboolean(L, true);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	free(covered);
	return store_error(s) ? script_store_fail(L, s) : 1;
}

/* store:lose(reason, unit, file, line): precision was lost there (space:place), or at no place of
 * the program */
static int lose(lua_State *L)
{
	struct flow_pos at = { .file = (uint32_t)luaL_optinteger(L, 4, 0),
		.line = (uint32_t)luaL_optinteger(L, 5, 0) };
	store_lose_in(
	    script_store(L), (size_t)luaL_optinteger(L, 3, -1), at, luaL_checkstring(L, 2));
	return 0;
}

/* store:keep_proof(verdicts) */
static int keep_proof(lua_State *L)
{
	struct store *s = script_store(L);
	return store_add_proof(s, luaL_checkstring(L, 2)) ? script_store_fail(L, s) : 0;
}

/* store:take_proof(verdicts, n): the same of proofs of an earlier session, which decide n goals */
static int take_proof(lua_State *L)
{
	struct store *s = script_store(L);
	size_t n = (size_t)luaL_checkinteger(L, 3);
	return store_keep_proof(s, luaL_checkstring(L, 2), n) ? script_store_fail(L, s) : 0;
}

/* store:earlier_proofs() -> { verdicts, ... } */
static int earlier_proofs(lua_State *L)
{
	char **list = store_earlier_proofs(script_store(L));
	lua_newtable(L);
	for (lua_Integer i = 0; list[i]; i++) {
		lua_pushstring(L, list[i]);
		lua_rawseti(L, -2, i + 1);
		free(list[i]);
	}
	free(list);
	return 1;
}

/* store:join(): shares as one session */
static int join(lua_State *L)
{
	struct store *s = script_store(L);
	return store_join(s) ? script_store_fail(L, s) : 0;
}

struct open_counts {
	lua_State *L;
	int64_t decided;
};

static void push_open(void *to, const char *name, int64_t open, int64_t decided)
{
	struct open_counts *o = to;

	script_set_integer(o->L, name, open);
	o->decided += decided;
}

/* store:open() -> { [function] = outcomes and pairs in it that no session has decided }, the number
 * of all that are decided */
static int open_objectives(lua_State *L)
{
	struct store *s = script_store(L);
	struct open_counts o = { L, 0 };

	lua_newtable(L);
	if (!store_each_open(s, push_open, &o))
		return luaL_error(L, "%s", store_error(s));
	lua_pushinteger(L, o.decided);
	return 2;
}

/* store:was_entry(name) -> has a session had it as its entry? */
static int was_entry(lua_State *L)
{
	lua_pushboolean(L, store_was_entry(script_store(L), luaL_checkstring(L, 2)));
	return 1;
}

/* store:has_suite() -> was a suite recorded? */
static int has_suite(lua_State *L)
{
	lua_pushboolean(L, store_has_suite(script_store(L)));
	return 1;
}

/* store:copy(path) */
static int copy(lua_State *L)
{
	struct store *s = script_store(L);
	return store_copy(s, luaL_checkstring(L, 2)) ? script_store_fail(L, s) : 0;
}

/* store:view([session]) -> table: of the latest session unless told, "all": of all that the store
 * has; nil and a message */
static int view(lua_State *L)
{
	struct store *s = script_store(L);
	bool all = lua_type(L, 2) == LUA_TSTRING && !strcmp(lua_tostring(L, 2), "all");
	struct store_view *v = store_view(s, all ? store_everything(s) : luaL_optinteger(L, 2, 0));
	if (!v) {
		lua_pushnil(L);
		lua_pushstring(L, store_error(s));
		return 2;
	}
	script_push_view(L, v);
	store_view_free(v);
	return 1;
}

static int flush(lua_State *L)
{
	struct store *s = script_store(L);
	if (store_flush(s))
		return script_store_fail(L, s);
	return 0;
}

/* core.stranger(folder [, file]) -> what is wrong when duct may not write there (report_may_write),
 * or nil */
static int stranger(lua_State *L)
{
	char *error;
	if (report_may_write(luaL_checkstring(L, 1), luaL_optstring(L, 2, NULL), &error)) {
		lua_pushstring(L, error);
		free(error);
		return 1;
	}
	return 0;
}

/* core.own(folder): makes it when it is missing; it is duct's from now on */
static int own(lua_State *L)
{
	char *error;
	return report_own(luaL_checkstring(L, 1), NULL, &error) ? script_fail(L, error) : 0;
}

/* core.merge(path, stores): all of them as one; nil, a message, and whether they contradict each
 * other when that cannot be */
static int merge(lua_State *L)
{
	const char *path = luaL_checkstring(L, 1);
	char *error;
	int rc;
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	lua_createtable(L, 0, 1);
	lua_pushvalue(L, 2);
	lua_setfield(L, 3, "stores");
	if (!(rc = store_merge(path, script_get_list(L, 3, "stores"), &error))) {
		lua_pushboolean(L, 1);
		return 1;
	}
	lua_pushnil(L);
	lua_pushstring(L, error);
	lua_pushboolean(L, rc == STORE_CONTRADICTION);
	free(error);
	return 3;
}

static const luaL_Reg methods[] = {
	{ "begin", begin },
	{ "answered", answered },
	{ "add", add },
	{ "plain", plain },
	{ "objectives", script_store_objectives },
	{ "objective", script_store_objective },
	{ "targets", script_store_targets },
	{ "ways", script_store_ways },
	{ "wanted", script_store_wanted },
	{ "decide", script_store_decide },
	{ "elsewhere", elsewhere },
	{ "known", script_store_known },
	{ "exhaust", script_store_exhaust },
	{ "closest", script_store_closest },
	{ "limits", script_store_limits },
	{ "unreach", script_store_unreach },
	{ "widen", script_store_widen },
	{ "grown", script_store_grown },
	{ "initialisers", initialisers },
	{ "set_outside", set_outside },
	{ "handler", handler },
	{ "replay", replay },
	{ "inherit", inherit },
	{ "learn", learn },
	{ "suites", suites },
	{ "progress", script_store_progress },
	{ "finish", script_store_finish },
	{ "flush", flush },
	{ "counts", script_store_counts },
	{ "missing", script_store_missing },
	{ "unknown", script_store_unknown },
	{ "report", script_store_report },
	{ "keep_proof", keep_proof },
	{ "goal_open", script_store_goal_open },
	{ "goal_judge", script_store_goal_judge },
	{ "blocks", script_store_blocks },
	{ "take_proof", take_proof },
	{ "earlier_proofs", earlier_proofs },
	{ "lose", lose },
	{ "join", join },
	{ "copy", copy },
	{ "view", view },
	{ "holds", script_store_holds },
	{ "questions", script_store_questions },
	{ "recount", script_store_recount },
	{ "was_entry", was_entry },
	{ "has_suite", has_suite },
	{ "open", open_objectives },
	{ "close", close_store },
	{ NULL, NULL },
};

void script_add_store(lua_State *L)
{
	script_class(L, META_STORE, methods, collect_store);
	lua_pushcfunction(L, new_store);
	lua_setfield(L, -2, "store");
	lua_pushcfunction(L, merge);
	lua_setfield(L, -2, "merge");
	lua_pushcfunction(L, script_limit);
	lua_setfield(L, -2, "limit");
	lua_pushcfunction(L, stranger);
	lua_setfield(L, -2, "stranger");
	lua_pushcfunction(L, own);
	lua_setfield(L, -2, "own");
}
