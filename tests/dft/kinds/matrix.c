/* Statistics of a matrix: the numbers of its rows and columns, then so many numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
int main(void)
{
	int r, c, i, j, neg = 0, zero = 0, big = 0;
	double *v, sum = 0, sq = 0, min, max, mean, var;
	if (scanf("%d %d", &r, &c) != 2) {
		fprintf(stderr, "no size\n");
		return 1;
	}
	if (r < 1 || c < 1 || r > 100 || c > 100) {
		fprintf(stderr, "bad size\n");
		return 2;
	}
	v = malloc(sizeof *v * r * c);
	if (!v)
		return 3;
	for (i = 0; i < r; i++)
		for (j = 0; j < c; j++) {
			int x;
			if (scanf("%d", &x) != 1) {
				fprintf(stderr, "short row %d\n", i);
				free(v);
				return 4;
			}
			v[i * c + j] = x;
			if (x < 0)
				neg++;
			if (x == 0)
				zero++;
			if (x > 1000)
				big++;
		}
	min = max = v[0];
	for (i = 0; i < r * c; i++) {
		sum += v[i];
		if (v[i] < min)
			min = v[i];
		if (v[i] > max)
			max = v[i];
	}
	mean = sum / (r * c);
	for (i = 0; i < r * c; i++)
		sq += (v[i] - mean) * (v[i] - mean);
	var = sq / (r * c);
	if (r == c && r > 2) {
		double tr = 0;
		for (i = 0; i < r; i++)
			tr += v[i * c + i];
		if (tr == 15)
			puts("magic");
		for (i = 0; i < r; i++)
			for (j = 0; j < i; j++)
				if (v[i * c + j] != v[j * c + i])
					goto not;
		puts("symmetric");
		not :;
	}
	if (neg > 2)
		puts("negative");
	if (zero == r * c)
		puts("all zero");
	if (big >= 2 && mean < 0)
		puts("outliers");
	if (max - min > 100)
		puts("wide");
	if (var == 0)
		puts("constant");
	free(v);
	return 0;
}
