/* facts: private to the stage of that name: candidates for invariants, and what of them holds. */
#ifndef DUCT_PROVE_FACTS_H
#define DUCT_PROVE_FACTS_H

#include "lib/prove/inner.h"

#define MOST_FACTS 6000

/* ---- what suggests them: states that runs of the model come to */

#define MOST_NUMBERS 48 /* slots that are looked at */
#define MOST_CELLS 256  /* elements of arrays that are looked at */

struct sample {
	uint64_t *v;
}; /* by number, then a word a ghost, then by cell */
struct samples {
	struct sample *at;
	size_t n;
};
struct facts {
	struct run *r;
	struct model *m;
	uint32_t number[MOST_NUMBERS], numbers; /* slots */
	bool real[MOST_NUMBERS];                /* that floating-point operations read */
	uint32_t *ghost, ghosts;
	struct {
		uint32_t slot, index, object;
	} cell[MOST_CELLS]; /* elements of arrays */
	uint32_t cells;
	struct samples *cut; /* by number of the cut */
	struct ts_fact *fact;
	size_t n;
	struct ts_simulator sim;
};
/* Not at that cut: where nothing is claimed of it. */
expr prove_elsewhere(struct model *m, uint32_t cut);
void prove_suggest_numbers(struct facts *f, uint32_t cut);  /* suggest.c: each, and their order */
void prove_suggest_scopes(struct facts *f, uint32_t cut);   /* likewise, by ghosts and by values */
void prove_suggest_octagons(struct facts *f, uint32_t cut); /* sums and differences */
void prove_suggest_upward(struct facts *f, uint32_t cut);   /* elements.c */
void prove_suggest_downward(struct facts *f, uint32_t cut);
/* A fact of kind TS_PLAIN. */
void prove_suggest_plain(struct facts *f, expr other, expr claim);

static inline int64_t prove_signed(uint64_t v, unsigned width)
{
	return (int64_t)(v << (64 - width)) >> (64 - width);
}

#endif
