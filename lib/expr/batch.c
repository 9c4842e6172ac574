/* batch: evaluates each node for up to BLOCK points at once (a lane), with loops simple enough for
 * the compiler to vectorise. */
#include "lib/expr/batch.h"
#include "lib/protocol/float.h"
#include "lib/expr/pool.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 256
#define MOST_NODES 1024
#define MOST_STORES 64

typedef uint64_t lane[BLOCK];

struct batch_step {
	expr e;
	uint32_t a, b, c;
}; /* operands as indices into steps */

struct batch {
	struct expr_pool *p;
	struct batch_step step[MOST_NODES];
	uint32_t steps;
	uint32_t *at, *gen, at_cap, now; /* by expression: its step, valid if gen == now */
	lane *value;                     /* MOST_NODES lanes */
	int lanes;                       /* points in the current block */
	expr planned;
};

struct batch *batch_new(struct expr_pool *p)
{
	struct batch *b = zeroed(1, sizeof *b);
	b->value = reserved_aligned(64, MOST_NODES, sizeof *b->value);
	b->p = p;
	return b;
}

void batch_free(struct batch *b)
{
	free(b->at), free(b->gen), free(b->value);
	free(b);
}

static bool done(const struct batch *b, expr e)
{
	return b->gen[e] == b->now;
}

/* Plans steps for all nodes of root, operands first; false when there are too many or some are
 * wider than 64 bits. */
static bool plan(struct batch *b, expr root)
{
	expr stack[MOST_NODES * 3];
	uint32_t depth = 0, old = b->at_cap, cap = old;
	if (b->planned == root)
		return true;
	b->planned = 0;
	if (b->p->nodes > old) {
		b->gen = pool_grow(b->gen, &cap, b->p->nodes, sizeof *b->gen);
		memset(b->gen + old, 0, (cap - old) * sizeof *b->gen);
		cap = old;
		b->at = pool_grow(b->at, &cap, b->p->nodes, sizeof *b->at);
		b->at_cap = cap;
	}
	b->now++;
	b->steps = 0;
	stack[depth++] = root;
	while (depth) {
		expr e = stack[depth - 1];
		const struct expr_node *n = pool_node(b->p, e);
		uint32_t before = depth;
		int arity = op_arity(n->op);
		if (done(b, e)) {
			depth--;
			continue;
		}
		if (n->width > 64 || b->steps == MOST_NODES || depth + 3 > MOST_NODES * 3)
			return false;
		if (arity > 0 && !done(b, n->a))
			stack[depth++] = n->a;
		if (arity > 1 && !done(b, n->b))
			stack[depth++] = n->b;
		if (arity > 2 && !done(b, n->c))
			stack[depth++] = n->c;
		if (depth > before)
			continue;
		b->step[b->steps] = (struct batch_step){ e, arity > 0 ? b->at[n->a] : 0,
			arity > 1 ? b->at[n->b] : 0, arity > 2 ? b->at[n->c] : 0 };
		b->gen[e] = b->now;
		b->at[e] = b->steps++;
		depth--;
	}
	b->planned = root;
	return true;
}

uint32_t batch_cost(struct batch *b, expr cond)
{
	return plan(b, cond) ? b->steps : UINT32_MAX;
}

#define EACH(expression) \
	do { \
		for (int i = 0; i < lanes; i++) \
			r[i] = (expression); \
	} while (0)
#define SIGNED(v) ((int64_t)((v) << up) >> up)

static void divide(
    enum op op, unsigned w, int lanes, uint64_t *restrict r, const uint64_t *x, const uint64_t *y)
{
	uint64_t m = w >= 64 ? ~0ull : (1ull << w) - 1;
	if (op == OP_UDIV)
		EACH(y[i] ? x[i] / y[i] : m);
	else if (op == OP_UREM)
		EACH(y[i] ? x[i] % y[i] : x[i]);
	else
		EACH((uint64_t)bits_binary(op, w, w, w, x[i], y[i]));
}

