/* obligation: a def-use pair as a C program for other checkers: reach_error() is called when a run exercises the
 * pair (the cover flag of hybrid data-flow testing, Section 4: the definition sets it, redefinitions clear it, the use
 * asserts). The program is the flow's, instruction by instruction; inputs and whatever C leaves open are calls of
 * __VERIFIER_nondet_*, as the tools of SV-COMP read them. It has no loop or call that the program does not have. */
#ifndef DUCT_OBLIGATION_H
#define DUCT_OBLIGATION_H

#include "lib/defuse/defuse.h"

/* Writes it. NULL, or why there is none (the caller frees): something that is not modelled, or of which C could not
 * say what happens. What was written then is rubbish. Errors of f are left to the caller. */
char *obligation_write(FILE *f, struct defuse *d, uint32_t pair);
/* The same of pair number `pair`, from 1, of an instrumented program. 0, or the exit status and *error. */
int obligation_of_program(FILE *f, const char *program, const struct defuse_options *o, uint32_t pair, char **error);

#endif
