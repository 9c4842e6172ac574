/* criteria: what coverage criteria ask for, from what a view of a store tells: each objective with
 * its verdict and its evidence. Every criterion is one enumeration here; all are made of the same
 * facts, which outcomes of conditions a test takes, which lines it passes and which targets it
 * comes to. */
#ifndef DUCT_CRITERIA_H
#define DUCT_CRITERIA_H

#include "lib/store/store.h"

enum criterion {
	CRITERION_TARGETS,
	CRITERION_ERRORS,
	CRITERION_LABELS,
	CRITERION_FUNCTIONS,
	CRITERION_STATEMENTS,
	CRITERION_BRANCHES,
	CRITERION_CONDITIONS,
	CRITERION_DECISIONS,
	CRITERION_MCDC,
	CRITERION_MASKING,
	CRITERION_PAIRS,
	CRITERION_ALL_DEFS,
	CRITERION_ALL_C_USES,
	CRITERION_ALL_P_USES,
	CRITERION_ALL_USES,
	CRITERION_C_USES_SOME_P,
	CRITERION_P_USES_SOME_C,
	CRITERION_DATA_COUPLING,
	CRITERION_CONTROL_COUPLING,
	CRITERION_BOUNDARIES,
	CRITERION_LOOPS,
	CRITERION_MUTANTS,
	CRITERION_CALL_SEQUENCES,
	CRITERION_DU_PATHS,
	CRITERIA
};
const char *criterion_name(enum criterion c);
/* Names separated by commas as a set of bits 1 << criterion, 0 with *error (caller frees). */
uint32_t criteria_parse(const char *list, char **error);

/* name: the same in every session while the function keeps its conditions. evidence: "test 3",
 * "tests 1 and 4", why it is infeasible, or how far the search came; "" if no session looked for
 * it. */
struct criterion_item {
	char *name, *text, *evidence;
	const char *function, *file; /* the view's */
	uint32_t line, col;
	enum store_verdict verdict;
	uint64_t test, other; /* the first tests that show it; 0 none */
};
struct criterion_list {
	struct criterion_item *at;
	size_t n;
};

/* The objectives of a criterion in the order of the program; criteria_free. */
struct criterion_list criterion_list(const struct store_view *v, enum criterion c);
void criterion_free(struct criterion_list *l);
struct store_totals criterion_totals(const struct criterion_list *l);

#endif
