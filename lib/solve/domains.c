#include "lib/solve/domains.h"
#include "lib/base/grow.h"
#include "lib/expr/batch.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SETS (1u << 18)  /* maximum number of stored sets; then all are dropped */
#define MOST_TERMS (1u << 22) /* the same of terms */
#define SLOTS 1024

/* A numbering of the values of a term. */
struct classes {
	uint8_t number[DOMAIN_VALUES];
	unsigned n;
};

/* The arrays are indexed by expression: 0: not computed, NONE, or FIRST + its place in the list. */
#define NONE 1
#define FIRST 2
struct places {
	uint32_t *at;
	size_t cap;
};

struct domains {
	struct expr_pool *p;
	struct batch *batch;
	struct places set_of, classes_of, terms_of;
	struct domain *set;
	size_t sets, set_cap;
	struct classes *classes;
	size_t numberings, classes_cap;
	expr *term; /* of a condition: their number, and they */
	size_t terms, term_cap;
	expr *stack;
	size_t stack_cap;
	uint32_t *seen; /* by expression: the last walk that came there */
	size_t seen_cap;
	uint32_t walk;
};

struct domains *domains_new(struct expr_pool *p)
{
	struct domains *d = zeroed(1, sizeof *d);

	d->p = p;
	d->batch = batch_new(p);
	return d;
}

void domains_free(struct domains *d)
{
	if (!d)
		return;
	batch_free(d->batch);
	free(d->set_of.at), free(d->classes_of.at), free(d->terms_of.at);
	free(d->set), free(d->classes), free(d->term), free(d->stack), free(d->seen);
	free(d);
}

static uint32_t *place(struct places *s, expr e)
{
	s->at = grow(s->at, &s->cap, (size_t)e + 1, sizeof *s->at);
	return &s->at[e];
}

static void forget(struct places *s)
{
	if (s->at)
		memset(s->at, 0, s->cap * sizeof *s->at);
}

void domains_trim(struct domains *d)
{
	if (d->sets > MOST_SETS || d->numberings > MOST_SETS / 8 || d->terms > MOST_TERMS) {
		forget(&d->set_of), forget(&d->classes_of), forget(&d->terms_of);
		d->sets = d->numberings = d->terms = 0;
	}
}

uint32_t domains_input(struct expr_pool *p, expr e)
{
	size_t n;
	const uint32_t *var = expr_vars(p, e, &n);

	return n == 1 && expr_var_width(p, var[0]) <= DOMAIN_BITS ? var[0] : UINT32_MAX;
}

static struct batch_side all_values(const struct domains *d, expr e)
{
	uint32_t var = domains_input(d->p, e);

	return (struct batch_side){ var, 0, 1u << expr_var_width(d->p, var) };
}

bool domains_of(struct domains *d, expr cond, struct domain *to)
{
	uint32_t *at = place(&d->set_of, cond);

	if (!*at) {
		struct batch_side side = all_values(d, cond);
		struct domain s = { { 0 } };
		*at = NONE;
		if (batch_run(d->batch, cond, &side, 1, s.bit)) {
			d->set = grow(d->set, &d->set_cap, d->sets + 1, sizeof *d->set);
			d->set[d->sets] = s;
			*at = FIRST + (uint32_t)d->sets++;
		}
	}
	if (*at == NONE)
		return false;
	*to = d->set[*at - FIRST];
	return true;
}

/* Numbers n values in the order of their first appearance; how many differ. */
static unsigned number(const uint64_t *value, unsigned n, uint8_t *to)
{
	uint16_t slot[SLOTS] = { 0 }; /* 1 + the first place of a value */
	unsigned count = 0;

	for (unsigned i = 0; i < n; i++) {
		size_t k = (value[i] * 0x9e3779b97f4a7c15ull >> 32) % SLOTS;
		while (slot[k] && value[slot[k] - 1u] != value[i])
			k = (k + 1) % SLOTS;
		if (!slot[k])
			slot[k] = (uint16_t)(i + 1), to[i] = (uint8_t)count++;
		else
			to[i] = to[slot[k] - 1u];
	}
	return count;
}

