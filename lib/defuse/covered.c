/* covered: which pairs a run exercised, from the last definitions recorded in its trace. */
#include "lib/defuse/inner.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

/* Indexes of pairs and accesses. */
struct credit {
	struct map pair;   /* (def, use) -> 1 + index of their first pair */
	struct map access; /* access_key -> 1 + index of the last access with that key */
	uint32_t *before;  /* by access: 1 + index of the previous one with its key */
	uint32_t entry;    /* number of the function where a run starts; ALIAS_NONE:
	                      unknown */
};

static uint64_t access_key(uint32_t unit, uint8_t kind, bool is_def, uint32_t number)
{
	return ((uint64_t)unit << 36 | (uint64_t)kind << 33 | (uint64_t)is_def << 32 | number) + 1;
}

/* The key of an access: by record number, by function (value at entry), or by instruction. */
static uint64_t key_of(const struct defuse_access *a)
{
	if (a->kind == DEFUSE_INCOMING)
		return access_key(0, a->kind, a->is_def, a->func);
	return access_key(
	    a->unit, a->kind, a->is_def, a->kind == DEFUSE_ACCESS ? a->record : a->inst);
}

/* The last function that the harness calls, else main. */
static uint32_t entry_of(const struct defuse *d)
{
	for (size_t i = alias_calls(d->alias); i-- > 0;) {
		const struct alias_call *c = alias_call(d->alias, i);
		bool harness = alias_function_of(d->alias, c->func, NULL, NULL)->is_harness;
		for (size_t k = 0; harness && k < c->callees; k++)
			if (!alias_function_of(d->alias, c->callee[k], NULL, NULL)->is_harness)
				return c->callee[k];
	}
	for (uint32_t f = 0; f < alias_functions(d->alias); f++)
		if (!strcmp(alias_function_of(d->alias, f, NULL, NULL)->name, "main"))
			return f;
	return ALIAS_NONE;
}

static void fill(const struct defuse *d, struct credit *c)
{
	bool fresh;
	uint32_t *at;
	for (uint32_t i = 0; i < d->accesses; i++) {
		at = map_at(&c->access, key_of(&d->access[i]), &fresh);
		c->before[i] = *at;
		*at = i + 1;
	}
	for (uint32_t i = 0; i < d->pairs; i++) {
		at =
		    map_at(&c->pair, ((uint64_t)d->pair[i].def << 32 | d->pair[i].use) + 1, &fresh);
		if (fresh)
			*at = i + 1;
	}
}

static struct credit *credit(struct defuse *d)
{
	struct credit *c = d->index->credit;
	if (c)
		return c;
	c = zeroed(1, sizeof *c);
	c->before = zeroed(d->accesses, sizeof *c->before);
	c->entry = entry_of(d);
	fill(d, c);
	return d->index->credit = c;
}

void defuse_credit_free(struct credit *c)
{
	if (!c)
		return;
	map_close(&c->pair);
	map_close(&c->access);
	free(c->before);
	free(c);
}

/* ---- one record of a trace */

struct crediting {
	const struct defuse *d;
	const struct credit *c;
	const struct channel_pair *p;
	bool *hit;
};

/* May the pair's definition and use lie in different activations? */
static bool crosses(const struct defuse *d, const struct defuse_pair *p)
{
	uint32_t object = p->place.object;
	return d->options.inter
	    || (d->options.paper && object != ALIAS_NONE
	        && alias_object(d->alias, object)->owner == ALIAS_NONE);
}

/* Was the definition made where the pair requires it: in the same activation, or before entry? */
static bool is_met(const struct crediting *x, const struct defuse_pair *pair)
{
	const struct defuse_access *def = &x->d->access[pair->def], *use = &x->d->access[pair->use];
	bool over = crosses(x->d, pair);
	if (def->kind != DEFUSE_INCOMING)
		return over || x->p->when == DUCT_SAME;
	if (over)
		return !x->p->def_kind && def->func == x->c->entry;
	return x->p->when == DUCT_BEFORE && def->func == use->func;
}

