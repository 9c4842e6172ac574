/* ways: distances, as distance(1) writes them: which outcomes of conditions lead to a goal. */
#ifndef DUCT_WAYS_H
#define DUCT_WAYS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct ways;

/* One stream. NULL with *error ("name:line: message", caller frees). */
struct ways *ways_read(FILE *f, const char *name, char **error);
void ways_free(struct ways *w);
/* May a goal be reached once a branch of the unit with this key has this outcome, 1 true and 0
 * false? True when the distances do not say. */
bool ways_lead(const struct ways *w, uint64_t unit, uint32_t branch, uint32_t outcome);

#endif
