/* Chosen globals are inputs.
 *
 * duct: concolic --entry level --global limits --global mode
 * expect: exhausted=true failures=0 branches.unknown=0 branches.infeasible=0
 */
struct { short low, high; } limits;
enum { OFF, ON, AUTO } mode;

int level(int x)
{
	if (mode == OFF)
		return 0;
	if (mode == AUTO && x < limits.low)
		return 1;
	return x > limits.high ? 3 : 2;
}
