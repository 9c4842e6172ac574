/* inner: private to lib/obligation. */
#ifndef DUCT_OBLIGATION_INNER_H
#define DUCT_OBLIGATION_INNER_H

#include "lib/obligation/obligation.h"

struct out {
	FILE *f;
	struct defuse *d;
	const struct flow *flow;
	const struct defuse_pair *pair;
	const struct defuse_access *def, *use;
	const struct defuse_access *writer;     /* def; of an argument the value of the parameter at entry */
	bool intra;                  /* definition and use belong to one activation */
	bool *called;                /* by function: it is written */
	bool defined, used, taken, coupled;     /* told: the definition, the use, the outcome, the call that couples */
	uint64_t bytes;              /* that the definition writes at most */
	char *why;
	uint32_t unit;               /* at work */
	const struct flow_func *func;
	uint32_t number;             /* of it */
};

/* Remembers the first reason. */
void obligation_refuse(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* prelude.c */
extern const char obligation_prelude[];
/* inst.c: one instruction; the last of a block leads on. */
void obligation_inst(struct out *o, uint32_t inst);
/* flag.c: the flag: where `size` bytes at operand `address` are written, or read. */
void obligation_written(struct out *o, uint32_t inst, uint32_t address, uint64_t size);
void obligation_read(struct out *o, uint32_t inst, uint32_t address, uint64_t size);
void obligation_begin(struct out *o);            /* a function: what it needs; then, with its parameters set: */
void obligation_entered(struct out *o);
void obligation_returned(struct out *o, uint32_t inst);
/* A call: in front of it, of this function, behind it. */
void obligation_before(struct out *o, uint32_t inst);
void obligation_enter(struct out *o, uint32_t inst, uint32_t callee);
void obligation_behind(struct out *o, uint32_t inst);
/* Is this the outcome of the pair? */
bool obligation_takes(struct out *o, const struct flow_inst *i, size_t side);
/* call.c */
void obligation_call(struct out *o, uint32_t inst, const struct flow_inst *i);
/* compute.c: an operand as an expression; what has no effect, a comparison too; the name of a variable's memory. */
void obligation_value(struct out *o, const struct flow_operand *x, unsigned width);
void obligation_compute(struct out *o, const struct flow_inst *i);
void obligation_compare(struct out *o, const struct flow_inst *i);
void obligation_variable(struct out *o, uint32_t unit, uint32_t id);
unsigned obligation_width(const struct flow_inst *i);       /* of the result, as a value */
unsigned obligation_operand_width(const struct out *o, const struct flow_operand *x, unsigned otherwise);
/* write.c */
size_t obligation_arguments(const struct flow_unit *u, uint32_t func);  /* that it reads */
const struct flow_home *obligation_home(const struct flow_unit *u, uint32_t var);
/* set.c: is a local (&) or temporary (%) certainly written before it is read? */
bool obligation_is_set(const struct flow_unit *u, const struct flow_func *func, char kind, uint32_t id, uint64_t size);

static inline const struct flow_unit *unit_of(const struct out *o) { return &o->flow->unit[o->unit]; }
static inline const struct flow_operand *operand(const struct out *o, const struct flow_inst *i, uint32_t k)
{
	static const struct flow_operand none = { .kind = '-' };
	return k < i->operands ? &unit_of(o)->operand[i->first + k] : &none;
}
/* Writes operand k. */
static inline void v(struct out *o, const struct flow_inst *i, uint32_t k, unsigned width)
{
	obligation_value(o, operand(o, i, k), width);
}

#endif
