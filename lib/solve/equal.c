/* equal: a condition x == e, x not in e, defines x: substitutes e for x everywhere and computes x
 * at the end. A one-bit input as a condition defines itself. */
#include "lib/solve/layer.h"
#include "lib/base/clock.h"
#include "lib/base/stop.h"

#include <stdlib.h>
#include <string.h>

struct definition {
	uint32_t var;
	expr e;
};

struct equal {
	struct rewrite rw;
	struct parts parts;
	struct definition *def;
	size_t defs, def_cap;
	uint32_t *by_var;
	size_t by_var_cap; /* index of its definition + 1 */
	expr *cond;
	size_t cap;
	struct assignment values;
};

static expr leaf(struct rewrite *rw, expr e, void *ctx)
{
	struct equal *s = ctx;
	uint32_t var = expr_input_var(rw->p, e);
	return var < s->by_var_cap && s->by_var[var] ? s->def[s->by_var[var] - 1].e : e;
}

static bool open_layer(struct layer *l, char **error)
{
	struct equal *s = layer_state(l, sizeof *s);
	(void)error;
	s->rw = (struct rewrite){ .p = l->chain->p, .leaf = leaf, .ctx = s };
	return true;
}

static bool contains(struct expr_pool *p, expr e, uint32_t var)
{
	size_t n;
	const uint32_t *v = expr_vars(p, e, &n);
	for (size_t i = 0; i < n; i++)
		if (v[i] == var)
			return true;
	return false;
}

/* Solves e == rhs for an input of e that is reachable through invertible operations. */
static bool isolate(struct expr_pool *p, expr e, expr rhs, struct definition *d)
{
	for (int depth = 0; depth < 8; depth++) {
		uint32_t var = expr_input_var(p, e);
		if (var != UINT32_MAX) {
			*d = (struct definition){ var, rhs };
			return !contains(p, rhs, var);
		}
		enum op op = expr_op(p, e);
		unsigned w = expr_width(p, e);
		expr a = expr_operand(p, e, 0), b = expr_operand(p, e, 1);
		if (op == OP_NOT || op == OP_NEG) {
			e = a, rhs = expr_make(p, op, w, rhs, 0, 0);
			continue;
		}
		if (op != OP_ADD && op != OP_SUB && op != OP_XOR)
			return false;
		if (expr_input_var(p, b) != UINT32_MAX && !contains(p, a, expr_input_var(p, b))) {
			rhs = op == OP_SUB ? expr_make(p, OP_SUB, w, a, rhs, 0)
			                   : expr_make(p, op == OP_ADD ? OP_SUB : op, w, rhs, a, 0);
			e = b;
		} else { /* continue in operand a */
			rhs = expr_make(p,
			    op == OP_ADD       ? OP_SUB
			        : op == OP_SUB ? OP_ADD
			                       : op,
			    w, rhs, b, 0);
			e = a;
		}
	}
	return false;
}

/* Does cond define a variable? */
static bool defines(struct expr_pool *p, expr cond, struct definition *d)
{
	bool no = expr_op(p, cond) == OP_NOT;
	expr in = no ? expr_operand(p, cond, 0) : cond;
	if (expr_op(p, in) == OP_INPUT) {
		*d = (struct definition){ expr_input_var(p, in), expr_bool(p, !no) };
		return true;
	}
	if (expr_op(p, cond) != OP_EQ)
		return false;
	expr a = expr_operand(p, cond, 0), b = expr_operand(p, cond, 1);
	return isolate(p, a, b, d) || isolate(p, b, a, d);
}

static void define(struct equal *s, struct definition d)
{
	s->by_var = grow(s->by_var, &s->by_var_cap, d.var + 1, sizeof *s->by_var);
	s->def = grow(s->def, &s->def_cap, s->defs + 1, sizeof *s->def);
	s->def[s->defs++] = d;
	s->by_var[d.var] = (uint32_t)s->defs;
}

/* Collects definitions in q: all by constants, or else one by another expression. */
static bool find(struct equal *s, const struct problem *q)
{
	struct expr_pool *p = s->rw.p;
	struct definition d, other = { UINT32_MAX, 0 };
	size_t before = s->defs;
	for (size_t i = 0; i < q->n; i++) {
		if (!defines(p, q->cond[i], &d) || (d.var < s->by_var_cap && s->by_var[d.var]))
			continue;
		if (expr_is_const(p, d.e, NULL))
			define(s, d);
		else if (other.var == UINT32_MAX)
			other = d;
	}
	if (s->defs == before && other.var != UINT32_MAX)
		define(s, other);
	return s->defs > before;
}

static expr substituted(void *data, expr cond)
{
	struct equal *s = data;
	return rewrite(&s->rw, cond);
}

/* Substitutes the definitions found in q: q becomes the remaining problem, in s->cond. A defining
 * condition becomes true. False: no definition was found. */
static bool step(struct equal *s, struct problem *q)
{
	if (!find(s, q))
		return false;
	rewrite_start(&s->rw);
	parts_replace(&s->parts, s->rw.p, q, substituted, s, &s->cond, &s->cap);
	return true;
}

static void forget(struct equal *s)
{
	for (size_t i = 0; i < s->defs; i++)
		s->by_var[s->def[i].var] = 0;
	s->defs = 0;
}

/* Computes the defined variables, last definition first: it depends on no other defined
 * variable. */
static void bind_all(struct equal *s, struct chain *c, const struct problem *q)
{
	layer_values(c, q, &s->values);
	for (size_t i = s->defs; i-- > 0;) {
		struct value v = expr_eval(c->p, s->def[i].e, &s->values);
		assignment_set(&s->values, s->def[i].var, v);
		layer_bind(c, s->def[i].var, v);
	}
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct equal *s = l->state;
	struct problem down = *q;
	forget(s);
	while (!stop_asked() && clock_now() < l->chain->deadline && step(s, &down))
		if (s->parts.contradiction)
			return layer_own(l, ANSWER_UNSAT);
	enum answer a = down.n ? layer_pass(l, &down) : layer_own(l, ANSWER_SAT);
	if (a == ANSWER_SAT)
		bind_all(s, l->chain, q);
	return a;
}

static void close_layer(struct layer *l)
{
	struct equal *s = l->state;
	rewrite_clear(&s->rw);
	parts_clear(&s->parts);
	assignment_clear(&s->values);
	free(s->def), free(s->by_var), free(s->cond);
	free(s);
}

const struct layer_class layer_equal = { "equal", open_layer, ask, close_layer };
