#include <math.h>
#include <stdlib.h>

#include "lib/base/grow.h"
#include "lib/script/inner.h"

/* core.classes(space, random, how): open branches by class, and the class of the least cost: see
 * lua/duct/classes.lua. User values 1: the space; 2: a list of random numbers, how.distance,
 * how.passed and how.near. */

enum {
	MANY = 1024, /* branches of a class from which on closed ones are left out, now and then */
	FAR = 32,    /* distance when nothing aimed at is reachable */
	WORTH = 8,   /* branches of distance for each time that something was passed */
	MODELS = 8,  /* branches in library models that were chosen count as one branch */
	USUAL = 4,   /* runs that are so many times longer than the mean are usual ones */
	MOST = 7,    /* times that something was passed that count */
};

struct class
{
	uint32_t site; /* index */
	lua_Integer unit, branch, outcome;
	uint32_t depth, passed;
	lua_Integer near; /* of a class in library models: its distance; -1: not told */
	uint64_t chosen;
	bool placed, model, fault; /* placed: unit, branch and outcome are known */
	pending *at;
	uint32_t n, swept; /* n when closed ones were left out last */
	size_t room;
};
struct queued_class {
	lua_Integer cost;
	uint64_t number; /* entries before it */
	uint32_t class;
};
struct classes {
	struct space *space;
	uint64_t *random;
	struct class *class;
	size_t classes;
	uint64_t *site; /* how often branches of each were chosen */
	size_t sites;
	struct map class_of, site_of; /* key + 1, number + 1 -> 1 + index */
	struct queued_class *heap;    /* classes with branches, by their cost when they came in */
	size_t n, room;
	uint64_t entries;
	double logs; /* of the lengths of paths: sum of logarithms; their number */
	uint64_t paths;
	uint32_t last; /* of which the last branch was taken */
	lua_Integer of_fault;
	bool newest, alone, passed, near, fault;
};

static struct classes *classes_of(lua_State *L)
{
	struct classes *c = luaL_checkudata(L, 1, META_CLASSES);
	luaL_argcheck(L, c->space->tree, 1, "its space is closed");
	return c;
}

/* ---- the heap: the least cost first, of equal ones the newest or the oldest */

static bool comes_before(
    const struct classes *c, const struct queued_class *a, const struct queued_class *b)
{
	return a->cost < b->cost
	    || (a->cost == b->cost && (c->newest ? a->number > b->number : a->number < b->number));
}

static void heap_put(struct classes *c, lua_Integer cost, uint32_t class)
{
	struct queued_class e = { cost, c->entries++, class };
	size_t i = c->n++;
	GROW(c->heap, c->room, c->n);
	for (; i && comes_before(c, &e, &c->heap[(i - 1) / 2]); i = (i - 1) / 2)
		c->heap[i] = c->heap[(i - 1) / 2];
	c->heap[i] = e;
}

static struct queued_class heap_take(struct classes *c)
{
	struct queued_class first = c->heap[0], e = c->heap[--c->n];
	size_t i = 0;
	for (size_t k; (k = 2 * i + 1) < c->n; i = k) {
		k += k + 1 < c->n && comes_before(c, &c->heap[k + 1], &c->heap[k]);
		if (!comes_before(c, &c->heap[k], &e))
			break;
		c->heap[i] = c->heap[k];
	}
	c->heap[i] = e;
	return first;
}

/* ---- costs */

/* A function of `how`, on the stack. */
static void push_function(lua_State *L, int i)
{
	lua_getiuservalue(L, 1, 2);
	lua_rawgeti(L, -1, i);
	lua_remove(L, -2);
}

static lua_Integer distance(lua_State *L, const struct class *k)
{
	lua_Integer d = k->near;
	if (d >= 0)
		return d;
	push_function(L, 2);
	if (k->placed) {
		lua_pushinteger(L, k->unit);
		lua_pushinteger(L, k->branch);
		lua_pushinteger(L, k->outcome);
	}
	lua_call(L, k->placed ? 3 : 0, 1);
	d = lua_isnil(L, -1) ? FAR : luaL_checkinteger(L, -1);
	lua_pop(L, 1);
	return d;
}

/* How many runs of the usual length, the geometric mean, one takes that comes to a branch of the
 * class. */
