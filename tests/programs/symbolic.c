/* duct_symbolic, duct_assume and duct_assert in the source of a program with a main.
 *
 * duct: concolic
 * expect: failures=1 branches.unknown=0
 */
#include <duct.h>

struct point {
	char tag;
	const char *label;
	int x, y;
};

/* Nothing is aligned here. */
struct __attribute__((packed)) header {
	char kind;
	short length;
	long long where;
};

int main(void)
{
	struct point p = { 0, "p", 0, 0 };
	struct header h = { 0, 0, 0 };
	unsigned char weights[3] = { 0 };

	duct_symbolic(&p, sizeof p, "p");
	duct_symbolic(weights, sizeof weights, "weights");
	duct_symbolic(&h, sizeof h, "h");
	duct_assume(p.x > 0 && p.y > 0);
	if (p.x * 2 == p.y && weights[1] > weights[2])
		duct_assert(p.x != 21);
	if (p.tag == 'x' && p.label[0] == 'p' && h.length == h.where + 5)
		return h.kind == 1;
	return 0;
}
