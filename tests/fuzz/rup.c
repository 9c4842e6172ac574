/* The checker of proofs: clauses of six variables, some given, some claimed to follow. When it says
 * that they have no solution, none of the 64 assignments is one. A byte: its low bits are a
 * literal, 0 ends a clause; the byte behind says whether that is given or claimed. */
#include "lib/blast/rup.h"
#include "tests/fuzz/fuzz.h"

enum { VARIABLES = 6, MOST = 4096 };

/* Bit k: the assignment k is no solution. */
static uint64_t refused_by(const int *l, size_t n)
{
	uint64_t refused = 0;

	for (unsigned k = 0; k < 1u << VARIABLES; k++) {
		bool holds = false;

		for (size_t i = 0; i < n; i++)
			holds |= (k >> (abs(l[i]) - 1) & 1) == (l[i] > 0);
		refused |= (uint64_t)!holds << k;
	}
	return refused;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rup *r = rup_new(100000);
	uint64_t refused = 0;
	int l[MOST];
	size_t n = 0;

	for (size_t i = 0; i + 1 < size; i++) {
		int variable = (data[i] & 15) % (VARIABLES + 1);

		if (variable && n < MOST) {
			l[n++] = data[i] & 16 ? -variable : variable;
			continue;
		}
		if (data[++i] & 1) {
			rup_given(r, l, n);
			refused |= refused_by(l, n);
		} else {
			rup_learned(r, l, n);
		}
		n = 0;
		if (rup_refuted(r) && ~refused)
			abort();
	}
	rup_free(r);
	return 0;
}
