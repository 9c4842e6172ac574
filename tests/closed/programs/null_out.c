/* entry: f
 * class: NULL
 */
int
f(int *sum, const int *n)
{
	int v = n ? *n : 42;

	if (sum)
		*sum = v;
	if (!n)
		return -1;
	if (v == 42)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	int a, b = 42, c = 3;

	f(0, 0);
	f(&a, 0);
	f(0, &b);
	f(&a, &c);
	return 0;
}
#endif
