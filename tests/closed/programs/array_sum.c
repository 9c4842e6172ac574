/* entry: g
 * class: arrays
 * faults: yes
 */
int
g(const int *a, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += a[i];
	if (n > 10)
		return s > 5;
	if (s > 1000000 && n == 7)
		return 3;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	int a[30] = { 1000001 };
	g(a, 0);
	g(a, 7);
	g(a, 30);
	return 0;
}
#endif
