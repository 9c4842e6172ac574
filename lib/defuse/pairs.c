/* pairs: creates each pair once, with name, key and order; adds the pairs made by arguments and
 * results of calls. */
#include "lib/defuse/inner.h"

#include "lib/base/grow.h"
#include "lib/base/search.h"

#include <stdlib.h>
#include <string.h>

static const struct flow_func *function_of(const struct defuse *d, uint32_t access)
{
	return alias_function_of(d->alias, d->access[access].func, NULL, NULL);
}

/* Is the access an objective? Not in the harness, in system headers, or in functions that the entry
 * cannot reach. */
static bool is_objective(const struct defuse *d, uint32_t access)
{
	const struct flow_func *f = function_of(d, access);
	return !f->is_harness && !f->in_system && d->index->reachable[d->access[access].func];
}

static void add_pair(
    struct defuse *d, uint32_t def, uint32_t use, uint32_t outcome, struct defuse_place place)
{
	*PUSH(d->pair, d->pairs) =
	    (struct defuse_pair){ .def = def, .use = use, .outcome = outcome, .place = place };
}

void defuse_add_pairs(struct defuse *d, uint32_t def, uint32_t use, struct defuse_place place)
{
	const struct defuse_access *u = &d->access[use];
	bool fresh = true;
	if (!is_objective(d, def) || !is_objective(d, use))
		return;
	map_at(&d->index->pair_of, ((uint64_t)def << 32 | use) + 1, &fresh);
	if (!fresh)
		return;
	if (u->computes && d->options.criterion != DEFUSE_ALL_P_USES)
		add_pair(d, def, use, DEFUSE_C, place);
	for (uint32_t k = 0; k < u->outcomes && d->options.criterion != DEFUSE_ALL_C_USES; k++)
		add_pair(d, def, use, u->outcome[k], place);
}

/* ---- names */

static uint64_t mix(uint64_t h, const void *data, size_t n)
{
	const unsigned char *p = data;
	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h ^ h >> 29;
}

static uint64_t name_key(uint32_t unit, const struct flow_var *v)
{
	uint64_t h = mix(0xcbf29ce484222325u, v->name, strlen(v->name));
	uint32_t where[] = { unit, v->func };
	h = mix(h, where, sizeof where);
	return h ? h : 1;
}

/* Counts the variables of each name, per function and, for globals, per unit. */
static void count_names(struct defuse *d)
{
	bool fresh;
	for (uint32_t i = 0; i < d->flow->units; i++)
		for (size_t k = 0; k < d->flow->unit[i].vars; k++)
			++*map_at(&d->index->names, name_key(i, &d->flow->unit[i].var[k]), &fresh);
}

/* Does a local share its name with another local of its function or with a global? */
static bool is_shadowed(const struct defuse *d, uint32_t unit, const struct flow_var *v)
{
	struct flow_var global = { .name = v->name };
	return v->func
	    && (map_get(&d->index->names, name_key(unit, v)) > 1
	        || map_get(&d->index->names, name_key(unit, &global)));
}

static char *name_access(const struct defuse *d, const struct defuse_access *a)
{
	const struct flow_unit *u = &d->flow->unit[a->unit];
	const struct flow_var *v = a->var ? &u->var[a->var - 1] : NULL;
	size_t n = v ? strlen(v->name) : 0;
	if (!v || !is_shadowed(d, a->unit, v) || strncmp(a->path, v->name, n))
		return copied(a->path ? a->path : "");
	return formatted("%s@%u%s", v->name, v->pos.line, a->path + n);
}

#define NO_NAME "(pointer)"

static bool is_of_variable(const struct defuse *d, const struct defuse_access *a)
{
	return a->places == 1 && alias_object(d->alias, a->place[0].object)->kind == ALIAS_VARIABLE;
}

/* An access by a library call is named after its variable, or else after the pointer that the call
 * gets. */
static char *name_object(const struct defuse *d, const struct defuse_access *a)
{
	const struct alias_object *o = alias_object(d->alias, a->place[0].object);
	const struct flow_unit *u = &d->flow->unit[o->unit];
	const struct flow_type *t;
	if (!is_of_variable(d, a))
		return copied(a->path ? a->path : NO_NAME);
	struct defuse_access v = { .unit = o->unit, .var = o->id, .path = u->var[o->id - 1].name };
	char *plain = name_access(d, &v), *name;
	t = u->var[o->id - 1].type ? &u->type[u->var[o->id - 1].type - 1] : NULL;
	name = formatted("%s%s", plain, t && t->kind == 'a' ? "[*]" : "");
	free(plain);
	return name;
}

static uint64_t extent(const struct defuse_access *a)
{
	return a->places ? a->place[0].size : UINT64_MAX;
}

/* A pair is named after the smaller of its two accesses: s = t; use(s.f) is a pair of s.f. If both
 * are equal: after the use, unless only the definition names its variable directly. */
