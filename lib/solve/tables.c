/* tables: a term that reads arrays and depends on one or two inputs of at most 8 bits becomes a
 * table of its values, with an element for each class of values of the inputs: tables of tables, as
 * those of characters' properties are, would be large circuits. */
#include "lib/base/grow.h"
#include "lib/expr/batch.h"
#include "lib/solve/domains.h"
#include "lib/solve/layer.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 8
#define MOST_ELEMENTS 4096
#define MOST_NODES 512 /* of a term that is looked at */
#define GAIN 4 /* times as many bytes as the new table has are in those that the term reads */

struct tables {
	struct expr_pool *p;
	struct domains *d;
	struct rewrite rw; /* never started again: what it replaced is final */
	struct batch *batch;
	expr *cond;
	size_t cap;
	uint64_t point[2 * MOST_ELEMENTS], value[MOST_ELEMENTS];
	uint8_t byte[MOST_ELEMENTS * MOST_BYTES];
	expr stack[MOST_NODES];
	uint32_t *seen; /* by expression: the last walk that came there */
	size_t seen_cap;
	uint32_t walk;
};

/* ---- an input, as far as a term depends on it */

struct side {
	uint32_t var;
	unsigned width, bits; /* of the input; of the number of a class */
	struct value_classes classes;
	uint8_t least[DOMAIN_VALUES]; /* by class: a value */
};

static void classify(struct tables *s, struct side *v, expr e)
{
	struct domain all;
	size_t n;
	const expr *term = domains_terms(s->d, e, &n);

	v->width = expr_var_width(s->p, v->var);
	domain_all(&all, v->width);
	value_classes_start(&v->classes);
	for (size_t i = 0; i < n; i++)
		if (domains_input(s->p, term[i]) == v->var)
			value_classes_refine(&v->classes, s->d, term[i], &all, v->width);
	unsigned values = 1u << v->width, numbers = 0;
	for (unsigned i = values; i-- > 0;) {
		v->least[v->classes.number[i]] = (uint8_t)i;
		numbers = v->classes.number[i] >= numbers ? v->classes.number[i] + 1u : numbers;
	}
	for (v->bits = 1; 1u << v->bits < numbers;)
		v->bits++;
	for (unsigned i = numbers; i < 1u << v->bits; i++)
		v->least[i] = 0;
}

static expr number(struct expr_pool *p, unsigned w, uint64_t v)
{
	return expr_const(p, w, (struct value){ v, 0 });
}

/* The number of the class of the input's value: often its lowest bits. */
static expr class_of(struct tables *s, const struct side *v)
{
	expr x = expr_input(s->p, v->var);
	unsigned values = 1u << v->width, mask = (1u << v->bits) - 1;
	bool lowest = v->bits <= v->width;

	for (unsigned i = 0; i < values && lowest; i++)
		lowest = v->classes.number[i] == (i & mask);
	if (lowest)
		return expr_make(s->p, OP_EXTRACT, v->bits, x, 0, 0);
	expr read = expr_make(s->p, OP_READ, 8, expr_table(s->p, v->classes.number, values),
	    expr_make(s->p, OP_ZEXT, 64, x, 0, 0), 0);
	return expr_make(s->p, OP_EXTRACT, v->bits, read, 0, 0);
}

/* ---- terms */

/* Is it an element of a table with one for each value already? */
static bool is_element(const struct expr_pool *p, expr e, uint32_t bytes)
{
	expr array = expr_operand(p, e, 0);

	return expr_op(p, e) == OP_READ && expr_op(p, array) == OP_TABLE
	    && expr_array_size(p, array) <= DOMAIN_VALUES * bytes;
}

/* The bytes of all constant tables that e reads; 0: it has many nodes. */
static uint64_t table_bytes(struct tables *s, expr e)
{
	size_t depth = 0, nodes = 0;
	uint64_t sum = 0;
	uint32_t size;

	s->seen = grow(s->seen, &s->seen_cap, expr_count(s->p) + 1, sizeof *s->seen);
	s->walk++;
	s->stack[depth++] = e;
	while (depth) {
		expr at = s->stack[--depth];
		enum op op = expr_op(s->p, at);
		if (s->seen[at] == s->walk)
			continue;
		s->seen[at] = s->walk;
		if (++nodes + depth + 3 > MOST_NODES)
			return 0;
		if (op == OP_TABLE && expr_table_bytes(s->p, at, &size))
			sum += size;
		for (int i = 0; i < op_arity(op); i++)
			s->stack[depth++] = expr_operand(s->p, at, i);
	}
	return sum;
}

