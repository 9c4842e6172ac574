/* core.sequence{ number, ... }: the values of the inputs NAME[0], NAME[1], ..., and random
 * mutations of them. Sequences are immutable. */
#include <stdlib.h>
#include <string.h>

#include "lib/script/inner.h"

/* A sequence under construction. */
struct draft {
	int64_t *v;
	size_t n, room;
};

const struct sequence *script_sequence(lua_State *L, int i)
{
	return luaL_checkudata(L, i, META_SEQUENCE);
}

static struct sequence *push(lua_State *L, const int64_t *v, size_t n)
{
	struct sequence *s = script_box(L, sizeof *s + n * sizeof *v, META_SEQUENCE);

	s->n = n;
	if (n && v)
		memcpy(s->v, v, n * sizeof *v);
	return s;
}

static int new_sequence(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	size_t n = (size_t)lua_rawlen(L, 1);
	struct sequence *s = push(L, NULL, n);
	for (size_t i = 0; i < n; i++) {
		lua_rawgeti(L, 1, (lua_Integer)i + 1);
		s->v[i] = luaL_checkinteger(L, -1);
		lua_pop(L, 1);
	}
	return 1;
}

/* s:count() */
static int count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)script_sequence(L, 1)->n);
	return 1;
}

/* On the stack, where Lua does not take the values of a draft away. */
enum { HOLDER = 7 };

/* Makes room for n values. */
static void make_room(lua_State *L, struct draft *d, size_t n)
{
	if (n <= d->room)
		return;
	int64_t *v = lua_newuserdatauv(L, 2 * n * sizeof *v, 0);
	if (d->n)
		memcpy(v, d->v, d->n * sizeof *v);
	d->v = v;
	d->room = 2 * n;
	lua_replace(L, HOLDER);
}

static struct draft copy_of(lua_State *L, const struct sequence *s)
{
	struct draft d = { 0 };

	lua_settop(L, HOLDER);
	make_room(L, &d, s->n + 16);
	memcpy(d.v, s->v, s->n * sizeof *d.v);
	d.n = s->n;
	return d;
}

/* Puts n values of `from` at `at`, over those that are there. `from` may be the draft's own. */
static void put(lua_State *L, struct draft *d, size_t at, const int64_t *from, size_t n)
{
	bool own = from >= d->v && from < d->v + d->room;
	size_t offset = own ? (size_t)(from - d->v) : 0;

	make_room(L, d, at + n);
	memmove(d->v + at, own ? d->v + offset : from, n * sizeof *d->v);
	d->n = d->n > at + n ? d->n : at + n;
}

/* A part of n values: where it begins, and how long it is. */
static size_t part(uint64_t *random, size_t n, size_t *length)
{
	if (!n)
		return *length = 0;
	size_t from = (size_t)script_below(random, n), most = (size_t)1 << script_below(random, 6);
	most = most < n - from ? most : n - from;
	*length = 1 + (size_t)script_below(random, most);
	return from;
}

enum { LONGEST = 1 << 16 }; /* no copies are added to longer texts */

enum mutation { VALUE, NEAR, BIT, ELEMENT, OVERWRITE, INSERT, DELETE, END, COPIES, CHANGES };

/* The source of a change's values: another sequence, one zero, or what was made so far. */
struct other {
	const struct sequence *s;
	const int64_t *v;
	size_t n;
};

static struct other other_of(const struct draft *d, const struct sequence *s)
{
	static const int64_t zero = 0;
	struct other o = { s, s ? s->v : d->v, s ? s->n : d->n };

	return o.n ? o : (struct other){ s, &zero, 1 };
}

static void insert(
    lua_State *L, struct draft *d, size_t at, const struct other *o, size_t i, size_t n)
{
	bool own = o->v == d->v;

	put(L, d, at + n, d->v + at, d->n - at);
	put(L, d, at, (own ? d->v : o->v) + i, n);
}

/* The end by that of another one. */
static void replace_end(
    lua_State *L, struct draft *d, size_t at, const struct other *o, uint64_t *random)
{
	bool own = o->v == d->v;
	size_t i = (size_t)script_below(random, o->n), n;

	d->n = at < d->n ? at : d->n;
	n = own ? d->n : o->n;
	if (i < n)
		put(L, d, at, o->v + i, n - i);
}

