/* Values of the inputs of a space, and which conditions they meet. */
#include "lib/script/inner.h"
#include "lib/base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct model *script_model(lua_State *L, int i)
{
	struct model *m = luaL_checkudata(L, i, META_MODEL);
	luaL_argcheck(L, m->space && m->space->pool, i, "closed");
	return m;
}

int script_space_model(lua_State *L)
{
	script_new_model(L, 1);
	return 1;
}

/* space:model_of(trace [, prefix]) -> the inputs of a run as it used them; those whose names begin
 * with the prefix are 0 */
int script_space_model_of(lua_State *L)
{
	const struct trace *t = script_trace(L, 2);
	const char *prefix = luaL_optstring(L, 3, NULL);
	struct model *m = script_new_model(L, 1);

	for (size_t i = 0; i < t->vars; i++) {
		const struct trace_var *v = &t->var[i];
		bool is_zero = prefix && !strncmp(v->name, prefix, strlen(prefix));
		assignment_set(&m->a, expr_var(m->space->pool, v->name, v->kind, v->width),
		    is_zero ? (struct value){ 0, 0 } : v->value);
	}
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
	struct model *m = script_model(L, 1);
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

/* m:fill(name, from, bytes): inputs NAME[from] and those behind it */
static int model_fill(lua_State *L)
{
	struct model *m = script_model(L, 1);
	const char *name = luaL_checkstring(L, 2);
	lua_Integer from = luaL_checkinteger(L, 3);
	size_t n, room = strlen(name) + 24;
	const char *bytes = luaL_checklstring(L, 4, &n);
	char *element = lua_newuserdatauv(L, room, 0);

	luaL_argcheck(L, from >= 0 && from < LUA_MAXINTEGER - (lua_Integer)n, 3, "no index");
	for (size_t i = 0; i < n; i++) {
		snprintf(element, room, "%s[%lld]", name, (long long)from + (long long)i);
		assignment_set(&m->a, expr_var(m->space->pool, element, 'c', 8),
		    (struct value){ (unsigned char)bytes[i], 0 });
	}
	return 0;
}

/* m:copy() */
static int model_copy(lua_State *L)
{
	const struct model *from = script_model(L, 1);
	lua_getiuservalue(L, 1, 1);
	assignment_copy(&script_new_model(L, -1)->a, &from->a);
	return 1;
}

/* m:put(name, kind, width, sequence): as inputs NAME[0], NAME[1], ..., cut to the width; there are
 * none behind them any more */
static int model_put(lua_State *L)
{
	struct model *m = script_model(L, 1);
	size_t room;
	const char *name = luaL_checklstring(L, 2, &room), *kind = luaL_checkstring(L, 3);
	lua_Integer width = luaL_checkinteger(L, 4);
	const struct sequence *s = script_sequence(L, 5);
	uint64_t mask = width < 64 ? ((uint64_t)1 << (width & 63)) - 1 : UINT64_MAX;
	char *element = lua_newuserdatauv(L, room += 24, 0);

	luaL_argcheck(L, width >= 1 && width <= 128, 4, "1 to 128 bits");
	for (size_t i = 0; i < s->n; i++) {
		int64_t v = s->v[i];
		snprintf(element, room, "%s[%zu]", name, i);
		assignment_set(&m->a,
		    expr_var(m->space->pool, element, (uint8_t)kind[0], (uint32_t)width),
		    (struct value){ (uint64_t)v & mask, width > 64 && v < 0 ? UINT64_MAX : 0 });
	}
	for (size_t i = s->n;; i++) {
		snprintf(element, room, "%s[%zu]", name, i);
		uint32_t var = expr_var_find(m->space->pool, element);
		if (var >= m->a.n || !m->a.set[var])
			return 0;
		m->a.set[var] = false;
	}
}

/* m:get(name) -> value, high; nil when it is not set */
static int model_get(lua_State *L)
{
	struct model *m = script_model(L, 1);
	uint32_t var = expr_var_find(m->space->pool, luaL_checkstring(L, 2));
	struct value v;
	if (var >= m->a.n || !m->a.set[var])
		return 0;
	v = assignment_get(&m->a, var);
	lua_pushinteger(L, (lua_Integer)v.lo);
	lua_pushinteger(L, (lua_Integer)v.hi);
	return 2;
}

void script_input(
    const struct model *m, uint64_t id, struct input_value **v, size_t *capacity, struct input *out)
{
	*out = (struct input){ .id = id };
	for (uint32_t i = 0; m && i < m->a.n; i++) {
		const struct expr_pool *p = m->space->pool;
		if (!m->a.set[i])
			continue;
		GROW(*v, *capacity, out->n + 1);
		(*v)[out->n++] = (struct input_value){ (char *)expr_var_name(p, i),
			expr_var_kind(p, i), (uint16_t)expr_var_width(p, i), 0, m->a.v[i], false };
	}
	out->v = *v;
}

/* ---- conditions */

static bool is_condition(const struct space *s, lua_Integer e)
{
	return e > 0 && (lua_Unsigned)e <= expr_count(s->pool) && expr_width(s->pool, (expr)e) == 1;
}

expr *script_conditions(lua_State *L, const struct space *s, int t, size_t *n)
{
	expr *cond;
	luaL_checktype(L, t, LUA_TTABLE);
	*n = lua_rawlen(L, t);
	cond = lua_newuserdatauv(L, (*n + 1) * sizeof *cond, 0);
	for (size_t i = 0; i < *n; i++) {
		lua_rawgeti(L, t, (lua_Integer)i + 1);
		if (!lua_isinteger(L, -1) || !is_condition(s, lua_tointeger(L, -1)))
			luaL_argerror(L, t, lua_pushfstring(L, "no condition at %d", (int)i + 1));
		cond[i] = (expr)lua_tointeger(L, -1);
		lua_pop(L, 1);
	}
	return cond;
}

/* space:adopt({ condition, ... }, values, wish) -> values, but with what `wish` has for inputs of
 * the program that no condition is about */
int script_adopt(lua_State *L)
{
	struct space *s = script_space(L, 1);
	const struct model *from = script_model(L, 3), *wish = script_model(L, 4);
	struct model *m = script_new_model(L, 1);
	struct assignment about = { 0 };
	size_t n, vars;
	const expr *cond = script_conditions(L, s, 2, &n);
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

/* space:unmet({ condition, ... }, values) -> the index of the first that does not hold, nil: all
 * hold. Inputs that are not set are 0 */
int script_unmet(lua_State *L)
{
	struct space *s = script_space(L, 1);
	const struct model *m = script_model(L, 3);
	size_t n, first;
	const expr *cond = script_conditions(L, s, 2, &n);
	first = expr_first_false(s->pool, cond, n, &m->a);
	if (first == n)
		return 0;
	lua_pushinteger(L, (lua_Integer)first + 1);
	return 1;
}

static const luaL_Reg model_methods[] = {
	{ "set", model_set },
	{ "fill", model_fill },
	{ "put", model_put },
	{ "copy", model_copy },
	{ "get", model_get },
	{ NULL, NULL },
};

void script_class_model(lua_State *L)
{
	script_class(L, META_MODEL, model_methods, close_model);
}
