/* flag: the cover flag: set by the definition, cleared by redefinitions, tested at the use. For an
 * argument it is set in the activation that the call creates; results have a flag of their own. */
#include "lib/obligation/inner.h"

#include <string.h>

static bool is_at(const struct obligation_writer *o, const struct defuse_access *a, uint32_t inst)
{
	return a->unit == o->unit && a->inst == inst;
}

static const struct flow_inst *inst_of(const struct obligation_writer *o, uint32_t inst)
{
	return &unit_of(o)->inst[inst - 1];
}

/* A range of bytes of a variable. */
struct byte_range {
	uint32_t unit, var;
	uint64_t offset, size;
};

/* Writes a call of the prelude's written, defined or used, for `size` bytes at operand k or at a
 * part of a variable. */
static void tell(struct obligation_writer *o, const char *what, uint32_t inst, uint32_t k,
    const struct byte_range *a, uint64_t size)
{
	fprintf(o->f, "%s((unsigned char *)", what);
	if (a) {
		obligation_variable(o, a->unit, a->var);
		fprintf(o->f, " + %llu", (unsigned long long)a->offset);
	} else {
		v(o, inst_of(o, inst), k, 64);
	}
	fprintf(o->f, ", %llu", (unsigned long long)size);
	if (strcmp(what, "written"))
		fprintf(o->f, ", %s", o->intra ? "me" : "0");
	fputc(')', o->f);
}

static void define(struct obligation_writer *o, uint32_t inst, uint32_t k,
    const struct byte_range *a, uint64_t size)
{
	bool some = o->def->kind == DEFUSE_ARGUMENT;
	fputs(some ? "\tif (begun) " : "\t", o->f);
	tell(o, "defined", inst, k, a, size);
	if (some) {
		fputs("; else ", o->f);
		tell(o, "written", inst, k, a, size);
	}
	fputs(";\n", o->f);
	o->defined = true;
	o->bytes = size > o->bytes ? size : o->bytes;
}

/* Tests the flag at the use: a c-use is exercised at once, a p-use when its outcome is taken. */
static void look(struct obligation_writer *o, uint32_t inst, uint32_t k, const struct byte_range *a,
    uint64_t size)
{
	bool now = o->pair->outcome == DEFUSE_C;
	fputs(now ? "\tif (" : "\thit = ", o->f);
	if (o->use->kind == DEFUSE_RESULT)
		fputs("returned", o->f);
	else
		tell(o, "used", inst, k, a, size);
	fputs(now ? ") reach_error();\n" : ";\n", o->f);
	o->used = true;
}

/* The bytes of a definition or use that names its variable; false: it does not. */
static bool part_of(
    const struct obligation_writer *o, const struct defuse_access *a, struct byte_range *p)
{
	const struct flow_unit *u = &o->flow->unit[a->unit];
	for (size_t k = 0; k < u->accesses && a->kind == DEFUSE_ACCESS && a->var; k++) {
		const struct flow_access *r = &u->access[k];
		*p = (struct byte_range){ a->unit, a->var, r->offset, r->size };
		if (r->inst == a->inst && r->is_def == a->is_def && r->var == a->var)
			return true;
	}
	return false;
}

/* Does the instruction write a bit-field and so preserve the rest of its unit? */
static bool is_partial(const struct flow_unit *u, uint32_t inst)
{
	for (size_t k = 0; k < u->accesses; k++)
		if (u->access[k].inst == inst && u->access[k].is_def
		    && strchr(u->access[k].how, 'b'))
			return true;
	return false;
}

/* The object of an address operand: a variable (&) or an alloca (%); kind 0: unknown. */
static struct flow_operand base_of(const struct flow_unit *u, const struct flow_operand *x)
{
	bool made = x->kind == '%' && u->inst[x->id - 1].op == FLOW_ALLOCA;
	return (struct flow_operand){ .kind = x->kind == '&' || made ? x->kind : 0, .id = x->id };
}

/* Do the definition and this instruction write two different named objects? */
static bool is_apart(const struct obligation_writer *o, const struct flow_operand *x)
{
	const struct flow_unit *u = &o->flow->unit[o->writer->unit];
	const struct flow_inst *def =
	    o->writer->kind == DEFUSE_ACCESS ? &u->inst[o->writer->inst - 1] : NULL;
	struct flow_operand a = base_of(unit_of(o), x), b = { 0 };
	if (def && (def->op == FLOW_STORE || def->op == FLOW_COPY || def->op == FLOW_FILL))
		b = base_of(u, &u->operand[def->first + (def->op == FLOW_STORE)]);
	return def && o->unit == o->writer->unit && a.kind && b.kind
	    && (a.kind != b.kind || a.id != b.id);
}

/* Is the definition a parameter in memory? Its record is at the function's first instruction. */
static bool is_entered(const struct obligation_writer *o)
{
	return o->writer->formal && o->writer->var
	    && obligation_home(&o->flow->unit[o->writer->unit], o->writer->var);
}

