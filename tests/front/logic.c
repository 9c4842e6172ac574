/* Conditions one by one, in every place where C lets them stand. */
#include <stdbool.h>
#include <stddef.h>

struct s { int a, b; bool flag; unsigned bit : 1; };

static int twice(int x) { return 2 * x; }
static int sum(int a, int b, int c) { return a + b + c; }
int unused(int a) { return a && !a ? 1 : 2; }

static int nested(int a, int b, int c)
{
	int r = 0;
	if (a && !b) r += 1;
	if (!a || !!b) r += 2;
	if (!(a && (b || !c))) r += 4;
	if (((a)) && (((b)))) r += 8;
	if (!((a || b) && !(b && c))) r += 16;
	if (a ? b && c : b || c) r += 32;
	if (a && (b ? c : !c)) r += 64;
	if ((a, b) || (r++, c)) r += 128;
	return r;
}

static int values(int a, int b, int c, struct s *p)
{
	int r = a && b, q = a || b || c;
	bool t = !a && (b > 2 || c < 3);
	_Bool u = a;
	r += sum(a && b, b || c, !(a && c));
	r += (a < b) ? 1 : 2;
	r += (a < b) ? twice(a) : twice(b);
	r += a ? b ? 1 : 2 : c ? 3 : 4;
	p->flag = a == b || p->flag;
	p->bit = a && p->bit;
	r += (a && b) + (b && c) * (a || c);
	r += !(a && b) ? 5 : 6;
	r = r + (p && p->a > p->b ? p->a : 7);
	return r + q + t + u + !r;
}

static int kinds(float f, double d, char *s, unsigned char ch, long long w, _Complex double z)
{
	int r = 0;
	if (f) r++;
	if (!d) r++;
	if (s && *s && !s[1]) r++;
	if (ch) r++;
	if (w && f < 1.0f) r++;
	if (z) r++;
	return s != NULL ? r : -r;
}

static struct s pick(int c, struct s x, struct s y)
{
	struct s z = c ? x : y;
	return c > 1 && z.a ? x : z;
}

static int folded(int a)
{
	int r = 0;
	if (0) r++;
	if (1) r += 2;
	if (0 && a) r += 4;
	if (1 || a) r += 8;
	if (1 && a) r += 16;
	if (0 || a) r += 32;
	if (a && 0) r += 64;
	if (a || 1) r += 128;
	if (sizeof(int) == 4 && a) r += 256;
	r += 0 ? a : 3;
	r += (1 && a) + (a && 1) + (0 || a);
	r += 1 && a ? 5 : 6;
	while (1 && r > 1000) r--;
	for (; 0 || r > 900; ) r--;
	while (0) r++;
	do r++; while (0);
	if (sizeof(a ? 1 : 2) == 4) r++;
	return r;
}

static int returned(int a, int b)
{
	if (a && b)
		return a || b;
	else if (a)
		return !b && !a;
	return a == 3 ? b == 4 : (a == 5 && b == 6);
}

int main(int argc, char **argv)
{
	struct s x = {1, 2, true, 1}, y = {0};
	int r = 0;
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 2; b++)
			r += nested(a, b, argc) + values(a, b, 0, &x) + folded(a) + returned(a, b) + pick(a, x, y).a;
	r += kinds(0, 1, argv[0], 0, 1, 0);
	return r == 0 && argc > 5;
}
