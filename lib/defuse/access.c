/* access: definitions and uses from the def and use records and from the table of library
 * functions. */
#include "lib/defuse/inner.h"

#include "lib/base/grow.h"
#include "lib/base/search.h"
#include "lib/clib/clib.h"

#include <stdlib.h>
#include <string.h>

#define WHOLE (UINT64_C(1) << 60)

struct defuse_access *defuse_add(struct defuse *d, struct defuse_access a)
{
	struct defuse_access *new = PUSH(d->access, d->accesses);
	*new = a;
	return new;
}

/* Sets the places that an operand points to: `size` bits each, from bit `bit` on; size 0: the whole
 * object. */
static void set_places(struct defuse *d, struct defuse_access *a, const struct flow_operand *o,
    int64_t bit, uint64_t size)
{
	struct alias_place *to;
	size_t n = alias_places(d->alias, a->unit, a->func, o, &to);
	a->place = reserved(n + 1, sizeof *a->place);
	for (size_t i = 0; i < n; i++) {
		struct defuse_place p = { to[i].object, to[i].stride * 8, to[i].offset * 8 + bit,
			size };
		if (!size || p.object == ALIAS_OUTSIDE) {
			p.offset = 0;
			p.stride = 8;
			p.size = size ? size : WHOLE;
		}
		a->place[a->places++] = p;
	}
	free(to);
}

/* For set_places: the bits of this many bytes; the whole object if no object can be that large. */
static uint64_t bits_of(uint64_t bytes)
{
	return bytes < WHOLE / 16 ? bytes * 8 : 0;
}

static const struct flow_operand *operand(
    const struct flow_unit *u, const struct flow_inst *i, uint32_t k)
{
	static const struct flow_operand none = { .kind = '-' };
	return k < i->operands ? &u->operand[i->first + k] : &none;
}

/* The operand that holds the address of an access. */
static const struct flow_operand *address_of(const struct flow_unit *u, const struct flow_access *r)
{
	const struct flow_inst *i = &u->inst[r->inst - 1];
	switch (i->op) {
	case FLOW_LOAD: return operand(u, i, 0);
	case FLOW_STORE: return operand(u, i, 1);
	case FLOW_COPY:
	case FLOW_FILL: return operand(u, i, r->is_def ? 0 : 1);
	default: return NULL;
	}
}

/* Sets the place of a record's variable. */
static void set_variable(struct defuse *d, struct defuse_access *a, const struct flow_access *r)
{
	struct flow_operand o = { .kind = '&', .id = r->var, .value = (int64_t)r->offset };
	set_places(d, a, &o, r->bits ? r->bit : 0, r->bits ? r->bits : bits_of(r->size));
}

static bool is_index(const struct flow_access *r)
{
	return strchr(r->how, 'i');
}

static void set_must(const struct defuse *d, struct defuse_access *a, bool exact)
{
	a->must = a->is_def && exact && a->places == 1 && !a->place[0].stride
	    && alias_object(d->alias, a->place[0].object)->unique;
}

/* Is it stdin, stdout or stderr of the C library? */
static bool is_standard(const struct flow_unit *u, uint32_t var)
{
	const struct flow_var *v = var ? &u->var[var - 1] : NULL;
	return v && v->kind == 'g' && !v->defined
	    && (!strcmp(v->name, "stdin") || !strcmp(v->name, "stdout")
	        || !strcmp(v->name, "stderr"));
}

/* Does the program assign to one of them? If not, their values are the same in every run, and pairs
 * of them are not considered. */
static bool assigns_standard(const struct flow *f)
{
	for (uint32_t unit = 0; unit < f->units; unit++) {
		const struct flow_unit *u = &f->unit[unit];
		for (size_t i = 0; i < u->accesses; i++)
			if (u->access[i].is_def && is_standard(u, u->access[i].var))
				return true;
	}
	return false;
}

static void add_record(struct defuse *d, uint32_t unit, const struct flow_access *r,
    uint32_t record, const struct sinks *s)
{
	const struct flow_unit *u = &d->flow->unit[unit];
	const struct flow_operand *at = address_of(u, r);
	const struct flow_inst *i = &u->inst[r->inst - 1];
	struct defuse_access a = { .is_def = r->is_def,
		.unit = unit,
		.inst = r->inst,
		.block = i->block,
		.var = r->var,
		.record = record,
		.pos = r->pos,
		.direct = r->var,
		.formal = strchr(r->how, 'e') };
	bool bit_unit = strchr(r->how, 'b') && !r->bits;
	bool by_variable = !at
	    || (a.formal && (i->op != FLOW_STORE || (at->kind == '&' && at->id != r->var)))
	    || (r->var && !is_index(r));
	/* a struct in memory passed as an argument */
	if (!r->var && (d->options.paper || by_variable))
		return;
	a.func = alias_function(d->alias, unit, u->block_func[i->block - 1]);
	if (by_variable)
		set_variable(d, &a, r);
	else
		set_places(d, &a, at, r->bits ? r->bit : 0,
		    r->bits                                         ? r->bits
		        : i->op == FLOW_LOAD || i->op == FLOW_STORE ? (i->width + 7) / 8 * 8
		                                                    : bits_of(r->size));
	set_must(d, &a, !bit_unit);
	if (!r->is_def && i->op == FLOW_LOAD) {
		a.computes = s[r->inst - 1].computes;
		a.outcomes = s[r->inst - 1].outcomes;
		a.outcome = reserved(a.outcomes + 1u, sizeof *a.outcome);
		if (a.outcomes)
			memcpy(a.outcome, s[r->inst - 1].outcome, a.outcomes * sizeof *a.outcome);
	} else if (!r->is_def) {
		a.computes = true;
	}
	a.path = copied(r->path);
	defuse_add(d, a);
}

