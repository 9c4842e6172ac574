/* solve: the chain of solver layers. Each layer answers a query or passes it on; the engines are at
 * the end. Models are checked by evaluation before they are returned. */
#ifndef DUCT_SOLVE_H
#define DUCT_SOLVE_H

#include "lib/expr/expr.h"

enum answer { ANSWER_UNKNOWN, ANSWER_SAT, ANSWER_UNSAT };

/* The path conditions that a partial question adds when its answer violates some: the first, the
 * last, all, or all that share an input with the negated one (the first if none does).
 * REFINE_PAPER: the first, exactly as in the paper, without the additions that partial.c lists. */
enum solve_refine { REFINE_FIRST, REFINE_LAST, REFINE_ALL, REFINE_SHARED, REFINE_PAPER };
/* By name; -1: unknown. */
int solve_refine(const char *name);

struct solve_options {
	const char *layers;  /* comma-separated layer names, "none", or NULL: all */
	const char *engines; /* comma-separated, in order: "sat,z3"; NULL: installed ones */
	bool cross;          /* ask every engine and compare, also with the layers */
	bool partial;        /* use partial path constraints, refined as follows */
	enum solve_refine refine;
	bool aliases;   /* add alias relations one by one, as late aliases' LA3.1 does */
	double timeout; /* seconds per query; 0: 10 */
	uint64_t seed;
	const char *command; /* path of the filter `solve`, to be used as a co-process
	                        (man5 model); NULL: solve in this process */
};

/* A conjunction. cond[n-1] is the negated condition, the others its prefix; all have width 1. */
struct query {
	const expr *cond;
	size_t n;
	const struct assignment *parent; /* inputs of the path's run; variables that the answer
	                                    does not bind keep these values */
	const expr *whole;
	size_t wholes;  /* whole[0 .. wholes-1]: the larger question that this query is a
	           part of; answers that satisfy it are preferred. 0: none */
	double seconds; /* time limit of this query; 0: the solver's */
	bool cheap;     /* ask no engine; unknown if no layer answers */
};

struct solve_counts {
	uint64_t questions;  /* calls of solve_ask */
	uint64_t infeasible; /* questions with the answer unsat */
	uint64_t pruned;     /* questions answered unsat by a known core, without a query */
	uint64_t rounds_max; /* most queries for one partial question; 0: there was none */
	uint64_t asked;      /* queries: one per question, or one per round of a partial
	                        one */
	uint64_t cached;     /* answered by layers above the engines */
	uint64_t engine;     /* answered by an engine */
	uint64_t sat, unsat, unknown, disagreed, bad_models;
	uint64_t confirmed;                /* unsat answers whose proof was checked */
	uint64_t conjuncts, conjuncts_max; /* conjuncts of posed queries: sum and largest number */
	double seconds;                    /* wall clock inside solve_ask */
	double child_seconds;              /* CPU of engine processes */
};

struct solver;
struct solver *solve_open(struct expr_pool *p, const struct solve_options *o, char **error);
void solve_close(struct solver *s);
/* Enables partial path constraints, as solve_options does. */
void solve_partial(struct solver *s, enum solve_refine how);
/* SAT: fills `model` (the parent's values where the answer binds nothing), which is not q's parent;
 * other answers leave any values there. *why (may be NULL): static text, the layer or engine that
 * answered, or the reason for unknown. */
enum answer solve_ask(
    struct solver *s, const struct query *q, struct assignment *model, const char **why);
const struct solve_counts *solve_counts(const struct solver *s);
/* A layer's name and its number of answers; false when i is past the last. */
bool solve_layer(const struct solver *s, size_t i, const char **name, uint64_t *answered);

#endif
