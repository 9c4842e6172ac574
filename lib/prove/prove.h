/* prove: proves that no run exercises a def-use pair of a program, or takes an outcome of its
 * conditions. The goals of a function are decided in one transition system of it and its callees.
 * See man1 prove. */
#ifndef DUCT_PROVE_H
#define DUCT_PROVE_H

#include "lib/goals/goals.h"

enum prove_context {
	PROVE_AUTO,  /* PROVE_ENTRY where there is one */
	PROVE_ENTRY, /* as the program starts: at the entry of the analysis, or main */
	PROVE_ANY,   /* each function in any state that its callers could leave it */
	PROVE_CALL   /* any call of the entry, by any caller, after any earlier calls */
};
/* Statements about calls of an entry other than main. Without them it is a limit, and verdicts that
 * rest on it are unknown. */
enum prove_given {
	PROVE_SIZES =
	    1, /* objects that callers pass exist and have the size that the harness gives them */
	PROVE_DISTINCT = 2, /* pointers that callers pass lead to different objects */
	PROVE_STATE = 4, /* the program's variables have their first values before the first call */
	PROVE_ONCE = 8,  /* the entry is called once */
	PROVE_PART = 16  /* of an encoding: it follows only calls that lead to the function of its
	            goals,  and calls of that function */
};
#define PROVE_INSTS 50000
struct prove_options {
	enum prove_context context;
	const char *stages;    /* comma list of stages, NULL: all */
	double began, seconds; /* for all goals, counted from `began` (clock_now; 0: from the call);
	                          0: no limit */
	size_t most_insts;     /* instructions that are inlined, PROVE_INSTS unless asked for */
	unsigned given;        /* enum prove_given */
	bool statistics;       /* report the stages */
};

/* The i-th stage; NULL past the last. */
const char *prove_stage_name(size_t i);

/* A goal is a pair's index in defuse, or PROVE_OUTCOME and an index in `outcome`. */
#define PROVE_OUTCOME 0x80000000u
/* A goal without cut points; its kind says which of the members after `unit` it has. */
struct prove_outcome {
	enum goals_kind kind;
	uint32_t unit;
	uint32_t outcome;     /* of a condition: index in the unit */
	uint32_t check;       /* index of the condition at an instruction */
	const uint32_t *list; /* blocks of one function, or outcomes of conditions; the caller's */
	size_t n;
};
struct prove_goals {
	const uint32_t *goal;
	size_t n;
	const struct prove_outcome *outcome;
};

enum prove_answer { PROVE_UNKNOWN, PROVE_INFEASIBLE };

struct prove_value {
	const char *name;
	char kind; /* as in inputs(5) */
	uint32_t width;
	uint64_t value;
};
/* An outcome of a condition, as flow(5) numbers those of the unit, that a run takes. */
struct prove_choice {
	uint32_t unit, outcome;
};
/* The proof of an infeasible goal, by k-induction, so that it can be re-verified: the goal is not
 * reached in the first k steps; and from any state that meets the last reported invariant (none:
 * any state at all), a step after k steps that do not reach the goal does not reach it either. */
struct prove_proof {
	const char *stage;
	unsigned k;
	bool invariant;
	const char *by, *checked; /* checked: may be NULL */
};
struct prove_verdict {
	uint32_t goal;
	enum prove_answer answer;
	const char *evidence;
	const struct prove_proof *proof; /* NULL: none */
	const struct prove_value *value;
	size_t values; /* of a run that may exercise it */
	const struct prove_choice *choice;
	size_t choices; /* that this run takes in the encoding, in order */
};
/* Statistics of a stage: seconds that it took, goals that it decided. */
struct prove_stage {
	const char *name;
	double seconds;
	size_t infeasible, reached;
};
/* Receives results as they come: a question, its assumptions, its transition system, then its
 * verdicts. An invariant is a list of conditions as text; all hold in every state after the first
 * step. */
struct prove_sink {
	void *ctx;
	void (*question)(void *ctx, uint64_t key, const char *entry);
	void (*narrow)(void *ctx, const char *text);
	void (*model)(void *ctx, enum prove_context context, unsigned given, size_t insts,
	    const uint32_t *goal, size_t n);
	void (*invariant)(void *ctx, char *const *clause, size_t n);
	void (*verdict)(void *ctx, const struct prove_verdict *v);
	void (*stage)(void *ctx, const struct prove_stage *s);
};

/* Assumptions about a call of the entry that the user did not state: "size p, alias q, calls g",
 * each a kind of limit and its subject; NULL: none. Caller frees. */
char *prove_limits(struct defuse *d, unsigned given);

/* Decides these goals, of d and of its flow. NULL, or a static error text. */
const char *prove_goals(struct defuse *d, const struct prove_goals *g,
    const struct prove_options *o, const struct prove_sink *sink);

/* A stored proof of one of these goals. `clause`: its invariant; NULL: none; the same array in all
 * claims that share it. */
struct prove_claim {
	uint32_t goal;
	unsigned k;
	char *const *clause;
	size_t clauses;
};
/* Re-verifies stored proofs: makes the transition system for these goals and options again, and
 * reports a verdict of each claimed goal: infeasible if a solver that found none of the proofs
 * agrees, else unknown with the reason. */
const char *prove_check(struct defuse *d, const struct prove_goals *g,
    const struct prove_options *o, const struct prove_claim *claim, size_t claims,
    const struct prove_sink *sink);

#endif
