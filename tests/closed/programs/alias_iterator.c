/* entry: f
 * class: pointers into one array
 */
int f(const int *a, const int *end, const int *b)
{
	int s = 0;

	while (a != end)
		s += *a++;
	if (s == 100)
		return 1;
	if (b < end)
		return 2;
	if (end - b == 3)
		return 3;
	return 0;
}
#ifdef NATIVE
int main(void)
{
	int a[20] = { 99, 1 };

	f(a, a + 2, a + 2);
	f(a + 1, a + 1, a + 1);
	f(a + 2, a + 20, a + 3);
	f(a + 2, a + 20, a + 17);
	f(a + 2, a + 2, a);
	return 0;
}
#endif
