/* Conditions in every place where C has them: value contexts, negations, the conditional
 * operator with and without its middle, comma, loops, nested.
 *
 * duct: concolic --entry conditions
 * expect: exhausted=true failures=0 branches.unknown=0
 */
#include <stdbool.h>

int conditions(int a, int b, bool c)
{
	int r = a && !b;
	bool both = (a > 3 || b > 4) && !(a == b);
	int chosen = a ?: b;
	int n = 0, i;

	r += both ? chosen : (n++, b) ? 2 : 3;
	if (!(!a || !b))
		r++;
	if ((a & 1) == 0 ? b > 7 : c)
		r += 2;
	for (i = 0; i < 2 && a != i; i++)
		n++;
	do
		n++;
	while (n < 4 && !(b == n));
	while (1) {
		if (n-- < 2)
			break;
	}
	return r + (a < b) + !c + (a == 5 && b == 6);
}
