/* inner: private to lib/obligation. */
#ifndef DUCT_OBLIGATION_INNER_H
#define DUCT_OBLIGATION_INNER_H

#include "lib/obligation/obligation.h"

struct obligation_writer {
	FILE *f;
	struct defuse *d;
	const struct flow *flow;
	const struct defuse_pair *pair;
	const struct defuse_access *def, *use;
	const struct defuse_access *writer; /* def; for an argument, the parameter's value at
	                                       entry */
	bool intra;                         /* definition and use must be in the same activation */
	bool *called;                       /* by function: called, so it must be written */
	bool defined, used, taken, coupled; /* already written: definition, use, outcome,
	                                       call of the argument or result */
	uint64_t bytes;                     /* upper bound of the definition's size */
	char *why;
	uint32_t unit; /* current function */
	const struct flow_func *func;
	uint32_t number; /* of `func` */
};

/* Records why no program is written; the first reason counts. */
void obligation_refuse(struct obligation_writer *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* prelude.c */
extern const char obligation_prelude[];
/* inst.c: writes one instruction; the last of a block includes the jumps. */
void obligation_inst(struct obligation_writer *o, uint32_t inst);
/* flag.c: updates or tests the flag where an instruction writes or reads `size` bytes at operand
 * `address`. */
void obligation_written(
    struct obligation_writer *o, uint32_t inst, uint32_t address, uint64_t size);
void obligation_read(struct obligation_writer *o, uint32_t inst, uint32_t address, uint64_t size);
/* start of a function: declarations; then, when parameters are set: */
void obligation_begin(struct obligation_writer *o);
void obligation_entered(struct obligation_writer *o);
void obligation_returned(struct obligation_writer *o, uint32_t inst);
/* Code before a call, for the call of a callee, and after it. */
void obligation_before(struct obligation_writer *o, uint32_t inst);
void obligation_enter(struct obligation_writer *o, uint32_t inst, uint32_t callee);
void obligation_behind(struct obligation_writer *o, uint32_t inst);
/* Does the instruction take the pair's outcome? */
bool obligation_takes(struct obligation_writer *o, const struct flow_inst *i, size_t side);
/* call.c */
void obligation_call(struct obligation_writer *o, uint32_t inst, const struct flow_inst *i);
/* compute.c: write an operand as an expression, an operation without side effects, a comparison, a
 * variable's name. */
void obligation_value(struct obligation_writer *o, const struct flow_operand *x, unsigned width);
void obligation_compute(struct obligation_writer *o, const struct flow_inst *i);
void obligation_compare(struct obligation_writer *o, const struct flow_inst *i);
void obligation_variable(struct obligation_writer *o, uint32_t unit, uint32_t id);
unsigned obligation_width(const struct flow_inst *i); /* of the result */
unsigned obligation_operand_width(
    const struct obligation_writer *o, const struct flow_operand *x, unsigned otherwise);
/* write.c */
/* number of arguments that the function reads */
size_t obligation_arguments(const struct flow_unit *u, uint32_t func);
const struct flow_home *obligation_home(const struct flow_unit *u, uint32_t var);
/* set.c: is a local (&) or temporary (%) certainly written before it is read? */
bool obligation_is_set(
    const struct flow_unit *u, const struct flow_func *func, char kind, uint32_t id, uint64_t size);

static inline const struct flow_unit *unit_of(const struct obligation_writer *o)
{
	return &o->flow->unit[o->unit];
}
static inline const struct flow_operand *operand(
    const struct obligation_writer *o, const struct flow_inst *i, uint32_t k)
{
	static const struct flow_operand none = { .kind = '-' };
	return k < i->operands ? &unit_of(o)->operand[i->first + k] : &none;
}
/* Writes operand k as an expression. */
static inline void v(
    struct obligation_writer *o, const struct flow_inst *i, uint32_t k, unsigned width)
{
	obligation_value(o, operand(o, i, k), width);
}

#endif
