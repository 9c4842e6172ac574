/* arrays: eliminates arrays before a query reaches an engine. The offset of a READ is decomposed
 * into base + stride * x; the values at offsets inside the array become a tree of ITEs on the bits
 * of x. STOREs at constant offsets are merged into the leaves; a STORE at a symbolic offset becomes
 * an ITE around the older content. */
#include "lib/base/clock.h"
#include "lib/base/grow.h"
#include "lib/base/stop.h"
#include "lib/solve/layer.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LEAVES (1u << 20)
#define LOOK 10 /* the deadline is checked every 2^LOOK leaves */

struct arrays {
	struct rewrite rw;
	/* cache: bytes of the last array read that has only constant store offsets */
	expr of;
	expr *byte;
	size_t byte_cap;
	uint32_t size;
	expr *cond;
	size_t cond_cap;
	const double *deadline; /* of the query */
	bool late;
};

static bool is_late(struct arrays *s)
{
	return s->late = s->late || stop_asked() || clock_now() > *s->deadline;
}

/* The same for step i of a loop; reads the clock only at some steps. */
static bool is_late_at(struct arrays *s, uint64_t i)
{
	return !(i & ((1u << LOOK) - 1)) && is_late(s);
}

/* offset = base + stride * x modulo 2^64, x < count (0: 2^64) */
struct progression {
	expr x;
	uint64_t base, stride;
	uint64_t count;
	bool wraps;
};

static expr make(struct expr_pool *p, enum op op, unsigned w, expr a, expr b)
{
	return expr_make(p, op, w, a, b, 0);
}
static expr num(struct expr_pool *p, unsigned w, uint64_t v)
{
	return expr_const(p, w, (struct value){ v, 0 });
}

static bool is_num(const struct expr_pool *p, expr e, uint64_t *v)
{
	struct value k;
	if (!expr_is_const(p, e, &k))
		return false;
	*v = k.lo;
	return true;
}

/* Peels off sums, products and low zero bits; all of these wrap modulo 2^64. */
static struct progression peel(struct expr_pool *p, expr off)
{
	struct progression s = { .x = off, .stride = 1 };
	for (;;) {
		expr a = expr_operand(p, s.x, 0), b = expr_operand(p, s.x, 1);
		uint64_t k;
		switch (expr_op(p, s.x)) {
		case OP_ADD:
			if (!is_num(p, b, &k))
				return s;
			s.base += s.stride * k, s.x = a;
			break;
		case OP_SUB:
			if (!is_num(p, a, &k))
				return s;
			s.base += s.stride * k, s.stride = -s.stride, s.x = b;
			break;
		case OP_MUL:
			if (!is_num(p, b, &k))
				return s;
			s.stride *= k, s.x = a;
			break;
		case OP_CONCAT:
			if (!is_num(p, b, &k) || k || expr_width(p, b) > 62)
				return s;
			s.stride <<= expr_width(p, b), s.x = a;
			break;
		default: return s;
		}
	}
}

/* Then removes an extension, below which nothing overflows at 64 bits: x becomes its operand, as an
 * unsigned value. */
static void peel_extension(struct expr_pool *p, struct progression *s)
{
	enum op op = expr_op(p, s->x);
	if (op != OP_ZEXT && op != OP_SEXT)
		return;
	expr y = expr_operand(p, s->x, 0);
	unsigned w = expr_width(p, y);
	uint64_t k;
	if (op == OP_SEXT) {
		s->base -= s->stride << (w - 1);
		y = make(p, OP_ADD, w, y, num(p, w, 1ull << (w - 1)));
	}
	s->x = y;
	/* low zero bits below a ZEXT */
	while (op == OP_ZEXT && expr_op(p, s->x) == OP_CONCAT
	    && is_num(p, expr_operand(p, s->x, 1), &k) && !k) {
		s->stride <<= expr_width(p, expr_operand(p, s->x, 1));
		s->x = expr_operand(p, s->x, 0);
	}
}

/* Is base + stride * x for all x within 63 bits of 0, so that offsets are ordered as x? */
static bool monotone(const struct progression *s, unsigned w)
{
	int64_t stride = (int64_t)s->stride, base = (int64_t)s->base;
	uint64_t step = stride < 0 ? -s->stride : s->stride;
	u128 span = (u128)step << w;
	return stride > 0 && span < ((u128)1 << 62) && base > -(1ll << 62) && base < 1ll << 62;
}

