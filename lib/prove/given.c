/* given: constraints on the results of library functions (lib/clib, column `gives`), on classes of
 * characters, and on the length of printed text. Anything else may have any value: locales decide
 * about characters above 127, and every call that depends on the environment may fail. */
#include "lib/prove/inner.h"

#include "lib/clib/clib.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define TABLE \
	(UINT64_C(0x5b) \
	    << 56) /* where the encoding has the table of classes, and the pointer to it \
	            */
#define POINTER (TABLE | UINT64_C(1) << 48)
#define CHARACTERS 128 /* as in the C locale, but for the other case of i and I: see other_case */
#define LENGTH 46      /* bits that hold the size of any object */
#define WIDEST 900     /* characters of a conversion, so that printing it needs no memory */
#define FEW 64         /* bytes of an object that is read at an unknown offset */

/* A call whose result is to be constrained. */
struct call_result {
	struct walk *w;
	struct encoding *m;
	const struct flow_inst *i;
	unsigned width;
};

static const struct flow_operand *operand(const struct call_result *g, uint32_t k)
{
	return &prove_unit(g->m, g->w->frame)->operand[g->i->first + k + 1];
}

static uint32_t arguments(const struct call_result *g)
{
	return g->i->operands ? g->i->operands - 1 : 0;
}

/* Argument k with this width; 0: it does not exist, or is narrower. */
static expr argument(const struct call_result *g, uint32_t k, unsigned width)
{
	const struct flow_operand *o = k < arguments(g) ? operand(g, k) : NULL;
	const struct flow_unit *u = prove_unit(g->m, g->w->frame);
	if (!o || (o->kind == '%' && prove_width(&u->inst[o->id - 1]) < width))
		return 0;
	return prove_operand(g->w, o, width);
}

static expr number(const struct call_result *g, uint64_t n)
{
	return prove_const(g->m, g->width, n);
}

static expr any(const struct call_result *g)
{
	return prove_fresh(g->m, g->width);
}

static expr compare(const struct call_result *g, enum op op, expr a, expr b)
{
	return expr_make(g->m->pool, op, 1, a, b, 0);
}

/* One of two values, chosen freely. */
static expr either(const struct call_result *g, expr a, expr b)
{
	return prove_ite(g->m, prove_fresh(g->m, 1), a, b);
}

/* Any value from low to high. Most random values are outside of this range; they become the highest
 * one. */
static expr between(const struct call_result *g, uint64_t low, expr high)
{
	expr v = any(g);
	expr in =
	    prove_and(g->m, compare(g, OP_SLE, number(g, low), v), compare(g, OP_SLE, v, high));
	return prove_ite(g->m, in, v, high);
}

static expr not_negative(const struct call_result *g, unsigned bits)
{
	return expr_make(g->m->pool, OP_ZEXT, g->width, prove_fresh(g->m, bits), 0, 0);
}

static expr is_const(const struct call_result *g, expr e, uint64_t n)
{
	return prove_equal(g->m, e, prove_const(g->m, expr_width(g->m->pool, e), n));
}

/* ---- what arguments point to */

/* The first byte that argument k points to; a fresh value if reading it would need too many
 * cases. */
static expr first_byte(const struct call_result *g, uint32_t k)
{
	struct walk *w = g->w;
	struct value v;
	expr address = argument(g, k, 64);
	if (!address)
		return prove_fresh(g->m, 8);
	prove_resolve(w, operand(g, k), address);
	for (uint32_t t = 0; t < w->pointees; t++)
		if (!expr_is_const(g->m->pool, w->pointee[t].offset, &v)
		    && g->m->object[w->pointee[t].object].size > FEW)
			return prove_fresh(g->m, 8);
	return prove_read(w, 1);
}

/* Is the object a local of known size, or a variable that the program itself defines? */
static bool is_own(const struct encoding *m, const struct object *o)
{
	const struct flow_var *v = &m->flow->unit[o->unit].var[o->id - 1];
	return o->frame != NONE || (v->defined && !v->is_weak);
}

