/* covered: which pairs a run exercised, from the last definitions recorded in its trace. */
#include "lib/defuse/inner.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

/* A record of a trace that was met, with units as in the flow, and the pairs that it credits. */
struct met_record {
	struct channel_pair record;
	size_t first;
	uint32_t n, next; /* pairs; 1 + index of the next one with the same hash, 0: none */
};

/* Indexes of pairs and accesses. Most records of a run repeat those of earlier runs. */
struct credit {
	struct map pair;   /* (def, use) -> 1 + index of their first pair */
	struct map access; /* access_key -> 1 + index of the last access with that key */
	uint32_t *before;  /* by access: 1 + index of the previous one with its key */
	uint32_t entry;    /* number of the function where a run starts; ALIAS_NONE:
	                      unknown */
	struct met_record *met;
	size_t mets, met_room;
	struct map met_at;  /* hash of a record -> 1 + index of the last one met that has it */
	uint32_t *credited; /* pairs of the records */
	size_t credits, credited_room;
	uint32_t *last; /* by pair: the last trace that was credited with it; number of traces */
	uint32_t traces;
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
	c->last = zeroed((size_t)d->pairs + 1, sizeof *c->last);
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
	map_close(&c->met_at);
	free(c->before);
	free(c->met);
	free(c->credited);
	free(c->last);
	free(c);
}

/* ---- one record of a trace */

struct crediting {
	const struct defuse *d;
	struct credit *c;
	const struct channel_pair *p; /* units as in the flow */
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
		if (x->d->pair[i - 1].outcome == x->p->outcome && is_met(x, &x->d->pair[i - 1])) {
			GROW(x->c->credited, x->c->credited_room, x->c->credits + 1);
			x->c->credited[x->c->credits++] = i - 1;
		}
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

static void hit_use(const struct crediting *x, uint32_t use)
{
	const struct channel_pair *p = x->p;
	uint64_t defs = access_key(p->def_unit, kind_of(p->def_kind), true, p->def);
	uint32_t own = x->d->access[use].func, formal;
	if (p->def_kind && p->def_unit != ALIAS_NONE) {
		hit_all(x, defs, use);
		formal = map_get(&x->c->access, defs);
		if (p->site && formal && p->site_unit != ALIAS_NONE)
			hit_arguments(x, p->site_unit, formal - 1, use);
	}
	if (p->when != DUCT_BEFORE)
		return;
	hit_all(x, access_key(0, DEFUSE_INCOMING, true, own), use);
	if (x->c->entry != own)
		hit_all(x, access_key(0, DEFUSE_INCOMING, true, x->c->entry), use);
}

/* Appends the pairs that a record credits to those of earlier records. */
static void hit_uses(const struct crediting *x)
{
	const struct channel_pair *p = x->p;
	uint64_t uses = access_key(p->use_unit, kind_of(p->use_kind), false, p->use);
	if (p->use_unit == ALIAS_NONE)
		return;
	for (uint32_t u = map_get(&x->c->access, uses); u; u = x->c->before[u - 1])
		hit_use(x, u - 1);
}

static uint64_t hash_of(const struct channel_pair *p)
{
	uint32_t word[sizeof *p / sizeof(uint32_t)];
	uint64_t h = 1;
	memcpy(word, p, sizeof word);
	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		h = (h ^ word[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
	return h ? h : 1;
}

/* The entry of a record; it is made if the record is new. */
static const struct met_record *meet(
    const struct defuse *d, struct credit *c, const struct channel_pair *p)
{
	struct crediting x = { d, c, p };
	bool fresh;
	uint32_t *at = map_at(&c->met_at, hash_of(p), &fresh), next = *at;
	size_t first = c->credits;
	for (uint32_t i = *at; i; i = c->met[i - 1].next)
		if (!memcmp(&c->met[i - 1].record, p, sizeof *p))
			return &c->met[i - 1];
	hit_uses(&x);
	GROW(c->met, c->met_room, c->mets + 1);
	c->met[c->mets] = (struct met_record){ *p, first, (uint32_t)(c->credits - first), next };
	*at = (uint32_t)++c->mets;
	return &c->met[c->mets - 1];
}

/* The unit of the flow; ALIAS_NONE: not in the flow. */
static uint32_t unit_of(const struct defuse *d, const struct trace *t, uint32_t unit)
{
	const struct flow_unit *u = flow_unit_by_key(d->flow, t->unit[unit].key);
	return u ? (uint32_t)(u - d->flow->unit) : ALIAS_NONE;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* Numbers a trace, from 1. */
static uint32_t next_trace(const struct defuse *d, struct credit *c)
{
	if (++c->traces == 0) { /* the counter wrapped */
		memset(c->last, 0, d->pairs * sizeof *c->last);
		c->traces = 1;
	}
	return c->traces;
}

void defuse_covered(struct defuse *d, const struct trace *t, uint32_t **pair, size_t *n)
{
	struct credit *c = credit(d);
	uint32_t trace = next_trace(d, c), *unit = zeroed(t->units + 1, sizeof *unit);
	size_t room = 0;
	*pair = NULL;
	*n = 0;
	GROW(*pair, room, 1);
	for (size_t i = 0; i < t->units; i++)
		unit[i] = unit_of(d, t, (uint32_t)i);
	for (size_t i = 0; i < t->pairs; i++) {
		struct channel_pair p = t->pair[i];
		p.def_unit = unit[p.def_unit], p.use_unit = unit[p.use_unit],
		p.site_unit = unit[p.site_unit];
		const struct met_record *m = meet(d, c, &p);
		for (uint32_t k = 0; k < m->n; k++) {
			uint32_t number = c->credited[m->first + k];
			if (c->last[number] == trace)
				continue;
			c->last[number] = trace;
			GROW(*pair, room, *n + 1);
			(*pair)[(*n)++] = number;
		}
	}
	free(unit);
	qsort(*pair, *n, sizeof **pair, by_number);
}
