/* checks: names of the run-time faults that are looked for (enum check_kind, channel.h). */
#ifndef DUCT_CHECKS_H
#define DUCT_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/runtime/channel.h"

/* A set of kinds has bit 1 << kind for each. */
#define CHECKS_DEFAULT (1u << CHECK_DIV | 1u << CHECK_NULL)
#define CHECKS_ALL     ((1u << CHECK_KINDS) - 2)

/* "div", "overflow", ...; NULL for what is no kind. */
const char *check_name(unsigned kind);
/* CHECK_NONE when there is none of that name. */
enum check_kind check_find(const char *name);
/* Names separated by commas, or `none`, or `all`. False with *error (caller frees) that names
 * the unknown word and what it may have been meant to be. */
bool checks_parse(const char *list, uint32_t *kinds, char **error);

#endif
