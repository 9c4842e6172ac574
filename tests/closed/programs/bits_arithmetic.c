/* entry: f
 * class: bit-fields
 * compilers: differ
 */
struct s { unsigned long long a : 40; unsigned long long b : 33; signed long long c : 35; };

int
f(unsigned long long x, unsigned long long y)
{
	struct s s = { x, y, 0 };

	if (s.a << 8 > 0xffffffffffull)
		return 1;
	if (s.a + s.b < s.a)
		return 2;
	if ((s.b << 1) >> 1 != s.b)
		return 3;
	if (s.a - 1 > 0xffffffffffffull)
		return 4;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(0, 0);
	f(1, 1);
	f(0xffffffffffull, 0x1ffffffffull);
	f(0x00ffffffffull, 0x1ffffffffull);
	f(0x0000000000ull, 0x1ffffffffull);
	f(0x0000000001ull, 0x1ffffffffull);
	return 0;
}
#endif
