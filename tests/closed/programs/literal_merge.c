/* entry: f
 * class: string literals
 */
static const char *
yes(int n)
{
	return n ? "yes" : "no";
}

int
f(int n)
{
	const char *s = "yes", *t = "prefix-yes" + 7;

	if (yes(n) == s)
		return 1;
	if (s == t)
		return 2;
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
