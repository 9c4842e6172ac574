/* criterion: the coverage criteria, where their objectives are, and in which respects searches,
 * stores and reports treat them differently. This table is all that modules know of a criterion;
 * only lib/criteria, which enumerates objectives from the facts in a store, names one. */
#ifndef DUCT_CRITERION_H
#define DUCT_CRITERION_H

#include <stdbool.h>
#include <stdint.h>

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

enum criterion_trait {
	CRITERION_ALWAYS = 1 << 0,   /* part of every report, also if nobody asked for it */
	CRITERION_OWN_PART = 1 << 1, /* reports treat its objectives in parts of their own */
	CRITERION_NO_SUITE = 1 << 2, /* recorded suites leave no facts for it */
	CRITERION_WOVEN = 1 << 3,    /* its objectives are conditions that instrument weaves in */
	CRITERION_EVALUATIONS = 1 << 4, /* evaluations of decisions count, not outcomes alone */
	CRITERION_DEFINITIONS = 1 << 5, /* one pair of each definition is enough */
	CRITERION_ALL_PAIRS = 1 << 6,   /* all pairs have to be watched */
	CRITERION_INTER = 1 << 7,       /* and those between functions */
	CRITERION_CALLS = 1 << 8,       /* calls of the program are its objectives */
	CRITERION_TRACED =
	    1 << 9, /* in the page's traceability table, also if nobody asked for it */
};

/* The places that the store keeps as targets of a criterion: those that control comes to. */
enum criterion_places {
	PLACES_NONE,    /* its objectives are outcomes, pairs or conditions at instructions */
	PLACES_ENTRIES, /* of functions */
	PLACES_LINES,   /* that have code */
	PLACES_CALLS,   /* of other functions of the program, and through pointers */
	PLACES_ERRORS,  /* calls of error functions, and labels ERROR */
	PLACES_LABELS,  /* other labels */
	PLACES_ASKED,   /* those that --target names */
};

const char *criterion_name(enum criterion c);
enum criterion_places criterion_places(enum criterion c);
/* The criterion that has these places; CRITERIA: none. */
enum criterion criterion_with(enum criterion_places places);
/* How the store calls its targets, places that control comes to or conditions at instructions;
 * NULL: its objectives are no targets. */
const char *criterion_target(enum criterion c);
/* The criterion whose targets the store calls so; CRITERIA: none. */
enum criterion criterion_of_target(const char *target);
/* CHECK_BOUNDARIES, ...: the bit number by which instrument knows it; 0: it is not woven. */
unsigned criterion_check(enum criterion c);
/* The criterion that instrument knows by this bit number; CRITERIA: none. */
enum criterion criterion_of_check(unsigned check);

/* Sets of criteria are bits 1 << criterion. */
/* Those that have the trait. */
uint32_t criteria_with(enum criterion_trait trait);
/* The trait of this name: "always", "own-part", "no-suite", "woven", "evaluations", "definitions",
 * "all-pairs", "inter", "calls", "traced"; 0: there is none. */
unsigned criterion_trait(const char *name);
/* Names separated by commas; 0 with *error (caller frees). */
uint32_t criteria_parse(const char *list, char **error);
/* Those that a session's parameters ask for in an option: "criterion", by which pairs are watched,
 * or "criteria", all others. */
uint32_t criteria_among(const char *const *parameter, const char *option);

#endif
