#include <stdio.h>
#include <stdlib.h>
static int classify(const int *v)
{
	int r = 0;
	for (int i = 0; i < 11; i++)
		if (v[i] > v[i + 1])
			r++;
	if (v[0] == 600 && v[3] > 1000)
		r += 100;
	if (v[1] + v[2] == 77)
		r += 7;
	if (v[5] == -3)
		r -= 1;
	if (v[6] > 300 && v[7] < 300 && v[8] == v[9])
		r *= 2;
	if (v[10] % 7 == 3 && v[11] / 9 == 5)
		r ^= 1;
	return r;
}
int main(int argc, char **argv)
{
	int v[12];
	if (argc < 13)
		return 1;
	for (int i = 0; i < 12; i++)
		v[i] = atoi(argv[i + 1]);
	printf("%d\n", classify(v));
	return 0;
}
