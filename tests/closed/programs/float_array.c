/* entry: f
 * class: floats, arrays
 */
double
mean(const double *v, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += v[i];
	return s / n;
}

int
f(const double *v, int n)
{
	if (n > 100)
		return -1;
	double m = mean(v, n);

	if (m > 2.5 && n > 5)
		return 1;
	if (m != m)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	double v[8] = { 100 };

	f(v, 0);
	f(v, 2);
	f(v, 8);
	v[0] = 0;
	f(v, 8);
	f(v, 101);
	return 0;
}
#endif
