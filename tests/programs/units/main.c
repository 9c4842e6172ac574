/* Two translation units with static functions of one name, and a branch in a header of their own.
 *
 * duct: concolic --entry both
 * expect: exhausted=true failures=0 branches.unknown=0
 * files: other.c shared.h
 */
#include "shared.h"

static int check(int x)
{
	return x > 5 ? clamp(x) : 0;
}

int both(int x, int y)
{
	return check(x) + other(y);
}
