/* The effects of each instruction of a function by itself, from the records and the points-to sets;
 * then callers have the effects of their callees, until nothing changes. */
#include "lib/summary/summary.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct finder {
	const struct flow *flow;
	struct alias *alias;
	struct summary *s;
};

static struct summary_function *owner(const struct finder *f, uint32_t unit, uint32_t inst)
{
	const struct flow_unit *u = &f->flow->unit[unit];
	return &f->s->function[alias_function(
	    f->alias, unit, u->block_func[u->inst[inst - 1].block - 1])];
}

static void set_bit(uint64_t *bits, uint32_t i)
{
	bits[i / 64] |= UINT64_C(1) << i % 64;
}

static bool has_bit(const uint64_t *bits, uint32_t i)
{
	return bits[i / 64] >> i % 64 & 1;
}

/* Marks the objects that an operand points to; how: SUMMARY_*. */
static void touch(const struct finder *f, struct summary_function *by, uint32_t unit,
    const struct flow_operand *o, uint8_t how)
{
	struct alias_place *place = NULL;
	size_t n = strchr("%^&$", o->kind)
	    ? alias_places(f->alias, unit, (uint32_t)(by - f->s->function), o, &place)
	    : 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t object = place[i].object;
		by->escaped |= object == ALIAS_OUTSIDE ? how : 0;
		if (object < f->s->objects && how & SUMMARY_READ)
			set_bit(by->read, object);
		if (object < f->s->objects && how & SUMMARY_WRITTEN)
			set_bit(by->written, object);
	}
	by->elsewhere |= n ? 0 : how;
	free(place);
}

static bool may_call_back(const struct finder *f, struct summary_function *by, uint32_t unit,
    const struct flow_operand *o)
{
	struct alias_place *place;
	size_t n = alias_places(f->alias, unit, (uint32_t)(by - f->s->function), o, &place);
	bool found = false;
	for (size_t i = 0; i < n; i++)
		found |= place[i].object == ALIAS_OUTSIDE
		    || alias_object(f->alias, place[i].object)->kind == ALIAS_FUNCTION;
	free(place);
	return found;
}

static bool stays_inside(const struct alias_call *c)
{
	return c && c->callees && !c->external && !c->unknown;
}

static void arguments(const struct finder *f, const struct alias_call *c)
{
	const struct flow_inst *i = &f->flow->unit[c->unit].inst[c->inst - 1];
	const struct flow_operand *o = &f->flow->unit[c->unit].operand[i->first];
	struct summary_function *by = &f->s->function[c->func];
	for (uint32_t k = 1; k < i->operands; k++) {
		char effect = alias_effect(c, k - 1);
		if (effect == 'w' || effect == 'b')
			by->all |= may_call_back(f, by, c->unit, &o[k]);
		if (effect == 'r' || effect == 'b')
			touch(f, by, c->unit, &o[k], SUMMARY_READ);
		if (effect == 'w' || effect == 'b')
			touch(f, by, c->unit, &o[k], SUMMARY_WRITTEN);
	}
}

static void call(const struct finder *f, const struct alias_call *c)
{
	struct summary_function *by = &f->s->function[c->func];
	if (stays_inside(c))
		return; /* see inherit */
	by->undefined = true;
	by->all |= c->callees || !c->external || c->unknown;
	if (c->external)
		arguments(f, c);
}

static void instruction(const struct finder *f, uint32_t unit, uint32_t inst)
{
	const struct flow_inst *i = &f->flow->unit[unit].inst[inst - 1];
	const struct flow_operand *o = &f->flow->unit[unit].operand[i->first];
	struct summary_function *by = owner(f, unit, inst);
	switch (i->op) {
	case FLOW_LOAD: touch(f, by, unit, &o[0], SUMMARY_READ); break;
	case FLOW_STORE: touch(f, by, unit, &o[1], SUMMARY_WRITTEN); break;
	case FLOW_COPY:
		touch(f, by, unit, &o[1], SUMMARY_READ);
		touch(f, by, unit, &o[0], SUMMARY_WRITTEN);
		break;
	case FLOW_FILL: touch(f, by, unit, &o[0], SUMMARY_WRITTEN); break;
	case FLOW_ASM: by->all = true; break;
	case FLOW_OTHER:
		for (uint32_t k = 0; k < i->operands; k++)
			touch(f, by, unit, &o[k], SUMMARY_READ | SUMMARY_WRITTEN);
		break;
	default: break;
	}
}

