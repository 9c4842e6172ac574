#!/bin/sh
# A program that reads twelve numbers from its arguments: all its outcomes are covered without an option within 250 runs.
# limit: 200
cat >twelve.c <<'E2'
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
E2
duct concolic twelve.c --runs 250 --time 150 --json --quiet >out 2>&1
branches=$(sed -n 's/.*"branches": {"total": \([0-9]*\), "covered": \([0-9]*\).*/\1 \2/p' out)
[ "${branches% *}" -gt 20 ] && [ "${branches% *}" -le ${branches#* } ] && echo "ok - all outcomes are covered" ||
	{ echo "not ok - all outcomes are covered"; grep -E '"(branches|runs|solver|cpu)"' out | sed 's/^/# /'; }
