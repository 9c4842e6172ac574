/* facts: private to the stage of that name: candidates for invariants, and what of them holds. */
#ifndef DUCT_PROVE_FACTS_H
#define DUCT_PROVE_FACTS_H

#include "lib/prove/inner.h"

#define MOST_FACTS 6000
#define MOST_SUMS 10 /* numbers for facts of three */

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
	struct ts_landmarks landmark;
	size_t most; /* samples at a cut */
	bool wide;   /* are there some of runs on the least and the greatest numbers? */
};
void prove_facts_begin(struct facts *f, struct run *r); /* draws samples */
void prove_facts_free(struct facts *f);
/* One more run, of which more samples are kept at a cut than before. */
void prove_facts_sample(struct facts *f, size_t steps, size_t more);
typedef void prove_suggestion(struct facts *f, uint32_t cut);
/* One round of suggestions; the facts that are there are taken to hold. Those that hold are added.
 */
void prove_facts_round(struct facts *f, prove_suggestion *suggest, double until);
/* Where a fact is to hold: at a cut, with a ghost armed, and a number of a value; NONE: whatever it
 * is. */
struct scope {
	uint32_t cut, ghost, number;
	uint64_t value;
	expr other; /* it is not there */
};
/* Not at that cut: where nothing is claimed of it. */
expr prove_elsewhere(struct model *m, uint32_t cut);
void prove_suggest_numbers(struct facts *f, uint32_t cut); /* suggest.c: each, and two */
void prove_suggest_arguments(struct facts *f, uint32_t cut);
void prove_suggest_definitions(struct facts *f, uint32_t cut); /* each while a ghost is armed */
void prove_suggest_states(struct facts *f, uint32_t cut);      /* each by the value of another */
void prove_suggest_sums(struct facts *f, uint32_t cut);        /* three */
void prove_suggest_octagons(struct facts *f, uint32_t cut);    /* sums and differences */
void prove_suggest_shrinking(struct facts *f, uint32_t cut);   /* shrink.c */
void prove_suggest_upward(struct facts *f, uint32_t cut);      /* elements.c */
void prove_suggest_downward(struct facts *f, uint32_t cut);
/* A fact of kind TS_PLAIN. */
void prove_suggest_plain(struct facts *f, expr other, expr claim);
/* Is the sample one of the scope? */
bool prove_holds_for(const struct facts *f, const struct scope *s, size_t sample);

/* ---- relations.c: two and three numbers */
expr prove_compare(struct facts *f, enum op op, expr a, expr b);
int64_t prove_number_at(const struct facts *f, uint32_t cut, size_t sample, uint32_t number);
/* Does it have one value in all samples, of which there are some? Then its interval says all of it,
 * and of what it has to do with others. */
bool prove_is_fixed(const struct facts *f, uint32_t cut, uint32_t number);
/* Is it the same as a number before it in all samples, as a parameter is as what was passed? That
 * this is so is claimed; the rest of the claims are about the first of them. */
bool prove_is_copy(const struct facts *f, uint32_t cut, uint32_t number);
/* Neither: is it worth while to claim more of it than its interval? */
bool prove_varies(const struct facts *f, uint32_t cut, uint32_t number);
bool prove_alike(const struct facts *f, uint32_t i, uint32_t k); /* integers of one width */
void prove_suggest_two(struct facts *f, const struct scope *s, uint32_t i, uint32_t k);
void prove_suggest_three(struct facts *f, const struct scope *s, uint32_t i, uint32_t k);

static inline int64_t prove_signed(uint64_t v, unsigned width)
{
	return (int64_t)(v << (64 - width)) >> (64 - width);
}

#endif