const uint8_t *domains_classes(struct domains *d, expr e, unsigned *n)
{
	uint32_t *at = place(&d->classes_of, e);

	if (!*at) {
		struct batch_side side = all_values(d, e);
		uint64_t value[DOMAIN_VALUES];
		*at = NONE;
		if (batch_values(d->batch, e, &side, 1, value)) {
			d->classes = grow(
			    d->classes, &d->classes_cap, d->numberings + 1, sizeof *d->classes);
			struct classes *c = &d->classes[d->numberings];
			c->n = number(value, side.count, c->number);
			if (c->n < side.count)
				*at = FIRST + (uint32_t)d->numberings++;
		}
	}
	if (*at == NONE)
		return NULL;
	*n = d->classes[*at - FIRST].n;
	return d->classes[*at - FIRST].number;
}

static size_t push(struct domains *d, size_t depth, expr e)
{
	if (d->seen[e] == d->walk)
		return depth;
	d->seen[e] = d->walk;
	d->stack = grow(d->stack, &d->stack_cap, depth + 1, sizeof *d->stack);
	d->stack[depth] = e;
	return depth + 1;
}

static void find_terms(struct domains *d, expr cond)
{
	size_t depth, n;

	d->seen = grow(d->seen, &d->seen_cap, expr_count(d->p) + 1, sizeof *d->seen);
	d->walk++;
	for (depth = push(d, 0, cond); depth;) {
		expr e = d->stack[--depth];
		expr_vars(d->p, e, &n);
		if (expr_width(d->p, e) > 0 && domains_input(d->p, e) != UINT32_MAX) {
			d->term = grow(d->term, &d->term_cap, d->terms + 1, sizeof *d->term);
			d->term[d->terms++] = e;
		} else if (n > 0) {
			for (int i = 0; i < op_arity(expr_op(d->p, e)); i++)
				depth = push(d, depth, expr_operand(d->p, e, i));
		}
	}
}

const expr *domains_terms(struct domains *d, expr cond, size_t *n)
{
	uint32_t *at = place(&d->terms_of, cond);

	if (!*at) {
		size_t first = d->terms;
		*at = FIRST + (uint32_t)first;
		d->term = grow(d->term, &d->term_cap, first + 1, sizeof *d->term);
		d->terms++;
		find_terms(d, cond);
		d->term[first] = (expr)(d->terms - first - 1);
	}
	*n = d->term[*at - FIRST];
	return &d->term[*at - FIRST + 1];
}

void value_classes_start(struct value_classes *s)
{
	memset(s->number, 0, sizeof s->number);
	s->n = 1;
}

/* Each value is a class of its own. */
static void split_all(struct value_classes *s)
{
	for (unsigned i = 0; i < DOMAIN_VALUES; i++)
		s->number[i] = (uint8_t)i;
	s->n = DOMAIN_VALUES;
}

void value_classes_refine(
    struct value_classes *s, struct domains *d, expr e, const struct domain *among, unsigned width)
{
	uint32_t slot[SLOTS]; /* 1 + both numbers; the new one */
	uint8_t new[SLOTS];
	unsigned numbers, n = 0;

	if (s->n == DOMAIN_VALUES)
		return;
	const uint8_t *number = domains_classes(d, e, &numbers);
	if (!number) {
		split_all(s);
		return;
	}
	memset(slot, 0, sizeof slot);
	for (unsigned i = 0; i < 1u << width; i++) {
		if (!domain_has(among, i))
			continue;
		uint32_t both = 1 + ((uint32_t)s->number[i] << DOMAIN_BITS | number[i]);
		size_t k = (both * 0x9e3779b1u >> 16) % SLOTS;
		while (slot[k] && slot[k] != both)
			k = (k + 1) % SLOTS;
		if (!slot[k])
			slot[k] = both, new[k] = (uint8_t)n++;
		s->number[i] = new[k];
	}
	s->n = n;
}

void domain_all(struct domain *s, unsigned width)
{
	memset(s, 0, sizeof *s);
	for (unsigned i = 0; i < 1u << width; i += 64)
		s->bit[i / 64] = width < 6 ? (1ull << (1u << width)) - 1 : ~0ull;
}

bool domain_keep(struct domain *s, const struct domain *other)
{
	uint64_t any = 0;

	for (size_t i = 0; i < sizeof s->bit / sizeof *s->bit; i++)
		any |= s->bit[i] &= other->bit[i];
	return any;
}

bool domain_has(const struct domain *s, unsigned value)
{
	return s->bit[value / 64] >> value % 64 & 1;
}