/* Computes the values of e by the classes of one or two inputs, the first of which varies fastest.
 */
static bool evaluate(
    struct tables *s, expr e, const struct side *side, size_t sides, uint32_t points)
{
	uint32_t var[2] = { side[0].var, sides > 1 ? side[1].var : 0 };
	struct batch_points list = { var, sides, s->point, points };

	for (uint32_t i = 0; i < points; i++) {
		s->point[i] = side[0].least[i & ((1u << side[0].bits) - 1)];
		if (sides > 1)
			s->point[points + i] = side[1].least[i >> side[0].bits];
	}
	return batch_values_list(s->batch, e, &list, s->value);
}

/* The element of a new table; e itself if it is not known or too large. */
static expr element(struct tables *s, expr e, const uint32_t *var, size_t sides)
{
	struct expr_pool *p = s->p;
	struct side side[2] = { { .var = var[0] }, { .var = var[sides - 1] } };
	uint32_t w = expr_width(p, e), bytes = (w + 7) / 8, bits = 0;

	if (bytes > MOST_BYTES || is_element(p, e, bytes))
		return e;
	for (size_t i = 0; i < sides; i++) {
		classify(s, &side[i], e);
		bits += side[i].bits;
	}
	if (1u << bits > MOST_ELEMENTS || table_bytes(s, e) < (uint64_t)GAIN * bytes << bits
	    || !evaluate(s, e, side, sides, 1u << bits))
		return e;
	for (uint32_t i = 0; i < bytes << bits; i++)
		s->byte[i] = (uint8_t)(s->value[i / bytes] >> 8 * (i % bytes));
	expr at = class_of(s, &side[0]);
	if (sides > 1)
		at = expr_make(p, OP_CONCAT, bits, class_of(s, &side[1]), at, 0);
	at = expr_make(p, OP_MUL, 64, expr_make(p, OP_ZEXT, 64, at, 0, 0), number(p, 64, bytes), 0);
	expr read = expr_make(p, OP_READ, 8 * bytes, expr_table(p, s->byte, bytes << bits), at, 0);
	return expr_make(p, OP_EXTRACT, w, read, 0, 0);
}

static expr node(struct rewrite *rw, expr e, void *ctx)
{
	size_t n;
	const uint32_t *var = expr_vars(rw->p, e, &n);

	if (!expr_has_array(rw->p, e))
		return e;
	if (n < 1 || n > 2 || !expr_width(rw->p, e) || expr_var_width(rw->p, var[0]) > DOMAIN_BITS
	    || expr_var_width(rw->p, var[n - 1]) > DOMAIN_BITS)
		return 0;
	expr to = element(ctx, e, var, n);
	return n == 2 && to == e ? 0 : to;
}

static expr leaf(struct rewrite *rw, expr e, void *ctx)
{
	(void)rw, (void)ctx;
	return e;
}

static bool open_layer(struct layer *l, char **error)
{
	struct tables *s = layer_state(l, sizeof *s);

	(void)error;
	s->p = l->chain->p;
	s->d = l->chain->domains;
	s->batch = batch_new(s->p);
	s->rw = (struct rewrite){ .p = s->p, .leaf = leaf, .node = node, .ctx = s };
	rewrite_start(&s->rw);
	return true;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct tables *s = l->state;
	struct problem down = *q;

	s->cond = grow(s->cond, &s->cap, q->n, sizeof *s->cond);
	for (size_t i = 0; i < q->n; i++)
		s->cond[i] =
		    expr_has_array(s->p, q->cond[i]) ? rewrite(&s->rw, q->cond[i]) : q->cond[i];
	down.cond = s->cond;
	return layer_pass(l, &down);
}

static void close_layer(struct layer *l)
{
	struct tables *s = l->state;

	rewrite_clear(&s->rw);
	batch_free(s->batch);
	free(s->cond), free(s->seen);
	free(s);
}

const struct layer_class layer_tables = { "tables", open_layer, ask, close_layer };
