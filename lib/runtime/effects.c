/* effects: the bytes that a call of a library function reads and writes, by the table lib/clib, for
 * tracking last definitions. Evaluated after a call of a function without probes has returned:
 * lengths are those of the strings and results at that time. For effects that the table does not
 * describe, tracking is given up, which is recorded. */
#include "lib/runtime/last.h"

#include "lib/clib/clib.h"
#include <string.h>

/* A function as its calls name it, by a text in the program, with what the table says of it. */
struct known_function {
	const char *name;
	const struct clib *f; /* NULL: not known */
	bool idle;            /* a call reads and writes nothing through its arguments */
	uint8_t args;         /* entries in `arg`; the last one stands for all that follow */
	struct clib_arg arg[sizeof((struct clib *)0)->args];
};

struct call {
	const uint64_t *arg;
	uint64_t result;
	uint32_t n, writer, serial;
};

static struct clib_arg entry(const struct known_function *k, uint32_t i)
{
	return k->arg[i < k->args ? i : k->args - 1u];
}

static uint64_t argument(const struct call *c, uint32_t i)
{
	return i < c->n ? c->arg[i] : 0;
}

static void reads(const struct call *c, uint32_t i, size_t n)
{
	if (argument(c, i) >= 4096)
		duct_last_read(c->writer, c->serial, argument(c, i), n);
}

static void writes(const struct call *c, uint32_t i, size_t n)
{
	if (argument(c, i) >= 4096)
		duct_rt_last_def((void *)argument(c, i), n, c->writer, c->serial);
}

static const char *text(const struct call *c, uint32_t i)
{
	return argument(c, i) >= 4096 ? (const char *)argument(c, i) : "";
}

static size_t length(const char *s, size_t most)
{
	size_t n = 0;

	while (n < most && s[n])
		n++;
	return n;
}

/* The length of a string with its terminator, if that lies within `most` bytes. */
static size_t bounded(const char *s, size_t most)
{
	size_t n = length(s, most);

	return n + (n < most);
}

static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

/* The number of bytes that a comparison of argument i with another one reads; for strings, unless
 * the length is M. */
static size_t until_difference(const struct call *c, struct clib_arg e, uint32_t i)
{
	const char *a = text(c, i), *b = text(c, (uint32_t)e.a);
	size_t n = 0, most = e.b < 0 ? SIZE_MAX : argument(c, (uint32_t)e.b);

	for (; n < most; n++) {
		bool differ = e.extent == 'E' ? lower(a[n]) != lower(b[n]) : a[n] != b[n];

		if (differ || (e.extent != 'M' && !a[n]))
			return n + 1;
	}
	return n;
}

static size_t until_byte(const struct call *c, struct clib_arg e, uint32_t i)
{
	const char *s = text(c, i), wanted = (char)argument(c, (uint32_t)e.a);
	size_t n = 0, most = e.b < 0 ? SIZE_MAX : argument(c, (uint32_t)e.b);

	while (n < most && s[n] != wanted && (e.extent == 'V' || s[n]))
		n++;
	return n < most ? n + 1 : n;
}

static size_t number_length(const char *s)
{
	size_t n = 0;

	while (s[n] == ' ' || (s[n] >= 9 && s[n] <= 13))
		n++;
	n += s[n] == '-' || s[n] == '+';
	while ((s[n] >= '0' && s[n] <= '9') || s[n] == '.'
	    || (lower(s[n]) >= 'a' && lower(s[n]) <= 'z'))
		n++;
	return n + 1;
}

/* The memory that the conversions of a format read or write through argument i and the following
 * ones. A conversion that names its argument by number makes the rest unknown. */
struct conversion {
	char letter;
	uint8_t longs;
	bool ignored;
	size_t width;
};

