/* Two pointers that may be the same.
 *
 * duct: concolic --entry same --may-alias p,q
 * expect: exhausted=true branches.total=4 branches.covered=3 branches.infeasible=1
 */
int same(int *p, int *q)
{
	*p = 1;
	*q = 2;
	if (*p == 2)
		return 1;
	if (p == q)
		return 2;
	return 0;
}
