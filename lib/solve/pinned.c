/* pinned: queries with symbolic indices of large arrays of inputs, as hash tables and maps have
 * them. An engine gets a case distinction over all elements for each access, and is slow. First,
 * each index is fixed to a value that it has under a likely assignment: that of the parent run,
 * then a solution of the conditions without arrays. What is read there is an expression, so that
 * the query has no access to such an array at a symbolic index. Finds models only; where it finds
 * none, the whole problem is passed on. An index that is fixed early is Kosmatov's "early alias
 * fixing"; here it narrows a query, not the path. */
#include "lib/base/clock.h"
#include "lib/base/grow.h"
#include "lib/base/stop.h"
#include "lib/solve/layer.h"

#include <stdlib.h>
#include <string.h>

#define LEAST 256  /* stores to an array; with fewer, the case distinction is small */
#define SHARE 0.25 /* of the remaining time, for each of the two assignments */
#define LOOK 4096  /* stores after which it is looked whether the time is over */

struct pinned {
	struct rewrite rw;
	struct assignment at; /* the likely assignment */
	bool is_large;        /* some array is */
	size_t steps;
	double end; /* of the query's time */
	expr *cond;
	size_t n, cond_cap;
	expr *pin; /* conditions INDEX == VALUE */
	size_t pins, pin_cap;
	uint32_t *mark, now; /* mark[index] == now: it is fixed */
	size_t marks;
};

/* The value of an offset under the assignment, which becomes a condition. */
static bool pin(struct pinned *s, expr offset, uint64_t *value)
{
	struct expr_pool *p = s->rw.p;
	struct value v;
	expr e, is;

	if (!expr_is_const(p, offset, &v))
		v = expr_eval_next(p, offset);
	*value = v.lo;
	s->mark = grow(s->mark, &s->marks, (size_t)offset + 1, sizeof *s->mark);
	if (expr_is_const(p, offset, &v) || s->mark[offset] == s->now)
		return true;
	s->mark[offset] = s->now;
	e = rewrite(&s->rw, offset);
	is = e ? expr_make(p, OP_EQ, 1, e, expr_const(p, expr_width(p, offset), v), 0) : 0;
	if (!is || is == expr_bool(p, false))
		return false;
	if (is != expr_bool(p, true)) {
		GROW(s->pin, s->pin_cap, s->pins + 1);
		s->pin[s->pins++] = is;
	}
	return true;
}

static bool is_late(struct pinned *s)
{
	return !(++s->steps % LOOK) && (stop_asked() || clock_now() > s->end);
}

/* The byte of an array at an offset; 0: it cannot be told, or not in time. */
static expr byte_at(struct pinned *s, expr array, uint64_t at)
{
	struct expr_pool *p = s->rw.p;
	uint32_t size = expr_array_size(p, array);

	if (at >= size)
		return expr_const(p, 8, (struct value){ 0, 0 });
	for (; expr_op(p, array) == OP_STORE; array = expr_operand(p, array, 0)) {
		expr value = expr_operand(p, array, 2);
		uint64_t to;

		if (is_late(s) || !pin(s, expr_operand(p, array, 1), &to))
			return 0;
		if (at - to < expr_width(p, value) / 8) {
			value = rewrite(&s->rw, value);
			return value
			    ? expr_make(p, OP_EXTRACT, 8, value, 0, 8 * (uint32_t)(at - to))
			    : 0;
		}
	}
	return expr_const(p, 8, (struct value){ expr_table_bytes(p, array, &size)[at], 0 });
}

static bool is_large(const struct expr_pool *p, expr array)
{
	size_t n = 0;

	for (; expr_op(p, array) == OP_STORE && n < LEAST; array = expr_operand(p, array, 0))
		n++;
	return n == LEAST;
}