/* 32-bit division is several times faster than 64-bit. */
static void divide_narrow(
    enum op op, unsigned w, int lanes, uint64_t *restrict r, const uint64_t *x, const uint64_t *y)
{
	unsigned up = 64 - w;
	uint32_t m = w >= 32 ? ~0u : (1u << w) - 1;
	if (op == OP_UDIV)
		EACH(y[i] ? (uint32_t)x[i] / (uint32_t)y[i] : m);
	else if (op == OP_UREM)
		EACH(y[i] ? (uint32_t)x[i] % (uint32_t)y[i] : x[i]);
	else if (op == OP_SDIV)
		EACH(y[i] ? (uint64_t)(SIGNED(x[i]) / SIGNED(y[i])) & m : SIGNED(x[i]) < 0 ? 1 : m);
	else
		EACH(y[i] ? (uint64_t)(SIGNED(x[i]) % SIGNED(y[i])) & m : x[i]);
}

static void shift(
    enum op op, unsigned w, int lanes, uint64_t *restrict r, const uint64_t *x, const uint64_t *y)
{
	unsigned up = 64 - w;
	uint64_t m = w >= 64 ? ~0ull : (1ull << w) - 1;
	if (op == OP_SHL)
		EACH(y[i] >= w ? 0 : (x[i] << y[i]) & m);
	else if (op == OP_LSHR)
		EACH(y[i] >= w ? 0 : x[i] >> y[i]);
	else
		EACH((uint64_t)(SIGNED(x[i]) >> (y[i] >= w ? w - 1 : y[i])) & m);
}

static void compare(
    enum op op, unsigned wa, int lanes, uint64_t *restrict r, const uint64_t *x, const uint64_t *y)
{
	unsigned up = 64 - wa;
	switch (op) {
	case OP_EQ: EACH(x[i] == y[i]); break;
	case OP_ULT: EACH(x[i] < y[i]); break;
	case OP_ULE: EACH(x[i] <= y[i]); break;
	case OP_SLT: EACH((int64_t)(x[i] << up) < (int64_t)(y[i] << up)); break;
	default: EACH((int64_t)(x[i] << up) <= (int64_t)(y[i] << up)); break;
	}
}

/* Computes the lane of a step from its operands' lanes. */
static void compute(struct batch *b, const struct batch_step *s, uint64_t *restrict r)
{
	const int lanes = b->lanes;
	const struct expr_node *n = pool_node(b->p, s->e);
	const uint64_t *x = b->value[s->a], *y = b->value[s->b], *z = b->value[s->c];
	unsigned w = n->width, wa = n->a && op_arity(n->op) > 0 ? pool_node(b->p, n->a)->width : 0,
	         up = 64 - (wa ? wa : 1);
	unsigned wb = op_arity(n->op) > 1 ? pool_node(b->p, n->b)->width : 0, low = n->c;
	uint64_t m = w >= 64 ? ~0ull : (1ull << w) - 1;
	switch (n->op) {
	case OP_CONST: {
		uint64_t k = (uint64_t)pool_const_value(b->p, n);
		EACH(k);
		break;
	}
	case OP_ADD: EACH((x[i] + y[i]) & m); break;
	case OP_SUB: EACH((x[i] - y[i]) & m); break;
	case OP_MUL: EACH((x[i] * y[i]) & m); break;
	case OP_UDIV:
	case OP_SDIV:
	case OP_UREM:
	case OP_SREM: (w <= 32 ? divide_narrow : divide)(n->op, w, lanes, r, x, y); break;
	case OP_AND: EACH(x[i] & y[i]); break;
	case OP_OR: EACH(x[i] | y[i]); break;
	case OP_XOR: EACH(x[i] ^ y[i]); break;
	case OP_SHL:
	case OP_LSHR:
	case OP_ASHR: shift(n->op, w, lanes, r, x, y); break;
	case OP_NOT: EACH(~x[i] & m); break;
	case OP_NEG: EACH(-x[i] & m); break;
	case OP_ITE: EACH(x[i] ? y[i] : z[i]); break;
	case OP_CONCAT: EACH(x[i] << wb | y[i]); break;
	case OP_EXTRACT: EACH(x[i] >> low & m); break;
	case OP_ZEXT: EACH(x[i]); break;
	case OP_SEXT: EACH((uint64_t)SIGNED(x[i]) & m); break;
	case OP_EQ:
	case OP_ULT:
	case OP_ULE:
	case OP_SLT:
	case OP_SLE: compare(n->op, wa, lanes, r, x, y); break;
	default:
		EACH((uint64_t)duct_float_eval(n->op, w, wa, x[i], op_arity(n->op) > 1 ? y[i] : 0));
		break;
	}
}