static lua_Integer weight(const struct classes *c, const struct class *k)
{
	return c->paths ? (lua_Integer)(k->depth / (USUAL * exp(c->logs / (double)c->paths))) : 0;
}

static lua_Integer cost_of(lua_State *L, const struct classes *c, uint32_t class)
{
	const struct class *k = &c->class[class];
	lua_Integer d = !k->fault ? distance(L, k) : c->fault ? c->of_fault : FAR;
	uint64_t of_site = c->site[k->site];
	of_site = !c->alone ? of_site / 2 : k->model ? of_site / MODELS : 0;
	return d + weight(c, k) + (lua_Integer)(k->chosen + of_site)
	    + WORTH * (lua_Integer)(MOST - k->passed);
}

static void queue(lua_State *L, struct classes *c, uint32_t class)
{
	lua_Integer cost = cost_of(L, c, class);
	heap_put(c, cost, class);
}

/* A class of the least cost. Costs only grow: a class whose cost has grown is queued again. */
static uint32_t cheapest(lua_State *L, struct classes *c)
{
	for (;;) {
		struct queued_class e = heap_take(c);
		lua_Integer now = cost_of(L, c, e.class);
		if (now <= e.cost)
			return e.class;
		heap_put(c, now, e.class);
	}
}

/* ---- classes and their branches */

static uint32_t site_of(struct classes *c, const struct tree_branch *b)
{
	bool fresh;
	uint64_t number = c->alone && !b->branch ? 0 : b->site;
	uint32_t *at = map_at(&c->site_of, number + 1, &fresh);
	if (!*at) {
		(void)PUSH(c->site, c->sites);
		*at = (uint32_t)c->sites;
	}
	return *at - 1;
}

/* A branch in a library model stands where the last condition of the program before it does. */
static void place(const struct classes *c, pending branch, struct class *k, struct tree_branch b)
{
	k->model = !b.branch;
	k->placed = b.branch || tree_before(c->space->tree, branch, &b);
	k->unit = script_flow_unit(c->space, b.unit);
	k->branch = b.branch;
	k->outcome = b.outcome;
}

/* how.near(branch), of one in a library model */
static lua_Integer near_by(lua_State *L, const struct classes *c, pending branch)
{
	struct tree_branch b;
	lua_Integer d;
	if (!c->near || !tree_pending(c->space->tree, branch, &b) || b.kind != EV_MODEL)
		return -1;
	push_function(L, 4);
	lua_pushinteger(L, branch);
	lua_call(L, 1, 1);
	d = lua_isnil(L, -1) ? FAR : luaL_checkinteger(L, -1);
	lua_pop(L, 1);
	return d < 0 ? 0 : d > FAR ? FAR : d;
}

static uint32_t class_of(struct classes *c, pending branch, uint32_t passed, lua_Integer near)
{
	bool fresh;
	struct tree_branch b;
	uint64_t key = script_class_of(c->space, branch) << 3 | passed;
	uint32_t *at = map_at(&c->class_of, (key ^ (uint64_t)(near + 1) << 40) + 1, &fresh);
	if (!*at) {
		struct class *k = PUSH(c->class, c->classes);
		*at = (uint32_t)c->classes;
		tree_pending(c->space->tree, branch, &b);
		*k = (struct class){
			.site = site_of(c, &b),
			.depth = b.depth,
			.passed = passed,
			.near = near,
			.fault = b.check,
		};
		place(c, branch, k, b);
	}
	return *at - 1;
}

static void leave_out_closed(const struct classes *c, struct class *k)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < k->n; i++)
		if (tree_is_pending(c->space->tree, k->at[i]))
			k->at[n++] = k->at[i];
	k->n = k->swept = n;
}

static void put(lua_State *L, struct classes *c, pending branch, uint32_t passed)
{
	uint32_t class = class_of(c, branch, passed, near_by(L, c, branch));
	struct class *k = &c->class[class];
	bool first = !k->n;
	if (k->n >= MANY && k->n / 2 >= k->swept)
		leave_out_closed(c, k);
	GROW(k->at, k->room, (size_t)k->n + 1);
	k->at[k->n++] = branch;
	if (first)
		queue(L, c, class);
}

/* how.passed(branch) */
static uint32_t passed_by(lua_State *L, pending branch)
{
	lua_Integer n;
	push_function(L, 3);
	lua_pushinteger(L, branch);
	lua_call(L, 1, 1);
	n = luaL_checkinteger(L, -1);
	lua_pop(L, 1);
	return (uint32_t)(n < 0 ? 0 : n > MOST ? MOST : n);
}

