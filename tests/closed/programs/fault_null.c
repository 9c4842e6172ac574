/* entry: f
 * class: faults on the first path
 * faults: yes
 */
struct box { int *value; };
static struct box box;

void
fill(int *p)
{
	box.value = p;
}

int
f(int x)
{
	if (x == 0 && box.value == 0)
		*box.value = 1;
	if (x > 100)
		return 1;
	return 0;
}

#ifdef NATIVE
#include "native.h"
int
main(void)
{
	int a;

	TRY(f(0));
	f(1);
	f(101);
	fill(&a);
	f(0);
	return 0;
}
#endif
