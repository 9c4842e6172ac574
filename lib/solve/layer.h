/* layer: the one interface of the chain. A layer answers a problem or passes it down, as it is or
 * made smaller. Private to lib/solve. */
#ifndef DUCT_LAYER_H
#define DUCT_LAYER_H

#include "lib/expr/bits.h"
#include "lib/grow/grow.h"
#include "lib/solve/ranges.h"
#include "lib/solve/solve.h"

/* A value that the answer gives to a variable. */
struct binding { uint32_t var; struct value v; };

struct problem;

/* What the chain shares. */
struct chain {
	struct expr_pool *p;
	const struct solve_options *o;
	struct solve_counts *counts;
	double deadline;             /* of the current query */
	/* The answer: values of variables when SAT; who gave it, or why it is unknown. */
	struct binding *bound; size_t bounds, bound_cap;
	const char *why;
	bool by_engine;
	size_t implied;              /* the first conditions of the problem: no part of what was posed */
	const struct problem *wish;  /* the whole question when only a part is asked; an answer to it is best */
	bool no_engine;              /* engines are not asked: the answer is unknown where layers know none */
	bool checked;                /* the answer's values satisfy all that was posed: no need to look again */
	/* range_of's answers: 0 not asked yet, 1 none, else 2 + index */
	uint32_t *range_at; size_t range_at_cap;
	struct range *range; size_t ranges, range_cap;
};

/* A conjunction on its way down. cond[0 .. flip-1] hold under the parent's values as far as
 * anybody knows; cond[flip .. n-1] come from the flipped condition. */
struct problem {
	const expr *cond; size_t n, flip;
	const struct assignment *parent;
};

struct layer;
struct layer_class {
	const char *name;
	bool (*open)(struct layer *l, char **error);      /* may be NULL */
	enum answer (*ask)(struct layer *l, const struct problem *q);
	void (*close)(struct layer *l);                   /* may be NULL */
};

struct layer {
	const struct layer_class *class;
	struct layer *next;
	struct chain *chain;
	void *state;
	uint64_t answered;
};

/* The problem to the layer below. */
enum answer layer_pass(struct layer *l, const struct problem *q);
/* The answer is this layer's own: counts it. */
enum answer layer_own(struct layer *l, enum answer a);
/* range_of, remembered: NULL when cond is no such condition; until the next call. */
const struct range *layer_range(struct chain *c, expr cond);
/* Counts an answer to a query of n conjuncts. */
void layer_count(struct chain *c, size_t n, enum answer a);
/* Sets a value of the answer; the last one for a variable counts. */
void layer_bind(struct chain *c, uint32_t var, struct value v);
void layer_unbind_all(struct chain *c);
/* The value that the answer gives to a variable; false when none. */
bool layer_bound(const struct chain *c, uint32_t var, struct value *v);

extern const struct layer_class layer_partial, layer_listed, layer_simplify, layer_slice, layer_reuse, layer_cores, layer_equal,
	layer_split, layer_order, layer_small, layer_search, layer_intervals, layer_numbers, layer_narrow, layer_arrays, layer_canon,
	layer_engines;

/* What a layer keeps, zeroed, as its `state`; its close frees it. Never fails. */
void *layer_state(struct layer *l, size_t size);

/* A conjunction taken apart: its AND operands, each once, without those that are true. */
struct parts {
	struct expr_pool *p;
	expr *cond; size_t n, cap;
	uint32_t *mark; size_t mark_cap; uint32_t now; /* mark[e] == now: e is in it */
	bool contradiction;          /* a part is false, or also there negated */
	bool doubt;                  /* look for negations (default); false while adding what holds anyway */
};
void parts_start(struct parts *s, struct expr_pool *p);
void parts_add(struct parts *s, expr cond);
bool parts_has(const struct parts *s, expr cond);
void parts_clear(struct parts *s);

/* Conjunctions that have no answer. */
struct cores;
struct cores *cores_new(void);
void cores_free(struct cores *s);
/* Does the conjunction contain one? */
bool cores_known(struct cores *s, struct expr_pool *p, const expr *cond, size_t n);
void cores_add(struct cores *s, struct expr_pool *p, const expr *cond, size_t n);

/* Sets of variables that conditions tie together. */
struct ties { uint32_t *up, *gen; size_t up_cap, gen_cap; uint32_t now; };
void ties_start(struct ties *t, struct expr_pool *p);
void ties_add(struct ties *t, struct expr_pool *p, expr cond);
/* A number of the set that cond's variables belong to; UINT32_MAX when it has none. */
uint32_t ties_of(struct ties *t, struct expr_pool *p, expr cond);
void ties_clear(struct ties *t);

/* Numbers of a format as integers in the same order, neighbours next to each other, both zeros 0. */
i128 layer_rank(unsigned width, u128 v);
u128 layer_of_rank(unsigned width, i128 rank);

/* The parent's values with those bound so far on top. */
void layer_values(const struct chain *c, const struct problem *q, struct assignment *a);

/* engines layer: per engine name and answers, and their CPU seconds. */
bool engines_count(const struct layer *l, size_t i, const char **name, uint64_t *answered);
double engines_cpu(const struct layer *l);

#endif
