/* Failures of every kind: each is found, and its test shows it.
 *
 * duct: concolic --entry failures --timeout 0.4 --calls 1
 * expect: failures=5 branches.unknown=0
 */
#include <stdlib.h>

static int table[4] = { 1, 2, 3, 4 };

int failures(int kind, unsigned index, int divisor)
{
	int *nowhere = NULL;

	switch (kind) {
	case 1:
		return 100 / divisor;
	case 2:
		return *nowhere;
	case 3:
		abort();
	case 4:
		return index <= 4 ? table[index] : 0;
	case 5:
		exit(3);
	case 6:
		if (divisor == 42)
			for (;;)
				kind++;
	}
	return 0;
}