/* Is it part of a word: a letter, a digit, `_`, or a byte beyond ASCII? */
static bool in_word(int64_t c)
{
	c &= 0xff;
	return c == '_' || c >= 0x80 || (c >= '0' && c <= '9')
	    || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static bool in_line(int64_t c)
{
	return (c & 0xff) != '\n';
}

/* Copies of a word or a line, with the character before it: "2 3 7" becomes "2 3 7 7 7 7". */
static void copy_piece(lua_State *L, struct draft *d, size_t at, uint64_t *random)
{
	bool (*in_piece)(int64_t c) = script_below(random, 2) ? in_word : in_line;
	size_t from = at, to = at, times = 1 + (size_t)script_below(random, 16), n;

	while (from > 0 && in_piece(d->v[from - 1]))
		from--;
	while (to < d->n && in_piece(d->v[to]))
		to++;
	if (from > 0)
		from--;
	else
		to += to < d->n; /* the first one, with the character after it */
	n = to - from;
	make_room(L, d, d->n + n * times);
	memmove(d->v + to + n * times, d->v + to, (d->n - to) * sizeof *d->v);
	for (size_t i = 0; i < times; i++)
		memcpy(d->v + to + i * n, d->v + from, n * sizeof *d->v);
	d->n += n * times;
}

static void set_one(lua_State *L, struct draft *d, size_t at, int64_t value)
{
	put(L, d, at, &value, 1);
}

static void change(lua_State *L, struct draft *d, const struct sequence *s, uint64_t *random,
    char kind, unsigned width)
{
	struct other o = other_of(d, s);
	bool floating = kind == 'f'; /* small changes of its bits are small */
	enum mutation how = floating && script_below(random, 4) > 0
	    ? VALUE
	    : (enum mutation)script_below(random, CHANGES);
	size_t at = (size_t)script_below(random, d->n ? d->n : 1), i, n;
	uint64_t old = at < d->n ? (uint64_t)d->v[at] : 0;

	switch (how) {
	case VALUE: set_one(L, d, at, script_random_value(random, kind, width)); break;
	case NEAR: set_one(L, d, at, (int64_t)(old + script_below(random, 33) - 16)); break;
	case BIT: set_one(L, d, at, (int64_t)(old ^ 1u << script_below(random, 8))); break;
	case ELEMENT: set_one(L, d, at, o.v[script_below(random, o.n)]); break;
	case OVERWRITE:
		i = part(random, o.n, &n);
		put(L, d, at, o.v + i, n);
		break;
	case INSERT:
		i = part(random, o.n, &n);
		insert(L, d, at, &o, i, n);
		break;
	case DELETE:
		i = part(random, d->n, &n);
		memmove(d->v + i, d->v + i + n, (d->n - i - n) * sizeof *d->v);
		d->n -= n;
		break;
	case COPIES:
		if (width == 8 && d->n < LONGEST)
			copy_piece(L, d, at < d->n ? at : d->n, random);
		break;
	default: replace_end(L, d, at, &o, random);
	}
}

/* s:mutated(random, other, kind, width, most) -> s after some random changes, among them pieces of
 * `other` (nil: of itself); not longer than `most` (nil: than s) */
static int mutated(lua_State *L)
{
	const struct sequence *s = script_sequence(L, 1),
	                      *other = lua_isnil(L, 3) ? NULL : script_sequence(L, 3);
	uint64_t *random = luaL_checkudata(L, 2, META_RANDOM);
	const char *kind = luaL_checkstring(L, 4);
	unsigned width = (unsigned)luaL_checkinteger(L, 5);
	size_t most = (size_t)luaL_optinteger(L, 6, (lua_Integer)s->n);
	struct draft d = copy_of(L, s);

	for (unsigned n = 1u << script_below(random, 5); n > 0; n--)
		change(L, &d, other, random, *kind, width);
	push(L, d.v, d.n < most ? d.n : most);
	return 1;
}

/* s:written(from, text, ending, most) -> s with `text` written at index `from`, then the ending
 * (nil: none); not longer than `most` (nil: any length) */
static int written(lua_State *L)
{
	const struct sequence *s = script_sequence(L, 1);
	size_t from = (size_t)luaL_checkinteger(L, 2), n, most;
	const char *text = luaL_checklstring(L, 3, &n);
	struct draft d = copy_of(L, s);

	luaL_argcheck(L, from <= s->n, 2, "after the end");
	for (size_t i = 0; i < n; i++)
		set_one(L, &d, from + i, (unsigned char)text[i]);
	if (!lua_isnoneornil(L, 4))
		set_one(L, &d, from + n, luaL_checkinteger(L, 4));
	most = (size_t)luaL_optinteger(L, 5, (lua_Integer)d.n);
	push(L, d.v, d.n < most ? d.n : most);
	return 1;
}

/* s:worded(random, text, most) -> s with `text` instead of the word at a random place, or put in
 * there; not longer than `most` (nil: any length) */
static int worded(lua_State *L)
{
	const struct sequence *s = script_sequence(L, 1);
	uint64_t *random = luaL_checkudata(L, 2, META_RANDOM);
	size_t n, from = (size_t)script_below(random, s->n + 1), to = from;
	const char *text = luaL_checklstring(L, 3, &n);
	bool whole = script_below(random, 4) > 0;

	while (whole && from > 0 && in_word(s->v[from - 1]))
		from--;
	while (whole && to < s->n && in_word(s->v[to]))
		to++;
	size_t all = from + n + (s->n - to), most = (size_t)luaL_optinteger(L, 4, (lua_Integer)all);
	struct draft d = copy_of(L, s);
	make_room(L, &d, all);
	memmove(d.v + from + n, d.v + to, (s->n - to) * sizeof *d.v);
	for (size_t i = 0; i < n; i++)
		d.v[from + i] = (unsigned char)text[i];
	push(L, d.v, all < most ? all : most);
	return 1;
}

static const luaL_Reg methods[] = { { "mutated", mutated }, { "written", written },
	{ "worded", worded }, { "count", count }, { NULL, NULL } };

void script_add_sequence(lua_State *L)
{
	script_class(L, META_SEQUENCE, methods, NULL);
	lua_pushcfunction(L, new_sequence);
	lua_setfield(L, -2, "sequence");
}
