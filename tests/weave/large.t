#!/bin/bash
# Functions whose values stay in memory, as they have thousands of blocks, compute the same.
. "$ROOT/tests/lib/tap.sh"

{
	echo '#include <stdio.h>
	#include <stdlib.h>
	static unsigned mix(unsigned n, unsigned a)
	{
		unsigned b = 1, c = n ^ 5, d = 0;
		for (unsigned i = 0; i < n; i++) {'
	for i in $(seq 100); do
		echo "if ((a ^ c) % $((i + 2)) == $((i % 3))) { d += b; b = a * $((2 * i + 1)) + i; } else if (d & $i) c += b;"
	done
	echo 'a += c > d ? b : n - d;
		}
		return a ^ b ^ c ^ d;
	}
	int main(int argc, char **argv)
	{
		unsigned n = argc > 1 ? atoi(argv[1]) : 3;
		printf("%u %u\n", mix(n, 7), mix(n + 1, 77));
		return 0;
	}'
} >large.c
clang-19 -w -O1 -o plain large.c && ./plain 40 >expected
duct cc --pairs -c -w -O1 -o large.o large.c && duct cc --pairs -o large large.o && ./large 40 >got
blocks=$(objdump -d large.o | awk '/<.*mix.*>:$/ { in_mix = 1 } /^$/ { in_mix = 0 } in_mix && /\tj[a-z]+ / { n++ } END { print n + 0 }')
check "a function with thousands of jumps ($blocks) computes what it did" '[ "$blocks" -gt 2000 ] && [ -s got ] && cmp -s expected got'
finish
