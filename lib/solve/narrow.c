/* narrow: replaces inputs that the problem bounds by narrower ones: a remainder of 32 bits costs an
 * engine far more than one of 6 bits. */
#include "lib/solve/layer.h"
#include "lib/solve/ranges.h"

#include <stdlib.h>
#include <string.h>

struct narrowed {
	uint32_t var, bits;
	uint64_t base;
	uint32_t to;
};

struct narrow {
	struct rewrite rw;
	/* of[i]: the variable of allowed[i] */
	struct ranges *allowed;
	uint32_t *of;
	size_t vars, allowed_cap, of_cap;
	uint32_t *by_var;
	size_t by_var_cap; /* index in allowed + 1; later index in list + 1 */
	struct narrowed *list;
	size_t n, list_cap;
	expr *cond;
	size_t cap;
	struct assignment parent;
	struct {
		uint32_t *var;
		size_t n, cap;
	} made[65]; /* variables created for this, by
	               width */
	size_t used[65];
};

/* Replaces input x by its narrower variable, extended, plus base. */
static expr leaf(struct rewrite *rw, expr e, void *ctx)
{
	struct narrow *s = ctx;
	struct expr_pool *p = rw->p;
	uint32_t var = expr_input_var(p, e);
	if (var >= s->by_var_cap || !s->by_var[var])
		return e;
	const struct narrowed *n = &s->list[s->by_var[var] - 1];
	uint32_t w = expr_width(p, e);
	expr x = expr_make(p, OP_ZEXT, w, expr_input(p, n->to), 0, 0);
	return expr_make(p, OP_ADD, w, x, expr_const(p, w, (struct value){ n->base, 0 }), 0);
}

static bool open_layer(struct layer *l, char **error)
{
	struct narrow *s = layer_state(l, sizeof *s);
	(void)error;
	s->rw = (struct rewrite){ .p = l->chain->p, .leaf = leaf, .ctx = s };
	return true;
}

/* Collects what conditions on one input alone allow. */
static void load(struct narrow *s, struct chain *c, const struct problem *q)
{
	const struct range *r;
	s->vars = 0;
	for (size_t i = 0; i < q->n; i++) {
		if (!(r = layer_range(c, q->cond[i])))
			continue;
		s->by_var = grow(s->by_var, &s->by_var_cap, (size_t)r->var + 1, sizeof *s->by_var);
		if (!s->by_var[r->var]) {
			s->allowed =
			    grow(s->allowed, &s->allowed_cap, s->vars + 1, sizeof *s->allowed);
			s->of = grow(s->of, &s->of_cap, s->vars + 1, sizeof *s->of);
			ranges_all(&s->allowed[s->vars], r->width);
			s->of[s->vars++] = r->var;
			s->by_var[r->var] = (uint32_t)s->vars;
		}
		ranges_keep(&s->allowed[s->by_var[r->var] - 1], r->lo, r->hi);
	}
	for (size_t i = 0; i < s->vars; i++)
		s->by_var[s->of[i]] = 0;
}

static unsigned bits_for(uint64_t v)
{
	return v ? 64 - (unsigned)__builtin_clzll(v) : 1;
}

static uint32_t fresh(struct narrow *s, struct expr_pool *p, unsigned bits)
{
	size_t k = s->used[bits]++;
	while (s->made[bits].n <= k) {
		char name[40];
		snprintf(name, sizeof name, "%%n%u.%zu", bits, s->made[bits].n);
		s->made[bits].var = grow(
		    s->made[bits].var, &s->made[bits].cap, s->made[bits].n + 1, sizeof(uint32_t));
		s->made[bits].var[s->made[bits].n++] = expr_var(p, name, INPUT_UINT, bits);
	}
	return s->made[bits].var[k];
}

/* Selects the inputs to narrow. The base is 0 if that costs at most one bit: simplification rules
 * work better. */
static void choose(struct narrow *s, struct expr_pool *p)
{
	s->n = 0;
	memset(s->used, 0, sizeof s->used);
	for (size_t i = 0; i < s->vars; i++) {
		uint64_t base, count;
		unsigned w = expr_var_width(p, s->of[i]);
		ranges_hull(&s->allowed[i], &base, &count);
		if (!count)
			continue;
		unsigned bits = bits_for(count - 1);
		if (base + count - 1 >= base && bits_for(base + count - 1) <= bits + 1)
			bits = bits_for(base + count - 1), base = 0;
		if (bits + 2 > w)
			continue;
		s->list = grow(s->list, &s->list_cap, s->n + 1, sizeof *s->list);
		s->list[s->n] = (struct narrowed){ s->of[i], bits, base, fresh(s, p, bits) };
		s->by_var[s->of[i]] = (uint32_t)++s->n;
	}
}

static void forget(struct narrow *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->by_var[s->list[i].var] = 0;
}

static uint64_t top(unsigned w)
{
	return w >= 64 ? ~0ull : (1ull << w) - 1;
}

/* Sets each new variable to the parent's value of its input, if it fits. */
static void translate_parent(struct narrow *s, struct expr_pool *p, const struct problem *q)
{
	struct assignment empty = { 0 };
	assignment_copy(&s->parent, q->parent ? q->parent : &empty);
	for (size_t i = 0; i < s->n; i++) {
		const struct narrowed *n = &s->list[i];
		uint64_t v = assignment_get(&s->parent, n->var).lo - n->base;
		assignment_set(&s->parent, n->to,
		    (struct value){ v & top(expr_var_width(p, n->var)) & top(n->bits), 0 });
	}
}

/* Translates the answer back to the original inputs. */
static void translate_answer(struct narrow *s, struct chain *c)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct narrowed *n = &s->list[i];
		struct value v = assignment_get(&s->parent, n->to);
		layer_bound(c, n->to, &v);
		layer_bind(c, n->var,
		    (struct value){ (v.lo + n->base) & top(expr_var_width(c->p, n->var)), 0 });
	}
	/* remove the new variables from the answer */
	size_t kept = 0;
	for (size_t i = 0; i < c->bounds; i++) {
		bool made = false;
		for (size_t k = 0; k < s->n && !made; k++)
			made = c->bound[i].var == s->list[k].to;
		if (!made)
			c->bound[kept++] = c->bound[i];
	}
	c->bounds = kept;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct narrow *s = l->state;
	struct chain *c = l->chain;
	load(s, c, q);
	choose(s, c->p);
	if (!s->n)
		return layer_pass(l, q);
	struct problem down = { .parent = &s->parent };
	s->cond = grow(s->cond, &s->cap, q->n, sizeof *s->cond);
	rewrite_start(&s->rw);
	for (size_t i = 0; i < q->n; i++) {
		expr e = rewrite(&s->rw, q->cond[i]);
		if (i == q->flip)
			down.flip = down.n;
		if (e != expr_bool(c->p, true))
			s->cond[down.n++] = e;
	}
	forget(s);
	down.cond = s->cond;
	translate_parent(s, c->p, q);
	enum answer a = layer_pass(l, &down);
	if (a == ANSWER_SAT)
		translate_answer(s, c);
	return a;
}

static void close_layer(struct layer *l)
{
	struct narrow *s = l->state;
	rewrite_clear(&s->rw);
	assignment_clear(&s->parent);
	for (size_t i = 0; i < sizeof s->made / sizeof *s->made; i++)
		free(s->made[i].var);
	free(s->allowed), free(s->of), free(s->by_var), free(s->list), free(s->cond);
	free(s);
}

const struct layer_class layer_narrow = { "narrow", open_layer, ask, close_layer };
