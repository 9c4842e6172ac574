/* A triangle classifier, as in Su et al. (hybrid data-flow testing), Table 2.
 * Sides of a triangle are positive, and any two are together longer than the third; the sums are taken in
 * 64 bits, so the answer holds for all ints.
 *
 * duct: concolic --entry triangle --search dfs
 * expect: exhausted=true branches.unknown=0 branches.infeasible=0 branches.coverage=1
 * oracle: -DALL
 */
enum { NONE, SCALENE, ISOSCELES, EQUILATERAL };

int triangle(int a, int b, int c)
{
	int equal = 0;

	if (a <= 0 || b <= 0 || c <= 0)
		return NONE;
	if ((long)a + b <= c || (long)a + c <= b || (long)b + c <= a)
		return NONE;
	if (a == b)
		equal++;
	if (a == c)
		equal++;
	if (b == c)
		equal++;
	switch (equal) {
	case 0:
		return SCALENE;
	case 1:
		return ISOSCELES;
	default:
		return EQUILATERAL;
	}
}