/* Does the instruction write the return slot of the definition? Its last write counts. */
static bool is_result(struct obligation_writer *o, uint32_t inst, uint32_t address)
{
	const struct flow_inst *def = &o->flow->unit[o->def->unit].inst[o->def->inst - 1];
	const struct flow_operand *x = operand(o, inst_of(o, inst), address), *slot;
	if (o->def->unit != o->unit || def->op == FLOW_RET)
		return false;
	slot = operand(o, def, def->op == FLOW_STORE);
	return slot->kind == '%' && x->kind == '%' && x->id == slot->id;
}

void obligation_written(struct obligation_writer *o, uint32_t inst, uint32_t address, uint64_t size)
{
	bool mine = is_at(o, o->writer, inst) && !is_entered(o);
	if (o->def->kind == DEFUSE_RESULT) {
		if (is_result(o, inst, address))
			fprintf(o->f, "\tfrom = %d;\n", mine);
		o->defined |= mine;
	} else if (mine) {
		define(o, inst, address, NULL, size);
	} else if (!is_partial(unit_of(o), inst)
	    && !is_apart(o, operand(o, inst_of(o, inst), address))) {
		fputc('\t', o->f);
		tell(o, "written", inst, address, NULL, size);
		fputs(";\n", o->f);
	}
}

void obligation_read(struct obligation_writer *o, uint32_t inst, uint32_t address, uint64_t size)
{
	if (is_at(o, o->use, inst))
		look(o, inst, address, NULL, size);
}

void obligation_begin(struct obligation_writer *o)
{
	bool mine = o->writer->func == o->number;
	if (o->intra)
		fputs("\tu64 me = ++activations;\n", o->f);
	if (o->pair->outcome != DEFUSE_C && o->use->func == o->number)
		fputs("\tint hit = 0;\n", o->f);
	if (mine && o->def->kind == DEFUSE_ARGUMENT)
		fputs("\tint begun = coupled;\n\tcoupled = 0;\n", o->f);
	if (mine && o->def->kind == DEFUSE_RESULT)
		fputs("\tint from = 0;\n", o->f);
}

/* A definition at function entry; the memory must be a named global. */
static void come_in(struct obligation_writer *o, const struct defuse_place *p)
{
	const struct alias_object *at =
	    p->object == ALIAS_NONE ? NULL : alias_object(o->d->alias, p->object);
	if (!at || at->kind != ALIAS_VARIABLE || at->owner != ALIAS_NONE || p->stride
	    || p->offset % 8 || p->size % 8)
		obligation_refuse(o, "the definition is a value at entry of memory without a name");
	else
		define(o, 0, 0,
		    &(struct byte_range){ at->unit, at->id, (uint64_t)p->offset / 8, 0 },
		    p->size / 8);
}

/* Sets the flag for definitions at function entry: parameters, and values that the use may read. */
void obligation_entered(struct obligation_writer *o)
{
	struct byte_range part;
	if (o->writer->func != o->number)
		return;
	if (is_entered(o) && part_of(o, o->writer, &part))
		define(o, 0, 0, &part, part.size);
	if (o->writer->kind != DEFUSE_INCOMING)
		return;
	come_in(o, &o->pair->place);
	for (uint32_t k = 0; k < o->use->places; k++)
		come_in(o, &o->use->place[k]);
}

void obligation_returned(struct obligation_writer *o, uint32_t inst)
{
	bool mine = o->def->kind == DEFUSE_RESULT && is_at(o, o->def, inst);
	o->defined |= mine;
	if (o->use->kind == DEFUSE_RESULT)
		fprintf(o->f, "\treturned = %s;\n",
		    mine                            ? "1"
		        : o->def->func == o->number ? "from"
		                                    : "0");
}

/* ---- calls: structs in memory are used before the call and defined after it */

void obligation_before(struct obligation_writer *o, uint32_t inst)
{
	struct byte_range a;
	if (is_at(o, o->use, inst) && part_of(o, o->use, &a))
		look(o, inst, 0, &a, a.size);
}

void obligation_enter(struct obligation_writer *o, uint32_t inst, uint32_t callee)
{
	if (o->def->kind != DEFUSE_ARGUMENT || !is_at(o, o->def, inst) || callee != o->writer->func)
		return;
	fputs("coupled = 1; ", o->f);
	o->coupled = true;
}

void obligation_behind(struct obligation_writer *o, uint32_t inst)
{
	struct byte_range a;
	if (o->use->kind == DEFUSE_RESULT && is_at(o, o->use, inst))
		look(o, inst, 0, NULL, 0);
	if (is_at(o, o->writer, inst) && !is_entered(o) && part_of(o, o->writer, &a))
		define(o, inst, 0, &a, a.size);
}

/* ---- outcomes */

bool obligation_takes(struct obligation_writer *o, const struct flow_inst *i, size_t side)
{
	const struct flow_operand *last = operand(o, i, i->operands - 1);
	const struct flow_branch *b = last->kind == '?' ? &unit_of(o)->branch[last->id - 1] : NULL;
	bool it = b && o->use->unit == o->unit && o->use->func == o->number
	    && o->pair->outcome == b->first + side;
	o->taken |= it;
	return it;
}