/* Up to `most` bytes of an array at point i; *n: how many bytes one store or the table supplied. */
static uint64_t read_bytes(const struct batch *b, const struct expr_node *a, uint64_t at,
    uint64_t most, int i, uint64_t *n)
{
	for (; a->op == OP_STORE; a = pool_node(b->p, a->a)) {
		uint64_t d = at - b->value[b->at[a->b]][i],
		         width = pool_node(b->p, a->c)->width / 8;
		if (d < width) {
			*n = width - d < most ? width - d : most;
			return b->value[b->at[a->c]][i] >> (8 * d)
			    & (*n < 8 ? (1ull << 8 * *n) - 1 : ~0ull);
		}
		/* the store may begin -d bytes after `at`: read no further */
		most = -d < most ? -d : most;
	}
	*n = 1;
	return a->op == OP_TABLE ? b->p->blob[a->a + at] : 0;
}

/* Applies a store to a READ where it covers all bytes that are read. False if at some point it
 * covers only part of them. */
__attribute__((target_clones("avx2", "default"))) static bool read_past(const struct batch *b,
    const struct expr_node *store, unsigned bytes, const uint64_t *at, uint64_t *restrict r)
{
	const uint64_t *to = b->value[b->at[store->b]], *value = b->value[b->at[store->c]];
	const int lanes = b->lanes;
	const uint64_t m = bytes < 8 ? (1ull << 8 * bytes) - 1 : ~0ull,
	               width = pool_node(b->p, store->c)->width / 8u;
	const uint64_t near = width + bytes - 1, whole = width < bytes ? 0 : width - bytes + 1;
	uint64_t some = 0;
	for (int i = 0; i < lanes; i++) {
		uint64_t d = at[i] - to[i], all = d < whole;
		some |= all ^ (d + bytes - 1 < near);
		r[i] = all ? value[i] >> (8 * d & 63) & m : r[i];
	}
	return !some;
}

/* Evaluates a READ that is inside the array at all points, applying the stores from the oldest on.
 * False: read_array is needed. */
static bool read_stores(const struct batch *b, const struct batch_step *s, uint64_t *restrict r)
{
	const struct expr_node *n = pool_node(b->p, s->e), *store[MOST_STORES];
	const uint64_t *at = b->value[s->b];
	uint64_t size = pool_array_size(b->p, n->a), last = 0;
	unsigned bytes = n->width / 8u, stores = 0;
	const struct expr_node *a = pool_node(b->p, n->a);
	for (; a->op == OP_STORE && stores < MOST_STORES; a = pool_node(b->p, a->a))
		store[stores++] = a;
	for (int i = 0; i < b->lanes; i++)
		last = at[i] > last ? at[i] : last;
	if (a->op == OP_STORE || last >= size || size - last < bytes)
		return false;
	memset(r, 0, sizeof(lane));
	for (unsigned k = 0; a->op == OP_TABLE && k < bytes; k++)
		for (int i = 0; i < b->lanes; i++)
			r[i] |= (uint64_t)b->p->blob[a->a + at[i] + k] << (8 * k);
	while (stores && read_past(b, store[stores - 1], bytes, at, r))
		stores--;
	return !stores;
}

/* Evaluates a READ point by point. */
static void read_array(struct batch *b, const struct batch_step *s, uint64_t *r)
{
	const struct expr_node *n = pool_node(b->p, s->e), *array = pool_node(b->p, n->a);
	uint64_t size = pool_array_size(b->p, n->a), bytes = n->width / 8u, got;
	for (int i = 0; i < b->lanes; i++) {
		uint64_t at = b->value[s->b][i];
		r[i] = 0;
		for (uint64_t k = 0; k < bytes; k += got) {
			uint64_t left = size - (at + k);
			got = 1;
			if (at + k < size)
				r[i] |= read_bytes(b, array, at + k,
				            left < bytes - k ? left : bytes - k, i, &got)
				    << (8 * k);
		}
	}
}

/* The values of a side from point `first` on. below: product of the counts of the preceding
 * sides. */
static void side_lane(const struct batch_side *s, uint64_t below, uint64_t first, unsigned w,
    int lanes, uint64_t *restrict r)
{
	uint64_t m = w >= 64 ? ~0ull : (1ull << w) - 1, k = first / below % s->count,
	         left = below - first % below;
	for (int i = 0, end; i < lanes; i = end) {
		uint64_t v = (s->base + k) & m;
		end = left < (uint64_t)(lanes - i) ? i + (int)left : lanes;
		for (int j = i; j < end; j++)
			r[j] = v;
		left = below;
		k = k + 1 == s->count ? 0 : k + 1;
	}
}

