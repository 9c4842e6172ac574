/* entry: f
 * class: pointers as values
 */
int
f(unsigned n, int x)
{
	static void *const labels[] = { &&one, &&two, &&three };

	goto *labels[n % 3];
one:
	if (x == 5)
		return 1;
two:
	if (x == 6)
		return 2;
three:
	if (x == 7)
		return 3;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	for (unsigned n = 0; n < 3; n++)
		for (int x = 4; x < 9; x++)
			f(n, x);
	return 0;
}
#endif
