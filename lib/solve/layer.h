/* layer: interface of the chain's layers. A layer answers a problem or passes it on, unchanged or
 * reduced. Private to lib/solve. */
#ifndef DUCT_LAYER_H
#define DUCT_LAYER_H

#include "lib/expr/bits.h"
#include "lib/base/grow.h"
#include "lib/solve/ranges.h"
#include "lib/solve/solve.h"

/* A value of a variable in an answer. */
struct binding {
	uint32_t var;
	struct value v;
};

struct problem;
struct domains;

/* State shared by the layers. */
struct chain {
	struct expr_pool *p;
	const struct solve_options *o;
	struct solve_counts *counts;
	double deadline; /* of the current query */
	/* the answer: values of variables if SAT; who answered, or why it is unknown */
	struct binding *bound;
	size_t bounds, bound_cap;
	const char *why;
	bool by_engine;
	size_t implied;             /* number of leading conditions that were not posed but
	                               implied */
	const struct problem *wish; /* while a part of a question is asked: the whole question;
	                               answers that satisfy it are preferred */
	bool no_engine;             /* do not ask engines; answer unknown instead */
	bool checked;               /* the answer is already checked against everything posed */
	struct domains *domains;
	/* cache of range_of: 0 not computed, 1 none, else 2 + index */
	uint32_t *range_at;
	size_t range_at_cap;
	struct range *range;
	size_t ranges, range_cap;
};

/* A conjunction. cond[0 .. flip-1] is the prefix, which the parent's values should satisfy;
 * cond[flip .. n-1] stems from the negated condition. */
struct problem {
	const expr *cond;
	size_t n, flip;
	const struct assignment *parent;
};

struct layer;
struct layer_class {
	const char *name;
	bool (*open)(struct layer *l, char **error); /* may be NULL */
	enum answer (*ask)(struct layer *l, const struct problem *q);
	void (*close)(struct layer *l); /* may be NULL */
};

struct layer {
	const struct layer_class *class;
	struct layer *next;
	struct chain *chain;
	void *state;
	uint64_t answered;
};

/* Passes a problem to the next layer. */
enum answer layer_pass(struct layer *l, const struct problem *q);
/* The same with this share, 0 to 1, of the query's remaining time. */
enum answer layer_pass_within(struct layer *l, const struct problem *q, double share);
/* Counts the answer as this layer's own; returns it. */
enum answer layer_own(struct layer *l, enum answer a);
/* range_of, cached: NULL when cond is not a range condition. Valid until the next call. */
const struct range *layer_range(struct chain *c, expr cond);
/* Counts an answer to a query of n conjuncts. */
void layer_count(struct chain *c, size_t n, enum answer a);
/* Sets a variable's value in the answer; the last call counts. */
void layer_bind(struct chain *c, uint32_t var, struct value v);
void layer_unbind_all(struct chain *c);
/* Index of a variable in a list of at most `most`, to which it is added if new; -1: no room. */
int layer_place(uint32_t *list, size_t *n, size_t most, uint32_t var);
/* The answer's value of a variable; false: it has none. */
bool layer_bound(const struct chain *c, uint32_t var, struct value *v);

/* Values of an offset at which an access of so many bytes meets an array of this size; `all`: it
 * has no others. False: not known. */
struct layer_offsets {
	uint64_t first, stride, n;
	bool all;
};
bool arrays_offsets(
    struct expr_pool *p, expr off, uint32_t size, unsigned bytes, struct layer_offsets *o);

extern const struct layer_class layer_aliases;
extern const struct layer_class layer_partial, layer_listed, layer_simplify, layer_slice,
    layer_reuse, layer_cores, layer_cuts, layer_repair, layer_known, layer_numerals, layer_equal,
    layer_split, layer_order, layer_small, layer_search, layer_tables, layer_intervals,
    layer_numbers, layer_texts, layer_pinned, layer_narrow, layer_arrays, layer_canon,
    layer_engines;

/* Allocates the layer's zeroed `state`; its close frees it. Never fails. */
void *layer_state(struct layer *l, size_t size);

/* A conjunction split at its ANDs, each operand once, without true ones. */
struct parts {
	struct expr_pool *p;
	expr *cond;
	size_t n, cap;
	uint32_t *mark;
	size_t mark_cap;
	uint32_t now;       /* mark[e] == now: e is a part */
	bool contradiction; /* some part is false, or present in both polarities */
	bool doubt;         /* look for negated parts (default); false while adding
	                       conditions that are known to hold */
};
void parts_start(struct parts *s, struct expr_pool *p);
void parts_add(struct parts *s, expr cond);
/* Replaces each condition of q by the conjuncts of change(data, condition). The new conditions are
 * in *cond, which has room for *cap; the old ones may be there as well. */
void parts_replace(struct parts *s, struct expr_pool *p, struct problem *q,
    expr (*change)(void *data, expr cond), void *data, expr **cond, size_t *cap);
bool parts_has(const struct parts *s, expr cond);
void parts_clear(struct parts *s);

/* Known unsatisfiable conjunctions. */
struct cores;
struct cores *cores_new(void);
void cores_free(struct cores *s);
/* Does the conjunction contain one of them? */
bool cores_known(struct cores *s, struct expr_pool *p, const expr *cond, size_t n);
void cores_add(struct cores *s, struct expr_pool *p, const expr *cond, size_t n);

/* Union-find of variables that occur in common conditions. */
struct ties {
	uint32_t *up, *gen;
	size_t up_cap, gen_cap;
	uint32_t now;
};
void ties_start(struct ties *t, struct expr_pool *p);
void ties_add(struct ties *t, struct expr_pool *p, expr cond);
/* Adds all conditions of a query. False: the query's time limit was reached first. (On a path where
 * each condition depends on all inputs so far, the sets of inputs grow with its length.) */
bool ties_fill(struct ties *t, const struct chain *c, const struct problem *q);
/* The representative of the set of cond's variables; UINT32_MAX: it has none. */
uint32_t ties_of(struct ties *t, struct expr_pool *p, expr cond);
void ties_clear(struct ties *t);

/* A set of inputs. */
struct inputs {
	uint32_t *mark;
	size_t cap;
	uint32_t now;
};
void inputs_start(struct inputs *s); /* it is empty then */
/* Adds the inputs of e. */
void inputs_add(struct inputs *s, struct expr_pool *p, expr e);
bool inputs_has(const struct inputs *s, uint32_t var);
/* Is an input of e there? */
bool inputs_meet(const struct inputs *s, struct expr_pool *p, expr e);
void inputs_clear(struct inputs *s);

/* Maps floating-point numbers to integers in the same order: adjacent numbers to adjacent integers,
 * both zeros to 0. */
i128 layer_rank(unsigned width, u128 v);
u128 layer_of_rank(unsigned width, i128 rank);

/* Sets *a to the parent's values overridden by the answer's so far. */
void layer_values(const struct chain *c, const struct problem *q, struct assignment *a);

/* engines layer: an engine's name and number of answers; CPU seconds of all. */
bool engines_count(const struct layer *l, size_t i, const char **name, uint64_t *answered);
double engines_cpu(const struct layer *l);

#endif
