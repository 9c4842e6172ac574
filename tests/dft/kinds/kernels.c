/* Resampling by functions of a table. */
#include <math.h>
#include <string.h>
typedef double (*window)(double x);
static double rect(double x)
{
	return fabs(x) <= 0.5 ? 1 : 0;
}
static double tri(double x)
{
	x = fabs(x);
	return x < 1 ? 1 - x : 0;
}
static double cubic(double x)
{
	x = fabs(x);
	if (x < 1)
		return 1.5 * x * x * x - 2.5 * x * x + 1;
	if (x < 2)
		return -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2;
	return 0;
}
static const struct kernel {
	const char *name;
	window f;
	double support;
} kernels[] = { { "rect", rect, 0.5 }, { "tri", tri, 1 }, { "cubic", cubic, 2 } };
int resample(const double *in, int n, double ratio, const char *name)
{
	double buf[16], acc = 0;
	const struct kernel *k = 0;
	int i;
	for (i = 0; i < 3; i++)
		if (!strcmp(kernels[i].name, name))
			k = &kernels[i];
	if (!k)
		return -1;
	if (n < 1 || n > 16)
		return -2;
	memcpy(buf, in, n * sizeof *buf);
	for (i = 0; i < n; i++)
		acc += buf[i] * k->f((i - n / 2) * ratio);
	if (acc > 100)
		return 1;
	if (acc < -3.5)
		return 2;
	if (ratio > 1.5 && acc == 0)
		return 3;
	return k->support == 2 && acc > 1 ? 4 : 0;
}