static const char *flags(
    const char *s, struct conversion *k, const struct call *c, uint32_t *at, bool input)
{
	k->ignored = input && *s == '*';
	s += k->ignored;
	for (; *s
	    && !((*s >= 'A' && *s <= 'Z' && *s != 'L') || (*s >= 'a' && *s <= 'z') || *s == '%'
	        || *s == '[');
	    s++) {
		if (*s == '.')
			k->width = 0; /* a precision: the most bytes that are read of a string */
		else if (*s == '*')
			k->width = argument(c, (*at)++);
		else if (*s == '$')
			return "";
		else if (*s >= '0' && *s <= '9')
			k->width = (k->width == SIZE_MAX ? 0 : k->width * 10) + (size_t)(*s - '0');
	}
	while (*s == 'l' || *s == 'h' || *s == 'z' || *s == 'j' || *s == 't' || *s == 'L'
	    || *s == 'q') {
		k->longs += *s == 'h' ? 16 : 1;
		s++;
	}
	k->letter = *s;
	if (*s == '[') {
		s += s[1] == '^' ? 2 : 1;
		s += *s == ']';
		while (*s && *s != ']')
			s++;
	}
	return *s ? s + 1 : s;
}

static size_t number_size(const struct conversion *k)
{
	bool real = (k->letter >= 'e' && k->letter <= 'g') || k->letter == 'a';

	if (k->letter == 'p' || k->letter == 'n')
		return k->letter == 'p' || k->longs == 1 ? 8 : 4;
	if (real)
		return k->longs == 1 ? 8 : 4;
	return k->longs >= 32 ? 1 : k->longs == 16 ? 2 : k->longs ? 8 : 4;
}

static void printed(const struct call *c, uint32_t i)
{
	const char *s = text(c, i++);

	reads(c, i - 1, bounded(s, SIZE_MAX));
	while (*s) {
		struct conversion k = { .width = SIZE_MAX };
		bool precise = false;

		if (*s++ != '%')
			continue;
		for (const char *p = s; *p && !(*p >= 'a' && *p <= 'z'); p++)
			precise |= *p == '.';
		s = flags(s, &k, c, &i, false);
		if (k.letter == 's')
			reads(c, i, bounded(text(c, i), precise ? k.width : SIZE_MAX));
		else if (k.letter == 'n')
			writes(c, i, number_size(&k));
		i += k.letter && k.letter != '%' && k.letter != 'm';
	}
}

static void scanned(const struct call *c, uint32_t i)
{
	const char *s = text(c, i++);
	int32_t left = (int32_t)c->result;

	reads(c, i - 1, bounded(s, SIZE_MAX));
	while (*s && left > 0) {
		struct conversion k = { .width = SIZE_MAX };

		if (*s++ != '%')
			continue;
		s = flags(s, &k, c, &i, true);
		if (!k.letter || k.letter == '%' || k.ignored)
			continue;
		if (k.letter == 's' || k.letter == '[')
			writes(c, i, bounded(text(c, i), SIZE_MAX));
		else
			writes(c, i,
			    k.letter == 'c' ? (k.width == SIZE_MAX ? 1 : k.width)
			                    : number_size(&k));
		i++;
		left -= k.letter != 'n';
	}
}

