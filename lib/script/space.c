#include <stdlib.h>
#include <string.h>

#include "lib/protocol/checks.h"
#include "lib/script/inner.h"

/* core.space(flow): expressions and the execution tree; models; core.solver. */

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
	if (!(s->pool = expr_pool_new()) || !(s->tree = tree_new(s->pool)))
		return luaL_error(L, "out of memory");
	tree_set_cases(s->tree, cases_of, s);
	return 1;
}

/* s:inherit(other): what runs of the other one needed of callers is not asked for again. */
static int inherit(lua_State *L)
{
	if (!tree_inherit(script_space(L, 1)->tree, script_space(L, 2)->tree))
		return luaL_error(L, "out of memory");
	return 0;
}

static int close_space(lua_State *L)
{
	struct space *s = luaL_checkudata(L, 1, META_SPACE);
	tree_free(s->tree);
	expr_pool_free(s->pool);
	free(s->map);
	*s = (struct space){ 0 };
	return 0;
}

bool script_import(struct space *s, const struct trace *t)
{
	if (t->nodes + 1 > s->map_capacity) {
		expr *map = realloc(s->map, (t->nodes + 1) * 2 * sizeof *map);
		if (!map)
			return false;
		s->map = map;
		s->map_capacity = (t->nodes + 1) * 2;
	}
	expr_import(s->pool, t, s->map);
	return true;
}

