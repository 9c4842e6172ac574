/* solve: the chain of solver layers. Each layer can answer a query or pass it down;
 * engines stand at the end. A model is checked by evaluating the constraints before it is returned. */
#ifndef DUCT_SOLVE_H
#define DUCT_SOLVE_H

#include "lib/expr/expr.h"

enum answer { ANSWER_UNKNOWN, ANSWER_SAT, ANSWER_UNSAT };

/* What a partial question gets of the conditions of the path that its answer breaks: one, or all of them,
 * or all that share an input with the turned one (the first when none does). */
enum solve_refine { REFINE_FIRST, REFINE_LAST, REFINE_ALL, REFINE_SHARED };
/* By name; -1: none is called so. */
int solve_refine(const char *name);

struct solve_options {
	const char *layers;          /* comma list of layer names, "none", or NULL for all */
	const char *engines;         /* comma list in order: "sat,z3"; NULL: what is installed */
	bool cross;                  /* ask every engine and compare, with the layers too: disagreement is our failure */
	bool partial;                /* partial path constraints, refined so: */
	enum solve_refine refine;
	double timeout;              /* seconds a query; 0: 10 */
	uint64_t seed;
	const char *command;         /* path of the filter `solve`: queries go to it as a co-process
	                                instead (man5 model); NULL: solved in this process */
};

/* A conjunction. cond[n-1] is the flipped condition, the others its prefix, all width 1. */
struct query {
	const expr *cond; size_t n;
	const struct assignment *parent; /* inputs of the run that the path comes from: its values stay
	                                    for variables that the query does not bind */
	const expr *whole; size_t wholes; /* the question that it is a part of: of its answers those that
	                                    answer this, too, are best; none: 0 */
	double seconds;              /* it may take at most so long, whatever the solver's limit; 0: that */
};

struct solve_counts {
	uint64_t questions;          /* calls of solve_ask */
	uint64_t infeasible;         /* of those, answered with unsat */
	uint64_t pruned;             /* of those, without a query: they contain a part that had no answer */
	uint64_t rounds_max;         /* most queries for one question */
	uint64_t asked;              /* queries posed: one a question, or one a round of a partial one */
	uint64_t cached;             /* answered above the engines */
	uint64_t engine;             /* answered by an engine */
	uint64_t sat, unsat, unknown, disagreed, bad_models;
	uint64_t conjuncts, conjuncts_max; /* as posed; their sum and largest */
	double seconds;              /* wall clock inside solve_ask */
	double child_seconds;        /* CPU of engine processes */
};

struct solver;
struct solver *solve_open(struct expr_pool *p, const struct solve_options *o, char **error);
void solve_close(struct solver *s);
/* Partial path constraints from now on, as with solve_options. */
void solve_partial(struct solver *s, enum solve_refine how);
/* On SAT fills `model` (parent's values where the query binds nothing). `why` (may be NULL) gets a
 * static text: layer or engine that answered, or the reason for unknown. */
enum answer solve_ask(struct solver *s, const struct query *q, struct assignment *model,
                      const char **why);
const struct solve_counts *solve_counts(const struct solver *s);
/* Per layer: name and number of queries that it answered; false when i is past the last. */
bool solve_layer(const struct solver *s, size_t i, const char **name, uint64_t *answered);

#endif
