/* order: conjunctions of comparisons between inputs, and of inputs with constants, as sorting
 * produces. Its answers are exact: unsat by a strict cycle or by propagated bounds; sat by the
 * least solution above a start value. */
#include "lib/solve/layer.h"
#include "lib/solve/ranges.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

#define MOST_VARS 64
#define MOST_INEQUALITIES 1024

struct inequality {
	uint8_t a, b;
	bool strict;
};

struct order {
	uint32_t var[MOST_VARS];
	size_t vars;
	struct ranges allowed[MOST_VARS]; /* signed values with inverted sign bit, so that
	                                     unsigned order applies */
	struct inequality inequality[MOST_INEQUALITIES];
	size_t inequalities;
	struct {
		uint8_t a, b;
	} differ[MOST_INEQUALITIES];
	size_t differs;
	unsigned width;
	int is_signed; /* -1: undetermined */
	uint64_t value[MOST_VARS];
};

static bool open_layer(struct layer *l, char **error)
{
	(void)error;
	layer_state(l, sizeof(struct order));
	return true;
}

/* Index of a variable, added if new; -1 when there are too many. */
static int index_of(struct order *s, uint32_t var)
{
	return layer_place(s->var, &s->vars, MOST_VARS, var);
}

/* Adds cond if it compares two inputs of the common width; else false. */
static bool between(struct order *s, const struct expr_pool *p, expr cond)
{
	bool no = expr_op(p, cond) == OP_NOT;
	expr e = no ? expr_operand(p, cond, 0) : cond;
	enum op op = expr_op(p, e);
	bool less = op == OP_ULT || op == OP_ULE, sless = op == OP_SLT || op == OP_SLE;
	if (no ? op != OP_EQ : !less && !sless)
		return false;
	expr a = expr_operand(p, e, 0), b = expr_operand(p, e, 1);
	uint32_t va = expr_input_var(p, a), vb = expr_input_var(p, b);
	unsigned w = expr_width(p, a);
	if (va == UINT32_MAX || vb == UINT32_MAX || w > 64 || (s->width && s->width != w) || w < 2)
		return false;
	s->width = w;
	int ia = index_of(s, va), ib = index_of(s, vb);
	if (ia < 0 || ib < 0 || s->inequalities == MOST_INEQUALITIES
	    || s->differs == MOST_INEQUALITIES)
		return false;
	if (no) {
		s->differ[s->differs].a = (uint8_t)ia, s->differ[s->differs++].b = (uint8_t)ib;
		return true;
	}
	if (s->is_signed >= 0 && s->is_signed != sless)
		return false;
	s->is_signed = sless;
	s->inequality[s->inequalities++] =
	    (struct inequality){ (uint8_t)ia, (uint8_t)ib, op == OP_ULT || op == OP_SLT };
	return true;
}

static bool bound(struct order *s, const struct range *r)
{
	uint64_t m = r->width >= 64 ? ~0ull : (1ull << r->width) - 1;
	uint64_t turn = s->is_signed > 0 ? 1ull << (r->width - 1) : 0;
	int i = index_of(s, r->var);
	return i >= 0 && ranges_keep(&s->allowed[i], (r->lo + turn) & m, (r->hi + turn) & m);
}

/* Loads the problem; false if some condition is of another kind. */
static bool load(struct order *s, struct chain *c, const struct problem *q)
{
	const struct expr_pool *p = c->p;
	const struct range *r;
	s->vars = s->inequalities = s->differs = 0;
	s->width = 0;
	s->is_signed = -1;
	for (size_t i = 0; i < q->n; i++)
		if (!layer_range(c, q->cond[i]) && !between(s, p, q->cond[i]))
			return false;
	for (size_t i = 0; i < q->n; i++)
		if ((r = layer_range(c, q->cond[i]))
		    && (index_of(s, r->var) < 0 || (s->width && r->width != s->width)))
			return false;
	for (size_t i = 0; i < s->vars; i++)
		ranges_all(&s->allowed[i], expr_var_width(p, s->var[i]));
	for (size_t i = 0; i < q->n; i++)
		if ((r = layer_range(c, q->cond[i])) && !bound(s, r))
			return false;
	return true;
}

