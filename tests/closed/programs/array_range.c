/* entry: f
 * class: arrays, pointer comparison
 */
int
f(const short *begin, const short *end)
{
	int n = 0;

	while (begin != end) {
		if (*begin++ < 0)
			n++;
	}
	if (n > 2)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	short a[5] = { -1, 2, -3, -4, 5 };

	f(a, a);
	f(a, a + 5);
	return 0;
}
#endif
