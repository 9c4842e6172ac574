/* facts: private to the stage `facts`: suggests candidates for invariants and finds those that are
 * inductive. */
#ifndef DUCT_PROVE_FACTS_H
#define DUCT_PROVE_FACTS_H

#include "lib/prove/inner.h"

#define MOST_FACTS 6000
#define MOST_SUMS 10 /* most numbers among which facts about three are suggested */

/* ---- samples: states of simulated runs of the encoding; candidates hold in all samples */

#define MOST_NUMBERS 48 /* most slots that are sampled */
#define MOST_CELLS 256  /* most array elements that are sampled */

/* The values of one state: of the numbers, then a word for each ghost, then of the cells. */
struct sample {
	uint64_t *v;
};
struct samples {
	struct sample *at;
	size_t n;
};
struct facts {
	struct prover *r;
	struct encoding *m;
	uint32_t number[MOST_NUMBERS], numbers; /* slots */
	bool real[MOST_NUMBERS];                /* does a floating-point operation read it? */
	uint32_t *ghost, ghosts;
	struct {
		uint32_t slot, index, object;
	} cell[MOST_CELLS]; /* elements of arrays that are sampled */
	uint32_t cells;
	struct samples *cut; /* by number of the cut */
	struct ts_fact *fact;
	size_t n;
	struct ts_simulator sim;
	struct ts_landmarks landmark;
	size_t most; /* most samples at a cut */
	bool wide;   /* some samples are of runs whose inputs are the least and greatest numbers */
};
void prove_facts_begin(struct facts *f, struct prover *r); /* draws samples */
void prove_facts_free(struct facts *f);
/* Simulates one more run; at each cut up to `more` further samples are kept. */
void prove_facts_sample(struct facts *f, size_t steps, size_t more);
typedef void prove_suggestion(struct facts *f, uint32_t cut);
/* One round of suggestions: adds the suggested facts that hold if all earlier facts do. */
void prove_facts_round(struct facts *f, prove_suggestion *suggest, double until);
/* The states in which a fact is claimed: at this cut, while this ghost is armed, and while this
 * number has this value. NONE: whatever the ghost or number is. */
struct claim_scope {
	uint32_t cut, ghost, number;
	uint64_t value;
	expr other; /* the condition that the state is none of these */
};
/* The condition that control is not at that cut. */
expr prove_elsewhere(struct encoding *m, uint32_t cut);
void prove_suggest_numbers(struct facts *f, uint32_t cut); /* suggest.c: one number, and two */
void prove_suggest_arguments(struct facts *f, uint32_t cut);
void prove_suggest_definitions(struct facts *f, uint32_t cut); /* one, while a ghost is armed */
void prove_suggest_states(struct facts *f, uint32_t cut);      /* one, for a value of another */
void prove_suggest_sums(struct facts *f, uint32_t cut);        /* three numbers */
void prove_suggest_octagons(struct facts *f, uint32_t cut);    /* sums and differences */
void prove_suggest_shrinking(struct facts *f, uint32_t cut);   /* shrink.c */
void prove_suggest_upward(struct facts *f, uint32_t cut);      /* elements.c */
void prove_suggest_downward(struct facts *f, uint32_t cut);
/* A fact of kind TS_PLAIN. */
void prove_suggest_plain(struct facts *f, expr other, expr claim);
/* Is the sample a state of the scope? */
bool prove_holds_for(const struct facts *f, const struct claim_scope *s, size_t sample);

/* ---- relations.c: two and three numbers */
expr prove_compare(struct facts *f, enum op op, expr a, expr b);
int64_t prove_number_at(const struct facts *f, uint32_t cut, size_t sample, uint32_t number);
/* Does the number have the same value in all samples (at least one)? Then its interval implies all
 * other facts about it. */
bool prove_is_fixed(const struct facts *f, uint32_t cut, uint32_t number);
/* Does it equal an earlier number in all samples, as a parameter equals its argument? Then only
 * this equality is suggested; other facts are about the earlier number. */
bool prove_is_copy(const struct facts *f, uint32_t cut, uint32_t number);
/* Is it neither fixed nor a copy, so that facts besides its interval are suggested? */
bool prove_varies(const struct facts *f, uint32_t cut, uint32_t number);
bool prove_alike(
    const struct facts *f, uint32_t i, uint32_t k); /* are both integers of one width? */
void prove_suggest_two(struct facts *f, const struct claim_scope *s, uint32_t i, uint32_t k);
void prove_suggest_three(struct facts *f, const struct claim_scope *s, uint32_t i, uint32_t k);

static inline int64_t prove_signed(uint64_t v, unsigned width)
{
	return (int64_t)(v << (64 - width)) >> (64 - width);
}

#endif
