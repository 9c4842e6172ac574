/* abc: private to lib/prove: parses the output of berkeley-abc, which is not trusted: no read goes
 * beyond its end, and the caller checks an invariant before a verdict rests on it. */
#ifndef DUCT_PROVE_ABC_H
#define DUCT_PROVE_ABC_H

#include <stdbool.h>
#include <stddef.h>

/* Sets reached[i], negative before, to the step in which output i is reached. True if abc proved
 * that no output whose `reached` is still negative is ever reached. */
bool abc_answer(const char *text, size_t outputs, long *reached);

/* An invariant as a list of rows: each row is a set of states that are never reached, with a letter
 * 0, 1 or - (either) for each latch. */
struct abc_invariant {
	unsigned *latch; /* numbers of them in the circuit */
	size_t latches;
	char **row;
	size_t rows;
	char *text;
};
/* Takes ownership of the text and changes it. */
struct abc_invariant abc_invariant(char *text);
void abc_free(struct abc_invariant *v);
/* Does the row contain the state in which all latches are 0? */
bool abc_holds_at_start(const struct abc_invariant *v, size_t row);

#endif
