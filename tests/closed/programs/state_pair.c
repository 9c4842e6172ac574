/* entry: f
 * class: static state
 */
static int last;

int
f(int x)
{
	int before = last; /* use last */

	if (x > 3) {
		last = x; /* def last */
	}
	if (before > 3)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(1);
	f(4);
	f(0);
	return 0;
}
#endif