static struct progression shape_of(struct expr_pool *p, expr off)
{
	struct progression s = peel(p, off);
	peel_extension(p, &s);
	unsigned w = expr_width(p, s.x);
	if (w >= 62 || !monotone(&s, w)) {
		/* x has 64 bits and wraps: use only power-of-two strides from the original
		 * offset */
		s = (struct progression){ .x = off, .stride = 1, .wraps = true };
		uint64_t k;
		while (expr_op(p, s.x) == OP_CONCAT && is_num(p, expr_operand(p, s.x, 1), &k) && !k
		    && expr_width(p, expr_operand(p, s.x, 1)) < 60) {
			s.stride <<= expr_width(p, expr_operand(p, s.x, 1));
			s.x = expr_operand(p, s.x, 0);
		}
		w = expr_width(p, s.x);
	}
	s.count = w >= 64 ? 0 : 1ull << w;
	return s;
}

/* ---- bytes of an array with only constant store offsets */

/* The array below all stores at symbolic offsets; how many stores are above it. */
static expr below_symbolic(const struct arrays *s, const struct expr_pool *p, expr array, size_t *n)
{
	expr base = array;
	uint64_t k;
	size_t above = 0;
	*n = 0;
	for (; array != s->of && expr_op(p, array) == OP_STORE; array = expr_operand(p, array, 0)) {
		above++;
		if (!is_num(p, expr_operand(p, array, 1), &k))
			base = expr_operand(p, array, 0), *n = above;
	}
	return base;
}

static void place(struct arrays *s, struct expr_pool *p, uint64_t at, expr value)
{
	unsigned n = expr_width(p, value) / 8;
	for (unsigned i = 0; i < n; i++)
		if (at + i < s->size && !s->byte[at + i])
			s->byte[at + i] = expr_make(p, OP_EXTRACT, 8, value, 0, 8 * i);
}

/* Fills s->byte; 0 means the table's own byte. False: a stored value cannot be lowered. */
static bool load_bytes(struct arrays *s, struct expr_pool *p, expr array)
{
	uint64_t at;
	if (s->of == array)
		return true;
	expr e = array;
	uint32_t size = expr_array_size(p, array);
	expr *byte = zeroed(size + 1, sizeof *byte);
	for (; expr_op(p, e) == OP_STORE; e = expr_operand(p, e, 0)) {
		/* rewrite may load other arrays, so s is set only after it */
		expr v = rewrite(&s->rw, expr_operand(p, e, 2));
		if (!v || !is_num(p, expr_operand(p, e, 1), &at)) {
			free(byte);
			return false;
		}
		expr *saved = s->byte;
		uint32_t saved_size = s->size;
		s->byte = byte, s->size = size;
		place(s, p, at, v);
		s->byte = saved, s->size = saved_size;
	}
	const uint8_t *table = expr_table_bytes(p, e, &size);
	for (uint32_t i = 0; i < size; i++) {
		if (is_late_at(s, i)) {
			free(byte);
			return false;
		}
		if (!byte[i])
			byte[i] = num(p, 8, table[i]);
	}
	free(s->byte);
	s->byte = byte, s->size = expr_array_size(p, array), s->of = array;
	return true;
}

static expr value_at(struct arrays *s, struct expr_pool *p, uint64_t at, unsigned w)
{
	expr r = 0;
	for (unsigned i = 0; i < w / 8; i++) {
		expr b = at + i < s->size ? s->byte[at + i] : num(p, 8, 0);
		r = r ? make(p, OP_CONCAT, 8 * (i + 1), b, r) : b;
	}
	return r;
}

struct select_tree {
	struct arrays *s;
	struct expr_pool *p;
	expr x;
	unsigned w, wx;
	const expr *leaf;
	uint64_t n;
};

/* Selects among leaf[lo .. lo + 2^bits - 1] by the low bits of x; the result past the last leaf is
 * arbitrary. Selecting by bits is cheaper for engines than comparisons. 0: it is too late. */
static expr choose(const struct select_tree *t, uint64_t lo, unsigned bits)
{
	uint64_t end = bits < 63 && t->n - lo > 1ull << bits ? lo + (1ull << bits) : t->n,
	         i = lo + 1;
	if (bits >= LOOK && is_late(t->s))
		return 0;
	while (i < end && t->leaf[i] == t->leaf[lo])
		i++;
	if (i >= end)
		return t->leaf[lo];
	uint64_t middle = lo + (1ull << --bits);
	expr low = choose(t, lo, bits), high = middle < t->n ? choose(t, middle, bits) : low;
	return !low || !high ? 0
	                     : expr_make(t->p, OP_ITE, t->w,
	                           expr_make(t->p, OP_EXTRACT, 1, t->x, 0, bits), high, low);
}

static unsigned bits_for(uint64_t n)
{
	unsigned bits = 0;
	while (n > 1ull << bits)
		bits++;
	return bits;
}

/* The first x, and their number, for which the access overlaps the array: offsets -(bytes-1) to
 * size-1. */