static const struct defuse_access *named_after(const struct defuse *d, const struct defuse_pair *p)
{
	const struct defuse_access *def = &d->access[p->def], *use = &d->access[p->use], *by = use;
	if (def->kind == DEFUSE_INCOMING)
		by = use;
	else if (extent(def) < extent(use)
	    || (extent(def) == extent(use) && def->direct && !use->direct))
		by = def;
	else if (use->kind != DEFUSE_ACCESS && def->kind != DEFUSE_LIBRARY)
		by = def;
	return by;
}

static char *name_pair(const struct defuse *d, const struct defuse_pair *p)
{
	const struct defuse_access *by = named_after(d, p);
	return by->kind == DEFUSE_LIBRARY ? name_object(d, by) : name_access(d, by);
}

/* The name that is part of the pair's key: stores know pairs by their keys, and these were called
 * like this before their pointers had names. */
static const char *key_name(const struct defuse *d, const struct defuse_pair *p)
{
	const struct defuse_access *by = named_after(d, p);
	return by->kind == DEFUSE_LIBRARY && !is_of_variable(d, by) ? NO_NAME : p->name;
}

static void name_pairs(struct defuse *d)
{
	for (size_t i = 0; i < d->pairs; i++)
		d->pair[i].name = name_pair(d, &d->pair[i]);
}

/* ---- keys */

/* Hashes the position of an access relative to its function. */
static uint64_t mix_place(uint64_t h, const struct defuse *d, uint32_t access)
{
	const struct defuse_access *a = &d->access[access];
	const struct flow_func *f = function_of(d, access);
	uint64_t part[] = { f->hash, a->kind, a->pos.line - f->pos.line, a->pos.col };
	return mix(h, part, sizeof part);
}

static void key_pairs(struct defuse *d)
{
	struct map met = { 0 };
	bool fresh;
	for (size_t i = 0; i < d->pairs; i++) {
		struct defuse_pair *p = &d->pair[i];
		char buffer[32];
		const char *kind = defuse_kind_name(d, p, buffer);
		const char *name = key_name(d, p);
		uint64_t h = mix(0xcbf29ce484222325u, name, strlen(name) + 1);
		uint32_t *times;
		h = mix_place(mix_place(h, d, p->def), d, p->use);
		h = mix(h, kind, strlen(kind));
		/* several from one macro at the same position */
		times = map_at(&met, h ? h : 1, &fresh);
		++*times;
		p->key = mix(h, times, sizeof *times);
	}
	map_close(&met);
}

/* ---- couplings: arguments and results */

/* Each call defines the parameters of its callees: couples it to the uses that the parameter's
 * value reaches. */
static void couple_arguments(struct defuse *d)
{
	const struct defuse_index *x = d->index;
	for (size_t i = 0, n = d->pairs; i < n; i++) {
		struct defuse_pair p = d->pair[i];
		uint32_t func = d->access[p.def].func;
		if (!d->access[p.def].formal)
			continue;
		for (size_t k = x->first_caller[func]; k < x->first_caller[func + 1]; k++) {
			const struct alias_call *c = alias_call(d->alias, x->caller[k]);
			bool fresh = true;
			uint32_t *at = map_at(&d->index->pair_of,
			    UINT64_C(1) << 63 | (uint64_t)x->caller[k] << 32 | p.def, &fresh);
			if (fresh) {
				struct defuse_access a = d->access[p.def];
				a = (struct defuse_access){ .kind = DEFUSE_ARGUMENT,
					.is_def = true,
					.unit = c->unit,
					.func = c->func,
					.block = c->block,
					.inst = c->inst,
					.path = copied(a.path),
					.formal_of = p.def,
					.pos = d->flow->unit[c->unit].inst[c->inst - 1].pos };
				*at = (uint32_t)d->accesses;
				defuse_add(d, a);
			}
			if (is_objective(d, *at))
				add_pair(d, *at, p.use, p.outcome, p.place);
		}
	}
}

static const struct flow_operand *first_operand(const struct flow_unit *u, uint32_t inst)
{
	return u->inst[inst - 1].operands ? &u->operand[u->inst[inst - 1].first] : NULL;
}

/* Does instruction `inst` define the result that `ret` returns? The result is defined by stores to
 * its return slot, else by the ret itself. */
static bool returns_at(const struct flow_unit *u, uint32_t ret, uint32_t inst)
{
	const struct flow_operand *value = first_operand(u, ret), *slot = NULL, *to;
	const struct flow_inst *i = &u->inst[inst - 1];
	if (value && value->kind == '%' && u->inst[value->id - 1].op == FLOW_LOAD)
		slot = first_operand(u, value->id);
	if (!slot || slot->kind != '%' || u->inst[slot->id - 1].op != FLOW_ALLOCA)
		return value && inst == ret;
	to = i->op == FLOW_STORE ? &u->operand[i->first + 1]
	    : i->op == FLOW_COPY ? &u->operand[i->first]
	                         : NULL;
	return to && to->kind == '%' && to->id == slot->id;
}