/* Bytes from where argument k points to the end of a variable or string constant; 0: not known. */
static uint64_t room(const struct call_result *g, uint32_t k)
{
	struct walk *w = g->w;
	struct value offset;
	const struct object *o;
	expr address = argument(g, k, 64);
	if (!address)
		return 0;
	prove_resolve(w, operand(g, k), address);
	if (w->pointees != 1 || !prove_never(g->m, w->elsewhere) || !prove_never(g->m, w->null)
	    || !expr_is_const(g->m->pool, w->pointee[0].offset, &offset))
		return 0;
	o = &g->m->object[w->pointee[0].object];
	if ((o->kind != '$' && o->kind != '&') || g->m->shared[o->alias]
	    || (o->kind == '&' && !is_own(g->m, o)))
		return 0;
	prove_note(g->m, true, "every access stays within its object");
	return offset.lo < o->size ? o->size - offset.lo : 0;
}

static expr length(const struct call_result *g)
{
	expr byte = first_byte(g, 0);
	uint64_t most = room(g, 0);
	expr v = most ? between(g, 0, number(g, most - 1)) : not_negative(g, LENGTH);
	return prove_ite(g->m, is_const(g, byte, 0), number(g, 0),
	    most == 1 ? number(g, 0) : prove_ite(g->m, is_const(g, v, 0), number(g, 1), v));
}

/* Any number up to an argument. */
static expr at_most(const struct call_result *g, expr most)
{
	expr v = any(g);
	return prove_ite(g->m, compare(g, OP_ULE, v, most), v, most);
}

static expr place_in(const struct call_result *g, expr from)
{
	return expr_make(g->m->pool, OP_ADD, 64, from, not_negative(g, LENGTH), 0);
}

/* An index of a character in a string. */
static expr found(const struct call_result *g)
{
	struct encoding *m = g->m;
	expr from = argument(g, 0, 64), c = argument(g, 1, 32), byte, none = number(g, 0), wanted;
	if (!from || !c)
		return 0;
	byte = first_byte(g, 0);
	wanted = prove_equal(m, byte, prove_extract(m, 0, 8, c));
	return prove_ite(m, wanted, from,
	    prove_ite(m, is_const(g, byte, 0), none, either(g, none, place_in(g, from))));
}

/* The sign of the first difference of two texts, or of the first `most` bytes of memory. */
static expr difference(const struct call_result *g, expr most, bool texts)
{
	struct encoding *m = g->m;
	expr a = argument(g, 0, 64), b = argument(g, 1, 64), x, y, v = any(g), same;
	expr zero = number(g, 0), negative = compare(g, OP_SLT, v, zero);
	if (!a || !b)
		return 0;
	x = first_byte(g, 0);
	y = first_byte(g, 1);
	v = prove_ite(m, prove_equal(m, x, y), v,
	    prove_ite(m, compare(g, OP_ULT, x, y), prove_ite(m, negative, v, number(g, UINT64_MAX)),
	        prove_ite(m, compare(g, OP_SLT, zero, v), v, number(g, 1))));
	same = prove_equal(m, a, b);
	if (texts)
		same = prove_or(m, same, prove_and(m, is_const(g, x, 0), is_const(g, y, 0)));
	if (most)
		same = prove_or(m, same, is_const(g, most, 0));
	return prove_ite(m, same, zero, v);
}

/* ---- classes of characters */

static const struct {
	const char *name;
	int (*is)(int);
} classes[] = {
	{ "isalnum", isalnum },
	{ "isalpha", isalpha },
	{ "isblank", isblank },
	{ "iscntrl", iscntrl },
	{ "isdigit", isdigit },
	{ "isgraph", isgraph },
	{ "islower", islower },
	{ "isprint", isprint },
	{ "ispunct", ispunct },
	{ "isspace", isspace },
	{ "isupper", isupper },
	{ "isxdigit", isxdigit },
};

static expr in_range(struct encoding *m, expr c, unsigned first, unsigned last)
{
	unsigned width = expr_width(m->pool, c);
	return prove_and(m, expr_make(m->pool, OP_ULE, 1, prove_const(m, width, first), c, 0),
	    expr_make(m->pool, OP_ULE, 1, c, prove_const(m, width, last), 0));
}

