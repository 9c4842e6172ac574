#include "lib/script/inner.h"

/* Expressions with other things in the place of inputs. */

struct replacing {
	lua_State *L;
	struct space *space;
	int map; /* index of the table */
};

/* The replacement of an input: by the table's value, an input of another name, an expression or a
 * constant, of the input's width. 0: an expression that is too narrow. */
static expr other(struct replacing *r, expr input, uint32_t var)
{
	struct expr_pool *p = r->space->pool;
	uint32_t width = expr_var_width(p, var);
	lua_State *L = r->L;
	expr e = input;

	lua_getfield(L, r->map, expr_var_name(p, var));
	if (lua_type(L, -1) == LUA_TSTRING) {
		e = expr_input(p, expr_var(p, lua_tostring(L, -1), expr_var_kind(p, var), width));
	} else if (lua_isinteger(L, -1)) {
		lua_Integer n = lua_tointeger(L, -1);
		bool is_one = n > 0 && (lua_Unsigned)n <= expr_count(p);
		uint32_t has = is_one ? expr_width(p, (expr)n) : 0;
		e = has == width  ? (expr)n
		    : has > width ? expr_make(p, OP_EXTRACT, width, (expr)n, 0, 0)
		                  : 0;
	} else if (lua_istable(L, -1)) {
		lua_rawgeti(L, -1, 1);
		struct value v = { (uint64_t)lua_tointeger(L, -1), 0 };
		if (width < 64)
			v.lo &= ((uint64_t)1 << width) - 1;
		e = expr_const(p, width, v);
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
	return e;
}

static expr leaf(struct rewrite *rw, expr e, void *ctx)
{
	return expr_op(rw->p, e) == OP_INPUT ? other(ctx, e, expr_input_var(rw->p, e)) : e;
}

/* space:replace({ expression, ... }, { [input] = name | expression | { constant } }) -> the
 * expressions with these in the place of the inputs; nil: one does not fit. */
int script_replace(lua_State *L)
{
	struct replacing r = { L, script_space(L, 1), 3 };
	struct rewrite rw = { .p = r.space->pool, .leaf = leaf, .ctx = &r };
	lua_Integer n;
	bool ok = true;

	luaL_checktype(L, 2, LUA_TTABLE);
	luaL_checktype(L, 3, LUA_TTABLE);
	n = (lua_Integer)lua_rawlen(L, 2);
	lua_createtable(L, (int)n, 0);
	rewrite_start(&rw);
	for (lua_Integer i = 1; i <= n && ok; i++) {
		lua_Integer e;
		expr to;
		lua_rawgeti(L, 2, i);
		e = lua_tointeger(L, -1);
		lua_pop(L, 1);
		ok = e > 0 && (lua_Unsigned)e <= expr_count(r.space->pool)
		    && (to = rewrite(&rw, (expr)e));
		if (ok) {
			lua_pushinteger(L, to);
			lua_rawseti(L, 4, i);
		}
	}
	rewrite_clear(&rw);
	if (!ok)
		lua_pushnil(L);
	return 1;
}
