/* score: which goals runs have reached. */
#ifndef DUCT_SCORE_H
#define DUCT_SCORE_H

#include "lib/goals/goals.h"

struct score;

/* All stay the caller's and must outlive it. NULL with *error (caller frees): a
 * goal that is not of the flow. */
struct score *score_new(struct defuse *d, const struct goals *g, char **error);
void score_free(struct score *s);
/* Credits a run, which built code that tells pairs has made where there are pairs. NULL, or a
 * static text: why it cannot be used. */
const char *score_add(struct score *s, const struct trace *t);
/* The id of the first trace that reached a goal, by index in g->goal; *reached false: none has. */
uint64_t score_goal(const struct score *s, size_t i, bool *reached);
/* The same of g->outcome. */
uint64_t score_outcome(const struct score *s, size_t i, bool *reached);

#endif
