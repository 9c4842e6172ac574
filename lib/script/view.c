#include <stdlib.h>

#include "lib/script/inner.h"
#include "lib/store/store.h"

/* A session as a table: what it was asked, and its verdicts in the order of the program. */

static void push_list(lua_State *L, const char *name, char **list)
{
	lua_newtable(L);
	for (int i = 0; list && list[i]; i++) {
		lua_pushstring(L, list[i]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, name);
}

/* Adds the i-th objective to the table below the top of the stack; on the top is its text, which is
 * popped. name: the same for this objective in another version of its function, but not unique. */
static void push_objective(lua_State *L, size_t i, const char *name, const char *place,
    enum store_verdict v, const char *evidence)
{
	static const char *const names[] = { "unknown", "covered", "infeasible" };
	lua_createtable(L, 0, 5);
	lua_insert(L, -2);
	lua_setfield(L, -2, "text");
	script_set_string(L, "name", name);
	script_set_string(L, "place", place);
	script_set_string(L, "verdict", names[v]);
	script_set_string(L, "evidence", evidence ? evidence : "");
	lua_rawseti(L, -2, (lua_Integer)i + 1);
}

static void push_branch(lua_State *L, const struct view_objective *o, size_t i)
{
	static const char *const sides[] = {
		[FLOW_TRUE] = "p:true", [FLOW_FALSE] = "p:false", [FLOW_DEFAULT] = "p:default"
	};
	lua_pushfstring(L, "%s:%d:%d", o->file, (int)o->line, (int)o->col);
	if (o->side == FLOW_CASE)
		lua_pushfstring(
		    L, "%s: p:case %I of `%s`", o->function, (LUAI_UACINT)o->value, o->text);
	else
		lua_pushfstring(L, "%s: %s of `%s`", o->function, sides[o->side], o->text);
	const char *place = lua_tostring(L, -2), *name = lua_tostring(L, -1);
	lua_pushvalue(L, -3);
	lua_pushfstring(L, "%s:%d:%d: outcome %d of %s", o->file, (int)o->line, (int)o->col,
	    (int)o->outcome, o->text);
	push_objective(L, i, name, place, o->verdict, o->evidence);
	lua_pop(L, 3);
}

static void push_pair(lua_State *L, const struct view_pair *p, size_t i)
{
	lua_pushfstring(L, "%s:%d:%d -> %s:%d:%d", p->def_file, (int)p->def_line, (int)p->def_col,
	    p->use_file, (int)p->use_line, (int)p->use_col);
	lua_pushfstring(L, "%s: %s, %s", p->function, p->variable, p->kind);
	const char *place = lua_tostring(L, -2), *name = lua_tostring(L, -1);
	lua_pushvalue(L, -3);
	lua_pushfstring(L, "%s:%d:%d: %s of %s %s:%d:%d", p->use_file, (int)p->use_line,
	    (int)p->use_col, p->kind, p->variable, p->def_file, (int)p->def_line, (int)p->def_col);
	push_objective(L, i, name, place, p->verdict, p->evidence);
	lua_pop(L, 3);
}

static void push_objectives(lua_State *L, const struct store_view *v)
{
	luaL_checkstack(L, 10, NULL);
	lua_createtable(L, (int)v->pairs, 0);
	for (size_t i = 0; i < v->pairs; i++)
		push_pair(L, &v->pair[i], i);
	lua_setfield(L, -2, "pairs");
	lua_createtable(L, (int)v->objectives, 0);
	for (size_t i = 0; i < v->objectives; i++)
		push_branch(L, &v->objective[i], i);
	lua_setfield(L, -2, "branches");
}

static void push_failures(lua_State *L, const struct store_view *v)
{
	lua_createtable(L, (int)v->failures, 0);
	for (size_t i = 0; i < v->failures; i++) {
		const struct view_failure *x = &v->failure[i];
		lua_createtable(L, 0, 2);
		lua_pushfstring(L, "%s: %s%s%s", x->function ? x->function : "-", x->kind,
		    x->message ? ", " : "", x->message ? x->message : "");
		lua_setfield(L, -2, "name");
		lua_pushfstring(L, "%s:%d", x->file ? x->file : "-", (int)x->line);
		lua_setfield(L, -2, "place");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "failures");
}

static void push_tests(lua_State *L, const struct store_view *v)
{
	luaL_Buffer b;
	lua_createtable(L, (int)v->tests, 0);
	for (size_t i = 0; i < v->tests; i++) {
		const struct input *in = &v->test[i].input;
		luaL_buffinit(L, &b);
		for (size_t k = 0; k < in->n; k++) {
			lua_pushfstring(L, "%s%s=%I", k ? " " : "", in->v[k].name,
			    (LUAI_UACINT)in->v[k].value.lo);
			luaL_addvalue(&b);
		}
		luaL_pushresult(&b);
		lua_rawseti(L, -2, (lua_Integer)v->test[i].number);
	}
	lua_setfield(L, -2, "tests");
}

void script_push_view(lua_State *L, const struct store_view *v)
{
	lua_createtable(L, 0, 16);
	script_set_integer(L, "session", v->session);
	script_set_string(L, "strategy", v->strategy);
	script_set_string(L, "entry", v->entry);
	script_set_string(L, "question", v->question);
	script_set_bool(L, "settled", v->settled);
	push_list(L, "files", v->file);
	push_list(L, "flags", v->flag);
	push_list(L, "environment", v->environment);
	push_list(L, "bounds", v->bound);
	push_list(L, "parameters", v->parameter);
	push_list(L, "proofs", v->proof);
	push_objectives(L, v);
	push_failures(L, v);
	push_tests(L, v);
}
