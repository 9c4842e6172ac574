#include <stdlib.h>
#include <string.h>

#include "lib/script/inner.h"

/* core.solver(space, options): the layers and engines that answer questions about its conditions.
 */

/* User value 1: the space. */
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
		lua_pushstring(L, error);
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

/* Takes the values that `wish` has for fresh inputs, if all conditions still hold with them. */
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

static int answer(
    lua_State *L, struct solver_box *b, const struct query *q, const struct assignment *wish)
{
	const char *why = NULL;
	enum answer how;
	struct model *m;
	lua_getiuservalue(L, 1, 1);
	m = script_new_model(L, -1);
	how = solve_ask(b->solver, q, &m->a, &why);
	if (how == ANSWER_SAT && wish)
		add_wish(b->space, q, wish, &m->a);
	return push_answer(L, how, why);
}

static int ask_branch(lua_State *L, struct solver_box *b)
{
	pending p = (pending)luaL_checkinteger(L, 2);
	struct query q = { .parent = tree_parent(b->space->tree, p),
		.seconds = luaL_optnumber(L, 3, 0) };
	if (!q.parent)
		return 0;
	if (tree_is_rest(b->space->tree, p)) { /* its run goes there */
		lua_getiuservalue(L, 1, 1);
		assignment_copy(&script_new_model(L, -1)->a, q.parent);
		return push_answer(L, ANSWER_SAT, "rest");
	}
	q.cond = tree_query(b->space->tree, p, &q.n);
	return answer(L, b, &q, NULL);
}

/* Moves the first condition that the parent's values violate to the end, where layers expect the
 * negated condition. */
static void order(struct space *s, expr *cond, size_t n, const struct assignment *parent)
{
	size_t first = expr_first_false(s->pool, cond, n, parent);
	if (first < n - 1) {
		expr e = cond[first];
		cond[first] = cond[n - 1];
		cond[n - 1] = e;
	}
}

static int ask_conditions(lua_State *L, struct solver_box *b)
{
	static const struct assignment none;
	struct model *parent = lua_isnoneornil(L, 3) ? NULL : script_model(L, 3);
	struct model *wish = lua_isnoneornil(L, 4) ? NULL : script_model(L, 4);
	struct query q = { .parent = parent ? &parent->a : &none,
		.seconds = luaL_optnumber(L, 5, 0) };
	expr *cond = script_conditions(L, b->space, 2, &q.n);
	luaL_argcheck(L, q.n > 0, 2, "no conditions");
	order(b->space, cond, q.n, q.parent);
	q.cond = cond;
	return answer(L, b, &q, wish ? &wish->a : NULL);
}

/* solver:ask(b [, seconds]), solver:ask({ condition, ... } [, values [, wish [, seconds]]])
 * -> "sat", model, why | "unsat", nil, why | "unknown", nil, why; nil: b is not pending.
 * values: of inputs that the answer does not bind, else 0. wish: values that fresh inputs should
 * rather have */
static int ask(lua_State *L)
{
	struct solver_box *b = solver(L);
	return lua_istable(L, 2) ? ask_conditions(L, b) : ask_branch(L, b);
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

static const luaL_Reg solver_methods[] = {
	{ "ask", ask },
	{ "partial", partial },
	{ "counts", solver_counts },
	{ "engine", engine },
	{ "close", close_solver },
	{ NULL, NULL },
};

void script_add_solver(lua_State *L)
{
	script_class(L, META_SOLVER, solver_methods, close_solver);
	lua_pushcfunction(L, new_solver);
	lua_setfield(L, -2, "solver");
}
