/* entry: f
 * class: merged constants
 */
struct s { int a, b; };

static const struct s *
pick(const struct s *x, const struct s *y, int n)
{
	return n ? x : y;
}

int
f(int n)
{
	struct s s = { 1, 2 };
	struct s t = { 1, 2 };

	if (pick(&s, &t, n) == &s)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(0);
	f(1);
	return 0;
}
#endif