/* The number of bytes that strcat and strncat append. */
static size_t appended(const struct call *c, struct clib_arg e)
{
	return length(text(c, (uint32_t)e.a), e.b < 0 ? SIZE_MAX : argument(c, (uint32_t)e.b));
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The number of bytes by the function's result, which may be more than was written: recv with
 * MSG_TRUNC and listxattr with size 0 return the size of all data. */
static size_t by_result(const struct call *c, struct clib_arg e)
{
	if (e.extent == 'R')
		return smaller(c->result, argument(c, (uint32_t)e.b)) * argument(c, (uint32_t)e.a);
	return (int64_t)c->result > 0 ? smaller(c->result, argument(c, (uint32_t)e.a)) : 0;
}

/* The number of bytes that are read through argument i. */
static size_t read_length(const struct call *c, struct clib_arg e, uint32_t i)
{
	const char *s = text(c, i);

	switch (e.extent) {
	case '#': return argument(c, (uint32_t)e.a);
	case '.': return (size_t)e.a;
	case 'S': return bounded(s, e.a < 0 ? SIZE_MAX : argument(c, (uint32_t)e.a));
	case 'D':
	case 'E':
	case 'M': return until_difference(c, e, i);
	case 'U':
	case 'V': return until_byte(c, e, i);
	case 'T': return number_length(s);
	case 'W':
	case 'Y':
	case 'Z':
	case 'K':
		return duct_extent(e.extent == 'W' ? TOUCH_SPAN_NOT
		        : e.extent == 'Y'          ? TOUCH_SPAN
		        : e.extent == 'Z'          ? TOUCH_SEARCH
		                                   : TOUCH_SEARCH_ALIKE,
		    s, SIZE_MAX, text(c, (uint32_t)e.a), SIZE_MAX, 0);
	case 'B':
	case 'R': return by_result(c, e);
	case 'A': return length(s, SIZE_MAX) - appended(c, e) + 1;
	case 'X': return argument(c, (uint32_t)e.a) * argument(c, (uint32_t)e.b);
	default: return 0;
	}
}

static void writes_extent(const struct call *c, struct clib_arg e, uint32_t i)
{
	const char *s = text(c, i);
	size_t before;

	switch (e.extent) {
	case 'S':
	case 'C': return writes(c, i, bounded(s, SIZE_MAX));
	case 'L': return writes(c, i, c->result ? bounded(s, SIZE_MAX) : 0);
	case 'N':
		return writes(
		    c, i, argument(c, (uint32_t)e.a) ? bounded(s, argument(c, (uint32_t)e.a)) : 0);
	case 'A':
		before = length(s, SIZE_MAX) - appended(c, e);
		return duct_rt_last_def((void *)(uintptr_t)(s + before),
		    bounded(s + before, SIZE_MAX), c->writer, c->serial);
	default: return writes(c, i, read_length(c, e, i));
	}
}

/* False: it is not known whether the call wrote there. */
static bool write_argument(
    const struct call *c, const struct clib *f, struct clib_arg e, uint32_t i)
{
	enum clib_written done = clib_most(e).exact ? clib_written(f, c->result) : CLIB_WRITES;

	if (done == CLIB_WRITES)
		writes_extent(c, e, i);
	else if (done == CLIB_MAYBE && argument(c, i) >= 4096)
		duct_last_lose(argument(c, i), read_length(c, e, i));
	return done != CLIB_MAYBE;
}

/* The bytes from p on that unknown code may have written: to the end of its object. Without a
 * server most objects are not known. */
static size_t written_at_most(uintptr_t p)
{
	return duct_channel || duct_object_at(p) ? duct_reach(p) : 4096;
}

static bool is_read(struct clib_arg e)
{
	return e.access == 'r' || e.access == 'b';
}

static bool is_written(struct clib_arg e)
{
	return e.access == 'w' || e.access == 'b';
}

/* The call unmapped memory, or mapped memory where its result points. */
static void map(const struct call *c, struct clib_arg e, uint32_t i)
{
	if (c->result + 1 && e.access == 'x' && e.extent)
		duct_last_lose(argument(c, i), read_length(c, e, i));
	else if (c->result + 1 && e.access == 'z')
		duct_last_lose(c->result, argument(c, i));
}

/* Does the function reach more memory through argument i than the table describes? */
static bool untold(const struct call *c, struct clib_arg e, uint32_t i)
{
	bool known = e.extent && e.extent != 'H' && e.extent != 'I';

	if (argument(c, i) < 4096 || (known && (is_read(e) || is_written(e))))
		return false;
	if (is_written(e) || e.access == 'k')
		duct_last_lose(argument(c, i), written_at_most(argument(c, i)));
	return is_read(e) || is_written(e) || e.access == 'k' || e.access == 'c';
}

/* Applies all reads before any write. True: the table describes the call completely. */
static bool apply(const struct call *c, const struct known_function *k)
{
	const struct clib *f = k->f;
	bool all = true;

	if (k->idle)
		return true;
	for (const char *p = f->points; *p; p++)
		all &= *p != 'n';
	for (uint32_t i = 0; i < c->n; i++) {
		struct clib_arg e = entry(k, i);

		if (e.extent == 'F') {
			printed(c, i);
			break;
		}
		if (is_read(e))
			reads(c, i, read_length(c, e, i));
	}
	for (uint32_t i = 0; i < c->n; i++) {
		struct clib_arg e = entry(k, i);

		if (e.extent == 'G')
			scanned(c, i);
		if (e.extent == 'G' || e.extent == 'F')
			break;
		if (is_written(e) && e.extent)
			all &= write_argument(c, f, e, i);
		map(c, e, i);
		all &= !untold(c, e, i);
	}
	return all;
}

static bool is_open(uint32_t i)
{
	return i < DUCT_MAX_ARGS && duct_pair_nodes[i] && !duct_implied(duct_pair_nodes[i], 4);
}

/* May other inputs of the same path make the call read or write other bytes? Lengths that depend on
 * the content of strings are decided or recorded by the library models. */
static bool varies(
    const struct known_function *k, uint32_t n, const uint64_t *arg, uint64_t pointers)
{
	const struct clib *f = k->f;
	bool memory = false, any = false;

	for (uint32_t i = 0; i < n && i < 64; i++) {
		struct clib_arg e = f ? entry(k, i) : (struct clib_arg){ .access = 'b' };

		if (!(pointers >> i & 1) || arg[i] < 4096) {
			any |= is_open(i);
			continue;
		}
		memory |= !f || e.access != '-';
		if (is_open(i) || (e.a >= 0 && e.extent != '.' && is_open((uint32_t)e.a))
		    || (e.b >= 0 && e.extent != '.' && is_open((uint32_t)e.b)))
			return true;
	}
	return !f && memory && any;
}

static bool is_idle(const struct known_function *k)
{
	for (const char *p = k->f->points; *p; p++)
		if (*p == 'n')
			return false;
	for (uint32_t i = 0; i < k->args; i++) {
		struct clib_arg e = k->arg[i];

		if (e.access && e.access != '-' && e.access != 'd' && (e.access != 'x' || e.extent))
			return false;
	}
	return true;
}

static struct known_function lately[256]; /* by the address of the name */

static const struct known_function *find(const char *name)
{
	struct known_function *k =
	    &lately[((uintptr_t)name ^ (uintptr_t)name >> 8) % (sizeof lately / sizeof *lately)];

	if (k->name == name)
		return k;
	*k = (struct known_function){ .name = name, .f = clib_find(name) };
	if (k->f) {
		while (k->args < clib_args(k->f)) {
			k->arg[k->args] = clib_arg(k->f, k->args);
			k->args++;
		}
		k->idle = is_idle(k);
	}
	return k;
}

void duct_effects_unload(void)
{
	memset(lately, 0, sizeof lately);
}

void duct_rt_last_library(struct duct_pairs *p, const char *name, uint32_t inst, uint32_t serial,
    uint64_t result, uint32_t n, const uint64_t *arg, uint64_t pointers)
{
	struct call c = { arg, result, n, p->inst_base + inst, serial };
	const struct known_function *k;
	const struct clib *f;
	bool lost;

	if (!duct_last_followed())
		return;
	k = find(name);
	f = k->f;
	if (k->idle && !pointers)
		return;
	lost = f ? !apply(&c, k) : pointers != 0;
	if (duct_channel && varies(k, n, arg, pointers)) {
		if (f && !clib_has(f, "wbk"))
			duct_last_unaliased_reads();
		else
			duct_last_unaliased();
	}
	for (uint32_t i = 0; !f && i < n && i < 64; i++)
		if (pointers >> i & 1 && arg[i] >= 4096)
			duct_last_lose(arg[i], written_at_most(arg[i]));
	if (lost)
		duct_last_lost(c.writer, name);
}

void duct_rt_last_asm(struct duct_pairs *p, uint32_t inst, const void *to)
{
	if (to)
		duct_rt_last_back(to);
	else
		duct_last_forget();
	duct_last_lost(p->inst_base + inst, "inline assembly");
}

void duct_rt_last_back(const void *p)
{
	const struct duct_object *o = duct_object_at((uintptr_t)p);

	if (o)
		duct_last_lose(o->base, o->room);
	else if ((uintptr_t)p >= 4096)
		duct_last_lose((uintptr_t)p, written_at_most((uintptr_t)p));
}
