/* blast: expressions as vectors of literals; operands first, each expression once. */
#include "lib/blast/inner.h"
#include "lib/base/grow.h"
#include "lib/base/clock.h"
#include "lib/base/stop.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 4096
#define NOT_YET 0u
#define NEVER 1u /* cannot be blasted */
#define FIRST 2u

struct blast {
	struct expr_pool *p;
	struct aig *g;
	lit *item;
	size_t items, item_cap;
	uint32_t *at;
	size_t at_cap; /* by expression: NOT_YET, NEVER, or FIRST + index
	                  in item */
	uint32_t *var;
	size_t var_cap; /* by variable: likewise */
	expr *stack;
	size_t depth, stack_cap;
	double deadline;
	size_t gates; /* 0: no limit */
	uint32_t steps;
	bool gave_up;
};

enum { LOOK = 256 }; /* steps between two looks at the clock */

void blast_limit(struct blast *b, double deadline, size_t gates)
{
	b->deadline = deadline, b->gates = gates, b->gave_up = false;
}

bool blast_gave_up(const struct blast *b)
{
	return b->gave_up;
}

static bool is_over(struct blast *b)
{
	if (b->gates && aig_size(b->g) > b->gates)
		return true;
	if (!b->deadline || ++b->steps % LOOK)
		return false;
	return stop_asked() || clock_now() >= b->deadline;
}

struct blast *blast_new(struct expr_pool *p, struct aig *g)
{
	struct blast *b = zeroed(1, sizeof *b);
	b->p = p, b->g = g;
	return b;
}

void blast_free(struct blast *b)
{
	if (!b)
		return;
	free(b->item), free(b->at), free(b->var), free(b->stack);
	free(b);
}

/* Allocates w literals. */
static uint32_t reserve(struct blast *b, unsigned w)
{
	if (b->items + w > UINT32_MAX - FIRST)
		return NEVER;
	b->item = grow(b->item, &b->item_cap, b->items + w, sizeof *b->item);
	b->items += w;
	return (uint32_t)(b->items - w) + FIRST;
}

static uint32_t keep(struct blast *b, unsigned w, const lit *l)
{
	uint32_t r = reserve(b, w);
	if (r != NEVER && w)
		memcpy(b->item + (r - FIRST), l, w * sizeof *l);
	return r;
}

static const lit *of(const struct blast *b, expr e)
{
	return b->item + (b->at[e] - FIRST);
}

void blast_bind(struct blast *b, uint32_t var, const lit *l)
{
	b->var = grow(b->var, &b->var_cap, (size_t)var + 1, sizeof *b->var);
	b->var[var] = keep(b, expr_var_width(b->p, var), l);
}

const lit *blast_var(const struct blast *b, uint32_t var)
{
	return var < b->var_cap && b->var[var] >= FIRST ? b->item + (b->var[var] - FIRST) : NULL;
}

/* ---- arrays: 8 literals a byte */

static lit is_at(struct blast *b, const lit *offset, uint64_t place)
{
	lit where[64], r;
	blast_const(64, (struct value){ place, 0 }, where);
	blast_op(b->g, OP_EQ, 1, 64, 64, offset, where, NULL, 0, &r);
	return r;
}

/* offset + i */
static void advance(struct blast *b, const lit *offset, unsigned i, lit *out)
{
	lit step[64];
	blast_const(64, (struct value){ i, 0 }, step);
	blast_op(b->g, OP_ADD, 64, 64, 64, offset, step, NULL, 0, out);
}

static uint32_t store(struct blast *b, expr e)
{
	expr value = expr_operand(b->p, e, 2);
	uint32_t size = expr_array_size(b->p, e), bytes = expr_width(b->p, value) / 8;
	uint32_t r = reserve(b, 8 * size);
	if (r == NEVER || !size)
		return r;
	memcpy(b->item + (r - FIRST), of(b, expr_operand(b->p, e, 0)), 8 * size * sizeof *b->item);
	for (uint32_t j = 0; j < bytes; j++) {
		lit at[64];
		advance(b, of(b, expr_operand(b->p, e, 1)), j, at);
		for (uint32_t i = 0; i < size; i++) {
			lit here = is_at(b, at, i), *byte = b->item + (r - FIRST) + 8 * i;
			for (unsigned k = 0; k < 8; k++)
				byte[k] = aig_mux(b->g, here, of(b, value)[8 * j + k], byte[k]);
		}
	}
	return r;
}

