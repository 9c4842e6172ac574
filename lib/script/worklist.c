#include "lib/guide/guide.h"
#include "lib/script/inner.h"

/* core.worklist(backtrack): the pending branches for one pair, see lib/guide. */

static struct worklist *worklist(lua_State *L)
{
	return script_held(L, 1, META_WORKLIST);
}

static int new_worklist(lua_State *L)
{
	bool backtrack = lua_toboolean(L, 1);
	void **box = script_box(L, sizeof *box, META_WORKLIST);
	*box = worklist_new(backtrack);
	return 1;
}

static int close_worklist(lua_State *L)
{
	worklist_free(script_taken(L, META_WORKLIST));
	return 0;
}

/* w:put(branch, level, weight, class) */
static int put(lua_State *L)
{
	worklist_put(worklist(L), (pending)luaL_checkinteger(L, 2),
	    (uint32_t)luaL_checkinteger(L, 3), luaL_checknumber(L, 4),
	    (uint64_t)luaL_checkinteger(L, 5));
	return 0;
}

uint64_t script_class_of(const struct space *s, pending b)
{
	struct tree_branch t;
	if (!tree_pending(s->tree, b, &t))
		return 0;
	return ((uint64_t)t.site << 32 | t.outcome) << 6
	    | (uint64_t)(63 - __builtin_clzll((uint64_t)t.round + 1));
}

/* Arguments of w:add besides the branches. */
struct weights {
	struct worklist *w;
	struct aim *aim;
	const struct space *space;
	double near, new;
	bool similar;
};

static void put_weighed(const struct weights *h, pending b)
{
	struct aim_state t;
	if (!aim_state(h->aim, b, &t) || t.distance == AIM_FAR)
		return;
	double d = t.distance, since = t.since;
	worklist_put(h->w, b, t.passed, h->near / (d * d) + h->new / (since * since),
	    h->similar ? script_class_of(h->space, b) : 0);
}

/* w:add(aim, space, branches, near, new, similar): adds those of the branches from which the next
 * goal can be reached. Their weight (Formula 4) is `near` times the part for the distance plus
 * `new` times the part for how long ago new code was run. branches: a list or a core.branches;
 * similar: branches have classes */
static int add(lua_State *L)
{
	struct weights h = { worklist(L), script_held(L, 2, META_AIM), script_space(L, 3),
		luaL_checknumber(L, 5), luaL_checknumber(L, 6), lua_toboolean(L, 7) };
	if (lua_isuserdata(L, 4)) {
		size_t n;
		const pending *b = script_branches(L, 4, &n);
		for (size_t i = 0; i < n; i++)
			put_weighed(&h, b[i]);
		return 0;
	}
	luaL_checktype(L, 4, LUA_TTABLE);
	for (lua_Integer i = 1; lua_rawgeti(L, 4, i) != LUA_TNIL; i++) {
		pending b = (pending)lua_tointeger(L, -1);
		lua_pop(L, 1);
		put_weighed(&h, b);
	}
	return 0;
}

/* w:take() -> branch, level; nil: there is none */
static int take(lua_State *L)
{
	pending b;
	uint32_t level;
	if (!worklist_take(worklist(L), &b, &level))
		return 0;
	lua_pushinteger(L, (lua_Integer)b);
	lua_pushinteger(L, level);
	return 2;
}

/* w:count() */
static int count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)worklist_count(worklist(L)));
	return 1;
}

static const luaL_Reg methods[] = {
	{ "put", put },
	{ "add", add },
	{ "take", take },
	{ "count", count },
	{ "close", close_worklist },
	{ NULL, NULL },
};

void script_add_worklist(lua_State *L)
{
	script_class(L, META_WORKLIST, methods, close_worklist);
	lua_pushcfunction(L, new_worklist);
	lua_setfield(L, -2, "worklist");
}
