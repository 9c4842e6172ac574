/* GNU C: two-operand ?:, statement expressions, cleanup, generic. */
static void drop(int *p) { if (*p && p) *p = 0; }
static int one(void) { return 1; }

static int elvis(int a, const char *s)
{
	int r = a ?: 4;
	r += (a && r) ?: 5;
	const char *t = s ?: "none";
	if (a ?: r) r++;
	return (one() ?: 3) + t[0] + (a > 1 ?: r);
}

static int statements(int a, int b)
{
	int r = ({ int z = a > 4 ? one() : b; z; });
	if (({ int y = a; y && b; })) r++;
	while (({ if (r > 9) r = 3; r++ < 5; })) r++;
	r += ({ if (a) b++; b; }) && ({ a; });
	return r;
}

static int others(int a, int b)
{
	__attribute__((cleanup(drop))) int local = a && b;
	int r = _Generic(a, int: a || b, default: 0);
	r += __builtin_choose_expr(1, a && b, a || b);
	r += __builtin_constant_p(a && b) ? 1 : 2;
	struct { int x, y; } v = {.x = a && b, .y = a ? 2 : b}, w[2] = {{1, b || a}};
	(void)w;
	r += (struct { int q; }){a || b}.q + v.x;
	_Static_assert(1 && 1, "");
	static int fixed = 1 ? 2 : 3;
	int vec[] = {a && b, a || b, !a};
	__auto_type k = a ? b : r;
	__asm__("" : "+r"(r) : "r"(a && b));
	if (__builtin_add_overflow(a, b, &r) || __builtin_popcount(a) > 1) r++;
	return r + local + fixed + vec[0] + k + (int)__builtin_offsetof(struct { int a; char c[2]; }, c[1]);
}

static int indices(int a, int b, int *p)
{
	p[a && b] = p[a || b ? 1 : 0];
	*(a ? p : p + 1) = 3;
	(a > b ? p : &p[2])[a && 1] += 2;
	p[2] += a && b;
	p[1] = (a, b) ? a : b;
	return (a ? one : one)() ;
}

int main(int argc, char **argv)
{
	int r = 0, p[4] = {0};
	for (int a = 0; a < 3; a++)
		r += elvis(a, argv[1]) + statements(a, argc - 1) + others(a, argc) + indices(a, 1, p);
	return r < 0;
}
