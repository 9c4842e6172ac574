/* entry: f
 * class: functions that are not declared
 * flags: -std=gnu89 -w
 */
int
f(int n)
{
	int *p = (int *)malloc(sizeof(int) * 4);

	if (!p)
		return 3;
	p[0] = n;
	if (p[0] == 5)
		return 1;
	free(p);
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(5);
	f(0);
	return 0;
}
#endif
