/* A call writes memory: through parameters, a structure with bit-fields and a union, a text, a global. */
#include <stdlib.h>

struct record { int x, y; float f; unsigned bits : 3; union { int i; char c[4]; } u; char name[8]; };

static int total;

void
fill(int a, int *freed, struct record *out, char *text, const int *same)
{
	total += a + *same;
	if (a == 7) {
		free(freed);
		return;
	}
	*freed = a;
	if (a > 7) {
		out->y = a - 1;
		out->f = 1.5f;
		out->bits = 5;
		out->u.i = 77;
		out->name[1] = '*';
		out->name[2] = '/';
	}
	if (text[0] == 'b')
		text[0] = text[2] = 'B';
}