/* Do the comparisons imply x < x for some input? */
static bool strict_cycle(const struct order *s)
{
	uint64_t reach[MOST_VARS] = { 0 };
	for (size_t i = 0; i < s->inequalities; i++)
		reach[s->inequality[i].a] |= 1ull << s->inequality[i].b;
	for (size_t k = 0; k < s->vars; k++)
		for (size_t i = 0; i < s->vars; i++)
			if (reach[i] >> k & 1)
				reach[i] |= reach[k];
	for (size_t i = 0; i < s->inequalities; i++)
		if (s->inequality[i].strict && reach[s->inequality[i].b] >> s->inequality[i].a & 1)
			return true;
	return false;
}

/* Raises values until all comparisons hold: the least solution above s->value. False: none was
 * found; *sure: there is none. */
static bool raise(struct order *s, bool *sure)
{
	*sure = true;
	for (size_t round = 0; round < s->vars + RANGES_MOST * 2; round++) {
		bool changed = false;
		for (size_t i = 0; i < s->inequalities; i++) {
			const struct inequality *e = &s->inequality[i];
			uint64_t need = s->value[e->a] + e->strict;
			if (need < s->value[e->a])
				return false;
			if (s->value[e->b] >= need)
				continue;
			if (!ranges_next(&s->allowed[e->b], need, &s->value[e->b]))
				return false;
			changed = true;
		}
		if (!changed)
			return true;
	}
	*sure = false;
	return false;
}

/* Satisfies inequalities: raises one of two equal values. */
static bool spread(struct order *s)
{
	bool sure;
	for (int rounds = 0; rounds < 200; rounds++) {
		size_t i = 0;
		while (i < s->differs && s->value[s->differ[i].a] != s->value[s->differ[i].b])
			i++;
		if (i == s->differs)
			return true;
		uint8_t up = s->differ[i].b;
		uint64_t v = s->value[up];
		if (v == UINT64_MAX || !ranges_next(&s->allowed[up], v + 1, &s->value[up])
		    || !raise(s, &sure))
			return false;
	}
	return false;
}

/* Finds a solution with values from `from` on where the input's range allows. *none: there is no
 * solution. */
static bool solve_from(struct order *s, uint64_t from, bool *none)
{
	bool sure;
	*none = false;
	for (size_t i = 0; i < s->vars; i++)
		if (!ranges_next(&s->allowed[i], from, &s->value[i])
		    && !ranges_next(&s->allowed[i], 0, &s->value[i])) {
			*none = true;
			return false;
		}
	if (!raise(s, &sure)) {
		*none = sure && from == 0;
		return false;
	}
	return spread(s);
}

/* The least solution above the parent's values; for a part of a question, the answer that changes
 * least is preferred. */
static bool solve_near(struct order *s, const struct problem *q)
{
	bool sure;
	for (size_t i = 0; i < s->vars; i++) {
		uint64_t turn = s->is_signed > 0 && s->width ? 1ull << (s->width - 1) : 0;
		uint64_t v = (assignment_get(q->parent, s->var[i]).lo + turn) & s->allowed[i].max;
		if (!ranges_next(&s->allowed[i], v, &s->value[i]))
			return false;
	}
	return raise(s, &sure) && spread(s);
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct order *s = l->state;
	struct chain *c = l->chain;
	bool none;
	if (!load(s, c, q))
		return layer_pass(l, q);
	if (strict_cycle(s))
		return layer_own(l, ANSWER_UNSAT);
	/* prefer values from zero up, else from the least */
	uint64_t turn = s->is_signed > 0 && s->width ? 1ull << (s->width - 1) : 0;
	if (!(c->wish && solve_near(s, q)) && !(turn && solve_from(s, turn, &none))
	    && !solve_from(s, 0, &none))
		return none ? layer_own(l, ANSWER_UNSAT) : layer_pass(l, q);
	for (size_t i = 0; i < s->vars; i++) {
		unsigned w = expr_var_width(c->p, s->var[i]);
		uint64_t m = w >= 64 ? ~0ull : (1ull << w) - 1,
		         t = s->is_signed > 0 ? 1ull << (w - 1) : 0;
		layer_bind(c, s->var[i], (struct value){ (s->value[i] - t) & m, 0 });
	}
	return layer_own(l, ANSWER_SAT);
}

static void close_layer(struct layer *l)
{
	free(l->state);
}

const struct layer_class layer_order = { "order", open_layer, ask, close_layer };