/* Structures in memory: a parameter is read, and a result written, where the caller says. */
static void homes(const struct finder *f, uint32_t unit)
{
	const struct flow_unit *u = &f->flow->unit[unit];
	for (size_t k = 0; k < u->homes; k++) {
		const struct flow_var *v = &u->var[u->home[k].var - 1];
		struct flow_operand at = { .kind = '^', .id = u->home[k].argument };
		if (v->func)
			touch(f, &f->s->function[alias_function(f->alias, unit, v->func)], unit,
			    &at, v->kind == 'p' ? SUMMARY_READ : SUMMARY_WRITTEN);
	}
}

static bool add_bits(const struct finder *f, uint64_t *to, const uint64_t *from)
{
	bool changed = false;
	for (size_t w = 0; w <= f->s->objects / 64; w++) {
		changed |= (from[w] & ~to[w]) != 0;
		to[w] |= from[w];
	}
	return changed;
}

static bool inherit(
    const struct finder *f, struct summary_function *to, const struct summary_function *from)
{
	bool changed = (from->all && !to->all) || (from->undefined && !to->undefined)
	    || (from->escaped & ~to->escaped) || (from->elsewhere & ~to->elsewhere);
	to->all |= from->all;
	to->undefined |= from->undefined;
	to->escaped |= from->escaped;
	to->elsewhere |= from->elsewhere;
	changed |= add_bits(f, to->read, from->read);
	return add_bits(f, to->written, from->written) || changed;
}

static bool inherit_all(const struct finder *f)
{
	bool changed = false;
	for (size_t i = 0; i < alias_calls(f->alias); i++) {
		const struct alias_call *c = alias_call(f->alias, i);
		for (size_t k = 0; k < c->callees; k++)
			changed |=
			    inherit(f, &f->s->function[c->func], &f->s->function[c->callee[k]]);
	}
	return changed;
}

bool summary_comes_back(const struct summary *s, const struct alias_call *c)
{
	bool back = !stays_inside(c);
	for (size_t k = 0; !back && k < c->callees; k++)
		back = s->function[c->callee[k]].returns;
	return back;
}

/* The instructions of a block, the calls among them. */
struct block_code {
	uint32_t first, n, call;
};

/* Where control goes from a block, which is all that is known of it: to `reached`. True: it
 * returns. */
static bool through(const struct finder *f, uint32_t unit, const struct flow_func *func,
    const struct block_code *b, bool *reached)
{
	const struct flow_unit *u = &f->flow->unit[unit];
	uint32_t next = b->call;
	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		const struct flow_inst *in = &u->inst[i];
		if (in->op == FLOW_RET)
			return true;
		if (next < alias_calls(f->alias) && alias_call(f->alias, next)->unit == unit
		    && alias_call(f->alias, next)->inst == i + 1
		    && !summary_comes_back(f->s, alias_call(f->alias, next++)))
			return false;
		for (uint32_t k = 0; k < in->operands && in->op != FLOW_PHI; k++)
			if (u->operand[in->first + k].kind == '!')
				reached[u->operand[in->first + k].id - func->first_block] = true;
	}
	return false;
}

/* The blocks of all units, one after the other. */
static struct block_code **find_blocks(const struct finder *f)
{
	struct block_code **block = zeroed(f->flow->units, sizeof *block);
	uint32_t call = 0;
	for (uint32_t unit = 0; unit < f->flow->units; unit++) {
		const struct flow_unit *u = &f->flow->unit[unit];
		block[unit] = zeroed(u->blocks, sizeof **block);
		for (uint32_t i = 0; i < u->insts; i++) {
			struct block_code *b = &block[unit][u->inst[i].block - 1];
			if (!b->n)
				*b = (struct block_code){ i, 0, call };
			b->n = i + 1 - b->first;
			while (call < alias_calls(f->alias)
			    && alias_call(f->alias, call)->unit == unit
			    && alias_call(f->alias, call)->inst <= i + 1)
				call++;
		}
	}
	return block;
}

