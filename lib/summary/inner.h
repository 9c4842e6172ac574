/* Private to lib/summary. */
#ifndef DUCT_SUMMARY_INNER_H
#define DUCT_SUMMARY_INNER_H

#include "lib/summary/effects.h"
#include "lib/summary/summary.h"

struct effects_at {
	uint32_t unit, inst, function;
};
struct summary_work {
	struct effects *e;
	const struct flow *flow;
	size_t functions, objects;
	struct summary *summary;
	bool *made;            /* [function * objects + object]: see effects_is_made */
	struct effects_at *at; /* instructions that move pointers, see made.c */
	size_t ats;
};

/* made.c. Fills in `made`, when it is known which functions reach which.
 */
void effects_find_made(struct summary_work *w);
/* Is each pointer to this object that a call of f meets one to an object of the heap that the same
 * call made? */
bool effects_is_made(const struct summary_work *w, uint32_t f, uint32_t object);
/* May a call of f use a pointer that it finds in memory that is not its own? */
bool effects_follows(struct summary_work *w, uint32_t f);
/* Bytes of an object of the heap; 0: not always the same. */
uint64_t effects_heap_size(const struct summary_work *w, uint32_t object);

#endif
