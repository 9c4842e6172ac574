/* entry: f
 * class: callbacks, NULL
 */
int
f(int (*next)(void))
{
	if (!next)
		return -1;
	int a = next(), b = next();

	if (a != b)
		return 1;
	if (a == 12)
		return 2;
	return 0;
}

#ifdef NATIVE
static int
twelve(void)
{
	return 12;
}
static int
zero(void)
{
	return 0;
}
static int
count(void)
{
	static int n;
	return n++;
}

int
main(void)
{
	f(0);
	f(twelve);
	f(zero);
	f(count);
	return 0;
}
#endif