static bool range(
    const struct progression *s, uint64_t size, unsigned bytes, uint64_t *first, uint64_t *n)
{
	int64_t stride = (int64_t)s->stride, base = (int64_t)s->base;
	int64_t low = -(int64_t)(bytes - 1) - base, high = (int64_t)size - 1 - base;
	int64_t x0 = low <= 0 ? 0 : (low + stride - 1) / stride, x1 = high < 0 ? -1 : high / stride;
	if (s->count && x1 >= 0 && (uint64_t)x1 >= s->count)
		x1 = (int64_t)s->count - 1;
	*first = (uint64_t)x0;
	*n = x1 < x0 ? 0 : (uint64_t)(x1 - x0) + 1;
	return *n <= MOST_LEAVES;
}

/* A wrapping 64-bit x can also start before the array and read its first bytes. */
static expr read_below(
    struct arrays *s, struct expr_pool *p, const struct progression *sh, unsigned w, expr r)
{
	for (uint64_t d = 1; d < w / 8; d++) {
		if (d % sh->stride)
			continue;
		unsigned wx = expr_width(p, sh->x);
		struct value at = { -(d / sh->stride), 0 };
		expr c = make(p, OP_EQ, 1, sh->x, expr_const(p, wx, at));
		r = expr_make(p, OP_ITE, w, c, value_at(s, p, -d, w), r);
	}
	return r;
}

static expr read_plain(struct arrays *s, struct expr_pool *p, expr array, expr off, unsigned w)
{
	struct progression sh = shape_of(p, off);
	uint64_t first, n;
	unsigned wx = expr_width(p, sh.x);
	if (!load_bytes(s, p, array) || !range(&sh, s->size, w / 8, &first, &n))
		return 0;
	expr zero = num(p, w, 0), r = zero;
	if (n) {
		expr *leaf = reserved(n, sizeof *leaf);
		for (uint64_t i = 0; i < n && !is_late_at(s, i); i++)
			leaf[i] = value_at(s, p, sh.base + sh.stride * (first + i), w);
		expr x = make(p, OP_SUB, wx, sh.x, num(p, wx, first));
		r = s->late
		    ? 0
		    : choose(&(struct select_tree){ s, p, x, w, wx, leaf, n }, 0, bits_for(n));
		free(leaf);
		if (!r)
			return 0;
		if (first || sh.count != n)
			r = expr_make(p, OP_ITE, w, make(p, OP_ULT, 1, x, num(p, wx, n)), r, zero);
	}
	return sh.wraps ? read_below(s, p, &sh, w, r) : r;
}

/* ---- stores at symbolic offsets */

/* Are both offsets always multiples of the access size, in an array of whole elements? */
static bool aligned(struct expr_pool *p, expr a, expr b, unsigned bytes, uint32_t size)
{
	struct progression x = shape_of(p, a), y = shape_of(p, b);
	return size % bytes == 0 && (bytes & (bytes - 1)) == 0 && x.base % bytes == 0
	    && x.stride % bytes == 0 && y.base % bytes == 0 && y.stride % bytes == 0;
}

/* Byte `d` (a 64-bit expression) of v, or `other` if d is past its end. */
static expr byte_of(struct expr_pool *p, expr v, expr d, expr other)
{
	for (unsigned j = expr_width(p, v) / 8; j-- > 0;)
		other = expr_make(p, OP_ITE, 8, make(p, OP_EQ, 1, d, num(p, 64, j)),
		    expr_make(p, OP_EXTRACT, 8, v, 0, 8 * j), other);
	return other;
}

bool arrays_offsets(
    struct expr_pool *p, expr off, uint32_t size, unsigned bytes, struct layer_offsets *o)
{
	struct progression s = shape_of(p, off);
	uint64_t first;
	if (s.wraps || !range(&s, size, bytes, &first, &o->n))
		return false;
	o->stride = s.stride;
	o->first = s.base + s.stride * first;
	o->all = o->n == s.count;
	return true;
}

/* r, read at off, after a store of v at `at`. */
static expr overlay(struct expr_pool *p, expr r, expr off, expr at, expr v, uint32_t size)
{
	unsigned w = expr_width(p, r);
	if (w == expr_width(p, v) && aligned(p, off, at, w / 8, size))
		return expr_make(p, OP_ITE, w, make(p, OP_EQ, 1, off, at), v, r);
	expr all = 0;
	for (unsigned i = 0; i < w / 8; i++) {
		expr d = make(p, OP_SUB, 64, make(p, OP_ADD, 64, off, num(p, 64, i)), at);
		expr b = byte_of(p, v, d, expr_make(p, OP_EXTRACT, 8, r, 0, 8 * i));
		all = all ? make(p, OP_CONCAT, 8 * (i + 1), b, all) : b;
	}
	return all;
}

