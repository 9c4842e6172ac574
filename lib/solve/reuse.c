/* reuse: tries answers that cost only an evaluation: the parent's values with one input set to a
 * constant or another input's value from the negated condition, or to a neighbour of one; and the
 * values of recent answers. For a part of a question, prefers an answer that satisfies the whole
 * question. */
#include "lib/solve/layer.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

#define RECENT 24
#define MOST_VARS 4 /* variables of the negated condition to guess values for */
#define MOST_VALUES 24

struct recent_answer {
	struct binding *b;
	size_t n, cap;
};

/* The best answer so far: a value of one variable, or a recent answer; `reach`: number of leading
 * conditions of the whole question that it satisfies. */
struct best {
	bool any;
	size_t reach;
	uint32_t var;
	struct value v;
	const struct recent_answer *recent;
};

struct reuse {
	struct recent_answer recent[RECENT];
	size_t next, count;
	struct assignment a;
	struct best best;
	expr stack[64];
	uint32_t *mark;
	size_t mark_cap;
	uint32_t now; /* by variable: belongs to the problem */
};

static bool open_layer(struct layer *l, char **error)
{
	(void)error;
	l->state = zeroed(1, sizeof(struct reuse));
	return true;
}

/* Evaluates the negated condition first: it is the most likely to fail. */
static bool holds(struct expr_pool *p, const struct problem *q, const struct assignment *a)
{
	expr_eval_start(p, a);
	for (size_t i = q->n; i-- > 0;)
		if (!expr_eval_next(p, q->cond[i]).lo)
			return false;
	return true;
}

/* ---- guesses */

/* Evaluates s->a; records it if it is the best answer. True if no better answer is possible. */
static bool perfect(struct layer *l, const struct problem *q, struct best one)
{
	struct reuse *s = l->state;
	const struct problem *whole = l->chain->wish;
	if (!holds(l->chain->p, q, &s->a))
		return false;
	one.any = true;
	one.reach = whole ? expr_first_false(l->chain->p, whole->cond, whole->n, &s->a) : 0;
	if (!s->best.any || one.reach > s->best.reach)
		s->best = one;
	return !whole || one.reach == whole->n;
}

/* The constants in the negated condition, to a small depth, and values of its inputs. The neighbour
 * -1 of 0 (all bits set) comes last: as a number of elements or iterations it is more than a run
 * can have. */
static size_t values_of(
    struct reuse *s, struct expr_pool *p, expr root, struct value *out, size_t most)
{
	size_t n = 0, depth = 0, steps = 0;
	bool zero = false;
	s->stack[depth++] = root;
	while (depth && n + 4 <= most && steps++ < 40) {
		expr e = s->stack[--depth];
		struct value v;
		uint32_t var = expr_input_var(p, e);
		if (expr_is_const(p, e, &v)
		    || (var != UINT32_MAX && (v = assignment_get(&s->a, var), true))) {
			u128 k = bits_of(v);
			out[n++] = v, out[n++] = bits_value(k + 1);
			zero |= !k;
			if (k)
				out[n++] = bits_value(k - 1);
		}
		for (int i = 0; i < op_arity(expr_op(p, e)) && depth < 64; i++)
			s->stack[depth++] = expr_operand(p, e, i);
	}
	if (zero)
		out[n++] = bits_value(~(u128)0);
	return n;
}

static bool guess(struct layer *l, const struct problem *q, expr flipped)
{
	struct reuse *s = l->state;
	struct expr_pool *p = l->chain->p;
	struct value value[MOST_VALUES];
	size_t vars, n = 0;
	const uint32_t *var = expr_vars(p, flipped, &vars);
	const struct range *r = l->chain->wish ? layer_range(l->chain, flipped) : NULL;
	if (vars > MOST_VARS)
		return false;
	if (r) /* the bounds; all other values lie between them */
		value[n++] = (struct value){ r->hi, 0 }, value[n++] = (struct value){ r->lo, 0 };
	n += values_of(s, p, flipped, value + n, MOST_VALUES - n);
	for (size_t i = 0; i < vars; i++) {
		struct value old = assignment_get(&s->a, var[i]);
		uint32_t w = expr_var_width(p, var[i]);
		for (size_t j = 0; j < n; j++) {
			struct value v = bits_value(bits_cut(bits_of(value[j]), w));
			assignment_set(&s->a, var[i], v);
			if (perfect(l, q, (struct best){ .var = var[i], .v = v }))
				return true;
		}
		assignment_set(&s->a, var[i], old);
	}
	return false;
}