/* ---- for Lua */

static int new_classes(lua_State *L)
{
	struct space *s = script_space(L, 1);
	uint64_t *random = luaL_checkudata(L, 2, META_RANDOM);
	struct classes *c;
	luaL_checktype(L, 3, LUA_TTABLE);
	c = script_box(L, sizeof *c, META_CLASSES);
	*c = (struct classes){ .space = s, .random = random };
	c->newest = script_get_bool(L, 3, "newest");
	c->alone = script_get_bool(L, 3, "alone");
	c->fault = lua_getfield(L, 3, "fault") != LUA_TNIL;
	c->of_fault = lua_tointeger(L, -1);
	c->passed = lua_getfield(L, 3, "passed") != LUA_TNIL;
	c->near = lua_getfield(L, 3, "near") != LUA_TNIL;
	lua_settop(L, 4);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, 4, 1);
	lua_createtable(L, 4, 0);
	lua_pushvalue(L, 2);
	lua_rawseti(L, 5, 1);
	lua_getfield(L, 3, "distance");
	lua_rawseti(L, 5, 2);
	lua_getfield(L, 3, "passed");
	lua_rawseti(L, 5, 3);
	lua_getfield(L, 3, "near");
	lua_rawseti(L, 5, 4);
	lua_setiuservalue(L, 4, 2);
	return 1;
}

static int close_classes(lua_State *L)
{
	struct classes *c = luaL_checkudata(L, 1, META_CLASSES);
	for (size_t i = 0; i < c->classes; i++)
		free(c->class[i].at);
	free(c->class);
	free(c->site);
	free(c->heap);
	map_close(&c->class_of);
	map_close(&c->site_of);
	c->class = NULL;
	c->site = NULL;
	c->heap = NULL;
	c->classes = c->sites = c->n = c->room = 0;
	return 0;
}

/* c:add(path): its branches; path.length: of one of a run, its number of conditions */
static int add(lua_State *L)
{
	struct classes *c = classes_of(L);
	luaL_checktype(L, 2, LUA_TTABLE);
	if (lua_getfield(L, 2, "length") != LUA_TNIL) {
		c->logs += log(1 + (double)lua_tointeger(L, -1));
		c->paths++;
	}
	for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
		pending branch = (pending)lua_tointeger(L, -1);
		lua_pop(L, 1);
		if (tree_is_pending(c->space->tree, branch))
			put(L, c, branch, c->passed ? passed_by(L, branch) : 0);
	}
	return 0;
}

/* c:take() -> a branch, which may be closed; nil: there is none */
static int take(lua_State *L)
{
	struct classes *c = classes_of(L);
	struct class *k;
	uint32_t class, i;
	pending branch;
	if (!c->n)
		return 0;
	class = cheapest(L, c);
	k = &c->class[class];
	i = c->newest ? k->n - 1 : k->chosen % 2 == 0 ? 0 : (uint32_t)script_below(c->random, k->n);
	branch = k->at[i];
	k->at[i] = k->at[--k->n];
	k->chosen++;
	c->site[k->site]++;
	c->last = class;
	if (k->n)
		queue(L, c, class);
	lua_pushinteger(L, branch);
	return 1;
}

/* c:charge(n): the last branch that was taken was as dear as so many more choices */
static int charge(lua_State *L)
{
	struct classes *c = classes_of(L);
	lua_Integer n = luaL_checkinteger(L, 2);
	if (c->classes) {
		c->class[c->last].chosen += (uint64_t)n;
		c->site[c->class[c->last].site] += (uint64_t)n;
	}
	return 0;
}

/* c:empty() */
static int empty(lua_State *L)
{
	lua_pushboolean(L, !classes_of(L)->n);
	return 1;
}

static const luaL_Reg methods[] = {
	{ "add", add },
	{ "take", take },
	{ "charge", charge },
	{ "empty", empty },
	{ "close", close_classes },
	{ NULL, NULL },
};

void script_add_classes(lua_State *L)
{
	script_class(L, META_CLASSES, methods, close_classes);
	lua_pushcfunction(L, new_classes);
	lua_setfield(L, -2, "classes");
}
