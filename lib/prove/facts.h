/* facts: private to the stage of that name: candidates for invariants, and what of them holds. */
#ifndef DUCT_PROVE_FACTS_H
#define DUCT_PROVE_FACTS_H

#include "lib/prove/inner.h"

#define MOST_FACTS 6000
#define MOST_STEP 4096 /* of a remainder: larger ones make hard questions */

/* A claim for wherever `other` is false. A bound and a remainder are weakened where they do not
 * hold, as in abstract interpretation: a bound to the value that broke it, after a few times to the
 * next number that the program has; a remainder to a smaller divisor. Anything else is dropped. */
enum fact_kind {
	FACT_PLAIN, /* term, of one bit, is true */
	FACT_MOST,  /* term <= bound, both signed; before any value was seen: nothing is there */
	FACT_LEAST, /* bound <= term */
	FACT_REST   /* term % step == rest, unsigned; step 0: term == rest */
};
struct fact {
	enum fact_kind kind;
	expr other, term;
	bool seen; /* a bound or remainder: of at least one value */
	int64_t bound;
	uint64_t step, rest;
	unsigned weakened;
};

/* Numbers of the program in ascending order, to which bounds are weakened. */
struct landmarks {
	int64_t *at;
	size_t n;
};
struct landmarks prove_landmarks(const struct simulator *s);

expr prove_fact(struct model *m, const struct fact *f);
/* The value of its term breaks it: weakens it, or says that it has to be dropped. */
bool prove_weaken(struct fact *f, i128 value, const struct landmarks *l);

/* Leaves those from `known` on that all hold after a step from where all hold; those before are
 * known to. Nothing is claimed of the entry. When that was not found out by then, nothing but what
 * is known is left. */
void prove_houdini(struct run *r, struct simulator *sim, struct fact *fact, size_t known, size_t *n,
    const struct landmarks *l, double until);

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
	uint32_t *ghost, ghosts;
	struct {
		uint32_t slot, index, object;
	} cell[MOST_CELLS]; /* elements of arrays */
	uint32_t cells;
	struct samples *cut; /* by number of the cut */
	struct fact *fact;
	size_t n;
	struct simulator sim;
};
/* Not at that cut: where nothing is claimed of it. */
expr prove_elsewhere(struct model *m, uint32_t cut);
void prove_suggest_numbers(struct facts *f, uint32_t cut);  /* suggest.c: each, and their order */
void prove_suggest_scopes(struct facts *f, uint32_t cut);   /* likewise, by ghosts and by values */
void prove_suggest_octagons(struct facts *f, uint32_t cut); /* sums and differences */
void prove_suggest_upward(struct facts *f, uint32_t cut);   /* elements.c */
void prove_suggest_downward(struct facts *f, uint32_t cut);
/* A fact of kind FACT_PLAIN. */
void prove_suggest_plain(struct facts *f, expr other, expr claim);

static inline int64_t prove_signed(uint64_t v, unsigned width)
{
	return (int64_t)(v << (64 - width)) >> (64 - width);
}

#endif
