#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/goals/goals.h"
#include "lib/script/inner.h"

/* core.defuse(file, { criterion, protocol, scope, entry, may_alias }): the pairs of a program.
 * Pairs count from 1 in the order of pairs(5); units from 0. */

struct defuse_box *script_defuse(lua_State *L, int i)
{
	struct defuse_box *b = luaL_checkudata(L, i, META_DEFUSE);
	luaL_argcheck(L, b->d, i, "closed");
	return b;
}

static uint32_t pair_at(lua_State *L, const struct defuse_box *b)
{
	lua_Integer n = luaL_checkinteger(L, 2);
	luaL_argcheck(L, n >= 1 && (size_t)n <= b->d->pairs, 2, "no such pair");
	return (uint32_t)n - 1;
}

static uint32_t unit_at(lua_State *L, const struct defuse_box *b, int i)
{
	lua_Integer n = luaL_checkinteger(L, i);
	luaL_argcheck(L, n >= 0 && (size_t)n < b->flow->units, i, "no such unit");
	return (uint32_t)n;
}

static void choose(lua_State *L, struct defuse_options *o)
{
	const char *criterion = script_get_string(L, 2, "criterion", "all-uses");
	const char *protocol = script_get_string(L, 2, "protocol", "default"),
	           *scope = script_get_string(L, 2, "scope", "intra");
	if (!defuse_set_criterion(o, criterion))
		luaL_error(L,
		    "criterion `%s`: expected one of all-defs, all-c-uses, all-p-uses, all-uses",
		    criterion);
	if (!defuse_set_protocol(o, protocol))
		luaL_error(L, "protocol `%s`: expected one of default, paper", protocol);
	if (!defuse_set_scope(o, scope))
		luaL_error(L, "scope `%s`: expected one of intra, inter", scope);
	o->alias.may_alias = script_get_bool(L, 2, "may_alias");
	o->alias.entry = script_get_string(L, 2, "entry", NULL);
}

/* core.defuse(file, options) */
static int new_defuse(lua_State *L)
{
	char *files[2] = { (char *)(uintptr_t)luaL_checkstring(L, 1), NULL }, *error = NULL;
	struct defuse_options o = { 0 };
	const struct flow_unit *u;
	const struct flow_func *func;
	struct defuse_box *b;
	int status;
	if (lua_isnoneornil(L, 2)) {
		lua_settop(L, 1);
		lua_newtable(L);
	}
	luaL_checktype(L, 2, LUA_TTABLE);
	choose(L, &o);
	b = script_box(L, sizeof *b, META_DEFUSE);
	if (!(b->flow = flow_read_files(files, &status, &error)))
		return script_fail(L, error);
	if (o.alias.entry) {
		if (!(func = flow_find(b->flow, o.alias.entry, &u)))
			return luaL_error(L, "entry %s: no such function", o.alias.entry);
		o.alias.entry = func->name; /* as long as the flow is there */
	}
	b->d = defuse_new(b->flow, &o);
	return 1;
}

static int close_defuse(lua_State *L)
{
	struct defuse_box *b = luaL_checkudata(L, 1, META_DEFUSE);
	defuse_free(b->d);
	flow_free(b->flow);
	b->d = NULL;
	b->flow = NULL;
	return 0;
}

/* defuse:count() -> number of pairs */
static int count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)script_defuse(L, 1)->d->pairs);
	return 1;
}

static void push_access(lua_State *L, const struct defuse_box *b, uint32_t access, const char *name)
{
	const struct defuse_access *a = &b->d->access[access];
	lua_createtable(L, 0, 9);
	script_set_integer(L, "unit", a->unit);
	script_set_integer(L, "inst", a->inst);
	script_set_integer(L, "block", a->block);
	script_set_string(L, "func", alias_function_of(b->d->alias, a->func, NULL, NULL)->name);
	script_set_string(
	    L, "file", a->pos.file ? b->flow->unit[a->unit].file[a->pos.file - 1] : NULL);
	script_set_integer(L, "line", a->pos.line);
	script_set_integer(L, "col", a->pos.col);
	script_set_string(L, "path", a->path);
	lua_setfield(L, -2, name);
}

/* defuse:pair(i) -> { name, kind, outcome (p-uses), key, def, use } */
static int pair(lua_State *L)
{
	const struct defuse_box *b = script_defuse(L, 1);
	const struct defuse_pair *p = &b->d->pair[pair_at(L, b)];
	char kind[32], key[17];
	lua_createtable(L, 0, 6);
	snprintf(key, sizeof key, "%016llx", (unsigned long long)p->key);
	script_set_string(L, "name", p->name);
	script_set_string(L, "kind", defuse_kind_name(b->d, p, kind));
	script_set_string(L, "key", key);
	if (p->outcome != DEFUSE_C)
		script_set_integer(L, "outcome", p->outcome);
	push_access(L, b, p->def, "def");
	push_access(L, b, p->use, "use");
	return 1;
}

