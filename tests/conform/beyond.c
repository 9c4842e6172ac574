/* Operations that are partly not modelled: precision may be lost, but no verdict may be wrong (limits: concrete). */
#include "tests/conform/conform.h"

/* rule: vectors */
typedef int v4 __attribute__((vector_size(16)));

static int vectors(struct in in)
{
	v4 a = { (int)in.x, 2, 3, 4 }, b = { 10, (int)in.y, 30, 40 }, c = a * b;

	MARK(91, c[0] == 70);
	MARK(92, c[1] == 22);
	return 0;
}

/* rule: inline assembly */
static int assembly(struct in in)
{
	long v = in.x;

	__asm__("addq $5, %0" : "+r"(v));
	MARK(101, v == 47);
	return 0;
}

RULES(vectors, assembly)
