/* partial: incremental partial path constraints (Koroglu and Sen, Algorithm 2). Asks about the
 * negated condition alone; while the answer violates a condition of the path, adds the first such
 * condition and asks again. Each round is a query to the layers below. Beyond the paper, and not
 * done with REFINE_PAPER: an unsatisfiable part is a core, and every later question that contains
 * it is unsatisfiable; bounds of the part's inputs are added where they help an engine; answers
 * come near to the parent's values; layers prefer answers that satisfy the path. */
#include "lib/engine/process.h"
#include "lib/base/clock.h"
#include "lib/solve/layer.h"

#include <stdlib.h>
#include <string.h>

/* maximum number of an answer's values that are moved to the parent's */
#define MOST_NEAR 16
#define FEW_VALUES 4096 /* an input with at most so many values needs no further bounds */

/* An input's values under the bounds of the current part; valid if `now` equals the layer's. */
struct domain {
	uint32_t now;
	struct ranges left;
};

/* State of a condition: OUT or IN the part; BOUND: asked with it because it bounds one of its
 * inputs. */
enum { OUT, IN, BOUND };

struct partial {
	struct cores *cores;
	uint8_t *in;
	size_t in_cap; /* by condition of the question */
	expr *cond;
	size_t cap, n;                       /* the current part */
	struct assignment model, last, from; /* last: of the last satisfiable question */
	bool any;                            /* `last` is set */
	struct domain *domain;
	size_t domain_cap;
	uint32_t now; /* by input */
};

static bool open_layer(struct layer *l, char **error)
{
	struct partial *s = layer_state(l, sizeof *s);
	(void)error;
	s->cores = cores_new();
	return true;
}

/* The value nearest to the parent's, between it and the answer's, that still satisfies the part
 * (bisection). */
static struct value nearest(struct layer *l, uint32_t var, struct value answer, struct value parent)
{
	struct partial *s = l->state;
	unsigned w = expr_var_width(l->chain->p, var);
	i128 good = bits_signed(bits_of(answer), w), bad = bits_signed(bits_of(parent), w),
	     at = bad;
	while (good != bad) {
		assignment_set(&s->model, var, bits_value(bits_cut((u128)at, w)));
		*(expr_first_false(l->chain->p, s->cond, s->n, &s->model) == s->n ? &good : &bad) =
		    at;
		at = bad + (good - bad) / 2;
		if (at == bad)
			break;
	}
	return bits_value(bits_cut((u128)good, w));
}

/* Moves an answer that violates the path as near to the parent's values as the part allows, so that
 * it violates less. */
static void come_near(struct layer *l, const struct problem *q)
{
	struct partial *s = l->state;
	struct chain *c = l->chain;
	size_t n = c->bounds;
	layer_values(c, q, &s->model);
	c->checked = expr_first_false(c->p, q->cond, q->n, &s->model) == q->n;
	if (n > MOST_NEAR || c->checked)
		return;
	for (size_t i = 0; i < n; i++) {
		uint32_t var = c->bound[i].var;
		struct value v =
		    nearest(l, var, assignment_get(&s->model, var), assignment_get(q->parent, var));
		assignment_set(&s->model, var, v);
		layer_bind(c, var, v);
	}
}

/* Gives all values to the inputs of the part. */
static void open_domains(struct layer *l, const struct problem *q)
{
	struct partial *s = l->state;
	struct expr_pool *p = l->chain->p;
	s->domain = grow(s->domain, &s->domain_cap, expr_var_count(p), sizeof *s->domain);
	s->now++;
	for (size_t i = 0; i < q->n; i++) {
		size_t n;
		if (s->in[i] == OUT)
			continue;
		const uint32_t *v = expr_vars(p, q->cond[i], &n);
		for (size_t k = 0; k < n; k++) {
			struct domain *d = &s->domain[v[k]];
			if (d->now != s->now && expr_var_width(p, v[k]) <= 64)
				*d = (struct domain){ .now = s->now },
				ranges_all(&d->left, expr_var_width(p, v[k]));
		}
	}
}

/* Does the condition considerably bound an input of the part with many values? */
static bool narrows(struct layer *l, expr cond)
{
	struct partial *s = l->state;
	const struct range *r = layer_range(l->chain, cond);
	struct domain *d = r ? &s->domain[r->var] : NULL;
	uint64_t before;
	if (!d || d->now != s->now || (before = ranges_count(&d->left)) <= FEW_VALUES)
		return false;
	ranges_keep(&d->left, r->lo, r->hi);
	return ranges_count(&d->left) < before - before / 4;
}

