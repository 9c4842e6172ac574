#include <stdlib.h>
#include <string.h>

#include "lib/defuse/defuse.h"
#include "lib/base/grow.h"
#include "lib/protocol/checks.h"
#include "lib/script/inner.h"

/* core.space(flow): expressions and the execution tree. */

struct space *script_space(lua_State *L, int i)
{
	struct space *s = luaL_checkudata(L, i, META_SPACE);
	luaL_argcheck(L, s->tree, i, "closed");
	return s;
}

/* Case values of a switch, from the flow of the program. */
static size_t cases_of(void *arg, uint64_t key, uint32_t branch, const uint64_t **value)
{
	const struct space *s = arg;
	const struct flow_unit *u = s->flow ? flow_unit_by_key(s->flow, key) : NULL;
	if (!u || branch == 0 || branch > u->branches)
		return 0;
	*value = (const uint64_t *)u->branch[branch - 1].value;
	return u->branch[branch - 1].cases;
}

static int new_space(lua_State *L)
{
	const struct flow *flow =
	    luaL_testudata(L, 1, META_FLOW) ? script_held(L, 1, META_FLOW) : NULL;
	struct space *s = script_box(L, sizeof *s, META_SPACE);
	if (flow) {
		s->flow = flow;
		lua_pushvalue(L, 1);
		lua_setiuservalue(L, -2, 1);
	}
	s->pool = expr_pool_new();
	s->tree = tree_new(s->pool);
	tree_set_cases(s->tree, cases_of, s);
	return 1;
}

/* s:inherit(other): needs that runs in the other tree showed are not asked for again in this one.
 */
static int inherit(lua_State *L)
{
	tree_inherit(script_space(L, 1)->tree, script_space(L, 2)->tree);
	return 0;
}

static int close_space(lua_State *L)
{
	struct space *s = luaL_checkudata(L, 1, META_SPACE);
	tree_free(s->tree);
	script_free_ways(s->ways);
	expr_pool_free(s->pool);
	free(s->map);
	map_close(&s->classes);
	*s = (struct space){ 0 };
	return 0;
}

void script_import(struct space *s, const struct trace *t)
{
	if (t->nodes + 1 > s->map_capacity) {
		s->map = resized(s->map, (t->nodes + 1) * 2, sizeof *s->map);
		s->map_capacity = (t->nodes + 1) * 2;
	}
	expr_import(s->pool, t, s->map);
}

/* The field `aliases` of a path: those of its new branches that ask for pairs. */
static void list_aliases(lua_State *L, const struct space *s, const struct tree_path *path)
{
	lua_Integer n = 0;
	lua_newtable(L);
	for (size_t i = 0; i < path->n; i++)
		if (tree_pair(s->tree, path->added[i])) {
			lua_pushinteger(L, path->added[i]);
			lua_rawseti(L, -2, ++n);
		}
	lua_setfield(L, -2, "aliases");
}

/* Does the path have a condition that no run before met in about the same iteration of its loop? */
static bool is_novel(struct space *s, const struct tree_path *path)
{
	bool novel = false, fresh;
	for (size_t i = 0; i < path->n; i++) {
		map_at(&s->classes, script_class_of(s, path->added[i]) + 1, &fresh);
		novel |= fresh;
	}
	return novel;
}

/* s:add(trace, promised, more) -> { fresh, novel, mispredicted, rejected, length, rest, n = #, [i]
 * = pending }; novel: see is_novel; rest: where its path was cut, if it was; aliases: those of them
 * that ask for pairs, if there may be some. more: the run was added, promised is its rest */