/* Is c one of the characters below 128 that satisfy `is`? */
static expr in_class(struct encoding *m, expr c, int (*is)(int))
{
	expr in = prove_bool(m, false);
	for (int first = 0, last; first < CHARACTERS; first = last + 1) {
		bool yes = is(first) != 0;
		for (last = first; last + 1 < CHARACTERS && (is(last + 1) != 0) == yes; last++)
			;
		if (yes)
			in = prove_or(m, in, in_range(m, c, (unsigned)first, (unsigned)last));
	}
	return in;
}

/* Is c a character below 128 or EOF? For these, all locales agree on classes. */
static expr is_common(struct encoding *m, expr c)
{
	return prove_or(m, in_range(m, c, 0, CHARACTERS - 1),
	    prove_equal(m, c, prove_const(m, expr_width(m->pool, c), UINT64_MAX)));
}

/* Locales add no digits. Negative characters are what signed ones above 127 become. */
static bool is_fixed(int (*is)(int))
{
	return is == isdigit || is == isxdigit;
}

static expr is_character(struct encoding *m, expr c)
{
	unsigned width = expr_width(m->pool, c);
	expr from = expr_make(m->pool, OP_ADD, width, c, prove_const(m, width, CHARACTERS), 0);
	return in_range(m, from, 0, CHARACTERS + UINT8_MAX);
}

static expr class_of(const struct call_result *g, const char *name)
{
	struct encoding *m = g->m;
	expr c = argument(g, 0, 32), v = any(g), is, zero = number(g, 0);
	for (size_t k = 0; c && k < sizeof classes / sizeof *classes; k++)
		if (!strcmp(classes[k].name, name)) {
			is = prove_ite(m, is_const(g, v, 0), number(g, 1), v);
			return prove_ite(m, is_common(m, c),
			    prove_ite(m, in_class(m, c, classes[k].is), is, zero),
			    is_fixed(classes[k].is) ? prove_ite(m, is_character(m, c), zero, v)
			                            : v);
		}
	return 0;
}

/* The result of tolower or toupper. In Turkish locales the other case of i, and of I, is a
 * character above 127. */
static expr other_case(const struct call_result *g, bool upper)
{
	struct encoding *m = g->m;
	expr c = argument(g, 0, 32), v = any(g), other, turkish;
	if (!c)
		return 0;
	other = expr_make(m->pool, OP_XOR, 32, c, number(g, 'a' ^ 'A'), 0);
	turkish = prove_and(m, prove_equal(m, c, number(g, upper ? 'i' : 'I')),
	    in_range(m, v, CHARACTERS, UINT8_MAX));
	return prove_ite(m, is_common(m, c),
	    prove_ite(
	        m, turkish, v, prove_ite(m, in_class(m, c, upper ? islower : isupper), other, c)),
	    v);
}

/* The bits of a character in the table that the macros of <ctype.h> read, as on this machine. */
static expr table_bits(struct encoding *m, expr c)
{
	expr bits = 0;
	for (unsigned bit = 0; bit < 16; bit++) {
		expr in = prove_bool(m, false);
		for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
			for (int x = 0; x < CHARACTERS; x++)
				if (classes[k].is(x)) {
					if (classes[k].is(x) == 1 << bit)
						in = in_class(m, c, classes[k].is);
					break;
				}
		bits = bits ? expr_make(m->pool, OP_CONCAT, bit + 1, in, bits, 0) : in;
	}
	return bits;
}

/* The same where the locale decides. */
static expr open_bits(struct encoding *m, expr c)
{
	expr v = prove_fresh(m, 16),
	     without = expr_make(
	         m->pool, OP_AND, 16, v, prove_const(m, 16, 0xffff & ~(_ISdigit | _ISxdigit)), 0);
	return prove_ite(m, is_character(m, c), without, v);
}

