/* An index that may leave its object is a failure, found by flipping the bounds.
 * duct: --entry oob
 * expect: covered=4 infeasible=0 failures=1 */
int t[10], u[10];
int oob(int i)
{
	if (i < 0 || i > 12) return 0;
	return t[i];
}
