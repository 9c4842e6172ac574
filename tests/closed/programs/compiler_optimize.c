/* entry: f
 * class: compilers
 * compilers: differ
 */
#ifdef __OPTIMIZE__
#define FAST 1
#else
#define FAST 0
#endif

static const int fast = FAST;

int
f(int x)
{
	int limit = fast + 1;

	if (limit == 2)
		return 1;
	if (x == 3)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(1);
	f(3);
	return 0;
}
#endif