/* ---- recent answers */

/* Marks the inputs of the problem, and gives them the parent's values: a copy of all values would
 * take longer than what is done with it when runs have thousands of inputs. */
static void mark_vars(struct reuse *s, struct expr_pool *p, const struct problem *q)
{
	s->mark = grow(s->mark, &s->mark_cap, expr_var_count(p) + 1, sizeof *s->mark);
	s->now++;
	for (size_t i = 0; i < q->n; i++) {
		size_t n;
		const uint32_t *v = expr_vars(p, q->cond[i], &n);
		for (size_t k = 0; k < n; k++) {
			if (s->mark[v[k]] == s->now)
				continue;
			s->mark[v[k]] = s->now;
			assignment_set(&s->a, v[k], assignment_get(q->parent, v[k]));
		}
	}
}

/* Tries a recent answer; changes only the problem's own inputs. */
static bool try_recent(struct layer *l, const struct problem *q, const struct recent_answer *r)
{
	struct reuse *s = l->state;
	for (size_t i = 0; i < r->n; i++)
		if (s->mark[r->b[i].var] == s->now)
			assignment_set(&s->a, r->b[i].var, r->b[i].v);
	bool found = perfect(l, q, (struct best){ .recent = r });
	for (size_t i = 0; i < r->n; i++)
		if (s->mark[r->b[i].var] == s->now)
			assignment_set(&s->a, r->b[i].var, assignment_get(q->parent, r->b[i].var));
	return found;
}

static void take(struct layer *l, const struct best *best)
{
	const struct reuse *s = l->state;
	const struct recent_answer *r = best->recent;
	if (!r)
		layer_bind(l->chain, best->var, best->v);
	for (size_t i = 0; r && i < r->n; i++)
		if (s->mark[r->b[i].var] == s->now)
			layer_bind(l->chain, r->b[i].var, r->b[i].v);
}

static void remember(struct reuse *s, const struct chain *c)
{
	struct recent_answer *r = &s->recent[s->next];
	s->next = (s->next + 1) % RECENT;
	s->count += s->count < RECENT;
	r->b = grow(r->b, &r->cap, c->bounds, sizeof *r->b);
	if (c->bounds)
		memcpy(r->b, c->bound, c->bounds * sizeof *r->b);
	r->n = c->bounds;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct reuse *s = l->state;
	struct assignment empty = { 0 };
	if (q->flip >= q->n)
		return layer_pass(l, q);
	if (l->chain->wish) /* which has other inputs, too */
		assignment_copy(&s->a, q->parent ? q->parent : &empty);
	mark_vars(s, l->chain->p, q);
	s->best = (struct best){ 0 };
	bool found = guess(l, q, q->cond[q->n - 1]);
	for (size_t i = 0; i < s->count && !found; i++)
		found = try_recent(l, q, &s->recent[(s->next + RECENT - 1 - i) % RECENT]);
	if (s->best.any) {
		take(l, &s->best);
		return layer_own(l, ANSWER_SAT);
	}
	enum answer a = layer_pass(l, q);
	if (a == ANSWER_SAT)
		remember(s, l->chain);
	return a;
}

static void close_layer(struct layer *l)
{
	struct reuse *s = l->state;
	for (size_t i = 0; i < RECENT; i++)
		free(s->recent[i].b);
	assignment_clear(&s->a);
	free(s->mark);
	free(s);
}

const struct layer_class layer_reuse = { "reuse", open_layer, ask, close_layer };
