/* Decisions of several shapes; in some no condition can decide by itself. */
static int odd(int x) { return x & 1; }

int five(int a, int b, int c, int d, int e)
{
	return ((a > 0 && b > 0) || c == 3) && (d < 5 || !(e >= 2));
}

int chain(int a, int b, int c, int d, int e, int f)
{
	if (a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6)
		return 1;
	if (a == 9 || b == 9 || c == 9 || d == 9 || e == 9 || f == 9)
		return 2;
	return 0;
}

int coupled(int a, int b)
{
	int r = 0;

	if (a > 10 && a > 5)                     /* the second never decides */
		r = 1;
	if ((a > 0 && b > 0) || (a > 0 && b < -5))
		r += 2;
	if (odd(a) && (b == 7 ? a > 3 || b > 100 : b == 8))
		r += 4;
	return r;
}

int value(int a, int b, int c)
{
	int both = a < b && b < c;
	int nested = a == 4 && odd(b == 2 || c == 2);
	while (a > 0 && (b > a || c > a))
		a = a / 2 - 3;
	return both + 2 * nested + 4 * a;
}
