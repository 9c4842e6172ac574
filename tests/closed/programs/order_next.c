/* entry: f
 * class: order of evaluation
 */
static int count;

static int
next(void)
{
	return ++count;
}

int
f(int x)
{
	count = x;
	if (next() - next() > 0)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(0);
	return 0;
}
#endif
