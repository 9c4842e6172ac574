/* entry: f
 * class: aliasing, pointer comparison
 */
int
f(char *to, const char *from, int n)
{
	if (n < 0 || n > 40)
		return -1;
	if (from == to + 3)
		return 3;
	for (int i = 0; i < n; i++)
		to[i] = from[i] + 1;
	if (n > 1 && from[0] == 'b' && from[1] == 'c')
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	char a[50] = "aaaaaaaaaaaaaaa", b[50] = "ab";

	f(a, b, -1);
	f(a, b, 5);
	f(b, b, 0);
	f(b, b, 2);
	f(a, a + 3, 1);
	f(a, a + 1, 41);
	return 0;
}
#endif
