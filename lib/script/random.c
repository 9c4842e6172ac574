/* core.random(seed): random numbers, splitmix64, one state a generator; and random values of
 * inputs.
 */
#include "lib/script/inner.h"

#include <math.h>
#include <string.h>

static uint64_t *state(lua_State *L)
{
	return luaL_checkudata(L, 1, META_RANDOM);
}

static uint64_t next(uint64_t *s)
{
	uint64_t z = *s += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static int new_random(lua_State *L)
{
	uint64_t seed = (uint64_t)luaL_checkinteger(L, 1);
	*(uint64_t *)script_box(L, sizeof seed, META_RANDOM) = seed;
	return 1;
}

uint64_t script_below(uint64_t *s, uint64_t n)
{
	return (uint64_t)(((__uint128_t)next(s) * n) >> 64);
}

/* n random bits, at most 64. */
static uint64_t some_bits(uint64_t *s, unsigned n)
{
	uint64_t v = next(s);
	return n == 0 ? 0 : v >> (64 - n);
}

/* random:below(n) -> 0 .. n-1 */
static int below(lua_State *L)
{
	uint64_t n = (uint64_t)luaL_checkinteger(L, 2);
	luaL_argcheck(L, n > 0, 2, "must be positive");
	lua_pushinteger(L, (lua_Integer)script_below(state(L), n));
	return 1;
}

/* random:draw(list) -> an element, which the last one replaces in the list; nil when there is none
 */
static int draw(lua_State *L)
{
	lua_Integer n, i;
	luaL_checktype(L, 2, LUA_TTABLE);
	if (!(n = (lua_Integer)lua_rawlen(L, 2)))
		return 0;
	i = 1 + (lua_Integer)script_below(state(L), (uint64_t)n);
	lua_rawgeti(L, 2, i);
	lua_rawgeti(L, 2, n);
	lua_rawseti(L, 2, i);
	lua_pushnil(L);
	lua_rawseti(L, 2, n);
	return 1;
}

/* random:bits(n) -> an integer of n random bits, 64 at most */
static int bits(lua_State *L)
{
	lua_Integer n = luaL_checkinteger(L, 2);
	luaL_argcheck(L, n >= 0 && n <= 64, 2, "0 to 64");
	lua_pushinteger(L, (lua_Integer)some_bits(state(L), (unsigned)n));
	return 1;
}

static int64_t number(uint64_t *s, unsigned width)
{
	static const int64_t interesting[] = { 0, 1, -1, 2, 3, 4, 7, 8, 10, 16, 32, 64, 100, 127,
		128, 255, 256, 1000, 1024, 4096 };
	unsigned most = width < 64 ? width : 64;

	switch (script_below(s, 4)) {
	case 0: return interesting[script_below(s, sizeof interesting / sizeof *interesting)];
	case 1: return (int64_t)script_below(s, 21) - 10;
	case 2: /* of random bit length, uniformly distributed */
		return (int64_t)some_bits(s, (unsigned)script_below(s, most) + 1);
	default: return (int64_t)some_bits(s, most);
	}
}

static int64_t character(uint64_t *s)
{
	switch (script_below(s, 8)) {
	case 0: return 0;
	case 1: return (int64_t)some_bits(s, 8);
	default: return 32 + (int64_t)script_below(s, 95);
	}
}

/* A number near zero, of any size, or of random bits. */
static double real(uint64_t *s)
{
	static const double part[] = { 1, 2, 4, 8, 10, 100, 1000 };
	double sign = script_below(s, 4) ? 1 : -1, value;
	uint64_t all;

	switch (script_below(s, 4)) {
	case 0: return sign * (double)script_below(s, 11);
	case 1: return sign * (double)script_below(s, 1001) / part[script_below(s, 7)];
	case 2:
		return ldexp(sign * (1 + ldexp((double)some_bits(s, 20), -20)),
		    (int)script_below(s, 41) - 20);
	default:
		all = some_bits(s, 64);
		memcpy(&value, &all, sizeof value);
		return value;
	}
}

/* The bits of a float or a double; of other formats 64 bits, which may be any number. */
static int64_t floating(uint64_t *s, unsigned width)
{
	double d = real(s);
	float f = (float)d;
	int32_t narrow;
	int64_t wide;

	memcpy(&narrow, &f, sizeof narrow);
	memcpy(&wide, &d, sizeof wide);
	return width == 32 ? narrow : width == 64 ? wide : number(s, width);
}

int64_t script_random_value(uint64_t *s, char kind, unsigned width)
{
	switch (kind) {
	case 'c': return character(s);
	case 'b': return (int64_t)some_bits(s, 1);
	case 'f': return floating(s, width);
	case 'n': return (int64_t)script_below(s, 4); /* a choice: the harness reduces it */
	default: return number(s, width);
	}
}

/* random:value(kind, width) -> a value for a variable of this kind (enum input_kind) and width in
 * bits */
static int value(lua_State *L)
{
	const char *kind = luaL_checkstring(L, 2);
	lua_Integer width = luaL_checkinteger(L, 3);
	luaL_argcheck(L, width >= 1 && width <= 128, 3, "1 to 128 bits");
	lua_pushinteger(L, script_random_value(state(L), *kind, (unsigned)width));
	return 1;
}

static const luaL_Reg methods[] = { { "below", below }, { "bits", bits }, { "draw", draw },
	{ "value", value }, { NULL, NULL } };

void script_add_random(lua_State *L)
{
	script_class(L, META_RANDOM, methods, NULL);
	lua_pushcfunction(L, new_random);
	lua_setfield(L, -2, "random");
}
