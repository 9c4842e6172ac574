/* entry: g
 * class: order of evaluation
 * compilers: differ
 */
static int count;

static int
next(void)
{
	return ++count;
}

static int
subtract(int a, int b)
{
	return a - b;
}

int
g(int x)
{
	count = x & 0xff;
	if (subtract(next(), next()) > 0)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	g(0);
	return 0;
}
#endif
