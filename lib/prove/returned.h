/* returned: private to returns.c and candidates.c: relations between a function's results and its
 * arguments. */
#ifndef DUCT_PROVE_RETURNED_H
#define DUCT_PROVE_RETURNED_H

#include "lib/prove/facts.h"
#include "lib/prove/returns.h"

#define MOST_VALUES 8
#define MOST_PARAMS 4

/* A range of an argument: at most, at least, or exactly a number. */
enum border_side { SIDE_MOST, SIDE_LEAST, SIDE_EXACT };
struct argument_range {
	uint8_t param;
	enum border_side side;
	int64_t border;
};

/* For arguments in the ranges: a bound of the result, with one exception or none, or of its
 * distance from a parameter; or all its values, when `few`. */
struct relation {
	struct argument_range range[2];
	unsigned ranges;
	uint32_t less; /* parameter that is subtracted; NONE */
	struct ts_fact fact;
	bool few, dropped;
	bool but; /* the bound holds unless the result is `except`, as that of failure */
	int64_t except;
	uint64_t value[MOST_VALUES];
	unsigned values;
};

struct returned {
	uint32_t function, group;
	struct encoding m;
	bool built, settled, recursive;
	bool late; /* the time limit was reached before it was settled */
	struct prover run;
	expr *fact; /* true whenever control comes to the head of a loop */
	size_t facts;
	struct ts_unroll u;
	struct ts_simulator sim;
	struct ts_landmarks landmark;
	unsigned width, param[MOST_PARAMS]; /* of the result; of parameters, 0: no number */
	struct relation *relation;
	size_t n;
};

void prove_find_candidates(struct returned *s);

#endif
