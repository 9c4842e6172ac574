/* The second unit of main.c. */
#include "shared.h"

static int check(int x)
{
	return x < -5 ? clamp(-x) : 1;
}

int other(int x)
{
	if (x == 3)
		return 0;
	return check(x);
}
