/* Integers of every type as parameters, with conditions at the ends of their ranges.
 *
 * duct: concolic --entry scalars
 * expect: exhausted=true failures=0 branches.unknown=0 branches.infeasible=0
 */
#include <limits.h>
#include <stdbool.h>

int scalars(bool b, char c, signed char sc, unsigned char uc, short s, unsigned short us, int i,
            unsigned u, long l, unsigned long ul, long long ll, unsigned long long ull)
{
	int n = 0;

	if (b)
		return 1;
	if (c == 'x')
		return 2;
	if (sc == SCHAR_MIN)
		return 3;
	if (uc == UCHAR_MAX)
		return 4;
	if (s == SHRT_MIN)
		return 5;
	if (us == USHRT_MAX)
		return 6;
	if (i == INT_MIN)
		return 7;
	if (u == UINT_MAX)
		return 8;
	if (l == LONG_MIN)
		return 9;
	if (ul == ULONG_MAX)
		return 10;
	if (ll == LLONG_MAX)
		return 11;
	if (ull > (ULLONG_MAX >> 1))
		return 12;
	return n;
}
