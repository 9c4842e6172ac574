/* aliases: symbolic indices as the late-aliases algorithm has them (Kosmatov, All-Paths Test
 * Generation for Programs with Internal Aliases, Step LA3.1), for comparison (--aliases la). Each
 * READ or STORE at an offset that is not constant is a delayed alias relation. The relations are
 * added in the order of their creation: the next possible value for the index of the first, then of
 * the next, while the conditions that are known so far have a solution; else backtracking to
 * another index value. When all values were tried, the path is infeasible, provided that no index
 * leaves its array. */
#include "lib/engine/process.h"
#include "lib/base/grow.h"
#include "lib/base/clock.h"
#include "lib/solve/layer.h"

#include <stdlib.h>

#define MOST_VALUES 4096u /* that are tried for an index */

/* An index that has been given a value: its offset, the value, and the condition that states it. */
struct fixed {
	expr offset;
	uint64_t value;
	expr cond;
};

struct aliases {
	struct rewrite rw;
	struct fixed *fixed;
	size_t fixed_n, fixed_cap;
	/* The first relation that is still delayed, identified by the node that created it. */
	expr made, offset, array;
	unsigned bytes;
	expr *cond;
	size_t cond_cap;
};

static bool is_fixed(const struct aliases *s, expr offset, uint64_t *value)
{
	size_t i = s->fixed_n;
	while (i && s->fixed[i - 1].offset != offset)
		i--;
	if (i)
		*value = s->fixed[i - 1].value;
	return i > 0;
}

/* The offset after the fixed values are substituted; records its relation if it stays open. */
static expr offset_now(struct aliases *s, expr made, expr array, expr offset, unsigned bytes)
{
	struct expr_pool *p = s->rw.p;
	struct value k;
	uint64_t value;
	expr now = rewrite(&s->rw, offset);
	if (!now || expr_is_const(p, now, &k))
		return now;
	if (is_fixed(s, now, &value))
		return expr_const(p, 64, (struct value){ value, 0 });
	if (!s->made || made < s->made)
		s->made = made, s->offset = now, s->array = array, s->bytes = bytes;
	return now;
}

static expr read_now(struct rewrite *rw, expr e, void *ctx)
{
	struct aliases *s = ctx;
	struct expr_pool *p = rw->p;
	if (expr_op(p, e) != OP_READ)
		return e;
	size_t n = 0;
	expr array = expr_operand(p, e, 0), *store;
	for (expr a = array; expr_op(p, a) == OP_STORE; a = expr_operand(p, a, 0))
		n++;
	store = reserved(n + 1, sizeof *store);
	for (size_t i = 0; i < n; i++, array = expr_operand(p, array, 0))
		store[i] = array;
	expr now = array;
	while (now && n--) {
		expr v = rewrite(rw, expr_operand(p, store[n], 2)),
		     at = v ? offset_now(s, store[n], array, expr_operand(p, store[n], 1),
		                  expr_width(p, v) / 8)
		            : 0;
		now = at ? expr_make(p, OP_STORE, 0, now, at, v) : 0;
	}
	free(store);
	unsigned w = expr_width(p, e);
	expr at = now ? offset_now(s, e, array, expr_operand(p, e, 1), w / 8) : 0;
	return at ? expr_make(p, OP_READ, w, now, at, 0) : 0;
}

/* The conditions without arrays after the fixed values are substituted, and the fixed values; 0 if
 * one cannot be rewritten. */
static size_t known_conditions(struct layer *l, const struct problem *q)
{
	struct aliases *s = l->state;
	struct expr_pool *p = l->chain->p;
	size_t n = 0;
	s->made = 0;
	rewrite_start(&s->rw);
	s->cond = grow(s->cond, &s->cond_cap, s->fixed_n + q->n + MOST_VALUES + 1, sizeof *s->cond);
	for (size_t i = 0; i < s->fixed_n; i++)
		s->cond[n++] = s->fixed[i].cond;
	for (size_t i = 0; i < q->n; i++) {
		expr c = rewrite(&s->rw, q->cond[i]);
		if (!c)
			return 0;
		if (!expr_has_array(p, c))
			s->cond[n++] = c;
	}
	return n;
}

static enum answer ask_known(struct layer *l, const struct problem *q, size_t n)
{
	struct aliases *s = l->state;
	struct problem down = { .cond = s->cond, .n = n, .parent = q->parent };
	layer_unbind_all(l->chain);
	return n ? layer_pass(l, &down) : ANSWER_SAT;
}

static enum answer add_relations(struct layer *l, const struct problem *q);

/* Tries the values of the first delayed index one after the other. */
static enum answer try_values(struct layer *l, const struct problem *q)
{
	struct aliases *s = l->state;
	struct expr_pool *p = l->chain->p;
	struct fixed now = { .offset = s->offset };
	struct layer_offsets o;
	if (!arrays_offsets(p, s->offset, expr_array_size(p, s->array), s->bytes, &o)
	    || o.n > MOST_VALUES)
		return ANSWER_UNKNOWN;
	for (uint64_t i = 0; i < o.n; i++) {
		now.value = o.first + i * o.stride;
		now.cond = expr_make(
		    p, OP_EQ, 1, now.offset, expr_const(p, 64, (struct value){ now.value, 0 }), 0);
		s->fixed = grow(s->fixed, &s->fixed_cap, s->fixed_n + 1, sizeof *s->fixed);
		s->fixed[s->fixed_n++] = now;
		enum answer a = add_relations(l, q);
		s->fixed_n--;
		if (a != ANSWER_UNSAT)
			return a;
	}
	/* any other value */
	size_t n = known_conditions(l, q);
	for (uint64_t i = 0; n && i < o.n; i++) {
		expr is = expr_make(p, OP_EQ, 1, now.offset,
		    expr_const(p, 64, (struct value){ o.first + i * o.stride, 0 }), 0);
		s->cond[n++] =
		    expr_make(p, OP_EQ, 1, is, expr_const(p, 1, (struct value){ 0, 0 }), 0);
	}
	return n && ask_known(l, q, n) == ANSWER_UNSAT ? ANSWER_UNSAT : ANSWER_UNKNOWN;
}

/* LA3.1: adds the delayed relations that are left. */
static enum answer add_relations(struct layer *l, const struct problem *q)
{
	struct aliases *s = l->state;
	size_t n = known_conditions(l, q);
	expr made = s->made;
	if (!n || clock_now() > l->chain->deadline)
		return ANSWER_UNKNOWN;
	enum answer a = ask_known(l, q, n);
	return a == ANSWER_SAT && made ? try_values(l, q) : a;
}

static bool open_layer(struct layer *l, char **error)
{
	struct aliases *s = layer_state(l, sizeof *s);
	(void)error;
	s->rw = (struct rewrite){ .p = l->chain->p, .reads = true, .leaf = read_now, .ctx = s };
	rewrite_start(&s->rw);
	return true;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct aliases *s = l->state;
	bool arrays = false;
	for (size_t i = 0; i < q->n && !arrays; i++)
		arrays = expr_has_array(l->chain->p, q->cond[i]);
	if (!arrays)
		return layer_pass(l, q);
	s->fixed_n = 0;
	enum answer a = add_relations(l, q);
	if (a != ANSWER_UNKNOWN)
		return a;
	layer_unbind_all(l->chain);
	return layer_pass(l, q); /* the algorithm does not handle this */
}

static void close_layer(struct layer *l)
{
	struct aliases *s = l->state;
	rewrite_clear(&s->rw);
	free(s->fixed);
	free(s->cond);
	free(s);
}

const struct layer_class layer_aliases = { "aliases", open_layer, ask, close_layer };