/* Sets bytes past the end to 0, even if a store went there. */
static expr cut_end(struct expr_pool *p, expr r, expr off, uint32_t size)
{
	expr all = 0;
	for (unsigned i = 0; i < expr_width(p, r) / 8; i++) {
		expr in =
		    make(p, OP_ULT, 1, make(p, OP_ADD, 64, off, num(p, 64, i)), num(p, 64, size));
		expr b = expr_make(
		    p, OP_ITE, 8, in, expr_make(p, OP_EXTRACT, 8, r, 0, 8 * i), num(p, 8, 0));
		all = all ? make(p, OP_CONCAT, 8 * (i + 1), b, all) : b;
	}
	return all;
}

/* The same as cut_end, with one condition for whole elements. */
static expr cut(struct expr_pool *p, expr r, expr off, uint32_t size)
{
	unsigned w = expr_width(p, r);
	if (!aligned(p, off, off, w / 8, size))
		return cut_end(p, r, off, size);
	return expr_make(p, OP_ITE, w, make(p, OP_ULT, 1, off, num(p, 64, size)), r, num(p, w, 0));
}

/* Do constant accesses of this size never overlap? */
static bool apart(
    const struct expr_pool *p, expr off, unsigned bytes, expr at, unsigned stored, uint32_t size)
{
	uint64_t a, b;
	return is_num(p, off, &a) && is_num(p, at, &b) && a < size && b < size
	    && (a + bytes <= b || b + stored <= a);
}

static expr lower_read(struct rewrite *rw, expr e, void *ctx)
{
	struct arrays *s = ctx;
	struct expr_pool *p = rw->p;
	if (expr_op(p, e) != OP_READ)
		return e;
	expr off = is_late(s) ? 0 : rewrite(rw, expr_operand(p, e, 1)),
	     array = expr_operand(p, e, 0), r;
	size_t n;
	if (!off)
		return 0;
	expr base = below_symbolic(s, p, array, &n);
	uint32_t size = expr_array_size(p, base);
	r = read_plain(s, p, base, off, expr_width(p, e));
	if (!n || !r)
		return r;
	expr *store = reserved(n, sizeof *store);
	for (size_t i = 0; i < n; i++, array = expr_operand(p, array, 0))
		store[i] = array;
	while (r && n--) {
		expr at = expr_operand(p, store[n], 1), v = expr_operand(p, store[n], 2);
		if (apart(p, off, expr_width(p, e) / 8, at, expr_width(p, v) / 8, size))
			continue;
		at = rewrite(rw, at), v = rewrite(rw, v);
		r = at && v ? overlay(p, r, off, at, v, size) : 0;
	}
	free(store);
	return r ? cut(p, r, off, size) : 0;
}

static bool open_layer(struct layer *l, char **error)
{
	struct arrays *s = layer_state(l, sizeof *s);
	(void)error;
	s->rw = (struct rewrite){ .p = l->chain->p, .reads = true, .leaf = lower_read, .ctx = s };
	rewrite_start(&s->rw);
	return true;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct arrays *s = l->state;
	struct problem down = *q;
	bool arrays = false, whole = true;
	for (size_t i = 0; i < q->n && !arrays; i++)
		arrays = expr_has_array(l->chain->p, q->cond[i]);
	if (!arrays)
		return layer_pass(l, q);
	s->deadline = &l->chain->deadline;
	s->late = false;
	s->cond = grow(s->cond, &s->cond_cap, q->n, sizeof *s->cond);
	down.cond = s->cond;
	down.n = 0;
	for (size_t i = 0; i < q->n; i++) {
		expr c = expr_has_array(l->chain->p, q->cond[i]) ? rewrite(&s->rw, q->cond[i])
		                                                 : q->cond[i];
		if (c)
			s->cond[down.n++] = c;
		else if (!s->late)
			/* without it the query is weaker: unsat holds, models are checked later */
			whole = false;
		else {
			l->chain->why = "time limit";
			return ANSWER_UNKNOWN;
		}
	}
	enum answer a = layer_pass(l, &down);
	if (whole || a != ANSWER_SAT)
		return a;
	struct assignment m = { 0 };
	layer_values(l->chain, q, &m);
	if (expr_first_false(l->chain->p, q->cond, q->n, &m) != q->n) {
		a = ANSWER_UNKNOWN;
		l->chain->why = "an array is too large";
	}
	assignment_clear(&m);
	return a;
}

static void close_layer(struct layer *l)
{
	struct arrays *s = l->state;
	rewrite_clear(&s->rw);
	free(s->byte), free(s->cond);
	free(s);
}

const struct layer_class layer_arrays = { "arrays", open_layer, ask, close_layer };