static uint32_t read_array(struct blast *b, expr e)
{
	expr array = expr_operand(b->p, e, 0);
	uint32_t size = expr_array_size(b->p, array), w = expr_width(b->p, e);
	lit out[BLAST_MOST];
	for (uint32_t j = 0; j < w / 8; j++) {
		lit at[64], *byte = out + 8 * j;
		blast_const(8, (struct value){ 0, 0 }, byte);
		advance(b, of(b, expr_operand(b->p, e, 1)), j, at);
		for (uint32_t i = 0; i < size; i++) {
			lit here = is_at(b, at, i);
			for (unsigned k = 0; k < 8; k++)
				byte[k] = aig_mux(b->g, here, of(b, array)[8 * i + k], byte[k]);
		}
	}
	return keep(b, w, out);
}

static uint32_t table(struct blast *b, expr e)
{
	uint32_t size;
	const uint8_t *byte = expr_table_bytes(b->p, e, &size);
	lit l[8 * MOST_BYTES];
	for (uint32_t i = 0; i < size; i++)
		blast_const(8, (struct value){ byte[i], 0 }, l + 8 * i);
	return keep(b, 8 * size, l);
}

static bool is_array(enum op op)
{
	return op == OP_TABLE || op == OP_STORE || op == OP_READ;
}

static uint32_t array_op(struct blast *b, enum op op, expr e)
{
	if (expr_array_size(b->p, op == OP_READ ? expr_operand(b->p, e, 0) : e) > MOST_BYTES)
		return NEVER;
	return op == OP_TABLE ? table(b, e) : op == OP_STORE ? store(b, e) : read_array(b, e);
}

/* ---- other expressions */

static uint32_t leaf(struct blast *b, enum op op, expr e)
{
	lit l[BLAST_MOST];
	unsigned w = expr_width(b->p, e);
	struct value v;
	if (op == OP_CONST) {
		expr_is_const(b->p, e, &v);
		blast_const(w, v, l);
		return keep(b, w, l);
	}
	uint32_t var = expr_input_var(b->p, e);
	if (!blast_var(b, var)) {
		blast_inputs(b->g, w, l);
		blast_bind(b, var, l);
	}
	return b->var[var];
}

/* The operands are already blasted. */
static uint32_t compute(struct blast *b, expr e)
{
	struct expr_pool *p = b->p;
	enum op op = expr_op(p, e);
	lit out[BLAST_MOST];
	const lit *l[3] = { NULL, NULL, NULL };
	unsigned w = expr_width(p, e), width[3] = { 0, 0, 0 };
	for (int i = 0; i < op_arity(op); i++) {
		expr o = expr_operand(p, e, i);
		if (b->at[o] == NEVER)
			return NEVER;
		l[i] = of(b, o), width[i] = expr_width(p, o);
	}
	if (is_array(op))
		return array_op(b, op, e);
	if (op_arity(op) == 0)
		return leaf(b, op, e);
	unsigned low = op == OP_EXTRACT ? expr_extract_low(p, e) : 0;
	return blast_op(b->g, op, w, width[0], width[1], l[0], l[1], l[2], low, out)
	    ? keep(b, w, out)
	    : NEVER;
}

static void push(struct blast *b, expr e)
{
	b->stack = grow(b->stack, &b->stack_cap, b->depth + 1, sizeof *b->stack);
	b->stack[b->depth++] = e;
}

const lit *blast_expr(struct blast *b, expr root)
{
	b->at = grow(b->at, &b->at_cap, expr_count(b->p) + 1, sizeof *b->at);
	push(b, root);
	while (b->depth) {
		if (is_over(b)) {
			b->gave_up = true;
			b->depth = 0;
			return NULL;
		}
		expr e = b->stack[b->depth - 1];
		size_t before = b->depth;
		for (int i = 0; i < op_arity(expr_op(b->p, e)) && !b->at[e]; i++)
			if (!b->at[expr_operand(b->p, e, i)])
				push(b, expr_operand(b->p, e, i));
		if (b->depth > before)
			continue;
		if (!b->at[e])
			b->at[e] = compute(b, e);
		b->depth--;
	}
	return b->at[root] == NEVER ? NULL : of(b, root);
}
