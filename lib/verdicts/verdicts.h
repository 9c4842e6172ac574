/* verdicts: writes verdicts(5); reads of it what proofs need, all streams of a file as one. */
#ifndef DUCT_VERDICTS_H
#define DUCT_VERDICTS_H

#include "lib/goals/goals.h"
#include "lib/checkers/checkers.h"
#include "lib/prove/prove.h"

/* A goal's name is as in goals(5): the id of a pair, or PROVE_OUTCOME | the number of an
 * outcome. */
struct verdicts_question {
	uint64_t key;
	char *entry;
	/* from its model record; told: it has one */
	bool told;
	enum prove_context context;
	unsigned given;
	uint64_t insts;
	uint32_t *goal;
	size_t goals; /* goals that the question covers, in order */
};
struct verdicts_invariant {
	char **clause;
	size_t clauses;
};
struct verdicts_verdict {
	uint32_t question, goal; /* question: index */
	bool infeasible;
	char *evidence;
	uint32_t proof; /* 1 + index, 0 none */
};
struct verdicts_proof {
	char *stage, *by;
	uint32_t k, invariant; /* invariant: 1 + index, 0: none */
};
struct verdicts {
	struct verdicts_question *question;
	size_t questions;
	struct verdicts_invariant *invariant;
	size_t invariants;
	struct verdicts_verdict *verdict;
	size_t verdicts;
	struct verdicts_proof *proof;
	size_t proofs;
};

/* Names of enum prove_context, and of enum prove_given by bit; NULL-terminated. */
extern const char *const verdicts_context[], *const verdicts_given[];
/* The bits of a comma-separated list of such names; UINT_MAX if one is unknown. */
unsigned verdicts_read_given(const char *list);

/* NULL with *error ("name:line: message", caller frees). */
struct verdicts *verdicts_read(FILE *f, const char *name, char **error);
void verdicts_free(struct verdicts *v);

/* ---- writing */

struct verdicts_writer {
	struct rec_writer w; /* begun and ended by the caller */
	const struct goals *goals;
	uint32_t *id; /* by pair of the analysis: its id in the
	                 goals */
	bool checks;  /* checking stored proofs: those that do not
	                 hold are reported on stderr */
	uint64_t questions, verdicts, invariants;
	uint32_t wrong; /* number of stored proofs that do not hold */
};
struct prove_sink verdicts_sink(struct verdicts_writer *to);
/* Runs work(ctx, to), which writes verdicts(5), in a child process within these limits (0: none)
 * and forwards its output. If a limit ends the child, complete verdicts are kept and missing goals
 * are written as unknown. Returns work's result, or 4 on other failures. seconds: counted from
 * `began` (CLOCK_MONOTONIC); bytes: of memory. */
struct verdicts_limits {
	double began, seconds;
	uint64_t bytes;
};
int verdicts_guard(const struct verdicts_limits *l, int (*work)(void *ctx, FILE *to), void *ctx,
    const struct goals *g, FILE *out);

/* The name of a goal given by its number in the analysis. */
uint32_t verdicts_name(const struct verdicts_writer *to, uint32_t goal);
/* Reports that the stored proof for the goal with that name does not hold. */
void verdicts_refuse(struct verdicts_writer *to, uint32_t name, const char *why);

/* Re-verifies all stored proofs (prove_check) for these goals: g's pairs, then its outcomes, in
 * order. Every infeasible verdict must have one. NULL, or a static error text. */
const char *verdicts_check(const struct verdicts *v, struct defuse *d, const struct goals *g,
    const struct prove_goals *known, const struct prove_options *o, struct verdicts_writer *to);

/* One call of prove: decides the goals, or, with `kept`, re-verifies these claims about them. */
struct verdicts_job {
	const struct flow *flow;
	struct defuse *defuse; /* of the flow, with the options of the goals; NULL: is computed */
	const struct goals *goals;
	const struct verdicts *kept;
	struct checkers *with; /* other checkers that are asked, or NULL */
	const struct prove_options *prove;
	uint64_t memory; /* bytes, 0: no limit */
};
/* Writes verdicts(5), and errors, but for those of `out`, on stderr; returns prove's exit status.
 * With limits the work is done in a child process; without, and with `kept`, which keeps to its
 * time itself, in this one. */
int verdicts_run(struct verdicts_job *j, FILE *out);

#endif
