/* entry: f
 * class: compilers
 * compilers: differ
 */
static int
compiler(void)
{
#ifdef __clang__
	return 1;
#elif defined __GNUC__
	return 2;
#else
	return 3;
#endif
}

int
f(int x)
{
	if (compiler() == 1)
		return x + 1;
	if (x > 7)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(0);
	f(9);
	return 0;
}
#endif
