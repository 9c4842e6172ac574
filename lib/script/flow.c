#include <stdlib.h>
#include <string.h>

#include "lib/distance/distance.h"
#include "lib/harness/harness.h"
#include "lib/protocol/checks.h"
#include "lib/script/inner.h"

/* core.flow(file): a program model; core.distance(flow). */

static const struct flow *flow(lua_State *L, int i)
{
	return script_held(L, i, META_FLOW);
}

const struct flow *script_whole_flow(lua_State *L, int i)
{
	const struct flow *f = flow(L, i);
	luaL_argcheck(L, flow_has_code(f), i, "needs core.flow(file, \"records\")");
	return f;
}

/* core.flow(file [, "records"]): of an instrumented executable; of a file of flow records. */
static int new_flow(lua_State *L)
{
	const char *name = luaL_checkstring(L, 1);
	lua_settop(L, 2);
	void **box = script_box(L, sizeof *box, META_FLOW);
	char *error = NULL, *files[] = { (char *)(uintptr_t)name, NULL };
	int status;
	*box = lua_isnoneornil(L, 2) ? flow_read_program(name, &error)
	                             : flow_read_files(files, &status, &error);
	if (!*box)
		return script_fail(L, error);
	return 1;
}

static int close_flow(lua_State *L)
{
	flow_free(script_taken(L, META_FLOW));
	return 0;
}

static void push_place(lua_State *L, const struct flow_unit *u, struct flow_pos p)
{
	script_set_string(L, "file", p.file ? u->file[p.file - 1] : NULL);
	script_set_integer(L, "line", p.line);
	script_set_integer(L, "col", p.col);
}

static const struct flow_unit *unit_at(lua_State *L, const struct flow *f, int i)
{
	lua_Integer n = luaL_checkinteger(L, i);
	luaL_argcheck(L, n >= 0 && (size_t)n < f->units, i, "no such unit");
	return &f->unit[n];
}

/* flow:units() -> number of units; they count from 0 */
static int units(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)flow(L, 1)->units);
	return 1;
}

/* flow:key(unit) -> its key, 16 hexadecimal digits */
static int key(lua_State *L)
{
	char text[17];
	snprintf(text, sizeof text, "%016llx", (unsigned long long)unit_at(L, flow(L, 1), 2)->key);
	lua_pushstring(L, text);
	return 1;
}

/* flow:functions(unit) -> { { id, name, file, line, col, first, blocks, harness, system, hidden },
 * ... } */