/* Adds the first bounds of the part's inputs: they exclude no solution of the path and reduce the
 * search. */
static void add_bounds(struct layer *l, const struct problem *q)
{
	struct partial *s = l->state;
	open_domains(l, q);
	for (size_t i = 0; i < q->flip; i++)
		if (narrows(l, q->cond[i]) && s->in[i] == OUT)
			s->in[i] = BOUND;
}

/* Do the part's other bounds on the same input imply condition k? */
static bool needless(struct layer *l, const struct problem *q, size_t k, const struct range *bound)
{
	const struct partial *s = l->state;
	const struct range *r;
	struct ranges left;
	uint64_t v;
	ranges_all(&left, bound->width);
	for (size_t i = 0; i < q->n; i++)
		if (i != k && s->in[i] != OUT && (r = layer_range(l->chain, q->cond[i]))
		    && r->var == bound->var)
			ranges_keep(&left, r->lo, r->hi);
	ranges_keep(&left, (bound->hi + 1) & left.max, (bound->lo - 1) & left.max);
	return !ranges_next(&left, 0, &v);
}

/* Drops bounds that do not contribute to unsatisfiability, or all. */
static void drop_bounds(struct layer *l, const struct problem *q, bool all)
{
	struct partial *s = l->state;
	for (size_t i = 0; i < q->flip; i++) {
		if (s->in[i] != BOUND)
			continue;
		struct range bound = *layer_range(l->chain, q->cond[i]);
		if (all || needless(l, q, i, &bound))
			s->in[i] = OUT;
	}
}

/* Collects the part in path order; returns the number of conditions before the negated one. */
static size_t gather(struct partial *s, const struct problem *q)
{
	size_t flip = 0;
	s->cond = grow(s->cond, &s->cap, q->n, sizeof *s->cond);
	for (size_t i = s->n = 0; i < q->n; i++) {
		if (i == q->flip)
			flip = s->n;
		if (s->in[i] != OUT)
			s->cond[s->n++] = q->cond[i];
	}
	return flip;
}

static bool is_paper(const struct layer *l)
{
	return l->chain->o->refine == REFINE_PAPER;
}

/* Asks the layers below about the part as it is. */
static enum answer ask_literally(struct layer *l, const struct problem *q)
{
	struct partial *s = l->state;
	struct chain *c = l->chain;
	struct problem down = { .parent = q->parent };
	down.flip = gather(s, q), down.cond = s->cond, down.n = s->n;
	layer_unbind_all(c);
	c->checked = false;
	enum answer a = layer_pass(l, &down);
	layer_count(c, down.n - c->implied, a);
	return a;
}

/* Asks the layers below about the part, with bounds if only an engine could answer. It gets half of
 * the remaining time; the rest is for the whole question. */
static enum answer ask_part(struct layer *l, const struct problem *q)
{
	struct partial *s = l->state;
	struct chain *c = l->chain;
	double end = c->deadline, now = clock_now();
	struct problem down = { .parent = q->parent };
	if (is_paper(l))
		return ask_literally(l, q);
	down.flip = gather(s, q), down.cond = s->cond, down.n = s->n;
	c->deadline = now + (end - now) / 2;
	c->wish = q;
	layer_unbind_all(c);
	c->no_engine = true;
	enum answer a = layer_pass(l, &down);
	c->no_engine = false;
	if (a == ANSWER_UNKNOWN) {
		add_bounds(l, q);
		down.flip = gather(s, q), down.cond = s->cond, down.n = s->n;
		layer_unbind_all(c);
		a = layer_pass(l, &down);
	}
	c->deadline = end;
	c->wish = NULL;
	if (a == ANSWER_SAT)
		come_near(l, q);
	drop_bounds(l, q, a == ANSWER_SAT);
	gather(s, q);
	layer_count(c, down.n - c->implied, a);
	return a;
}

static bool shares(struct expr_pool *p, expr a, expr b)
{
	size_t na, nb, i = 0, k = 0;
	const uint32_t *va = expr_vars(p, a, &na), *vb = expr_vars(p, b, &nb);
	while (i < na && k < nb && va[i] != vb[k])
		*(va[i] < vb[k] ? &i : &k) += 1;
	return i < na && k < nb;
}

