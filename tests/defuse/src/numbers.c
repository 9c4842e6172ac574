/* Conditions on floating-point numbers by what compilers have built in. */
static int kind(double d, float f)
{
	int k = 0;
	if (__builtin_fabs(d) < 1.5)
		k = 1;
	if (__builtin_isnan(d) || __builtin_isinf(f))
		k += 2;
	if (__builtin_copysign(1.0, d) < 0)
		k += 4;
	f = __builtin_floorf(f);
	if (__builtin_ceil(d) != f)
		k += 8;
	return k;
}

int test(int x, double d)
{
	float f = x;
	int k = kind(d, f);
	double e = d * 0.5;
	if (e > 2 || __builtin_fabs(e) > 3)
		k += kind(e, f + 0.25f);
	return k;
}
