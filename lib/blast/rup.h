/* rup: checks that a set of clauses has no solution, step by step: each clause that a solver
 * learned must follow from those before it by unit propagation (Goldberg and Novikov, "Verification
 * of proofs of unsatisfiability for CNF formulas", 2003). Shares nothing with the solver. Literals
 * are numbers as in DIMACS. Aborts without memory. */
#ifndef DUCT_RUP_H
#define DUCT_RUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rup;
/* Gives up after so many steps of propagation. */
struct rup *rup_new(uint64_t steps);
void rup_free(struct rup *r);
/* A clause of the question. */
void rup_given(struct rup *r, const int *l, size_t n);
/* One that the solver claims to follow: it counts only if it does. */
void rup_learned(struct rup *r, const int *l, size_t n);
/* Do the clauses have no solution? */
bool rup_refuted(const struct rup *r);

#endif