static void hit(const struct crediting *x, uint32_t def, uint32_t use)
{
	uint32_t i = map_get(&x->c->pair, ((uint64_t)def << 32 | use) + 1);
	for (;
	    i && i <= x->d->pairs && x->d->pair[i - 1].def == def && x->d->pair[i - 1].use == use;
	    i++)
		if (x->d->pair[i - 1].outcome == x->p->outcome && is_met(x, &x->d->pair[i - 1]))
			x->hit[i - 1] = true;
}

static void hit_all(const struct crediting *x, uint64_t defs, uint32_t use)
{
	for (uint32_t i = map_get(&x->c->access, defs); i; i = x->c->before[i - 1])
		hit(x, i - 1, use);
}

/* Credits the call arguments that defined the parameter whose value was used. */
static void hit_arguments(
    const struct crediting *x, uint32_t site_unit, uint32_t formal, uint32_t use)
{
	uint32_t i =
	    map_get(&x->c->access, access_key(site_unit, DEFUSE_ARGUMENT, true, x->p->site));
	for (; i; i = x->c->before[i - 1])
		if (x->d->access[i - 1].formal_of == formal)
			hit(x, i - 1, use);
}

static uint8_t kind_of(uint8_t letter)
{
	return letter == DUCT_PAIR_LIBRARY ? DEFUSE_LIBRARY
	    : letter == DUCT_PAIR_RESULT   ? DEFUSE_RESULT
	                                   : DEFUSE_ACCESS;
}

static void hit_use(const struct crediting *x, const uint32_t *unit, uint32_t use)
{
	const struct channel_pair *p = x->p;
	uint64_t defs = access_key(unit[p->def_unit], kind_of(p->def_kind), true, p->def);
	uint32_t own = x->d->access[use].func, formal;
	if (p->def_kind && unit[p->def_unit] != ALIAS_NONE) {
		hit_all(x, defs, use);
		formal = map_get(&x->c->access, defs);
		if (p->site && formal && unit[p->site_unit] != ALIAS_NONE)
			hit_arguments(x, unit[p->site_unit], formal - 1, use);
	}
	if (p->when != DUCT_BEFORE)
		return;
	hit_all(x, access_key(0, DEFUSE_INCOMING, true, own), use);
	if (x->c->entry != own)
		hit_all(x, access_key(0, DEFUSE_INCOMING, true, x->c->entry), use);
}

/* Maps the units of a trace to those of the flow; ALIAS_NONE: not in the flow. */
static uint32_t *units_of(const struct defuse *d, const struct trace *t)
{
	uint32_t *unit = malloc((t->units + 1) * sizeof *unit);
	for (size_t i = 0; unit && i < t->units; i++) {
		unit[i] = ALIAS_NONE;
		for (uint32_t k = 0; k < d->flow->units && unit[i] == ALIAS_NONE; k++)
			if (d->flow->unit[k].key == t->unit[i].key)
				unit[i] = k;
	}
	return unit;
}

static uint32_t *list(const bool *hit, size_t pairs, size_t *n)
{
	uint32_t *out = malloc((pairs + 1) * sizeof *out);
	*n = 0;
	for (uint32_t i = 0; out && i < pairs; i++)
		if (hit[i])
			out[(*n)++] = i;
	return out;
}

int defuse_covered(struct defuse *d, const struct trace *t, uint32_t **pair, size_t *n)
{
	struct crediting x = { .d = d, .c = credit(d), .hit = calloc(d->pairs + 1, sizeof *x.hit) };
	uint32_t *unit = units_of(d, t);
	*pair = NULL;
	for (size_t i = 0; x.c && x.hit && unit && i < t->pairs; i++) {
		const struct channel_pair *p = x.p = &t->pair[i];
		uint64_t uses = access_key(unit[p->use_unit], kind_of(p->use_kind), false, p->use);
		if (unit[p->use_unit] == ALIAS_NONE)
			continue;
		for (uint32_t u = map_get(&x.c->access, uses); u; u = x.c->before[u - 1])
			hit_use(&x, unit, u - 1);
	}
	if (x.c && x.hit && unit)
		*pair = list(x.hit, d->pairs, n);
	free(x.hit);
	free(unit);
	return *pair ? 0 : -1;
}
