/* checks: names of the run-time faults (enum check_kind, channel.h). */
#ifndef DUCT_CHECKS_H
#define DUCT_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/protocol/channel.h"

/* A set of kinds: bit 1 << kind for each. */
#define CHECKS_DEFAULT (1u << CHECK_DIV | 1u << CHECK_NULL)
#define CHECKS_ALL ((1u << CHECK_KINDS) - 2)

/* "div", "overflow", ...; NULL for an unknown kind. */
const char *check_name(unsigned kind);
/* CHECK_NONE if there is none of that name. */
enum check_kind check_find(const char *name);
/* Parses names separated by commas, or `none`, or `all`. False with *error (caller frees), which
 * names the unknown word and suggests a similar one. */
bool checks_parse(const char *list, uint32_t *kinds, char **error);

#endif
