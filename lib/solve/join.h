/* join: all solutions of a conjunction over inputs with few values, input by input: a table of the
 * values of those so far that satisfy all conditions on them alone. Private to lib/solve. */
#ifndef DUCT_JOIN_H
#define DUCT_JOIN_H

#include "lib/solve/domains.h"
#include "lib/solve/layer.h"

struct join;
struct join *join_new(struct expr_pool *p, struct domains *d);
void join_free(struct join *s);
/* free: the inputs that may have other values than the parent's, which satisfy the conditions on
 * others; NULL: all. UNSAT: there is no such solution. SAT: the table has some; of all conditions
 * only if join_is_exact, else some could not be considered. UNKNOWN: so much work, nodes times
 * points, does not decide it.
 */
enum answer join_ask(struct join *s, struct chain *c, const struct problem *q,
    const struct inputs *free, uint64_t most);
bool join_is_exact(const struct join *s);
/* After SAT: the solutions that it found. */
size_t join_rows(const struct join *s);
/* The value of the i-th input in a row; false: there is none. */
bool join_value(const struct join *s, size_t row, size_t i, uint32_t *var, uint64_t *value);
/* Would this value of the i-th input do as well as that one? */
bool join_alike(const struct join *s, size_t i, uint64_t value, uint64_t that);

#endif