/* defuse:points(i) -> { { unit, inst, block, role }, ... }: role cut, def or use */
static int points(lua_State *L)
{
	static const char *const roles[] = { "cut", "def", "use" };
	struct defuse_box *b = script_defuse(L, 1);
	size_t n;
	struct defuse_point *point = defuse_points(b->d, pair_at(L, b), &n);
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		lua_createtable(L, 0, 4);
		script_set_integer(L, "unit", point[i].unit);
		script_set_integer(L, "inst", point[i].inst);
		script_set_integer(
		    L, "block", b->flow->unit[point[i].unit].inst_block[point[i].inst - 1]);
		script_set_string(L, "role", roles[point[i].role]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	free(point);
	return 1;
}

void script_push_pairs(lua_State *L, const uint32_t *pair, size_t n)
{
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		lua_pushinteger(L, (lua_Integer)pair[i] + 1);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

/* defuse:covered(trace) -> { pair, ... }: what a run of the program exercised, ascending */
static int covered(lua_State *L)
{
	struct defuse_box *b = script_defuse(L, 1);
	uint32_t *pair;
	size_t n;
	defuse_covered(b->d, script_trace(L, 2), &pair, &n);
	script_push_pairs(L, pair, n);
	free(pair);
	return 1;
}

/* defuse:kills(i) -> { { unit, inst, block, must }, ... }, the pair's own definition included */
static int kills(lua_State *L)
{
	const struct defuse_box *b = script_defuse(L, 1);
	size_t n;
	struct defuse_kill *kill = defuse_kills(b->d, pair_at(L, b), &n);
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		const struct defuse_access *a = &b->d->access[kill[i].access];
		lua_createtable(L, 0, 4);
		script_set_integer(L, "unit", a->unit);
		script_set_integer(L, "inst", a->inst);
		script_set_integer(L, "block", a->block);
		script_set_bool(L, "must", kill[i].must);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	free(kill);
	return 1;
}

/* defuse:distance(unit, outcome, to_unit, to_inst) -> instructions from the outcome on; nil: not
 * reachable */
static int distance(lua_State *L)
{
	struct defuse_box *b = script_defuse(L, 1);
	uint32_t unit = unit_at(L, b, 2), to_unit = unit_at(L, b, 4), n;
	lua_Integer outcome = luaL_checkinteger(L, 3), inst = luaL_checkinteger(L, 5);
	luaL_argcheck(
	    L, outcome >= 0 && outcome < b->flow->unit[unit].outcomes, 3, "no such outcome");
	luaL_argcheck(
	    L, inst >= 1 && (size_t)inst <= b->flow->unit[to_unit].insts, 5, "no such instruction");
	n = defuse_distance(b->d, unit, (uint32_t)outcome, to_unit, (uint32_t)inst);
	if (n == DEFUSE_FAR)
		return 0;
	lua_pushinteger(L, n);
	return 1;
}

/* defuse:goals(file, decisions): writes goals(5) of all pairs and objectives, and with `decisions`
 * of the evaluations of decisions. */
static int write_goals(lua_State *L)
{
	struct defuse_box *b = script_defuse(L, 1);
	const char *path = luaL_checkstring(L, 2);
	unsigned kinds = GOALS_OF_OUTCOMES | GOALS_OF_CONDITIONS
	    | (lua_toboolean(L, 3) ? GOALS_OF_DECISIONS : 0u);
	FILE *f = fopen(path, "w");
	bool fails = !f || goals_write_all(b->d, kinds, f) != 0;
	if (f && fclose(f) != 0)
		fails = true;
	return fails ? luaL_error(L, "%s: %s", path, strerror(errno)) : 0;
}

static const luaL_Reg methods[] = {
	{ "count", count },
	{ "pair", pair },
	{ "points", points },
	{ "kills", kills },
	{ "covered", covered },
	{ "distance", distance },
	{ "goals", write_goals },
	{ "close", close_defuse },
	{ NULL, NULL },
};

void script_add_defuse(lua_State *L)
{
	script_class(L, META_DEFUSE, methods, close_defuse);
	lua_pushcfunction(L, new_defuse);
	lua_setfield(L, -2, "defuse");
}
