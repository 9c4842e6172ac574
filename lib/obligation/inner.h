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
	bool intra;                  /* definition and use belong to one activation */
	bool *called;                /* by function: it is written */
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
unsigned obligation_width(const struct flow_inst *i);       /* of the result, as a value */
void obligation_value(struct out *o, const struct flow_operand *x, unsigned width);
size_t obligation_arguments(const struct flow_unit *u, uint32_t func);  /* that it reads */
/* set.c: is a local (&) or temporary (%) certainly written before it is read? */
bool obligation_is_set(const struct flow_unit *u, const struct flow_func *func, char kind, uint32_t id, uint64_t size);

static inline const struct flow_unit *unit_of(const struct out *o) { return &o->flow->unit[o->unit]; }

#endif
