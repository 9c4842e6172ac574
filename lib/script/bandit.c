/* core.bandit(arms, bonus, fade): a multi-armed bandit for search mix: chooses the arm with the
 * highest gain per cost, plus a bonus for arms that were tried seldom. Old gains and costs fade. */
#include <math.h>

#include "lib/script/inner.h"

struct arm {
	double gain, cost;
	bool out; /* of the choice being made */
};

struct bandit {
	double bonus, fade;
	size_t arms;
	struct arm arm[];
};

static struct bandit *bandit(lua_State *L)
{
	return luaL_checkudata(L, 1, META_BANDIT);
}

static struct arm *arm(lua_State *L, struct bandit *b)
{
	lua_Integer i = luaL_checkinteger(L, 2);
	luaL_argcheck(L, i >= 1 && (size_t)i <= b->arms, 2, "no arm");
	return &b->arm[i - 1];
}

static int new_bandit(lua_State *L)
{
	lua_Integer n = luaL_checkinteger(L, 1);
	double bonus = luaL_checknumber(L, 2), fade = luaL_checknumber(L, 3);
	luaL_argcheck(L, n >= 1 && n <= 1 << 16, 1, "so many arms");
	struct bandit *b = script_box(L, sizeof *b + (size_t)n * sizeof *b->arm, META_BANDIT);
	b->bonus = bonus;
	b->fade = fade;
	b->arms = (size_t)n;
	return 1;
}

/* b:learn(arm, gain, cost) */
static int learn(lua_State *L)
{
	struct arm *a = arm(L, bandit(L));
	a->gain += luaL_checknumber(L, 3);
	a->cost += luaL_checknumber(L, 4);
	return 0;
}

/* b:best(not) -> the best arm, except those that were passed as `not` since the last b:take; nil:
 * there is none */
static int best(lua_State *L)
{
	struct bandit *b = bandit(L);
	double all = 1, highest = -1;
	size_t choice = 0;

	if (!lua_isnoneornil(L, 2))
		arm(L, b)->out = true;
	for (size_t i = 0; i < b->arms; i++)
		all += b->arm[i].cost;
	double lead = b->bonus * sqrt(log(all));
	for (size_t i = 0; i < b->arms; i++) {
		const struct arm *a = &b->arm[i];
		double value = a->cost > 0 ? a->gain / a->cost + lead / sqrt(a->cost) : HUGE_VAL;
		if (!a->out && value > highest) {
			highest = value;
			choice = i + 1;
		}
	}
	if (!choice)
		return 0;
	lua_pushinteger(L, (lua_Integer)choice);
	return 1;
}

/* b:take(arm): the arm was chosen, at a cost of 1 */
static int take(lua_State *L)
{
	struct bandit *b = bandit(L);
	struct arm *taken = arm(L, b);

	for (size_t i = 0; i < b->arms; i++) {
		b->arm[i].gain *= b->fade;
		b->arm[i].cost *= b->fade;
		b->arm[i].out = false;
	}
	taken->cost += 1;
	return 0;
}

static const luaL_Reg methods[] = { { "learn", learn }, { "best", best }, { "take", take },
	{ NULL, NULL } };

void script_add_bandit(lua_State *L)
{
	script_class(L, META_BANDIT, methods, NULL);
	lua_pushcfunction(L, new_bandit);
	lua_setfield(L, -2, "bandit");
}
