#!/bin/sh
# Numbers in texts: a program that reads twelve from its arguments, and a function that reads two of one text, whose second
# one begins where the first ends: all outcomes are covered without an option.
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
cat >range.c <<'E2'
#include <stdlib.h>
#include <errno.h>
int parse_range(const char *s, long *lo, long *hi)
{
	char *end;
	errno = 0;
	*lo = strtol(s, &end, 0);
	if (end == s)
		return -1;
	if (errno == ERANGE)
		return -2;
	if (*end != ':')
		return -3;
	s = end + 1;
	*hi = strtol(s, &end, 0);
	if (end == s || *end)
		return -4;
	if (*lo == 1024 && *hi == 49151)
		return 2;
	return *hi < *lo;
}
E2
duct concolic range.c --entry parse_range --runs 400 --time 150 --json --quiet >out 2>&1
branches=$(sed -n 's/.*"branches": {"total": \([0-9]*\), "covered": \([0-9]*\).*/\1 \2/p' out)
[ "${branches% *}" -gt 12 ] && [ "${branches% *}" -le ${branches#* } ] && echo "ok - two numbers of a text" ||
	{ echo "not ok - two numbers of a text"; grep -E '"(branches|runs|solver|cpu)"' out | sed 's/^/# /'; }
