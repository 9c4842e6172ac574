/* A null pointer is a choice, and that it is followed is asked of callers: no failure.
 *
 * duct: concolic --entry first
 * expect: failures=0 needs=1 branches.total=2 branches.covered=2
 */
int first(int *p)
{
	if (p[0] > 3)
		return p[1];
	return 0;
}
