/* certify: decides conditions, and checks each step of the proof when they are unsatisfiable, so
 * that the solver need not be trusted. */
#ifndef DUCT_CERTIFY_H
#define DUCT_CERTIFY_H

#include "lib/engine/engine.h"

/* Is the conjunction satisfiable? ENGINE_UNSAT: each step of the proof was checked
 * (lib/blast/rup.h). ENGINE_UNKNOWN after so many conflicts (negative: any number), seconds or
 * gates of a circuit, and for operations that it does not know. Conditions must not contain arrays.
 */
enum engine_answer certify(
    struct expr_pool *p, const expr *cond, size_t n, int conflicts, double seconds, size_t gates);

#endif