static int functions(lua_State *L)
{
	const struct flow *f = flow(L, 1);
	const struct flow_unit *u = unit_at(L, f, 2);
	lua_createtable(L, (int)u->funcs, 0);
	for (size_t i = 0; i < u->funcs; i++) {
		lua_createtable(L, 0, 9);
		script_set_integer(L, "id", (lua_Integer)i + 1);
		script_set_string(L, "name", u->func[i].name);
		script_set_bool(L, "hidden", u->func[i].is_static);
		script_set_integer(L, "first", u->func[i].first_block);
		script_set_integer(L, "blocks", u->func[i].blocks);
		script_set_bool(L, "harness", u->func[i].is_harness);
		script_set_bool(L, "system", u->func[i].in_system);
		push_place(L, u, u->func[i].pos);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* flow:branches(unit) -> { { id, func, block, kind, first, cases, text, file, line, col }, ... } */
static int branches(lua_State *L)
{
	const struct flow *f = flow(L, 1);
	const struct flow_unit *u = unit_at(L, f, 2);
	lua_createtable(L, (int)u->branches, 0);
	for (size_t i = 0; i < u->branches; i++) {
		char kind[2] = { u->branch[i].kind, 0 };
		lua_createtable(L, 0, 10);
		script_set_integer(L, "id", (lua_Integer)i + 1);
		script_set_integer(L, "func", u->branch[i].func);
		script_set_integer(L, "block", u->branch[i].block);
		script_set_string(L, "kind", kind);
		script_set_integer(L, "first", u->branch[i].first);
		script_set_integer(L, "cases", (lua_Integer)u->branch[i].cases);
		script_set_string(L, "text", u->branch[i].text);
		push_place(L, u, u->branch[i].pos);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* flow:edges(unit) -> { { from, to, branch, outcome }, ... } */
static int edges(lua_State *L)
{
	const struct flow_unit *u = unit_at(L, flow(L, 1), 2);
	lua_createtable(L, (int)u->edges, 0);
	for (size_t i = 0; i < u->edges; i++) {
		lua_createtable(L, 0, 4);
		script_set_integer(L, "from", u->edge[i].from);
		script_set_integer(L, "to", u->edge[i].to);
		script_set_integer(L, "branch", u->edge[i].branch);
		script_set_integer(L, "outcome", u->edge[i].outcome);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* flow:calls(unit) -> { { func, block, callee, harness, file, line, col }, ... }; callee nil:
 * through a pointer */
static int calls(lua_State *L)
{
	const struct flow_unit *u = unit_at(L, flow(L, 1), 2);
	lua_createtable(L, (int)u->calls, 0);
	for (size_t i = 0; i < u->calls; i++) {
		lua_createtable(L, 0, 7);
		script_set_integer(L, "func", u->call[i].func);
		script_set_bool(L, "harness", u->func[u->call[i].func - 1].is_harness);
		script_set_integer(L, "block", u->call[i].block);
		script_set_string(L, "callee", u->call[i].callee);
		push_place(L, u, u->call[i].pos);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* flow:called([entry]) -> sorted names of the functions that are called by functions which the
 * entry reaches; without an entry, by all functions except the harness's */
static int called(lua_State *L)
{
	const struct flow *f = flow(L, 1);
	const char *entry = luaL_optstring(L, 2, NULL), **name;
	bool **mark = entry ? flow_reachable(f, entry) : NULL;
	size_t room = 0, n = 0;
	lua_Integer k = 0;
	for (size_t i = 0; i < f->units; i++)
		room += f->unit[i].calls;
	name = lua_newuserdatauv(L, (room + 1) * sizeof *name, 0);
	for (size_t i = 0; i < f->units; i++)
		for (size_t j = 0; j < f->unit[i].calls; j++) {
			const struct flow_call *c = &f->unit[i].call[j];
			if (c->callee && c->func
			    && (mark ? mark[i][c->func - 1]
			             : !f->unit[i].func[c->func - 1].is_harness))
				name[n++] = c->callee;
		}
	if (mark)
		flow_marks_free(f, mark);
	qsort(name, n, sizeof *name, compare_names);
	lua_newtable(L);
	for (size_t i = 0; i < n; i++)
		if (!i || strcmp(name[i], name[i - 1])) {
			lua_pushstring(L, name[i]);
			lua_rawseti(L, -2, ++k);
		}
	return 1;
}

/* flow:checks(unit) -> { { func, inst, kind }, ... }: conditions at instructions, in order */
static int checks(lua_State *L)
{
	const struct flow_unit *u = unit_at(L, flow(L, 1), 2);
	lua_createtable(L, (int)u->checks, 0);
	for (size_t i = 0; i < u->checks; i++) {
		lua_createtable(L, 0, 3);
		script_set_integer(L, "func", u->check[i].func);
		script_set_integer(L, "inst", u->check[i].inst);
		script_set_string(L, "kind", check_name(u->check[i].kind));
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* flow:limits(unit) -> { { func, kind, file, line, col }, ... }: places where compilers may differ
 */
static int limits(lua_State *L)
{
	const struct flow_unit *u = unit_at(L, flow(L, 1), 2);
	lua_createtable(L, (int)u->limits, 0);
	for (size_t i = 0; i < u->limits; i++) {
		lua_createtable(L, 0, 5);
		script_set_integer(L, "func", u->limit[i].func);
		script_set_string(L, "kind", u->limit[i].kind);
		push_place(L, u, u->limit[i].pos);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* Is it the C library's own? These have reserved names. */
static bool is_reserved(const struct flow_type *t)
{
	const char *name = t->text ? strchr(t->text, ' ') : NULL;

	return name && name[1] == '_' && !t->is_own;
}

static void add_size(lua_State *L, const struct flow_unit *u, uint32_t type)
{
	const struct flow_type *t = type ? &u->type[type - 1] : NULL;

	if (t && t->count > 1 && t->of && u->type[t->of - 1].size == 1) {
		lua_pushinteger(L, (lua_Integer)t->count);
		lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
	}
}

/* flow:sizes(unit) -> { N, ... }: the sizes of the program's arrays of characters, in any order,
 * with repetitions */
static int sizes(lua_State *L)
{
	const struct flow_unit *u = unit_at(L, flow(L, 1), 2);

	lua_newtable(L);
	for (size_t i = 0; i < u->vars; i++)
		add_size(L, u, u->var[i].type);
	for (size_t i = 0; i < u->types; i++)
		for (size_t k = 0; !is_reserved(&u->type[i]) && k < u->type[i].members; k++)
			add_size(L, u, u->type[i].member[k].type);
	return 1;
}

/* flow:find(name) -> unit, id of the function; nil when there is none */
static int find(lua_State *L)
{
	const struct flow *f = flow(L, 1);
	const struct flow_unit *u = NULL;
	const struct flow_func *func = flow_find(f, luaL_checkstring(L, 2), &u);
	if (!func)
		return 0;
	lua_pushinteger(L, u - f->unit);
	lua_pushinteger(L, func - u->func + 1);
	return 2;
}

/* flow:tells_pairs() -> was any unit built with --pairs? */
static int tells_pairs(lua_State *L)
{
	const struct flow *f = flow(L, 1);
	bool any = false;
	for (size_t i = 0; i < f->units; i++)
		any |= f->unit[i].tells_pairs;
	lua_pushboolean(L, any);
	return 1;
}

/* flow:merges() -> can runs of it merge paths that only differ in values? */
static int merges(lua_State *L)
{
	const struct flow *f = flow(L, 1);
	bool any = false;
	for (size_t i = 0; i < f->units; i++)
		any |= f->unit[i].merges;
	lua_pushboolean(L, any);
	return 1;
}

/* flow:harness() -> what the program's harness calls, what narrows its inputs; nil when it has none
 */
static int harness(lua_State *L)
{
	const struct flow *f = flow(L, 1);
	for (size_t i = 0; i < f->units; i++)
		if (f->unit[i].entry) {
			lua_pushstring(L, f->unit[i].entry);
			lua_pushstring(L, f->unit[i].narrowing ? f->unit[i].narrowing : "");
			return 2;
		}
	return 0;
}

/* flow:needed(entry) -> { [unit] = is it needed for runs from the entry? } */
static int needed(lua_State *L)
{
	const struct flow *f = script_whole_flow(L, 1);
	bool *list = flow_needed(f, luaL_checkstring(L, 2));
	lua_createtable(L, 0, (int)f->units);
	for (size_t i = 0; i < f->units; i++) {
		lua_pushboolean(L, list[i]);
		lua_rawseti(L, -2, (lua_Integer)i);
	}
	free(list);
	return 1;
}

/* flow:reachable(entry) -> { [unit] = { [function] = true } }: by the call graph */
static int reachable(lua_State *L)
{
	const struct flow *f = flow(L, 1);
	bool **mark = flow_reachable(f, luaL_checkstring(L, 2));
	lua_createtable(L, 0, (int)f->units);
	for (size_t i = 0; i < f->units; i++) {
		lua_newtable(L);
		for (size_t k = 0; k < f->unit[i].funcs; k++)
			if (mark[i][k]) {
				lua_pushboolean(L, 1);
				lua_rawseti(L, -2, (lua_Integer)k + 1);
			}
		lua_rawseti(L, -2, (lua_Integer)i);
	}
	flow_marks_free(f, mark);
	return 1;
}

/* flow:setter(entry, trace) -> the function that sets the global pointer, which was NULL where the
 * run failed, or nil */
static int setter(lua_State *L)
{
	const struct flow *f = script_whole_flow(L, 1);
	const struct trace *t = script_trace(L, 3);
	const struct flow_unit *u =
	    t->fault_unit < t->units ? flow_unit_by_key(f, t->unit[t->fault_unit].key) : NULL;
	char *name = u && t->fault_block && t->fault_block <= u->blocks
	    ? flow_setter(f, luaL_checkstring(L, 2), u, t->fault_block, t->fault_inst)
	    : NULL;
	lua_pushstring(L, name);
	free(name);
	return 1;
}

/* flow:causes(unit, branch) -> units and numbers, in turn, of the blocks that define what the
 * condition depends on, a list */
static int causes(lua_State *L)
{
	const struct flow *f = script_whole_flow(L, 1);
	const struct flow_unit *u = unit_at(L, f, 2);
	lua_Integer branch = luaL_checkinteger(L, 3);
	size_t n;
	luaL_argcheck(L, branch > 0 && (size_t)branch <= u->branches, 3, "no such condition");
	struct flow_place *p = flow_causes(f, (uint32_t)(u - f->unit), (uint32_t)branch, &n);
	lua_createtable(L, (int)(2 * n), 0);
	for (size_t i = 0; i < n; i++) {
		lua_pushinteger(L, p[i].unit);
		lua_rawseti(L, -2, (lua_Integer)(2 * i) + 1);
		lua_pushinteger(L, p[i].block);
		lua_rawseti(L, -2, (lua_Integer)(2 * i) + 2);
	}
	free(p);
	return 1;
}

/* flow:takes_arguments() -> has main a parameter for their texts? */
static int takes_arguments(lua_State *L)
{
	const struct flow_unit *u;
	const struct flow_func *f = flow_find(flow(L, 1), "main", &u);
	lua_pushboolean(L, f && f->params > 1);
	return 1;
}

/* flow:plan{ entry, len, string, ... } -> the plan of the inputs, what narrows them; nil and a
 * message */
static int plan(lua_State *L)
{
	const struct flow *f = flow(L, 1);
	struct harness_options o = { 0 };
	char *narrowing = NULL, *error = NULL, *text;
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	o.entry = script_get_string(L, 2, "entry", "main");
	o.len = script_get_list(L, 2, "len");
	o.string = script_get_list(L, 2, "string");
	o.may_alias = script_get_list(L, 2, "may_alias");
	o.distinct = script_get_list(L, 2, "distinct");
	o.global = script_get_list(L, 2, "global");
	o.init = script_get_list(L, 2, "init");
	o.assume = script_get_list(L, 2, "assume");
	o.range = script_get_list(L, 2, "range");
	o.stub = script_get_list(L, 2, "stub");
	text = harness_plan_text(f, &o, &narrowing, &error);
	if (text)
		lua_pushstring(L, text);
	else
		lua_pushnil(L);
	lua_pushstring(L, text ? narrowing : error);
	free(text);
	free(narrowing);
	free(error);
	return 2;
}

/* flow:absent(entry) -> the variables that nothing defines and that the entry may access, a line
 * each */
static int absent(lua_State *L)
{
	char *text = harness_absent(flow(L, 1), luaL_checkstring(L, 2));
	lua_pushstring(L, text);
	free(text);
	return 1;
}

/* ---- distances. User value 1: the flow. */

static struct distance *distance(lua_State *L)
{
	return script_held(L, 1, META_DISTANCE);
}

static int new_distance(lua_State *L)
{
	const struct flow *f = flow(L, 1);
	void **box = script_box(L, sizeof *box, META_DISTANCE);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, 1);
	*box = distance_new(f, lua_toboolean(L, 2));
	return 1;
}

static int close_distance(lua_State *L)
{
	distance_free(script_taken(L, META_DISTANCE));
	return 0;
}

/* distance:want(unit, outcome, wanted): outcome is the index in the unit */
static int want(lua_State *L)
{
	distance_want(distance(L), (uint32_t)luaL_checkinteger(L, 2),
	    (uint32_t)luaL_checkinteger(L, 3), lua_toboolean(L, 4));
	return 0;
}

/* distance:shut(unit, outcome, closed): paths must not take the outcome */
static int shut(lua_State *L)
{
	distance_close(distance(L), (uint32_t)luaL_checkinteger(L, 2),
	    (uint32_t)luaL_checkinteger(L, 3), lua_toboolean(L, 4));
	return 0;
}

/* distance:get(unit, outcome) -> branches to a wanted outcome, nil when there is no way */
static int get(lua_State *L)
{
	uint32_t n = distance_get(
	    distance(L), (uint32_t)luaL_checkinteger(L, 2), (uint32_t)luaL_checkinteger(L, 3));
	if (n == DISTANCE_NONE)
		return 0;
	lua_pushinteger(L, n);
	return 1;
}

/* distance:reached(trace) -> the least of those of the outcomes that the run took, concrete ones
 * included; nil when none has a way */
static int reached(lua_State *L)
{
	struct distance *d = distance(L);
	const struct trace *t = script_trace(L, 2);
	const struct flow *f;
	uint32_t least = DISTANCE_NONE;
	lua_getiuservalue(L, 1, 1);
	f = flow(L, -1);
	for (size_t i = 0; i < t->covers; i++) {
		const struct flow_unit *u = flow_unit_by_key(f, t->unit[t->cover[i].unit].key);
		uint32_t n = u ? distance_get(d, (uint32_t)(u - f->unit), t->cover[i].outcome)
		               : DISTANCE_NONE;
		least = n < least ? n : least;
	}
	if (least == DISTANCE_NONE)
		return 0;
	lua_pushinteger(L, least);
	return 1;
}

static const luaL_Reg flow_methods[] = {
	{ "units", units },
	{ "key", key },
	{ "functions", functions },
	{ "branches", branches },
	{ "edges", edges },
	{ "calls", calls },
	{ "called", called },
	{ "checks", checks },
	{ "limits", limits },
	{ "sizes", sizes },
	{ "amounts", script_flow_amounts },
	{ "texts", script_flow_texts },
	{ "find", find },
	{ "plan", plan },
	{ "absent", absent },
	{ "takes_arguments", takes_arguments },
	{ "reachable", reachable },
	{ "needed", needed },
	{ "setter", setter },
	{ "causes", causes },
	{ "harness", harness },
	{ "tells_pairs", tells_pairs },
	{ "merges", merges },
	{ "close", close_flow },
	{ NULL, NULL },
};
static const luaL_Reg distance_methods[] = {
	{ "want", want },
	{ "shut", shut },
	{ "get", get },
	{ "reached", reached },
	{ "close", close_distance },
	{ NULL, NULL },
};

void script_add_flow(lua_State *L)
{
	script_class(L, META_FLOW, flow_methods, close_flow);
	script_class(L, META_DISTANCE, distance_methods, close_distance);
	lua_pushcfunction(L, new_flow);
	lua_setfield(L, -2, "flow");
	lua_pushcfunction(L, new_distance);
	lua_setfield(L, -2, "distance");
}
