/* entry: f
 * class: unions, floats
 */
#include <stdint.h>

union number { float f; uint32_t u; unsigned char b[4]; };

int
f(union number *n)
{
	if (n->f != n->f)
		return 1;
	if (n->b[3] == 0x80 && n->f == 0)
		return 2;
	n->f += 1;
	if (n->u == 0x40000000)
		return 3;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	union number n;

	n.u = 0x7fc00000;
	f(&n);
	n.u = 0x80000000;
	f(&n);
	n.u = 0x80000001;
	f(&n);
	n.f = 1;
	f(&n);
	n.f = 3;
	f(&n);
	return 0;
}
#endif