expr prove_table_read(struct walk *w, expr address, unsigned bytes)
{
	struct encoding *m = w->m;
	struct value v;
	uint64_t base;
	expr at, c, common;
	if (expr_is_const(m->pool, address, &v) && v.lo == POINTER && bytes == 8)
		return prove_const(m, 64, TABLE);
	base = prove_sum_constant(m, address);
	if ((base + (UINT64_C(1) << 47)) >> 48 != TABLE >> 48 || bytes != 2)
		return 0;
	at = expr_make(m->pool, OP_SUB, 64, address, prove_const(m, 64, TABLE), 0);
	c = expr_make(m->pool, OP_ASHR, 64, at, prove_const(m, 64, 1), 0);
	common = prove_ite(
	    m, in_range(m, c, 0, CHARACTERS - 1), table_bits(m, c), prove_const(m, 16, 0));
	return prove_ite(m, prove_extract(m, 0, 1, at), prove_fresh(m, 16),
	    prove_ite(m, is_common(m, c), common, open_bits(m, c)));
}

/* ---- printed text */

struct printed {
	uint64_t least, most;
	bool fails; /* it may be -1 */
};

/* The most characters that an integer conversion prints: the digits of a number of this size, and a
 * sign or a prefix. */
static unsigned digits_of(char conversion, unsigned bytes)
{
	static const unsigned octal[] = { 0, 3, 6, 0, 11, 0, 0, 0, 22 },
	                      decimal[] = { 0, 3, 5, 0, 10, 0, 0, 0, 20 };
	switch (conversion) {
	case 'x':
	case 'X': return 2 * bytes + 2;
	case 'o': return octal[bytes] + 1;
	case 'u': return decimal[bytes];
	default: return decimal[bytes] + 1;
	}
}

static unsigned size_of(const char **at)
{
	const char *s = *at;
	unsigned bytes = *s == 'h' ? s[1] == 'h' ? 1 : 2 : *s && strchr("lzjt", *s) ? 8 : 4;
	*at += bytes == 4 ? 0 : (s[1] == *s && (*s == 'h' || *s == 'l')) ? 2 : 1;
	return bytes;
}

static bool digits(const char **at, uint64_t *n)
{
	size_t k = strspn(*at, "0123456789");
	*n = k && k < 4 ? strtoul(*at, NULL, 10) : 0;
	*at += k;
	return k < 4 && *n <= WIDEST;
}

/* Adds up the length of one conversion, after its %; false if its length is not known. */
static bool convert(
    const struct call_result *g, const char **at, uint32_t *arg, struct printed *out)
{
	uint64_t width, precision = 0, least = 1, most = 1;
	bool precise, plain;
	unsigned bytes;
	*at += strspn(*at, "-+ #0");
	if (!digits(at, &width))
		return false;
	precise = **at == '.';
	*at += precise;
	if (precise && !digits(at, &precision))
		return false;
	plain = !**at || !strchr("hlzjt", **at);
	bytes = size_of(at);
	if (**at && strchr("diuxXo", **at)) {
		most = digits_of(**at, bytes);
		most = most > precision + 3 ? most : precision + 3;
		least = !precise;
	} else if (**at == 's' && plain) {
		uint64_t size = *arg < arguments(g) ? room(g, *arg) : 0;
		least = 0;
		most = size ? size - !precise : INT_MAX;
		if (precise && precision < most)
			most = precision;
	} else if (**at != 'c' || !plain) {
		return false;
	}
	++*at;
	++*arg;
	out->least += least > width ? least : width;
	out->most += most > width ? most : width;
	return true;
}

