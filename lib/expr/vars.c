/* vars: the variables that an expression depends on. Sets are interned and shared. Inner nodes only
 * keep sets of up to SMALL variables: a running checksum over n inputs would need n*n/2 words. */
#include "lib/expr/pool.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

#define SMALL 64

static uint64_t set_hash(const uint32_t *v, uint32_t n)
{
	uint64_t h = n;
	for (uint32_t i = 0; i < n; i++)
		h = pool_mix(h, v[i]);
	return h;
}

struct set_key {
	const struct expr_pool *p;
	const uint32_t *var;
	uint32_t n;
};

static bool set_same(const void *ctx, uint32_t i)
{
	const struct set_key *k = ctx;
	const struct var_set *s = &k->p->set[i];
	return s->n == k->n && memcmp(s->var, k->var, k->n * sizeof *k->var) == 0;
}

static uint64_t set_hash_of(const void *ctx, uint32_t i)
{
	const struct var_set *s = &((const struct expr_pool *)ctx)->set[i];
	return set_hash(s->var, s->n);
}

/* Allocates words that never move. */
static uint32_t *chunk_take(struct expr_pool *p, uint32_t n)
{
	if (!p->chunk || p->chunk->size - p->chunk->used < n) {
		size_t size = n > 4096 ? n : 4096;
		struct chunk *c = reserved(sizeof *c + size * sizeof(uint32_t), 1);
		*c = (struct chunk){ .next = p->chunk, .size = size };
		p->chunk = c;
	}
	uint32_t *r = p->chunk->data + p->chunk->used;
	p->chunk->used += n;
	return r;
}

static uint32_t set_intern(struct expr_pool *p, const uint32_t *var, uint32_t n)
{
	if (!n)
		return SET_EMPTY;
	struct set_key k = { p, var, n };
	uint64_t h = set_hash(var, n);
	if (p->by_set.size) {
		uint32_t *s = slots_find(&p->by_set, h, set_same, &k);
		if (*s)
			return *s;
	}
	slots_room(&p->by_set, set_hash_of, p);
	p->set = pool_grow(p->set, &p->set_cap, p->sets + 1, sizeof *p->set);
	uint32_t *slot = slots_find(&p->by_set, h, set_same, &k);
	uint32_t *copy = chunk_take(p, n);
	memcpy(copy, var, n * sizeof *var);
	p->set[p->sets] = (struct var_set){ copy, n };
	return *slot = p->sets++;
}

/* Union of two small sets, or SET_LARGE. */
static uint32_t set_union(struct expr_pool *p, uint32_t a, uint32_t b)
{
	if (a == b || b == SET_EMPTY)
		return a;
	if (a == SET_EMPTY)
		return b;
	if (a == SET_LARGE || b == SET_LARGE)
		return SET_LARGE;
	size_t i = (a * 31 + b) & 1023;
	if (p->united[i].a == a && p->united[i].b == b)
		return p->united[i].r;
	const struct var_set *x = &p->set[a], *y = &p->set[b];
	if (x->n > SMALL || y->n > SMALL)
		return SET_LARGE;
	uint32_t out[2 * SMALL], n = 0, ix = 0, iy = 0;
	while (ix < x->n || iy < y->n) {
		uint32_t v =
		    iy >= y->n || (ix < x->n && x->var[ix] <= y->var[iy]) ? x->var[ix] : y->var[iy];
		ix += ix < x->n && x->var[ix] == v;
		iy += iy < y->n && y->var[iy] == v;
		out[n++] = v;
	}
	uint32_t r = n > SMALL ? SET_LARGE : set_intern(p, out, n);
	p->united[i].a = a, p->united[i].b = b, p->united[i].r = r;
	return r;
}

static void push(struct expr_pool *p, uint32_t *depth, expr e)
{
	p->stack = pool_grow(p->stack, &p->stack_cap, *depth + 1, sizeof *p->stack);
	p->stack[(*depth)++] = e;
}

static void compute(struct expr_pool *p, expr root)
{
	uint32_t depth = 0;
	push(p, &depth, root);
	while (depth) {
		expr e = p->stack[depth - 1];
		struct expr_node n = *pool_node(p, e);
		uint32_t set = SET_EMPTY, before = depth;
		if (n.op == OP_INPUT)
			set = set_intern(p, &n.a, 1);
		for (int i = 0; i < op_arity(n.op) && !n.set; i++) {
			expr o = i == 0 ? n.a : i == 1 ? n.b : n.c;
			if (!pool_node(p, o)->set)
				push(p, &depth, o);
			else
				set = set_union(p, set, pool_node(p, o)->set);
		}
		if (depth > before)
			continue;
		if (!n.set)
			p->node[e].set = set;
		depth--;
	}
}

/* Collects the set of a node marked SET_LARGE by walking the part of the DAG with such nodes. */
static uint32_t collect(struct expr_pool *p, expr root)
{
	uint8_t *seen = zeroed(p->nodes, 1), *has = zeroed(p->vars + 1, 1);
	uint32_t *out = reserved(p->vars + 1, sizeof *out), n = 0, depth = 0;
	push(p, &depth, root);
	while (depth) {
		expr e = p->stack[--depth];
		const struct expr_node *x = pool_node(p, e);
		if (seen[e])
			continue;
		seen[e] = 1;
		if (x->set != SET_LARGE) {
			for (uint32_t i = 0; i < p->set[x->set].n; i++)
				has[p->set[x->set].var[i]] = 1;
			continue;
		}
		for (int i = 0; i < op_arity(x->op); i++)
			push(p, &depth, expr_operand(p, e, i));
	}
	for (uint32_t i = 0; i < p->vars; i++)
		if (has[i])
			out[n++] = i;
	uint32_t set = set_intern(p, out, n);
	free(seen), free(has), free(out);
	return set;
}

const uint32_t *expr_vars(struct expr_pool *p, expr e, size_t *n)
{
	if (!p->node[e].set)
		compute(p, e);
	if (p->node[e].set == SET_LARGE) {
		uint32_t set = collect(p, e);
		p->node[e].set = set;
	}
	const struct var_set *s = &p->set[p->node[e].set];
	*n = s->n;
	return s->var;
}
