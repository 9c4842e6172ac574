/* inner: gates of a graph; private to lib/blast. */
#ifndef DUCT_BLAST_INNER_H
#define DUCT_BLAST_INNER_H

#include "lib/blast/blast.h"
#include "lib/base/grow.h"

enum gate_kind { GATE_CONST, GATE_INPUT, GATE_AND, GATE_XOR, GATE_MUX, GATE_MAJORITY };

/* Unused operands are 0. MUX: a ? b : c. */
struct gate {
	lit a, b, c;
	uint32_t kind;
};

const struct gate *aig_gate(const struct aig *g, uint32_t number);

/* float.c: blast_op for floating-point operations. False: a format of other than 32 and 64 bits, an
 * integer of more than 64, or FREM. */
bool blast_float(
    struct aig *g, enum op op, unsigned w, unsigned wa, const lit *a, const lit *b, lit *out);

/* Stack of gate numbers to visit. */
struct visits {
	uint32_t *gate;
	size_t n, cap;
};
static inline void visits_push(struct visits *v, uint32_t gate)
{
	v->gate = grow(v->gate, &v->cap, v->n + 1, sizeof *v->gate);
	v->gate[v->n++] = gate;
}
/* Pushes the operands of gate n for which done[] is 0; false when there are none. */
bool visits_operands(struct visits *v, const struct aig *g, uint32_t n, const uint32_t *done);

#endif