/* The length of the text that a format, argument k, produces; 0: not known. */
static expr printed(const struct call_result *g, uint32_t k)
{
	char text[512];
	const char *at =
	    k < arguments(g) ? prove_text(g->w, operand(g, k), text, sizeof text) : NULL;
	uint32_t arg = k + 1;
	struct value size = { 0 };
	struct printed out = { 0 };
	expr v;
	if (!at || g->width != 32)
		return 0;
	while (*at) {
		if (*at != '%' || at[1] == '%') {
			at += 1 + (*at == '%');
			out.least++;
			out.most++;
		} else if (at++, !convert(g, &at, &arg, &out)) {
			return 0;
		}
	}
	if (k == 2
	    && (!argument(g, 1, 64) || !expr_is_const(g->m->pool, argument(g, 1, 64), &size)
	        || size.lo > INT_MAX))
		out.fails = true; /* snprintf refuses such a size */
	if (out.most >= INT_MAX) {
		out.fails = true;
		out.most = INT_MAX;
	}
	v = between(g, out.least, number(g, out.most));
	return out.fails ? either(g, v, number(g, UINT64_MAX)) : v;
}

/* ---- */

static expr counted(const struct call_result *g, const char *how)
{
	uint32_t k = (uint32_t)(how[1] - '0');
	expr most = argument(g, k, g->width), failed = number(g, UINT64_MAX);
	if (!most)
		return 0;
	if (*how == '<')
		return at_most(g, most);
	return prove_ite(g->m, compare(g, OP_SLT, most, number(g, 0)), any(g),
	    either(g, failed, at_most(g, most)));
}

static expr absolute(const struct call_result *g)
{
	struct encoding *m = g->m;
	expr x = argument(g, 0, g->width), minus;
	if (!x)
		return 0;
	minus = expr_make(m->pool, OP_NEG, g->width, x, 0, 0);
	return prove_ite(m, is_const(g, x, UINT64_C(1) << (g->width - 1)), any(g),
	    prove_ite(m, compare(g, OP_SLT, x, number(g, 0)), minus, x));
}

/* A pointer result: an argument, or an address within an argument's target. */
static expr pointer(const struct call_result *g, const char *how)
{
	uint32_t k = (uint32_t)(how[1] - '0');
	expr at = argument(g, k, 64);
	if (!at)
		return 0;
	switch (*how) {
	case '^': return at;
	case '?': return either(g, at, number(g, 0));
	case '@': return place_in(g, at);
	default: return either(g, place_in(g, at), number(g, 0));
	}
}

static expr by_int(const struct call_result *g, const char *how)
{
	expr minus = number(g, UINT64_MAX), v;
	switch (*how) {
	case 'b': return prove_any_byte(g->w, false);
	case 'z': return either(g, number(g, 0), minus);
	case 'p':
		v = argument(g, 0, 32);
		return v
		    ? either(g, minus,
		          expr_make(g->m->pool, OP_ZEXT, 32, prove_extract(g->m, 0, 8, v), 0, 0))
		    : 0;
	case '=':
		v = how[1] ? argument(g, 2, 64) : 0;
		return how[1] && !v ? 0 : difference(g, v, how[1] != 'm');
	case 'f': return printed(g, (uint32_t)(how[1] - '0'));
	default: return 0;
	}
}

expr prove_given(struct walk *w, const char *name, const struct flow_inst *i, unsigned width)
{
	const struct clib *c = clib_find(name);
	struct call_result g = { w, w->m, i, width };
	expr v;
	if (!c || (width != 32 && width != 64))
		return 0;
	if (!strcmp(name, "__ctype_b_loc"))
		return prove_const(w->m, 64, POINTER);
	if (width == 32 && !strcmp(c->gives, "c"))
		return class_of(&g, c->name);
	if (width == 32 && (!strcmp(c->gives, "l") || !strcmp(c->gives, "u")))
		return other_case(&g, *c->gives == 'u');
	switch (*c->gives) {
	case 'n': return not_negative(&g, 31);
	case 'e':
		v = any(&g);
		return prove_ite(
		    w->m, compare(&g, OP_SLT, v, number(&g, 0)), number(&g, UINT64_MAX), v);
	case 's': return width == 64 ? length(&g) : 0;
	case '<':
	case '-': return counted(&g, c->gives);
	case 'a': return absolute(&g);
	case '^':
	case '?':
	case '@':
	case '*': return width == 64 ? pointer(&g, c->gives) : 0;
	case '$': return width == 64 ? found(&g) : 0;
	default: return width == 32 ? by_int(&g, c->gives) : 0;
	}
}