/* Is there a way to its end, through calls that are known to come back? */
static bool returns(const struct finder *f, struct block_code **block, uint32_t function)
{
	uint32_t unit, id, last = 0;
	const struct flow_func *func = alias_function_of(f->alias, function, &unit, &id);
	bool *reached = zeroed(func->blocks, sizeof *reached),
	     *done = zeroed(func->blocks, sizeof *done), back = false;
	if (func->blocks)
		reached[0] = true;
	else
		back = true;
	for (bool on = func->blocks > 0; on && !back;) {
		on = false;
		for (last = 0; last < func->blocks && !back; last++)
			if (reached[last] && !done[last]) {
				on = done[last] = true;
				back = through(f, unit, func,
				    &block[unit][func->first_block + last - 1], reached);
			}
	}
	free(reached);
	free(done);
	return back;
}

static bool return_all(const struct finder *f, struct block_code **block)
{
	bool changed = false;
	for (uint32_t k = 0; k < f->s->functions; k++)
		if (!f->s->function[k].returns && returns(f, block, k))
			changed = f->s->function[k].returns = true;
	return changed;
}

/* The effects of each function alone, without those of the functions that it calls. */
static struct summary *own(const struct flow *fl, struct alias *a)
{
	struct summary *s = zeroed(1, sizeof *s);
	struct finder f = { fl, a, s };
	s->functions = alias_functions(a);
	s->objects = alias_objects(a);
	s->function = zeroed(s->functions, sizeof *s->function);
	for (uint32_t k = 0; k < s->functions; k++) {
		s->function[k].read = zeroed(s->objects / 64 + 1, sizeof(uint64_t));
		s->function[k].written = zeroed(s->objects / 64 + 1, sizeof(uint64_t));
	}
	for (uint32_t unit = 0; unit < fl->units; unit++) {
		for (uint32_t i = 0; i < fl->unit[unit].insts; i++)
			instruction(&f, unit, i + 1);
		homes(&f, unit);
	}
	for (size_t i = 0; i < alias_calls(a); i++)
		call(&f, alias_call(a, i));
	return s;
}

struct summary *summary_new(const struct flow *fl, struct alias *a)
{
	struct summary *s = own(fl, a);
	struct finder f = { fl, a, s };
	struct block_code **block;
	while (inherit_all(&f))
		;
	block = find_blocks(&f);
	while (return_all(&f, block))
		;
	for (uint32_t unit = 0; unit < fl->units; unit++)
		free(block[unit]);
	free(block);
	return s;
}

void summary_free(struct summary *s)
{
	for (uint32_t k = 0; s && k < s->functions; k++) {
		free(s->function[k].read);
		free(s->function[k].written);
	}
	free(s ? s->function : NULL);
	free(s);
}

bool *summary_written_by(const struct flow *fl, struct alias *a, const bool *functions)
{
	struct summary *s = own(fl, a);
	bool *written = zeroed(s->objects, sizeof *written);
	for (uint32_t k = 0; k < s->functions; k++)
		for (uint32_t i = 0; functions[k] && i < s->objects; i++)
			written[i] |= has_bit(s->function[k].written, i);
	summary_free(s);
	return written;
}

uint8_t summary_does(
    const struct summary *s, const struct alias *a, uint32_t function, uint32_t object)
{
	const struct summary_function *f = &s->function[function];
	return (uint8_t)((has_bit(f->read, object) ? SUMMARY_READ : 0)
	    | (has_bit(f->written, object) ? SUMMARY_WRITTEN : 0)
	    | (alias_object(a, object)->escaped ? f->escaped : 0));
}

bool summary_may_write(const struct summary *s, const struct alias_call *c, uint32_t object,
    bool escaped, bool undefined)
{
	bool may = !stays_inside(c) || object >= s->objects;
	for (size_t k = 0; !may && k < c->callees; k++) {
		const struct summary_function *f = &s->function[c->callee[k]];
		may = f->all || (f->escaped & SUMMARY_WRITTEN && escaped)
		    || (f->undefined && undefined) || has_bit(f->written, object);
	}
	return may;
}
