/* Division and remainder as C truncates them, shifts, wrapping, casts between widths.
 *
 * duct: concolic --entry arithmetic --query-timeout 10
 * expect: failures=0 branches.unknown=0
 */
int arithmetic(int a, short s, unsigned u, long l)
{
	if (a % 7 == -3 && a / 7 == -2)
		return 1;
	if ((short)(s * 2) == -20000 && s > 0)
		return 2;
	if (u >> 3 == 5 && (u & 7) == 6)
		return 3;
	if ((signed char)l == -1 && l >> 8 == 2)
		return 4;
	if (u * 3 == 1 && u > 1000)
		return 5;
	if ((a << (u & 15)) == 0x7000 && (u & 15) == 12)
		return 6;
	if (l < 0 && -l == l && l != 0)
		return 7;
	return 0;
}
