/* Calls through a table of functions that never changes. */
typedef int (*op)(int);
static int low(int x)
{
	return x & 15;
}
static int three(int x)
{
	return x > 5 ? 3 : 4;
}
static const op ops[2] = { low, three };
static int apply(int k, int x)
{
	return ops[k & 1](x);
}
int f(int k, int x)
{
	int r = apply(k, x);
	if (r == 99)
		return 1;
	if (r == 7)
		return 2;
	return 0;
}
