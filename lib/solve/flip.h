/* flip: queries that a trace gives rise to: its path conditions up to one of them, that one
 * with another outcome. */
#ifndef DUCT_FLIP_H
#define DUCT_FLIP_H

#include "lib/solve/solve.h"

/* The path conditions of a trace as expressions, and the checks aside of it. */
struct flip_path {
	struct expr_pool *p;
	expr *map; size_t map_cap;
	expr *cond; size_t *event; size_t n, cap; /* conditions as they held, and their events */
	expr *query;                 /* those that one query is made of */
	const struct trace *t;
	struct assignment parent;    /* the trace's input values */
	size_t first_switch;         /* index of the first condition that is a switch, SIZE_MAX none */
};

/* Fills f from a trace, which has to stay. NULL, or a static text when a condition does not hold under the
 * trace's own inputs: the trace contradicts itself. */
const char *flip_load(struct flip_path *f, struct expr_pool *p, const struct trace *t);
void flip_clear(struct flip_path *f);

/* May condition i be flipped? Constraints that hold (assumptions) may not. */
bool flip_allowed(const struct flip_path *f, const struct trace *t, size_t i);
/* The outcome that flipping event e asks for; for a switch any other one: its own, and
 * *exact is false. */
uint64_t flip_outcome(const struct channel_event *e, bool *exact);
/* Asks for condition i the other way. */
enum answer flip_ask(struct flip_path *f, size_t i, struct solver *s, struct assignment *model,
                     const char **why);

#endif
