/* adding: the run that tree_add (add.c) adds to a tree, and the steps of its path; private to
 * lib/tree. */
#ifndef DUCT_TREE_ADDING_H
#define DUCT_TREE_ADDING_H

#include "lib/tree/inner.h"

/* State of one tree_add. */
struct adding {
	const struct trace *tr;
	size_t imported; /* nodes of the trace whose expressions are in tree.map */
	size_t most;     /* after so many new nodes the path is cut ... */
	uint32_t from;   /* ... but not before it is longer than this: so far it was promised */
	uint32_t place;  /* slot before the promised rest */
	bool cut;
	struct tree_path *out;
	uint32_t run;         /* index */
	uint32_t at;          /* slot taken last; 0: at the root */
	uint32_t site, round; /* of the current event */
	size_t event, taken;  /* index of the event; 1 + index of the event of `at` */
	uint64_t identity;
	pending promised;
	bool kept;  /* the run took the promised branch */
	bool given; /* the path is below a branch given to another process */
};

/* Was this condition or its negation already decided on this path? Marks it as decided. */
bool adding_decided(struct tree *t, expr e);
/* Where the first of the nodes below slot `at` is kept. */
uint32_t *adding_first(struct tree *t, uint32_t at);
/* A new node at the end of the path, with silent slots. */
uint32_t adding_node(
    struct tree *t, const struct adding *a, expr cond, uint32_t outcomes, bool guess);
/* Makes the other outcomes of a new node pending, except constant false ones, which are
 * infeasible. */
void adding_open_others(
    struct tree *t, const struct adding *a, uint32_t n, uint32_t taken, const uint32_t *ways);
/* Continues the path below a slot. */
void adding_take(struct tree *t, struct adding *a, uint32_t s);
/* The path takes an outcome of a condition, whose node is made if there is none. ways: of a switch,
 * or NULL. */
void adding_step(struct tree *t, struct adding *a, const struct channel_event *e, expr cond,
    uint32_t outcomes, uint32_t taken, const uint32_t *ways, bool guess);
/* switch.c: the path takes a way of a switch on `value`. */
void adding_switch(struct tree *t, struct adding *a, const struct channel_event *e, expr value);

#endif