/* s:add(trace, promised) -> { fresh, mispredicted, rejected, length, n = #, [i] = pending } */
static int add(lua_State *L)
{
	struct space *s = script_space(L, 1);
	struct trace *t = script_trace(L, 2);
	pending promised = (pending)luaL_optinteger(L, 3, 0);
	struct tree_path path;
	if (!script_import(s, t) || !tree_add(s->tree, t, s->map, promised, &path))
		return luaL_error(L, "out of memory");
	script_expect(path.n);
	lua_createtable(L, (int)path.n, 4);
	script_set_bool(L, "fresh", path.fresh);
	script_set_bool(L, "mispredicted", path.mispredicted);
	script_set_bool(L, "rejected", path.rejected);
	script_set_integer(L, "length", path.length);
	for (size_t i = 0; i < path.n; i++) {
		lua_pushinteger(L, path.added[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
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
	struct tree_branch b;
	lua_pushboolean(
	    L, tree_pending(script_space(L, 1)->tree, (pending)luaL_checkinteger(L, 2), &b));
	return 1;
}

/* The index in the flow of a unit of the traces; -1 when it is not there. */
static lua_Integer flow_unit(const struct space *s, uint32_t unit)
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
	lua_pushinteger(L, flow_unit(s, b.unit));
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

/* s:before(b) -> unit, branch, outcome of the last condition of the program before b, or nil */
static int before(lua_State *L)
{
	struct space *s = script_space(L, 1);
	struct tree_branch b;
	if (!tree_before(s->tree, (pending)luaL_checkinteger(L, 2), &b))
		return 0;
	lua_pushinteger(L, flow_unit(s, b.unit));
	lua_pushinteger(L, b.branch);
	lua_pushinteger(L, b.outcome);
	return 3;
}

/* s:check(b) -> unit, instruction, kind of the fault that it asks for; nil: it is no such question
 */
static int check(lua_State *L)
{
	struct space *s = script_space(L, 1);
	struct tree_branch b;
	if (!tree_pending(s->tree, (pending)luaL_checkinteger(L, 2), &b) || !b.check)
		return 0;
	lua_pushinteger(L, flow_unit(s, b.unit));
	lua_pushinteger(L, b.inst);
	lua_pushstring(L, check_name(b.check));
	return 3;
}

/* s:waive(b) -> was it the question for a fault that a run has shown meanwhile? Then it is closed.
 */
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

/* s:query(b) -> the conditions as text, the flipped one last */
static int query(lua_State *L)
{
	struct space *s = script_space(L, 1);
	size_t n;
	const expr *e = tree_query(s->tree, (pending)luaL_checkinteger(L, 2), &n);
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		char *text = expr_text(s->pool, e[i]);
		lua_pushstring(L, text);
		free(text);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
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

/* s:share(number, of) -> how many branches are somebody else's now; a number for the tree, of 48
 * bits: see tree_share */
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

/* s:give(b): it is somebody else's */
static int give(lua_State *L)
{
	tree_give(script_space(L, 1)->tree, (pending)luaL_checkinteger(L, 2));
	return 0;
}

/* s:take_over(depth, prefix): after the first run, which somebody gave away: did it go that way? */
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

/* ---- models */

struct model *script_new_model(lua_State *L, int i)
{
	struct space *s = script_space(L, i);
	struct model *m;
	i = lua_absindex(L, i);
	m = script_box(L, sizeof *m, META_MODEL);
	m->space = s;
	lua_pushvalue(L, i);
	lua_setiuservalue(L, -2, 1);
	return m;
}

static struct model *model(lua_State *L, int i)
{
	struct model *m = luaL_checkudata(L, i, META_MODEL);
	luaL_argcheck(L, m->space && m->space->pool, i, "closed");
	return m;
}

static int new_model(lua_State *L)
{
	script_new_model(L, 1);
	return 1;
}

static int close_model(lua_State *L)
{
	struct model *m = luaL_checkudata(L, 1, META_MODEL);
	assignment_clear(&m->a);
	return 0;
}

/* m:set(name, kind, width, value [, high]) */
static int model_set(lua_State *L)
{
	struct model *m = model(L, 1);
	const char *kind = luaL_checkstring(L, 3);
	lua_Integer width = luaL_checkinteger(L, 4);
	struct value v = { (uint64_t)luaL_checkinteger(L, 5), (uint64_t)luaL_optinteger(L, 6, 0) };
	luaL_argcheck(L, width >= 1 && width <= 128, 4, "1 to 128 bits");
	if (width < 64)
		v.lo &= ((uint64_t)1 << width) - 1;
	if (width <= 64)
		v.hi = 0;
	assignment_set(&m->a,
	    expr_var(m->space->pool, luaL_checkstring(L, 2), (uint8_t)kind[0], (uint32_t)width), v);
	return 0;
}

/* m:get(name) -> value, high; nil when it is not set */
static int model_get(lua_State *L)
{
	struct model *m = model(L, 1);
	uint32_t var = expr_var_find(m->space->pool, luaL_checkstring(L, 2));
	struct value v;
	if (var >= m->a.n || !m->a.set[var])
		return 0;
	v = assignment_get(&m->a, var);
	lua_pushinteger(L, (lua_Integer)v.lo);
	lua_pushinteger(L, (lua_Integer)v.hi);
	return 2;
}

bool script_input(
    const struct model *m, uint64_t id, struct input_value **v, size_t *capacity, struct input *out)
{
	*out = (struct input){ .id = id };
	for (uint32_t i = 0; m && i < m->a.n; i++) {
		const struct expr_pool *p = m->space->pool;
		if (!m->a.set[i])
			continue;
		if (out->n == *capacity) {
			size_t more = *capacity ? *capacity * 2 : 32;
			struct input_value *grown = realloc(*v, more * sizeof *grown);
			if (!grown)
				return false;
			*v = grown;
			*capacity = more;
		}
		(*v)[out->n++] = (struct input_value){ (char *)expr_var_name(p, i),
			expr_var_kind(p, i), (uint16_t)expr_var_width(p, i), 0, m->a.v[i], false };
	}
	out->v = *v;
	return true;
}

/* ---- solver. User value 1: the space. */

struct solver_box {
	struct solver *solver;
	struct space *space;
	double cpu;
};

static enum solve_refine refine_of(lua_State *L, const char *name)
{
	int how = solve_refine(name);
	if (how < 0)
		luaL_error(L, "unknown refinement `%s`: first, last, all, shared or paper", name);
	return (enum solve_refine)how;
}

static int new_solver(lua_State *L)
{
	struct space *s = script_space(L, 1);
	struct solver_box *b;
	struct solve_options o = { 0 };
	char *error = NULL;
	luaL_checktype(L, 2, LUA_TTABLE);
	o.layers = script_get_string(L, 2, "layers", NULL);
	o.engines = script_get_string(L, 2, "engines", NULL);
	o.cross = script_get_bool(L, 2, "cross");
	o.partial = script_get_bool(L, 2, "partial");
	o.aliases = script_get_bool(L, 2, "aliases");
	o.refine = refine_of(L, script_get_string(L, 2, "refine", "first"));
	o.timeout = script_get_number(L, 2, "timeout", 0);
	o.seed = (uint64_t)script_get_integer(L, 2, "seed", 0);
	o.command = script_get_string(L, 2, "command", NULL);
	b = script_box(L, sizeof *b, META_SOLVER);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, 1);
	b->space = s;
	if (!(b->solver = solve_open(s->pool, &o, &error))) {
		lua_pushnil(L);
		lua_pushstring(L, error ? error : "out of memory");
		free(error);
		return 2;
	}
	return 1;
}

static int close_solver(lua_State *L)
{
	struct solver_box *b = luaL_checkudata(L, 1, META_SOLVER);
	solve_close(b->solver);
	b->solver = NULL;
	return 0;
}

static struct solver_box *solver(lua_State *L)
{
	struct solver_box *b = luaL_checkudata(L, 1, META_SOLVER);
	luaL_argcheck(L, b->solver && b->space->tree, 1, "closed");
	return b;
}

static int push_answer(lua_State *L, enum answer answer, const char *why)
{
	lua_pushstring(L,
	    answer == ANSWER_SAT         ? "sat"
	        : answer == ANSWER_UNSAT ? "unsat"
	                                 : "unknown");
	if (answer == ANSWER_SAT)
		lua_pushvalue(L, -2);
	else
		lua_pushnil(L);
	lua_pushstring(L, why);
	return 3;
}

/* solver:ask(b [, seconds]) -> "sat", model, why | "unsat", nil, why | "unknown", nil, why; nil:
 * not pending */
static int ask(lua_State *L)
{
	struct solver_box *b = solver(L);
	pending p = (pending)luaL_checkinteger(L, 2);
	struct query q = { .parent = tree_parent(b->space->tree, p),
		.seconds = luaL_optnumber(L, 3, 0) };
	struct model *m;
	const char *why = NULL;
	enum answer answer;
	if (!q.parent)
		return 0;
	q.cond = tree_query(b->space->tree, p, &q.n);
	lua_getiuservalue(L, 1, 1);
	m = script_new_model(L, -1);
	answer = solve_ask(b->solver, &q, &m->a, &why);
	return push_answer(L, answer, why);
}

/* What `wish` has for fresh inputs, when all conditions hold with it as well. */
static void add_wish(
    struct space *s, const struct query *q, const struct assignment *wish, struct assignment *a)
{
	struct assignment both = { 0 };
	assignment_copy(&both, a);
	for (uint32_t i = 0; i < wish->n; i++)
		if (wish->set[i] && strchr(expr_var_name(s->pool, i), '#'))
			assignment_set(&both, i, wish->v[i]);
	if (expr_first_false(s->pool, q->cond, q->n, &both) == q->n)
		assignment_copy(a, &both);
	assignment_clear(&both);
}

/* The list at index t as an array, on the stack as long as it is used. */
static const expr *conditions(lua_State *L, const struct space *s, int t, size_t *n)
{
	expr *cond;
	luaL_checktype(L, t, LUA_TTABLE);
	*n = lua_rawlen(L, t);
	cond = lua_newuserdatauv(L, (*n + 1) * sizeof *cond, 0);
	for (size_t i = 0; i < *n; i++) {
		lua_rawgeti(L, t, (lua_Integer)i + 1);
		cond[i] = (expr)lua_tointeger(L, -1);
		luaL_argcheck(L, cond[i] && cond[i] <= expr_count(s->pool), t, "no such condition");
		lua_pop(L, 1);
	}
	return cond;
}

/* space:adopt({ condition, ... }, values, wish) -> values, but with what `wish` has for inputs of
 * the program that no condition is about */
static int adopt(lua_State *L)
{
	struct space *s = script_space(L, 1);
	const struct model *from = model(L, 3), *wish = model(L, 4);
	struct model *m = script_new_model(L, 1);
	struct assignment about = { 0 };
	size_t n, vars;
	const expr *cond = conditions(L, s, 2, &n);
	for (size_t i = 0; i < n; i++) {
		const uint32_t *var = expr_vars(s->pool, cond[i], &vars);
		for (size_t k = 0; k < vars; k++)
			assignment_set(&about, var[k], (struct value){ 0, 0 });
	}
	assignment_copy(&m->a, &from->a);
	for (uint32_t i = 0; i < wish->a.n; i++)
		if (wish->a.set[i] && !(i < about.n && about.set[i])
		    && !strchr(expr_var_name(s->pool, i), '#'))
			assignment_set(&m->a, i, wish->a.v[i]);
	assignment_clear(&about);
	lua_pop(L, 1);
	return 1;
}

/* space:holds({ condition, ... }, values): all of them? Inputs that are not set are 0 */
static int holds(lua_State *L)
{
	struct space *s = script_space(L, 1);
	const struct model *m = model(L, 3);
	size_t n;
	const expr *cond = conditions(L, s, 2, &n);
	lua_pushboolean(L, expr_first_false(s->pool, cond, n, &m->a) == n);
	return 1;
}

/* solver:meet({ condition, ... }, values [, wish]) -> as ask; the last condition is the one that
 * the run with these values does not meet. wish: values that fresh inputs should rather have */
static int meet(lua_State *L)
{
	struct solver_box *b = solver(L);
	struct model *parent = model(L, 3), *wish = lua_isnoneornil(L, 4) ? NULL : model(L, 4), *m;
	struct query q = { .parent = &parent->a };
	const char *why = NULL;
	enum answer answer;
	q.cond = conditions(L, b->space, 2, &q.n);
	lua_getiuservalue(L, 1, 1);
	m = script_new_model(L, -1);
	answer = solve_ask(b->solver, &q, &m->a, &why);
	if (answer == ANSWER_SAT && wish)
		add_wish(b->space, &q, &wish->a, &m->a);
	return push_answer(L, answer, why);
}

/* solver:partial([refine]): partial path constraints from now on */
static int partial(lua_State *L)
{
	solve_partial(solver(L)->solver, refine_of(L, luaL_optstring(L, 2, "first")));
	return 0;
}

/* solver:engine() -> the queries that got as far as an engine */
static int engine(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)solve_counts(solver(L)->solver)->engine);
	return 1;
}

static int solver_counts(lua_State *L)
{
	struct solver_box *b = solver(L);
	const struct solve_counts *c = solve_counts(b->solver);
	const char *name;
	uint64_t n;
	lua_createtable(L, 0, 16);
	script_set_integer(L, "asked", (lua_Integer)c->asked);
	script_set_integer(L, "cached", (lua_Integer)c->cached);
	script_set_integer(L, "engine", (lua_Integer)c->engine);
	script_set_integer(L, "sat", (lua_Integer)c->sat);
	script_set_integer(L, "unsat", (lua_Integer)c->unsat);
	script_set_integer(L, "unknown", (lua_Integer)c->unknown);
	script_set_integer(L, "disagreed", (lua_Integer)c->disagreed);
	script_set_integer(L, "confirmed", (lua_Integer)c->confirmed);
	script_set_integer(L, "bad_models", (lua_Integer)c->bad_models);
	script_set_integer(L, "conjuncts", (lua_Integer)c->conjuncts);
	script_set_integer(L, "conjuncts_max", (lua_Integer)c->conjuncts_max);
	script_set_integer(L, "questions", (lua_Integer)c->questions);
	script_set_integer(L, "infeasible", (lua_Integer)c->infeasible);
	script_set_integer(L, "pruned", (lua_Integer)c->pruned);
	script_set_integer(L, "rounds_max", (lua_Integer)c->rounds_max);
	lua_pushnumber(L, c->seconds);
	lua_setfield(L, -2, "seconds");
	lua_pushnumber(L, c->child_seconds);
	lua_setfield(L, -2, "child_seconds");
	lua_newtable(L);
	for (size_t i = 0; solve_layer(b->solver, i, &name, &n); i++) {
		lua_createtable(L, 0, 2);
		script_set_string(L, "name", name);
		script_set_integer(L, "answered", (lua_Integer)n);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "layers");
	return 1;
}

static const luaL_Reg space_methods[] = {
	{ "add", add },
	{ "inherit", inherit },
	{ "events", script_events },
	{ "adopt", adopt },
	{ "holds", holds },
	{ "path", path },
	{ "open", is_open },
	{ "branch", branch },
	{ "before", before },
	{ "query", query },
	{ "check", check },
	{ "waive", waive },
	{ "drop", drop },
	{ "put_off", put_off },
	{ "share", share },
	{ "oldest", oldest },
	{ "give", give },
	{ "take_over", take_over },
	{ "resume", resume },
	{ "pending", pending_count },
	{ "counts", counts },
	{ "variables", variables },
	{ "inputs", inputs },
	{ "model", new_model },
	{ "close", close_space },
	{ NULL, NULL },
};
static const luaL_Reg model_methods[] = {
	{ "set", model_set },
	{ "get", model_get },
	{ NULL, NULL },
};
static const luaL_Reg solver_methods[] = {
	{ "ask", ask },
	{ "meet", meet },
	{ "partial", partial },
	{ "counts", solver_counts },
	{ "engine", engine },
	{ "close", close_solver },
	{ NULL, NULL },
};

void script_add_space(lua_State *L)
{
	script_class(L, META_SPACE, space_methods, close_space);
	script_class(L, META_MODEL, model_methods, close_model);
	script_class(L, META_SOLVER, solver_methods, close_solver);
	lua_pushcfunction(L, new_space);
	lua_setfield(L, -2, "space");
	lua_pushcfunction(L, new_solver);
	lua_setfield(L, -2, "solver");
}
