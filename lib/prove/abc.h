/* abc: private to lib/prove: answers of berkeley-abc as text, which is not trusted: nothing is read
 * beyond its end, and an invariant is checked before a verdict rests on it. */
#ifndef DUCT_PROVE_ABC_H
#define DUCT_PROVE_ABC_H

#include <stdbool.h>
#include <stddef.h>

/* Outputs that are reached, and in which step at least; false when the rest is not proved. */
bool abc_answer(const char *text, size_t outputs, long *reached);

/* The rows of a file are states that are never reached: a letter 0, 1 or - for each latch of it. */
struct abc_invariant {
	unsigned *latch; /* numbers of them in the circuit */
	size_t latches;
	char **row;
	size_t rows;
	char *text;
};
/* The text is the result's then; changed. */
struct abc_invariant abc_invariant(char *text);
void abc_free(struct abc_invariant *v);
/* Does a row hold where everything is 0? */
bool abc_holds_at_start(const struct abc_invariant *v, size_t row);

#endif
