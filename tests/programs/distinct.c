/* Without --may-alias pointers are distinct, and the report says that this narrows the inputs.
 *
 * duct: concolic --entry same --distinct all
 * expect: exhausted=true branches.total=2 branches.covered=1 branches.infeasible=1
 */
int same(int *p, int *q)
{
	*p = 1;
	*q = 2;
	if (*p == 2)
		return 1;
	return 0;
}
