/* obligation: writes a def-use pair as a C program for software verifiers. reach_error() is called
 * iff a run exercises the pair (cover flag of hybrid data-flow testing, Section 4: the definition
 * sets it, redefinitions clear it, the use asserts). The program follows the flow instruction by
 * instruction and has no additional loops or calls. Inputs and whatever C leaves undefined are
 * calls of __VERIFIER_nondet_* as in SV-COMP. */
#ifndef DUCT_OBLIGATION_H
#define DUCT_OBLIGATION_H

#include "lib/defuse/defuse.h"

/* Writes the program. NULL, or why there is none (the caller frees): something that is not modelled
 * or that C does not define; the output is then invalid. The caller checks ferror(f). */
char *obligation_write(FILE *f, struct defuse *d, uint32_t pair);
/* Likewise for pair number `pair`, from 1, of an instrumented program. 0, or the exit status and
 * *error. */
int obligation_of_program(
    FILE *f, const char *program, const struct defuse_options *o, uint32_t pair, char **error);

#endif
