/* Conditions that come out of macros, and assert: of a parameter, it is what callers owe, and no failure.
 *
 * duct: concolic --entry macros
 * expect: failures=0 branches.unknown=0
 */
#include <assert.h>

#define IS(x, y) ((x) == (y) || (x) == -(y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define LOOP(i, n) for (int i = 0; i < (n); i++)

int macros(int a, int b)
{
	int r = 0;

	if (IS(a, 5) && IS(b, 7))
		r++;
	LOOP(i, 2)
		r += MAX(a, i) == 1;
	assert(a != 77);
	return r;
}
