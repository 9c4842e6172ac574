/* entry: f
 * class: order of evaluation
 * compilers: differ
 */
static int g, a[8];

static int
set(int v)
{
	g = v;
	return v;
}

int
f(int x)
{
	g = 1;
	a[1] = a[2] = 0;
	a[g & 7] = set(2);
	if (a[1] == 2)
		return 1;
	if (g + set(x) == 2 + x)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	for (int i = 0; i < 5; i++)
		f(i);
	return 0;
}
#endif