/* The value of argument k of a call, if it is a constant above 0; 0: else. */
static uint64_t constant(const struct flow_unit *u, const struct flow_inst *i, int16_t k)
{
	const struct flow_operand *o = operand(u, i, 1 + (uint32_t)k);

	return o->kind == '#' && o->value > 0 ? (uint64_t)o->value : 0;
}

/* At most how many bytes a library call accesses where argument k points, as far as constants tell;
 * 0: unknown. */
static uint64_t known_bytes(
    const struct flow_unit *u, const struct flow_inst *i, struct clib_most most)
{
	uint64_t bytes = (uint64_t)most.bytes;

	if ((most.a >= 0 && __builtin_mul_overflow(bytes, constant(u, i, most.a), &bytes))
	    || (most.b >= 0 && __builtin_mul_overflow(bytes, constant(u, i, most.b), &bytes)))
		return 0;
	return bytes;
}

static int compare_inst(const void *inst, const void *access)
{
	uint32_t a = *(const uint32_t *)inst, b = ((const struct flow_access *)access)->inst;

	return (a > b) - (a < b);
}

/* The object that the instruction which computes a pointer loads, as a C lvalue; NULL: it loads
 * nothing that has one. */
static const char *loaded(const struct flow_unit *u, const struct flow_operand *o)
{
	while (o->kind == '%' && u->inst[o->id - 1].op == FLOW_ADDR)
		o = operand(u, &u->inst[o->id - 1], 0);
	if (o->kind != '%')
		return NULL;
	uint32_t inst = o->id;
	for (size_t i = lower_bound(&inst, u->access, u->accesses, sizeof *u->access, compare_inst);
	    i < u->accesses && u->access[i].inst == inst; i++)
		if (!u->access[i].is_def && u->inst[inst - 1].op == FLOW_LOAD)
			return u->access[i].path;
	return NULL;
}

/* The target of a pointer that is passed to a function, as a C lvalue: `*p` of strlen(p + 1). */
static char *target(const struct flow_unit *u, const struct flow_operand *o)
{
	const char *pointer = loaded(u, o);

	return pointer ? formatted("*%s", pointer) : NULL;
}

/* Adds the read or write of a library call on the target of argument k. */
static void add_effect(struct defuse *d, const struct alias_call *c, uint32_t k, bool is_def)
{
	const struct flow_unit *u = &d->flow->unit[c->unit];
	const struct flow_inst *i = &u->inst[c->inst - 1];
	const struct clib *f = c->name && !c->unknown ? clib_find(c->name) : NULL;
	struct clib_most most = f ? clib_most(clib_arg(f, k)) : (struct clib_most){ 0, -1, -1, 0 };
	uint64_t bytes = known_bytes(u, i, most);
	struct defuse_access a = { .kind = DEFUSE_LIBRARY,
		.is_def = is_def,
		.unit = c->unit,
		.func = c->func,
		.block = c->block,
		.inst = c->inst,
		.pos = i->pos,
		.computes = !is_def };
	/* a function of the table goes upwards from where the argument points */
	set_places(d, &a, operand(u, i, 1 + k), 0, bytes || !f ? bits_of(bytes) : WHOLE);
	if (!a.places) {
		free(a.place);
		return;
	}
	set_must(d, &a, bytes && most.exact && !f->fails[0]);
	a.path = target(u, operand(u, i, 1 + k));
	defuse_add(d, a);
}

/* Is it a stream, whose state belongs to the C library? */
static bool is_stream(const struct alias_call *c, uint32_t k)
{
	const struct clib *f = c->name && !c->unknown ? clib_find(c->name) : NULL;
	return f && clib_arg(f, k).access == 'f';
}

/* A call of unknown code is a definition of what its pointers lead to, because it may write there.
 * It is no use, because nobody knows whether it reads there and no run could confirm it. */
static void add_library(struct defuse *d, const struct alias_call *c)
{
	const struct flow_inst *i = &d->flow->unit[c->unit].inst[c->inst - 1];
	bool known = c->name && clib_find(c->name);
	if (!c->external || d->options.paper)
		return;
	for (int is_def = !known; is_def < 2; is_def++)
		for (uint32_t k = 0; k + 1 < i->operands; k++) {
			char effect = alias_effect(c, k);
			if ((effect == 'b' || effect == (is_def ? 'w' : 'r')) && !is_stream(c, k))
				add_effect(d, c, k, is_def);
		}
}

void defuse_collect(struct defuse *d)
{
	bool assigned = assigns_standard(d->flow);
	for (uint32_t unit = 0; unit < d->flow->units; unit++) {
		const struct flow_unit *u = &d->flow->unit[unit];
		struct sinks *s = defuse_sinks(u);
		uint32_t records[2] = { 0, 0 };
		for (size_t i = 0; i < u->accesses; i++) {
			uint32_t record = ++records[u->access[i].is_def];
			if (assigned || !is_standard(u, u->access[i].var))
				add_record(d, unit, &u->access[i], record, s);
		}
		defuse_sinks_free(u, s);
	}
	for (size_t i = 0; i < alias_calls(d->alias); i++)
		add_library(d, alias_call(d->alias, i));
}
