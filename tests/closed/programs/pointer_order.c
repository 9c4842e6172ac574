/* entry: f
 * class: pointer comparison
 * compilers: differ
 */
static int first, second;
static char third[3];

int
f(int x)
{
	int a = x, b = x;
	int *p = &a, *q = &b;

	if (p < q)
		x++;
	if (&first < &second)
		x += 2;
	if ((char *)&second > third)
		x += 4;
	return x;
}

#ifdef NATIVE
int
main(void)
{
	f(0);
	return 0;
}
#endif