static int add(lua_State *L)
{
	struct space *s = script_space(L, 1);
	struct trace *t = script_trace(L, 2);
	pending promised = (pending)luaL_optinteger(L, 3, 0);
	struct tree_path path;
	if (lua_toboolean(L, 4))
		tree_add_more(s->tree, t, promised, &path);
	else
		tree_add(s->tree, t, promised, &path);
	script_expect(path.n);
	lua_createtable(L, (int)path.n, 5);
	script_set_bool(L, "fresh", path.fresh);
	script_set_bool(L, "novel", is_novel(s, &path));
	script_set_bool(L, "mispredicted", path.mispredicted);
	script_set_bool(L, "rejected", path.rejected);
	script_set_integer(L, "length", path.length);
	if (path.rest)
		script_set_integer(L, "rest", path.rest);
	for (size_t i = 0; i < path.n; i++) {
		lua_pushinteger(L, path.added[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	if (t->possibles)
		list_aliases(L, s, &path);
	return 1;
}

/* s:path() -> pending branches along the last run's path */
static int path(lua_State *L)
{
	size_t n;
	const pending *b = tree_path_pending(script_space(L, 1)->tree, &n);
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		lua_pushinteger(L, b[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static int is_open(lua_State *L)
{
	lua_pushboolean(
	    L, tree_is_pending(script_space(L, 1)->tree, (pending)luaL_checkinteger(L, 2)));
	return 1;
}

/* s:sweep(list): leaves those of a list that are pending, in their order */
static int sweep(lua_State *L)
{
	struct space *s = script_space(L, 1);
	lua_Integer n = 0, all;
	luaL_checktype(L, 2, LUA_TTABLE);
	all = (lua_Integer)lua_rawlen(L, 2);
	for (lua_Integer i = 1; i <= all; i++) {
		lua_rawgeti(L, 2, i);
		if (tree_is_pending(s->tree, (pending)lua_tointeger(L, -1)))
			lua_rawseti(L, 2, ++n);
		else
			lua_pop(L, 1);
	}
	for (; n < all; all--) {
		lua_pushnil(L);
		lua_rawseti(L, 2, all);
	}
	return 0;
}

lua_Integer script_flow_unit(const struct space *s, uint32_t unit)
{
	const struct flow_unit *u =
	    s->flow ? flow_unit_by_key(s->flow, tree_unit_key(s->tree, unit)) : NULL;
	return u ? u - s->flow->unit : -1;
}

/* s:branch(b) -> unit, branch, outcome, depth, visits, input, kind, site, round; nil when not
 * pending. unit: index in the flow; outcome: 1 true 0 false, or the index of a case; site, round:
 * see lib/tree */
static int branch(lua_State *L)
{
	struct space *s = script_space(L, 1);
	struct tree_branch b;
	if (!tree_pending(s->tree, (pending)luaL_checkinteger(L, 2), &b))
		return 0;
	lua_pushinteger(L, script_flow_unit(s, b.unit));
	lua_pushinteger(L, b.branch);
	lua_pushinteger(L, b.outcome);
	lua_pushinteger(L, b.depth);
	lua_pushinteger(L, b.visits);
	lua_pushinteger(L, (lua_Integer)b.input);
	lua_pushinteger(L, b.kind);
	lua_pushinteger(L, b.site);
	lua_pushinteger(L, b.round);
	return 9;
}

/* s:class(branch) -> a number for the same outcome of the same condition in about the same
 * iteration of a loop (1, 2 to 3, 4 to 7, ...) */
static int class(lua_State *L)
{
	const struct space *s = script_space(L, 1);
	lua_pushinteger(L, (lua_Integer)script_class_of(s, (pending)luaL_checkinteger(L, 2)));
	return 1;
}

/* s:faults() -> the pending branches that ask for faults, or for what only callers can answer, a
 * list
 */
static int faults(lua_State *L)
{
	struct space *s = script_space(L, 1);
	lua_newtable(L);
	for (pending b = 0; (b = tree_next_fault(s->tree, b));) {
		lua_pushinteger(L, b);
		lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
	}
	return 1;
}

/* s:before(b) -> unit, branch, outcome of the last condition of the program before b, or nil */
static int before(lua_State *L)
{
	struct space *s = script_space(L, 1);
	struct tree_branch b;
	if (!tree_before(s->tree, (pending)luaL_checkinteger(L, 2), &b))
		return 0;
	lua_pushinteger(L, script_flow_unit(s, b.unit));
	lua_pushinteger(L, b.branch);
	lua_pushinteger(L, b.outcome);
	return 3;
}

/* NULL: it has none in the flow */
static const struct flow_pos *position(const struct flow_unit *u, const struct tree_branch *b)
{
	if (b->branch)
		return b->branch <= u->branches ? &u->branch[b->branch - 1].pos : NULL;
	if (b->check)
		return b->inst && b->inst <= u->insts ? &u->inst[b->inst - 1].pos : NULL;
	return b->block && b->block <= u->blocks ? &u->block_pos[b->block - 1] : NULL;
}

/* s:place(b) -> unit, number of the file in it, line of a pending branch; of one in a library
 * model, of the last condition of the program before it; nil: there is none */
static int place(lua_State *L)
{
	struct space *s = script_space(L, 1);
	pending b = (pending)luaL_checkinteger(L, 2);
	struct tree_branch x;
	bool found = tree_pending(s->tree, b, &x);
	for (int i = 0; found && i < 2; i++) {
		lua_Integer unit = script_flow_unit(s, x.unit);
		const struct flow_pos *p = unit < 0 ? NULL : position(&s->flow->unit[unit], &x);
		if (p && p->line) {
			lua_pushinteger(L, unit);
			lua_pushinteger(L, p->file);
			lua_pushinteger(L, p->line);
			return 3;
		}
		found = tree_before(s->tree, b, &x);
	}
	return 0;
}

/* s:check(b) -> unit, instruction, kind of the fault that it asks for; nil: it is no such question
 */
static int check(lua_State *L)
{
	struct space *s = script_space(L, 1);
	struct tree_branch b;
	if (!tree_pending(s->tree, (pending)luaL_checkinteger(L, 2), &b) || !b.check)
		return 0;
	lua_pushinteger(L, script_flow_unit(s, b.unit));
	lua_pushinteger(L, b.inst);
	lua_pushstring(L, check_name(b.check));
	return 3;
}

/* s:possible(b, defuse) -> { pair, ... }: the pairs, numbered as in defuse, that the branch asks
 * for; nil: none */
static int possible(lua_State *L)
{
	struct space *s = script_space(L, 1);
	struct defuse_box *d = script_defuse(L, 3);
	const struct channel_pair *p = tree_pair(s->tree, (pending)luaL_checkinteger(L, 2));
	struct channel_pair one;
	struct trace_unit unit[3] = { { .key = 0 } };
	struct trace t = { .pair = &one, .pairs = 1, .unit = unit, .units = 3 };
	uint32_t *pair;
	size_t n;
	if (!p)
		return 0;
	unit[0].key = tree_unit_key(s->tree, p->def_unit);
	unit[1].key = tree_unit_key(s->tree, p->use_unit);
	unit[2].key = tree_unit_key(s->tree, p->site_unit);
	one = *p;
	one.def_unit = 0, one.use_unit = 1, one.site_unit = 2;
	defuse_covered(d->d, &t, &pair, &n);
	script_push_pairs(L, pair, n);
	free(pair);
	return 1;
}

/* s:settle(b): the pairs that b asks for are no objectives any more; it can be waived */
static int settle(lua_State *L)
{
	tree_settle(script_space(L, 1)->tree, (pending)luaL_checkinteger(L, 2));
	return 0;
}

/* s:waive(b) -> was it the question for a fault that a run has shown meanwhile, for settled pairs,
 * or for a case that is not wanted any more? Then it is closed. */
static int waive(lua_State *L)
{
	struct space *s = script_space(L, 1);
	pending b = (pending)luaL_checkinteger(L, 2);
	bool shown = tree_shown(s->tree, b);
	if (shown)
		tree_waive(s->tree, b);
	lua_pushboolean(L, shown);
	return 1;
}

/* s:conditions(b) -> { condition, ... }: those before b on its path, and the flipped one last; nil:
 * it is not pending */
static int path_conditions(lua_State *L)
{
	struct space *s = script_space(L, 1);
	pending b = (pending)luaL_checkinteger(L, 2);
	size_t n;
	const expr *e;
	if (!tree_parent(s->tree, b))
		return 0;
	e = tree_query(s->tree, b, &n);
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		lua_pushinteger(L, e[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* s:text(condition) -> as people write it */
static int text(lua_State *L)
{
	struct space *s = script_space(L, 1);
	lua_Integer cond = luaL_checkinteger(L, 2);
	char *said;
	luaL_argcheck(
	    L, cond > 0 && (lua_Unsigned)cond <= expr_count(s->pool), 2, "no such condition");
	said = expr_text(s->pool, (expr)cond);
	lua_pushstring(L, said);
	free(said);
	return 1;
}

/* s:doubt(b) -> after the run for b, into the tree and the store: is b pending again? See
 * tree_doubt */
static int doubt(lua_State *L)
{
	pending b = (pending)luaL_checkinteger(L, 2);
	lua_pushboolean(L, tree_doubt(script_space(L, 1)->tree, b));
	return 1;
}

/* s:drop(b, infeasible): closes it */
static int drop(lua_State *L)
{
	tree_close(script_space(L, 1)->tree, (pending)luaL_checkinteger(L, 2), lua_toboolean(L, 3));
	return 0;
}

/* s:put_off(b): pending no longer, until s:resume(b) -> is it again, as no run has shown it
 * meanwhile? */
static int put_off(lua_State *L)
{
	tree_put_off(script_space(L, 1)->tree, (pending)luaL_checkinteger(L, 2));
	return 0;
}

static int resume(lua_State *L)
{
	lua_pushboolean(L, tree_resume(script_space(L, 1)->tree, (pending)luaL_checkinteger(L, 2)));
	return 1;
}

/* s:share(number, of) -> how many branches belong to other processes now; a number for the tree, of
 * 48 bits: see tree_share */
static int share(lua_State *L)
{
	struct space *s = script_space(L, 1);
	lua_Integer number = luaL_checkinteger(L, 2), of = luaL_checkinteger(L, 3);
	uint64_t tree;
	luaL_argcheck(L, number >= 1 && number <= of && of <= UINT32_MAX, 2, "no such share");
	lua_pushinteger(
	    L, (lua_Integer)tree_share(s->tree, (uint32_t)number - 1, (uint32_t)of, &tree));
	lua_pushinteger(L, (lua_Integer)(tree >> 16));
	return 2;
}

/* s:oldest() -> the branch that has been pending longest, how many conditions stand before it, its
 * prefix; nil: none */
static int oldest(lua_State *L)
{
	struct space *s = script_space(L, 1);
	pending b = tree_oldest(s->tree);
	struct tree_branch of;
	if (!tree_pending(s->tree, b, &of))
		return 0;
	lua_pushinteger(L, b);
	lua_pushinteger(L, of.depth);
	lua_pushinteger(L, (lua_Integer)tree_prefix(s->tree, b));
	return 3;
}

/* s:give(b): b belongs to another process from now on */
static int give(lua_State *L)
{
	tree_give(script_space(L, 1)->tree, (pending)luaL_checkinteger(L, 2));
	return 0;
}

/* s:take_over(depth, prefix): after the first run of a branch from another process: did the run
 * take that prefix? */
static int take_over(lua_State *L)
{
	struct space *s = script_space(L, 1);
	lua_Integer depth = luaL_checkinteger(L, 2);
	lua_pushboolean(
	    L, tree_take_over(s->tree, (uint32_t)depth, (uint64_t)luaL_checkinteger(L, 3)));
	return 1;
}

static int pending_count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)tree_pending_count(script_space(L, 1)->tree));
	return 1;
}

/* s:complete() -> is no branch pending, and none closed without an answer? */
static int complete(lua_State *L)
{
	struct tree_counts c = tree_counts(script_space(L, 1)->tree);
	lua_pushboolean(L, !c.pending && !c.unknown);
	return 1;
}

static int counts(lua_State *L)
{
	struct tree_counts c = tree_counts(script_space(L, 1)->tree);
	lua_createtable(L, 0, 6);
	script_set_integer(L, "nodes", (lua_Integer)c.nodes);
	script_set_integer(L, "paths", (lua_Integer)c.paths);
	script_set_integer(L, "pending", (lua_Integer)c.pending);
	script_set_integer(L, "infeasible", (lua_Integer)c.infeasible);
	script_set_integer(L, "unknown", (lua_Integer)c.unknown);
	script_set_integer(L, "contradicted", (lua_Integer)c.contradicted);
	return 1;
}

static void push_variable(lua_State *L, const struct space *s, uint32_t var)
{
	char kind[2] = { (char)expr_var_kind(s->pool, var), 0 };
	lua_createtable(L, 0, 3);
	script_set_string(L, "name", expr_var_name(s->pool, var));
	script_set_string(L, "kind", kind);
	script_set_integer(L, "width", expr_var_width(s->pool, var));
}

/* s:variables() -> { { name, kind, width }, ... }: every input that was met, in order */
static int variables(lua_State *L)
{
	struct space *s = script_space(L, 1);
	uint32_t n = expr_var_count(s->pool);
	lua_createtable(L, (int)n, 0);
	for (uint32_t i = 0; i < n; i++) {
		push_variable(L, s, i);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* s:inputs(condition) -> { { name, kind, width }, ... }: those that it depends on */
static int inputs(lua_State *L)
{
	struct space *s = script_space(L, 1);
	lua_Integer cond = luaL_checkinteger(L, 2);
	const uint32_t *var;
	size_t n;
	luaL_argcheck(
	    L, cond > 0 && (lua_Unsigned)cond <= expr_count(s->pool), 2, "no such condition");
	var = expr_vars(s->pool, (expr)cond, &n);
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		push_variable(L, s, var[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* space:values(b) -> the inputs of the run on whose path b is open; nil: it is not pending */
static int values(lua_State *L)
{
	struct space *s = script_space(L, 1);
	const struct assignment *a = tree_parent(s->tree, (pending)luaL_checkinteger(L, 2));
	if (!a)
		return 0;
	assignment_copy(&script_new_model(L, 1)->a, a);
	return 1;
}

static const luaL_Reg space_methods[] = {
	{ "add", add },
	{ "inherit", inherit },
	{ "events", script_events },
	{ "replace", script_replace },
	{ "adopt", script_adopt },
	{ "unmet", script_unmet },
	{ "values", values },
	{ "path", path },
	{ "open", is_open },
	{ "sweep", sweep },
	{ "branch", branch },
	{ "class", class },
	{ "before", before },
	{ "place", place },
	{ "conditions", path_conditions },
	{ "text", text },
	{ "check", check },
	{ "faults", faults },
	{ "possible", possible },
	{ "settle", settle },
	{ "waive", waive },
	{ "drop", drop },
	{ "doubt", doubt },
	{ "ways", script_ways },
	{ "put_off", put_off },
	{ "share", share },
	{ "oldest", oldest },
	{ "give", give },
	{ "take_over", take_over },
	{ "resume", resume },
	{ "pending", pending_count },
	{ "complete", complete },
	{ "counts", counts },
	{ "variables", variables },
	{ "inputs", inputs },
	{ "model", script_space_model },
	{ "model_of", script_space_model_of },
	{ "close", close_space },
	{ NULL, NULL },
};
void script_add_space(lua_State *L)
{
	script_class(L, META_SPACE, space_methods, close_space);
	script_class_model(L);
	lua_pushcfunction(L, new_space);
	lua_setfield(L, -2, "space");
}
