/* Loops without a bound: what they leave excludes much of what stands behind them, on no path alone.
 *
 * duct: dft --entry counters
 */
int counters(int n, int m, int step)
{
	int up = 0, down = n, last = 0, odd = 0, mark = 0;

	if (n < 0 || m < 0)
		return -1;
	while (up < n) {
		up++;
		down--;
		odd = !odd;
		if (up == m)
			mark = 1;
	}
	if (up + down != n)
		last = 1;
	if (down > 0)
		last = 2;
	if (mark && m > n)
		last = 3;
	if (odd == 2)
		last = 4;
	for (int i = 0; i < m; i += 2)
		if (step > 3 && i > n)
			last = i & 1 ? 5 : 6;
	if (last == 5)
		mark = 2;
	if (last == 3)
		mark = 3;
	return last + mark + up + odd;
}
