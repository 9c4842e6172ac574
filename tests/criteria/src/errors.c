/* Places that an input comes to, and places that none does. RUN: main() takes each input of a small range and says which are met. */
#include <assert.h>
#include <stdlib.h>
#include <duct.h>

extern void reach_error(void);

static void deep(int x)
{
	if (x > 100 && x < 50)
		abort();
	assert(x != 77);
	if (x == -12)
		abort();
}

int judge(int a, int b)
{
	duct_cover(a > b && b == 12);
	duct_label(a * 2 == 7, "odd");
	duct_label(a == 5 && b == 6, "both");
	deep(a);
	if ((a & 1) && a % 2 == 0)
		goto ERROR;
	if (b == 99)
		reach_error();
	return a;
ERROR:
	return -1;
}

int loop(unsigned n)
{
	unsigned i = 0;

	while (i < n % 8)
		i++;
	if (i == 9)
		goto ERROR;
	if (i == 7)
		abort();
	return 0;
ERROR:
	abort();
}