/* The points: a grid or a list. */
struct where {
	const struct batch_side *side;
	size_t sides;
	const struct batch_points *list;
	uint64_t points;
};

static bool list_lane(const struct batch_points *l, uint32_t var, uint64_t first, uint64_t *r)
{
	for (size_t i = 0; i < l->vars; i++)
		if (l->var[i] == var) {
			uint64_t n = l->points - first < BLOCK ? l->points - first : BLOCK;
			memcpy(r, l->value + i * l->points + first, n * sizeof *r);
			memset(r + n, 0, (BLOCK - n) * sizeof *r);
			return true;
		}
	return false;
}

static void input_lane(
    struct batch *b, const struct batch_step *s, const struct where *at, uint64_t first)
{
	const struct expr_node *n = pool_node(b->p, s->e);
	uint64_t below = 1, *r = b->value[s - b->step];
	if (at->list && list_lane(at->list, n->a, first, r))
		return;
	for (size_t i = 0; i < at->sides; below *= at->side[i++].count)
		if (at->side[i].var == n->a) {
			side_lane(&at->side[i], below, first, n->width, b->lanes, r);
			return;
		}
	memset(r, 0, sizeof(lane));
}

/* Computes all steps for the block of points from `first` on; the lane of the root. */
static const uint64_t *block(struct batch *b, const struct where *at, uint64_t first)
{
	b->lanes = at->points - first < BLOCK ? (int)(at->points - first) : BLOCK;
	for (uint32_t k = 0; k < b->steps; k++) {
		const struct batch_step *s = &b->step[k];
		enum op op = pool_node(b->p, s->e)->op;
		if (op == OP_INPUT)
			input_lane(b, s, at, first);
		else if (op == OP_READ && !read_stores(b, s, b->value[k]))
			read_array(b, s, b->value[k]);
		else if (op != OP_READ && op != OP_TABLE && op != OP_STORE
		    && !(op == OP_CONST && first))
			compute(b, s, b->value[k]);
	}
	return b->value[b->steps - 1];
}

static bool run(struct batch *b, expr cond, const struct where *at, uint64_t *out)
{
	uint64_t points = at->points;
	if (!plan(b, cond))
		return false;
	for (uint64_t first = 0; first < points; first += BLOCK) {
		const uint64_t *r = block(b, at, first);
		for (uint64_t i = 0; i < BLOCK && first + i < points; i += 64) {
			uint64_t bits = 0, most = points - first - i < 64 ? points - first - i : 64;
			for (uint64_t j = 0; j < most; j++)
				bits |= (r[i + j] & 1) << j;
			out[(first + i) / 64] = bits;
		}
	}
	return true;
}

static struct where grid(const struct batch_side *side, size_t sides)
{
	struct where at = { .side = side, .sides = sides, .points = 1 };
	for (size_t i = 0; i < sides; i++)
		at.points *= side[i].count;
	return at;
}

bool batch_run(
    struct batch *b, expr cond, const struct batch_side *side, size_t sides, uint64_t *out)
{
	struct where at = grid(side, sides);
	return run(b, cond, &at, out);
}

static bool run_values(struct batch *b, expr e, const struct where *at, uint64_t *out)
{
	if (!plan(b, e))
		return false;
	for (uint64_t first = 0; first < at->points; first += BLOCK) {
		const uint64_t *r = block(b, at, first);
		memcpy(out + first, r, (size_t)b->lanes * sizeof *r);
	}
	return true;
}

bool batch_values(
    struct batch *b, expr e, const struct batch_side *side, size_t sides, uint64_t *out)
{
	struct where at = grid(side, sides);
	return run_values(b, e, &at, out);
}

bool batch_values_list(struct batch *b, expr e, const struct batch_points *list, uint64_t *out)
{
	return run_values(b, e, &(struct where){ .list = list, .points = list->points }, out);
}

bool batch_run_list(struct batch *b, expr cond, const struct batch_points *list, uint64_t *out)
{
	return run(b, cond, &(struct where){ .list = list, .points = list->points }, out);
}
