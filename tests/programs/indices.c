/* Symbolic indices, read and written, in arrays of several types, also through pointers.
 *
 * duct: concolic --entry indices
 * expect: exhausted=true failures=0 branches.unknown=0
 */
#include <duct.h>

static const unsigned char permuted[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };

struct cell {
	short key;
	long value;
};

int indices(unsigned i, unsigned j, int v)
{
	long a[4] = { 10, 20, 30, 40 };
	struct cell cells[3] = { { 1, 100 }, { 2, 200 }, { 3, 300 } };
	struct cell *c;

	duct_assume(i < 8 && j < 4);
	a[j] = v;
	if (a[permuted[i] & 3] == 77)
		return 1;
	c = &cells[j % 3];
	c->value += permuted[i];
	if (c->key == 2 && cells[1].value == 209)
		return 2;
	if (a[2] == v && v == 31)
		return 3;
	return 0;
}
