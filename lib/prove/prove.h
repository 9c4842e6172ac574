/* prove: which def-use pairs of a program no run exercises, and which outcomes of its conditions no
 * run takes. Those of a function are decided in one model of it and of what it calls. See man1
 * prove. */
#ifndef DUCT_PROVE_H
#define DUCT_PROVE_H

#include "lib/goals/goals.h"

enum prove_context {
	PROVE_AUTO,  /* PROVE_ENTRY where there is one */
	PROVE_ENTRY, /* as the program starts: at the entry of the analysis, or main */
	PROVE_ANY,   /* each function in any state that its callers could leave it */
	PROVE_CALL   /* any call of the entry: whatever calls it, and has called it before */
};
/* Statements about calls of an entry other than main. Without them it is a limit, and verdicts that
 * rest on it are unknown. */
enum prove_given {
	PROVE_SIZES =
	    1, /* objects that come in have the size that the harness gives them, and are there */
	PROVE_DISTINCT = 2, /* pointers that come in lead to different objects */
	PROVE_STATE = 4, /* the program's variables have their first values before the first call */
	PROVE_ONCE = 8,  /* the entry is called once */
	PROVE_PART = 16  /* of a model alone: it follows calls that lead to the function of its
	                    goals, and its own */
};
struct prove_options {
	enum prove_context context;
	const char *stages; /* comma list of stages, NULL: all */
	double began,
	    seconds;       /* for all, from then on by clock_now (0: from the call); 0: no limit */
	size_t most_insts; /* instructions that are inlined */
	unsigned given;    /* enum prove_given */
	bool statistics;   /* stages are told */
};

/* The stages in their order; NULL behind the last. */
const char *prove_stage_name(size_t i);

/* A goal is a pair's index in defuse, or PROVE_OUTCOME and an index in `outcome`. */
#define PROVE_OUTCOME 0x80000000u
/* A goal without cut points. outcome: of a condition, index in the unit; check: index of the
 * condition at an instruction; list: blocks of one function, or outcomes of conditions; the
 * caller's. */
struct prove_outcome {
	enum goals_kind kind;
	uint32_t unit, outcome, check;
	const uint32_t *list;
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
	char kind;
	uint32_t width;
	uint64_t value;
}; /* kind: as in inputs(5) */
/* The proof of an infeasible goal, to be checked again: from all states where the last invariant
 * told holds (none: from any), and behind k steps that do not reach the goal, it is not reached;
 * nor in the first k steps. */
struct prove_proof {
	const char *stage;
	unsigned k;
	bool invariant;
	const char *by, *checked;
}; /* checked: or NULL */
struct prove_verdict {
	uint32_t goal;
	enum prove_answer answer;
	const char *evidence;
	const struct prove_proof *proof; /* NULL: none */
	const struct prove_value *value;
	size_t values; /* of a run that may exercise it */
};
/* A stage's balance: seconds that it took, goals that it decided. */
struct prove_stage {
	const char *name;
	double seconds;
	size_t infeasible, reached;
};
/* Receives results as they come: a question, what narrows it and what its model was made for, then
 * verdicts of it. An invariant is a list of conditions as text, which all hold wherever the model
 * may be behind its first step. */
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

/* Assumptions about a call of the entry that nobody stated: "size p, alias q, calls g", each a kind
 * of limit and its subject; NULL: none. Caller frees. */
char *prove_limits(struct defuse *d, unsigned given);

/* Decides these goals, of d and of its flow. NULL, or a static text that says what went wrong. */
const char *prove_goals(struct defuse *d, const struct prove_goals *g,
    const struct prove_options *o, const struct prove_sink *sink);

/* A proof that was kept of one of these goals. `clause` is its invariant's: NULL, or the same array
 * for all that share it. */
struct prove_claim {
	uint32_t goal;
	unsigned k;
	char *const *clause;
	size_t clauses;
};
/* The model that the claims are about again, made for these goals under these options; of each that
 * is claimed a verdict: infeasible when a solver that has found none of the proofs agrees, else
 * unknown and why. */
const char *prove_check(struct defuse *d, const struct prove_goals *g,
    const struct prove_options *o, const struct prove_claim *claim, size_t claims,
    const struct prove_sink *sink);

#endif
