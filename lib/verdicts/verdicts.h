/* verdicts: verdicts(5) written, and read so far as proofs need it: all streams of a file become one. */
#ifndef DUCT_VERDICTS_H
#define DUCT_VERDICTS_H

#include "lib/goals/goals.h"
#include "lib/prove/prove.h"

/* Goals are named as in goals(5): the id of a pair, or PROVE_OUTCOME and the number of an outcome. */
struct verdicts_question {
	uint64_t key; char *entry;
	bool told; enum prove_context context; unsigned given; uint64_t insts;       /* by its model record; told: there is one */
	uint32_t *goal; size_t goals;                /* that it was made for, in order */
};
struct verdicts_invariant { char **clause; size_t clauses; };
struct verdicts_verdict {
	uint32_t question, goal;                     /* question: index */
	bool infeasible;
	char *evidence;
	uint32_t proof;                              /* 1 + index, 0 none */
};
struct verdicts_proof { char *stage, *by; uint32_t k, invariant; };       /* invariant: 1 + index, 0 none */
struct verdicts {
	struct verdicts_question *question; size_t questions;
	struct verdicts_invariant *invariant; size_t invariants;
	struct verdicts_verdict *verdict; size_t verdicts;
	struct verdicts_proof *proof; size_t proofs;
};

/* Names of enum prove_context, and of enum prove_given, by bit; NULL behind the last. */
extern const char *const verdicts_context[], *const verdicts_given[];
/* The bits of a comma list of such names; UINT_MAX when one is none. */
unsigned verdicts_read_given(const char *list);

/* NULL with *error ("name:line: message", caller frees). */
struct verdicts *verdicts_read(FILE *f, const char *name, char **error);
void verdicts_free(struct verdicts *v);

/* ---- writing */

struct verdicts_writer {
	struct rec_writer w;                         /* the caller's to begin and end */
	const struct goals *goals;
	uint32_t *id;                                /* by pair of the analysis: its id in the goals */
	bool checks;                                 /* proofs that were kept: those that do not hold go to stderr */
	uint64_t questions, verdicts, invariants;
	uint32_t wrong;                              /* proofs that do not hold */
};
struct prove_sink verdicts_sink(struct verdicts_writer *to);
/* Runs work(ctx, to), which writes verdicts(5), in a process of its own within these limits (0: none), and passes on
 * what it writes. A process that a limit ends leaves what is whole; the goals that are missing are told as unknown. What
 * work returned, or 4 when it failed otherwise. The seconds count from `began`, of CLOCK_MONOTONIC. */
struct verdicts_limits { double began, seconds; uint64_t bytes; };
int verdicts_guard(const struct verdicts_limits *l, int (*work)(void *ctx, FILE *to), void *ctx, const struct goals *g,
                   FILE *out);

/* The name of a goal of the analysis. */
uint32_t verdicts_name(const struct verdicts_writer *to, uint32_t goal);
/* The kept proof of the goal with that name does not hold. */
void verdicts_refuse(struct verdicts_writer *to, uint32_t name, const char *why);

/* Checks all proofs that were kept (prove_check), which are about these goals: g's pairs, then its outcomes, in order.
 * Every verdict that says infeasible needs one. NULL, or a static text that says what went wrong. */
const char *verdicts_check(const struct verdicts *v, struct defuse *d, const struct goals *g, const struct prove_goals *known,
                           const struct prove_options *o, struct verdicts_writer *to);

#endif
