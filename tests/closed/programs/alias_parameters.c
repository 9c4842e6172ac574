/* entry: f
 * class: aliasing
 */
int
f(int *p, int *q)
{
	*p = 1; /* def p[0] */
	*q = 2;
	if (*p == 2)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	int a, b;

	f(&a, &b);
	f(&a, &a);
	return 0;
}
#endif
