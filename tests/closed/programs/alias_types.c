/* entry: f
 * class: aliases: a pointer to another type leads into the object of the first, or to its bytes
 */
struct pair { int a, b; };

int
f(int *p, struct pair *q, char *c)
{
	int r = 0;

	q->b = 0;
	*p = 5;
	if (q->b == 5)
		r = 1;
	*c = 9;
	if (*p == 9)
		r += 2;
	return r;
}

#ifdef NATIVE
#include "native.h"
int
main(void)
{
	struct pair s;
	char other;

	f(&s.b, &s, &other);
	f(&s.a, &s, (char *)&s.a);
	return 0;
}
#endif
