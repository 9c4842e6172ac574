/* entry: f
 * class: aliasing, globals
 */
static int limit = 10;

int *
where(void)
{
	return &limit;
}

int
f(int *p)
{
	*p = 3;
	if (limit == 3)
		return 1;
	if (p == &limit)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	int a;

	f(&a);
	f(where());
	return 0;
}
#endif