static uint32_t add_result(
    struct defuse *d, uint32_t func, uint32_t unit, uint32_t inst, bool is_def)
{
	const struct flow_inst *i = &d->flow->unit[unit].inst[inst - 1];
	char *name = formatted("%s()", alias_function_of(d->alias, func, NULL, NULL)->name);

	defuse_add(d,
	    (struct defuse_access){ .kind = DEFUSE_RESULT,
	        .is_def = is_def,
	        .unit = unit,
	        .block = i->block,
	        .inst = inst,
	        .pos = i->pos,
	        .path = name,
	        .func =
	            alias_function(d->alias, unit, d->flow->unit[unit].block_func[i->block - 1]) });
	return (uint32_t)d->accesses - 1;
}

/* Adds the call as a use of its result. */
static uint32_t add_receiver(
    struct defuse *d, uint32_t func, const struct alias_call *c, const struct sinks *s)
{
	uint32_t use = add_result(d, func, c->unit, c->inst, false);
	struct defuse_access *a = &d->access[use];
	a->computes = s->computes;
	a->outcomes = s->outcomes;
	a->outcome = reserved(s->outcomes + 1u, sizeof *a->outcome);
	if (s->outcomes)
		memcpy(a->outcome, s->outcome, s->outcomes * sizeof *a->outcome);
	return use;
}

static int by_block(const void *block, const void *inst)
{
	uint32_t a = *(const uint32_t *)block, b = ((const struct flow_inst *)inst)->block;

	return (a > b) - (a < b);
}

/* The first instruction of a block or a later one; instructions are numbered in block order. */
static uint32_t first_inst(const struct flow_unit *u, uint32_t block)
{
	return (uint32_t)lower_bound(&block, u->inst, u->insts, sizeof *u->inst, by_block) + 1;
}

static void couple_results_of(struct defuse *d, uint32_t func, struct sinks *const *sinks)
{
	const struct defuse_index *x = d->index;
	uint32_t unit, ret = 0, defs = (uint32_t)d->accesses, uses;
	const struct flow_func *f = alias_function_of(d->alias, func, &unit, NULL);
	const struct flow_unit *u = &d->flow->unit[unit];
	uint32_t first = 0, last = 0;
	for (uint32_t i = first_inst(u, f->first_block);
	    i <= u->insts && u->inst[i - 1].block < f->first_block + f->blocks; i++) {
		first = first ? first : i;
		last = i;
		ret = u->inst[i - 1].op == FLOW_RET ? i : ret;
	}
	if (!ret || f->is_harness || f->in_system)
		return;
	for (uint32_t i = first; i <= last; i++)
		if (returns_at(u, ret, i))
			add_result(d, func, unit, i, true);
	uses = (uint32_t)d->accesses;
	for (size_t k = x->first_caller[func]; k < x->first_caller[func + 1] && uses > defs; k++) {
		const struct alias_call *c = alias_call(d->alias, x->caller[k]);
		uint32_t use;
		if (!d->flow->unit[c->unit].inst[c->inst - 1].width)
			continue;
		use = add_receiver(d, func, c, &sinks[c->unit][c->inst - 1]);
		for (uint32_t def = defs; def < uses; def++)
			defuse_add_pairs(
			    d, def, use, (struct defuse_place){ .object = ALIAS_NONE });
	}
}

static void couple_results(struct defuse *d)
{
	struct sinks **s = zeroed(d->flow->units + 1, sizeof *s);
	for (size_t i = 0; i < d->flow->units; i++)
		s[i] = defuse_sinks(&d->flow->unit[i]);
	for (uint32_t f = 0; f < alias_functions(d->alias); f++)
		couple_results_of(d, f, s);
	for (size_t i = 0; i < d->flow->units; i++)
		defuse_sinks_free(&d->flow->unit[i], s[i]);
	free(s);
}

/* ---- order */

static int compare_access(const struct defuse_access *a, const struct defuse_access *b)
{
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	if (a->func != b->func)
		return a->func < b->func ? -1 : 1;
	if (a->inst != b->inst)
		return a->inst < b->inst ? -1 : 1;
	return (a > b) - (a < b);
}

static int compare_pairs(const void *a, const void *b, void *defuse)
{
	const struct defuse *d = defuse;
	const struct defuse_pair *p = a, *q = b;
	int c = p->def == q->def ? 0 : compare_access(&d->access[p->def], &d->access[q->def]);
	if (!c)
		c = p->use == q->use ? 0 : compare_access(&d->access[p->use], &d->access[q->use]);
	if (c)
		return c;
	if ((p->outcome == DEFUSE_C) != (q->outcome == DEFUSE_C))
		return p->outcome == DEFUSE_C ? -1 : 1;
	return (p->outcome > q->outcome) - (p->outcome < q->outcome);
}

void defuse_finish_pairs(struct defuse *d)
{
	if (d->options.inter) {
		couple_arguments(d);
		couple_results(d);
	}
	if (d->pairs)
		qsort_r(d->pair, d->pairs, sizeof *d->pair, compare_pairs, d);
	count_names(d);
	name_pairs(d);
	key_pairs(d);
}
