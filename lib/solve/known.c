/* known: where a condition of a query occurs within another condition, it is replaced by true, and
 * its negation by false; repeated while new conditions result. For example, `length == 3` for a
 * number in a text determines for each character whether it is a digit, which leaves three of the
 * sixteen terms of the number's value. The result is equivalent, as of two conditions at most one
 * contains the other. */
#include "lib/solve/layer.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ROUNDS 8

struct known {
	struct expr_pool *p;
	struct rewrite rw;
	uint32_t *at; /* by expression: 2 * round + its value, if it is a condition of this round */
	size_t at_cap;
	uint32_t round;
	struct parts parts;
	expr *cond;
	size_t cond_cap;
	bool changed;
};

static void know(struct known *s, expr e, bool value)
{
	s->at = grow(s->at, &s->at_cap, (size_t)e + 1, sizeof *s->at);
	s->at[e] = 2 * s->round + value;
}

/* Replaces a known condition by its value. */
static expr node(struct rewrite *rw, expr e, void *ctx)
{
	const struct known *s = ctx;

	if (e >= s->at_cap || s->at[e] / 2 != s->round)
		return 0;
	return expr_bool(rw->p, s->at[e] & 1);
}

static expr leaf(struct rewrite *rw, expr e, void *ctx)
{
	expr value = node(rw, e, ctx);

	return value ? value : e;
}

static bool open_layer(struct layer *l, char **error)
{
	struct known *s = layer_state(l, sizeof *s);

	(void)error;
	s->p = l->chain->p;
	s->rw = (struct rewrite){ .p = s->p, .node = node, .leaf = leaf, .ctx = s };
	return true;
}

/* Simplifies a condition, which is itself known, by the known conditions within it. */
static expr inside(struct known *s, expr e)
{
	enum op op = expr_op(s->p, e);
	int arity = op_arity(op);
	expr o[3] = { 0 };

	for (int i = 0; i < arity; i++) {
		expr operand = expr_operand(s->p, e, i);

		o[i] = op == OP_NOT ? inside(s, operand) : rewrite(&s->rw, operand);
	}
	return arity < 1 ? e
	                 : expr_make(s->p, op, expr_width(s->p, e), o[0], o[1],
	                       op == OP_EXTRACT ? expr_extract_low(s->p, e) : o[2]);
}

static expr replaced(void *data, expr cond)
{
	struct known *s = data;
	expr e = inside(s, cond);

	s->changed |= e != cond;
	return e;
}

/* One round over the problem, which becomes the rest. False: nothing changed, and no contradiction
 * was found. */
static bool step(struct known *s, struct problem *q)
{
	s->round++;
	s->changed = false;
	for (size_t i = 0; i < q->n; i++) {
		know(s, q->cond[i], true);
		know(s, expr_not(s->p, q->cond[i]), false);
	}
	rewrite_start(&s->rw);
	parts_replace(&s->parts, s->p, q, replaced, s, &s->cond, &s->cond_cap);
	return s->changed || s->parts.contradiction;
}

/* Does a condition contain another one? */
static bool is_nested(const struct expr_pool *p, const struct problem *q)
{
	for (size_t i = 0; i < q->n; i++) {
		expr e = q->cond[i];
		if (expr_op(p, e) == OP_NOT)
			e = expr_operand(p, e, 0);
		for (int k = 0; k < op_arity(expr_op(p, e)); k++)
			if (expr_has_truth(p, expr_operand(p, e, k)))
				return true;
	}
	return false;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct known *s = l->state;
	struct problem down = *q;

	if (!is_nested(s->p, q))
		return layer_pass(l, q);
	for (int i = 0; i < MOST_ROUNDS && step(s, &down); i++)
		if (s->parts.contradiction)
			return layer_own(l, ANSWER_UNSAT);
	return down.n ? layer_pass(l, &down) : layer_own(l, ANSWER_SAT);
}

static void close_layer(struct layer *l)
{
	struct known *s = l->state;

	rewrite_clear(&s->rw);
	parts_clear(&s->parts);
	free(s->at), free(s->cond);
	free(s);
}

const struct layer_class layer_known = { "known", open_layer, ask, close_layer };