static expr read_pinned(struct rewrite *rw, expr e, void *ctx)
{
	struct pinned *s = ctx;
	struct expr_pool *p = rw->p;
	expr array = expr_operand(p, e, 0), all = 0;
	uint64_t at;

	if (expr_op(p, e) != OP_READ)
		return e;
	if (!is_large(p, array)) { /* a table, for example: the case distinction is small */
		expr offset = rewrite(rw, expr_operand(p, e, 1));
		return offset ? expr_make(p, OP_READ, expr_width(p, e), array, offset, 0) : 0;
	}
	s->is_large = true;
	if (!pin(s, expr_operand(p, e, 1), &at))
		return 0;
	for (unsigned i = 0; i < expr_width(p, e) / 8; i++) {
		expr byte = byte_at(s, array, at + i);
		if (!byte)
			return 0;
		all = all ? expr_make(p, OP_CONCAT, 8 * (i + 1), byte, all, 0) : byte;
	}
	return all;
}

static bool open_layer(struct layer *l, char **error)
{
	struct pinned *s = layer_state(l, sizeof *s);

	(void)error;
	s->rw = (struct rewrite){ .p = l->chain->p, .reads = true, .leaf = read_pinned, .ctx = s };
	return true;
}

static void add(struct pinned *s, expr e)
{
	GROW(s->cond, s->cond_cap, s->n + 1);
	s->cond[s->n++] = e;
}

/* The problem with the indices of large arrays fixed; false: it has no solution so, or no array is
 * large. */
static bool fix(struct pinned *s, const struct problem *q, struct problem *down)
{
	struct expr_pool *p = s->rw.p;

	s->n = s->pins = 0;
	s->is_large = false;
	if (!++s->now) { /* the number of a pass came round */
		memset(s->mark, 0, s->marks * sizeof *s->mark);
		s->now = 1;
	}
	rewrite_start(&s->rw);
	expr_eval_start(p, &s->at);
	for (size_t i = 0; i < q->n; i++) {
		bool has = expr_has_array(p, q->cond[i]);
		expr e = has ? rewrite(&s->rw, q->cond[i]) : q->cond[i];

		if (!e || e == expr_bool(p, false))
			return false;
		if (i == q->flip)
			down->flip = s->n;
		if (e != expr_bool(p, true))
			add(s, e);
	}
	for (size_t i = 0; i < s->pins; i++)
		add(s, s->pin[i]);
	down->cond = s->cond;
	down->n = s->n;
	return s->is_large && s->n;
}

static enum answer ask_fixed(struct layer *l, const struct problem *q)
{
	struct problem down = { .parent = q->parent };
	enum answer a =
	    fix(l->state, q, &down) ? layer_pass_within(l, &down, SHARE) : ANSWER_UNKNOWN;

	if (a != ANSWER_SAT)
		layer_unbind_all(l->chain);
	return a;
}

/* Sets the likely assignment to a solution of the conditions without arrays; false: none is known.
 */
static bool solve_rest(struct layer *l, const struct problem *q)
{
	struct pinned *s = l->state;
	struct chain *c = l->chain;
	struct problem down = { .parent = q->parent };

	s->n = 0;
	for (size_t i = 0; i < q->n; i++) {
		if (i == q->flip)
			down.flip = s->n;
		if (!expr_has_array(c->p, q->cond[i]))
			add(s, q->cond[i]);
	}
	down.cond = s->cond;
	down.n = s->n;
	enum answer a = down.n ? layer_pass_within(l, &down, SHARE) : ANSWER_UNKNOWN;
	if (a == ANSWER_SAT)
		layer_values(c, q, &s->at);
	layer_unbind_all(c);
	return a == ANSWER_SAT;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct pinned *s = l->state;
	bool has = false;

	for (size_t i = 0; i < q->n && !has; i++)
		has = expr_has_array(l->chain->p, q->cond[i]);
	if (!has || !q->parent || l->chain->no_engine)
		return layer_pass(l, q);
	s->end = l->chain->deadline;
	assignment_copy(&s->at, q->parent);
	if (ask_fixed(l, q) == ANSWER_SAT)
		return ANSWER_SAT;
	if (s->is_large && solve_rest(l, q) && ask_fixed(l, q) == ANSWER_SAT)
		return ANSWER_SAT;
	return layer_pass(l, q);
}

static void close_layer(struct layer *l)
{
	struct pinned *s = l->state;

	rewrite_clear(&s->rw);
	assignment_clear(&s->at);
	free(s->cond), free(s->pin), free(s->mark);
	free(s);
}

const struct layer_class layer_pinned = { "pinned", open_layer, ask, close_layer };
