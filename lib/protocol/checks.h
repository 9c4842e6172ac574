/* checks: names of the run-time faults (enum check_kind, channel.h), and of objectives at
 * instructions. */
#ifndef DUCT_CHECKS_H
#define DUCT_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/protocol/channel.h"

/* A set of kinds: bit 1 << kind for each. */
#define CHECKS_DEFAULT (1u << CHECK_DIV | 1u << CHECK_NULL)
#define CHECKS_ALL ((1u << CHECK_KINDS) - 2)

static inline bool objective_is_way(unsigned kind)
{
	return kind >= OBJECTIVE_WAY && kind < OBJECTIVE_WAY + OBJECTIVE_WAYS;
}
/* Is it an objective (enum objective_kind) and no fault? */
static inline bool objective_is(unsigned kind)
{
	return (kind >= OBJECTIVE_FIRST && kind < OBJECTIVE_END) || objective_is_way(kind);
}
/* "div", "overflow", "below", ...; NULL for an unknown kind. */
const char *check_name(unsigned kind);
/* The kind of a fault or objective; CHECK_NONE if there is none of that name. */
unsigned check_find(const char *name);
/* The operation that a mutant has instead of `op`, which is one of an instruction as in flow(5);
 * kind: OBJECTIVE_OPERATOR or OBJECTIVE_OPERATOR2. "shr" is ashr or lshr, by the sign of the left
 * operand. NULL: none. */
const char *objective_mutant(const char *op, unsigned kind);
/* The bit of a criterion whose objectives are conditions at instructions; 0: it is none. */
uint32_t checks_criterion(const char *name);
/* Parses names, of faults and such criteria, separated by commas, or `none`, or `all`. False with
 * *error (caller frees), which names the unknown word and suggests a similar one. */
bool checks_parse(const char *list, uint32_t *kinds, char **error);

#endif
