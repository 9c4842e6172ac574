#include <math.h>

#include "lib/guide/guide.h"
#include "lib/script/inner.h"

/* core.guide(defuse, space): how far branches are on the way to pairs. User values 1: the pairs, 2:
 * the space. Aims' user value 1: the guide. */

static struct guide *guide(lua_State *L)
{
	return script_held(L, 1, META_GUIDE);
}

static int new_guide(lua_State *L)
{
	struct defuse_box *d = script_defuse(L, 1);
	struct space *s = script_space(L, 2);
	void **box = script_box(L, sizeof *box, META_GUIDE);
	for (int i = 1; i <= 2; i++) {
		lua_pushvalue(L, i);
		lua_setiuservalue(L, -2, i);
	}
	*box = guide_new(d->d, s->tree);
	return 1;
}

static int close_guide(lua_State *L)
{
	guide_free(script_taken(L, META_GUIDE));
	return 0;
}

/* guide:add(trace): right after space:add of the same */
static int add(lua_State *L)
{
	guide_add(guide(L), script_trace(L, 2));
	return 0;
}

/* guide:keep(test, branch): the run that was added last is a test with this number; branch: that it
 * was to take, or nil */
static int keep(lua_State *L)
{
	guide_keep(guide(L), (pending)luaL_optinteger(L, 3, 0), (uint64_t)luaL_checkinteger(L, 2));
	return 0;
}

/* guide:nodes() -> conditions in the tree */
static int nodes(lua_State *L)
{
	lua_pushinteger(L, guide_nodes(guide(L)));
	return 1;
}

/* guide:aim(pair, "all" | "ends", blind): at all its cut points, or at the definition and the use
 * alone; blind: whatever is redefined */
static int new_aim(lua_State *L)
{
	struct guide *g = guide(L);
	lua_Integer pair = luaL_checkinteger(L, 2);
	static const char *const which[] = { "all", "ends", NULL };
	int points = luaL_checkoption(L, 3, "all", which);
	bool blind = lua_toboolean(L, 4);
	void **box;
	lua_getiuservalue(L, 1, 1);
	luaL_argcheck(
	    L, pair >= 1 && (size_t)pair <= script_defuse(L, -1)->d->pairs, 2, "no such pair");
	box = script_box(L, sizeof *box, META_AIM);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, 1);
	*box = aim_new(g, (uint32_t)pair - 1, (points ? AIM_ENDS : 0) | (blind ? AIM_BLIND : 0));
	return 1;
}

static struct aim *aim(lua_State *L)
{
	return script_held(L, 1, META_AIM);
}

static int close_aim(lua_State *L)
{
	aim_free(script_taken(L, META_AIM));
	return 0;
}

/* aim:state(b) -> goals passed, instructions to the next one, instructions since the last new one,
 * whether the path kills the definition; nil when b is not pending; the distance is infinite when
 * there is no way */
static int state(lua_State *L)
{
	struct aim_state s;
	if (!aim_state(aim(L), (pending)luaL_checkinteger(L, 2), &s))
		return 0;
	lua_pushinteger(L, s.passed);
	if (s.distance == AIM_FAR)
		lua_pushnumber(L, (lua_Number)HUGE_VAL);
	else
		lua_pushinteger(L, s.distance);
	lua_pushinteger(L, s.since);
	lua_pushboolean(L, s.redefined);
	return 4;
}

/* aim:goals() -> how many, the most that any path has passed */
static int goals(lua_State *L)
{
	lua_pushinteger(L, aim_goals(aim(L)));
	lua_pushinteger(L, aim_furthest(aim(L)));
	return 2;
}

/* aim:goal(i) -> FILE:LINE:COL of the i-th goal; nil for the outcome of a p-use */
static int goal(lua_State *L)
{
	struct aim *a = aim(L);
	lua_Integer i = luaL_checkinteger(L, 2);
	struct defuse_point p;
	const struct flow_unit *u;
	const struct flow_pos *pos;
	if (i < 1 || !aim_goal(a, (uint32_t)i - 1, &p))
		return 0;
	lua_getiuservalue(L, 1, 1);
	lua_getiuservalue(L, -1, 1);
	u = &script_defuse(L, -1)->flow->unit[p.unit];
	pos = &u->inst[p.inst - 1].pos;
	lua_pushfstring(L, "%s:%d:%d", pos->file ? u->file[pos->file - 1] : u->name, (int)pos->line,
	    (int)pos->col);
	return 1;
}

/* aim:closest() -> number of the kept test that comes closest, FILE:LINE where it stops; nil: none
 */
static int closest(lua_State *L)
{
	struct aim_closest c;
	if (!aim_closest(aim(L), &c))
		return 0;
	lua_pushinteger(L, (lua_Integer)c.test);
	lua_pushfstring(L, "%s:%d", c.file, (int)c.line);
	return 2;
}

static const luaL_Reg guide_methods[] = {
	{ "add", add },
	{ "keep", keep },
	{ "nodes", nodes },
	{ "aim", new_aim },
	{ "close", close_guide },
	{ NULL, NULL },
};
static const luaL_Reg aim_methods[] = {
	{ "state", state },
	{ "goals", goals },
	{ "goal", goal },
	{ "closest", closest },
	{ "close", close_aim },
	{ NULL, NULL },
};

void script_add_guide(lua_State *L)
{
	script_class(L, META_GUIDE, guide_methods, close_guide);
	script_class(L, META_AIM, aim_methods, close_aim);
	lua_pushcfunction(L, new_guide);
	lua_setfield(L, -2, "guide");
}
