#include "lib/script/inner.h"

#include <string.h>

/* The decisions of a run, event by event, with its conditions as numbers: for strategies that keep
 * paths themselves. */

static void push_outcome(lua_State *L, lua_Integer outcome, expr cond)
{
	lua_pushinteger(L, cond);
	lua_rawseti(L, -2, outcome);
}

static void set_two(lua_State *L, struct space *s, expr cond)
{
	push_outcome(L, 1, cond);
	push_outcome(L, 0, expr_not(s->pool, cond));
}

/* Each case, and none of them. */
static void set_cases(lua_State *L, struct space *s, const struct flow_branch *b, expr value)
{
	expr none = expr_bool(s->pool, true);
	for (size_t i = 0; i < b->cases; i++) {
		expr is = expr_equals(s->pool, value, (uint64_t)b->value[i]);
		push_outcome(L, (lua_Integer)i, is);
		none = expr_make(s->pool, OP_AND, 1, none, expr_not(s->pool, is), 0);
	}
	push_outcome(L, (lua_Integer)b->cases, none);
}

static bool flippable(const struct channel_event *e)
{
	return e->kind == EV_ASSUME       ? e->x == 0
	    : e->kind == EV_ASSUME_BRANCH ? !(e->flags & 1)
	                                  : !trace_is_aside(e);
}

static void push_new_event(
    lua_State *L, struct space *s, const struct trace *t, const struct channel_event *e)
{
	static const char *const names[EV_KINDS] = {
		[EV_BRANCH] = "branch",
		[EV_SWITCH] = "branch",
		[EV_TAKEN] = "branch",
		[EV_ASKED] = "asked",
		[EV_RETURN] = "return",
	};
	const struct flow_unit *u =
	    e->unit < t->units ? flow_unit_by_key(s->flow, t->unit[e->unit].key) : NULL;
	expr cond = trace_is_condition(e) ? s->map[e->node] : 0;
	struct value v;
	lua_createtable(L, 0, 5);
	script_set_string(L, "kind",
	    names[e->kind] && (u || e->kind == EV_RETURN) ? names[e->kind] : "condition");
	script_set_integer(L, "site", (lua_Integer)((uint64_t)e->unit << 32 | e->id));
	script_set_integer(L, "outcome", (lua_Integer)e->x);
	if (e->kind == EV_ASKED && u && e->id <= u->funcs) {
		script_set_string(L, "called", u->func[e->id - 1].name);
		if (e->x == ASKED_ABSTRACT)
			script_set_string(L, "callee", u->func[e->id - 1].name);
	}
	if (e->kind == EV_RETURN && e->flags & 1)
		script_set_integer(L, "result", (lua_Integer)e->x);
	if (e->kind == EV_RETURN && e->node)
		script_set_integer(L, "returned", s->map[e->node]);
	if (!cond || expr_is_const(s->pool, cond, &v))
		return;
	lua_newtable(L);
	if (e->kind != EV_SWITCH)
		set_two(L, s, cond);
	else if (u && e->id <= u->branches && e->x <= u->branch[e->id - 1].cases)
		set_cases(L, s, &u->branch[e->id - 1], cond);
	lua_setfield(L, -2, "conditions");
	script_set_integer(L, "value", cond);
	if (e->kind == EV_SWITCH) /* another switch of the same value has other cases */
		lua_pushfstring(
		    L, "%I@%I", (LUAI_UACINT)cond, (LUAI_UACINT)((uint64_t)e->unit << 32 | e->id));
	else
		lua_pushinteger(L, cond);
	lua_setfield(L, -2, "about");
	script_set_bool(L, "fixed", !flippable(e));
}

static void push_known(lua_State *L)
{
	if (lua_getiuservalue(L, 1, 2) == LUA_TTABLE)
		return;
	lua_pop(L, 1);
	lua_newtable(L);
	lua_pushvalue(L, -1);
	lua_setiuservalue(L, 1, 2);
}

/* Most events of a run are those of runs before: they are the same tables, in `known` on top of the
 * stack. */
static void push_event(
    lua_State *L, struct space *s, const struct trace *t, const struct channel_event *e)
{
	struct {
		uint64_t x;
		uint32_t unit, id;
		expr cond, result;
		uint16_t kind, flags;
	} key;
	memset(&key, 0, sizeof key);
	key.x = e->x;
	key.unit = e->unit;
	key.id = e->id;
	key.cond = trace_is_condition(e) ? s->map[e->node] : 0;
	key.result = e->kind == EV_RETURN ? s->map[e->node] : 0;
	key.kind = e->kind;
	key.flags = e->flags;
	lua_pushlstring(L, (const char *)&key, sizeof key);
	lua_pushvalue(L, -1);
	if (lua_rawget(L, -3) != LUA_TNIL) {
		lua_remove(L, -2);
		return;
	}
	lua_pop(L, 1);
	push_new_event(L, s, t, e);
	lua_pushvalue(L, -1);
	lua_insert(L, -3);
	lua_rawset(L, -4);
}

/* Of a call whose return is the next event; the list of effects lies below two others. */
static void push_effect(lua_State *L, struct space *s, const struct channel_event *e, size_t at)
{
	if (lua_rawgeti(L, -3, (lua_Integer)at) != LUA_TTABLE) {
		lua_pop(L, 1);
		lua_newtable(L);
		lua_pushvalue(L, -1);
		lua_rawseti(L, -5, (lua_Integer)at);
	}
	if (e->node) {
		lua_pushinteger(L, s->map[e->node]);
	} else {
		lua_newtable(L);
		lua_pushinteger(L, (lua_Integer)e->x);
		lua_rawseti(L, -2, 1);
	}
	lua_rawseti(L, -2, (lua_Integer)e->y);
	lua_pop(L, 1);
}

/* space:events(trace) -> { { kind, site, outcome, conditions = { [outcome] = condition }, value,
 * about, fixed, callee, called, result, returned }, ... }, values kind: branch, of the program;
 * condition, any other; asked, return: of calls that may be abstract; result: the integer that one
 * returns; returned: its expression, if it is symbolic. value: the expression that decides; about:
 * the same for events that always have the same outcome; fixed: only this outcome is of interest;
 * called: the function; callee: the same if its call was not executed. values: a model of the run's
 * inputs. As third result, by the index of a return, what the call left in memory: { [part] =
 * expression, or a list of the value } */
int script_events(lua_State *L)
{
	struct space *s = luaL_checkudata(L, 1, META_SPACE);
	const struct trace *t = script_trace(L, 2);
	size_t n = 0;
	luaL_argcheck(L, s->tree && s->flow, 1, "closed, or without a flow");
	script_import(s, t);
	lua_settop(L, 2);
	lua_newtable(L); /* effects */
	lua_newtable(L);
	push_known(L);
	for (size_t i = 0; i < t->events; i++) {
		const struct channel_event *e = &t->event[i];
		if (e->kind == EV_EFFECT) {
			push_effect(L, s, e, n + 1);
			continue;
		}
		if (e->kind == EV_LOST || e->kind == EV_CALL || e->kind == EV_LIMIT
		    || e->kind == EV_NEED || trace_is_aside(e))
			continue;
		push_event(L, s, t, e);
		lua_rawseti(L, -3, (lua_Integer)++n);
	}
	lua_pop(L, 1);
	expr_import_values(s->pool, t, &script_new_model(L, 1)->a);
	lua_pushvalue(L, 3);
	return 3;
}