/* Adds condition i to the part; removes bounds that it implies. */
static void join(struct layer *l, const struct problem *q, size_t i)
{
	struct partial *s = l->state;
	const struct range *r = layer_range(l->chain, q->cond[i]);
	uint32_t var = r ? r->var : UINT32_MAX;
	s->in[i] = IN;
	for (size_t k = l->chain->implied; !is_paper(l) && r && k < q->flip; k++) {
		const struct range *old =
		    s->in[k] != OUT && k != i ? layer_range(l->chain, q->cond[k]) : NULL;
		struct range bound;
		if (!old || old->var != var)
			continue;
		bound = *old;
		s->in[k] = needless(l, q, k, &bound) ? OUT : IN;
	}
}

/* Adds conditions that the answer violates; false if it violates none, or only some of the part. */
static bool refine(struct layer *l, const struct problem *q)
{
	struct partial *s = l->state;
	struct expr_pool *p = l->chain->p;
	enum solve_refine how = l->chain->o->refine;
	size_t first = q->n, last = q->n;
	bool shared = false;
	if (l->chain->checked)
		return false;
	layer_values(l->chain, q, &s->model);
	expr_eval_start(p, &s->model);
	bool one = how == REFINE_FIRST || how == REFINE_PAPER;
	for (size_t i = 0; i < q->n && (!one || first == q->n); i++) {
		if (expr_eval_next(p, q->cond[i]).lo)
			continue;
		first = first == q->n ? i : first;
		last = i;
		if (s->in[i] != OUT) /* a layer assumed that the parent satisfies the path */
			return false;
		if (how == REFINE_ALL
		    || (how == REFINE_SHARED && shares(p, q->cond[i], q->cond[q->flip]))) {
			join(l, q, i);
			shared = true;
		}
	}
	l->chain->checked = first == q->n;
	if (first < q->n && !shared)
		join(l, q, how == REFINE_LAST ? last : first);
	return first < q->n;
}

/* The newest input that satisfies the prefix, as in Algorithm 1: the last answer if it does, else
 * the parent. */
static const struct assignment *start(struct layer *l, const struct problem *q)
{
	struct partial *s = l->state;
	struct assignment empty = { 0 };
	assignment_copy(&s->from, q->parent ? q->parent : &empty);
	for (uint32_t i = 0; i < s->last.n; i++)
		if (s->last.set[i])
			assignment_set(&s->from, i, s->last.v[i]);
	return s->any && expr_first_false(l->chain->p, q->cond, q->flip, &s->from) == q->flip
	    ? &s->from
	    : q->parent;
}

/* Binds the values that differ from the parent's. */
static void bind_model(struct layer *l, const struct assignment *parent)
{
	struct partial *s = l->state;
	layer_unbind_all(l->chain);
	for (uint32_t i = 0; i < s->model.n; i++) {
		struct value v = s->model.v[i], old = assignment_get(parent, i);
		if (s->model.set[i] && (v.lo != old.lo || v.hi != old.hi))
			layer_bind(l->chain, i, v);
	}
	assignment_copy(&s->last, &s->model);
	s->any = true;
}

static enum answer ask(struct layer *l, const struct problem *posed)
{
	struct partial *s = l->state;
	struct chain *c = l->chain;
	struct problem from = *posed, *q = &from;
	uint64_t rounds = 1;
	if (!is_paper(l) && cores_known(s->cores, c->p, q->cond, q->n)) {
		c->counts->pruned++;
		return layer_own(l, ANSWER_UNSAT);
	}
	from.parent = start(l, q);
	s->in = grow(s->in, &s->in_cap, q->n, sizeof *s->in);
	for (size_t i = 0; i < q->n; i++)
		s->in[i] = i < c->implied || i >= q->flip ? IN : OUT;
	enum answer a = ask_part(l, q);
	for (; a == ANSWER_SAT && refine(l, q); rounds++)
		a = ask_part(l, q);
	if (a == ANSWER_SAT && c->checked)
		bind_model(l, posed->parent);
	if (a == ANSWER_UNSAT)
		cores_add(s->cores, c->p, s->cond + c->implied, s->n - c->implied);
	if (a == ANSWER_UNKNOWN && s->n < q->n) {
		layer_unbind_all(c);
		a = layer_pass(l, posed);
		layer_count(c, q->n - c->implied, a);
		rounds++;
	}
	if (rounds > c->counts->rounds_max)
		c->counts->rounds_max = rounds;
	return a;
}

static void close_layer(struct layer *l)
{
	struct partial *s = l->state;
	cores_free(s->cores);
	assignment_clear(&s->model), assignment_clear(&s->last), assignment_clear(&s->from);
	free(s->in), free(s->cond), free(s->domain);
	free(s);
}

const struct layer_class layer_partial = { "partial", open_layer, ask, close_layer };
