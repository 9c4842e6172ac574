#!/usr/bin/env lua5.4
-- Uses that are reported at one place share a test of their labels in optimised code: its pairs are those of code that
-- is not optimised, where each has its own.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

-- Parameters whose definitions change with the call, beside constants; a use with different company at two places;
-- memory that has no definition at first; switches; uses of one value on both sides; functions that are inlined at
-- several places, through a pointer, and into each other; a variable with one of two definitions at each turn.
tap.spit("p.c", [[
#include <stdlib.h>
struct node { int key, seen; struct node *next; };
static struct node pool[8];
static int used, last;
static int same(const char *p, const char *q, int most)
{
	int n = 0;
	while (n < most && p[n] == q[n])
		n++;
	return n;
}
static int pick(int a, int b, int c)
{
	int k = 3, best = a > b ? a : b;
	if (c > k && a < c)
		best = c + a;
	if (c > k && b < c)
		best += b * k;
	return best;
}
static int classify(int n, int m)
{
	int few = 2;
	switch (n + m) {
	case 0: return few;
	case 1: case 2: return n * few;
	case 7: n = m;
	default: return n - m;
	}
}
static struct node *add(struct node *list, int key)
{
	struct node *n = &pool[used++ % 8];
	n->key = key;
	n->next = list;
	if (n->seen > last && key > last)
		last = n->seen;
	return n;
}
static long double wide(unsigned char *bytes, int n)
{
	long double x = 1;
	for (int i = 0; i < n; i++)
		x = x * bytes[i] + i;
	return x;
}
static int twice(int x)
{
	int y = x + x;
	return y > 6 ? y : x;
}
static int less(const int *a, const int *b)
{
	if (*a > 90)
		return twice(*a) < *b;
	return *a < *b;
}
static void sink(int *a, int i, int n, int (*before)(const int *, const int *))
{
	for (int child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && before(a + child, a + child + 1))
			child++;
		if (!before(a + i, a + child))
			return;
		int t = a[i];
		a[i] = a[child];
		a[child] = t;
	}
}
static int sort(int n)
{
	int a[16], sum = 0;
	n &= 15;
	for (int i = 0; i < n; i++)
		a[i] = i * 37 % 101;
	for (int i = n / 2; i-- > 0;)
		sink(a, i, n, less);
	for (int i = n; i-- > 1;) {
		int t = a[0];
		a[0] = a[i];
		a[i] = t;
		sink(a, 0, i, less);
	}
	for (int i = 0; i < n; i++)
		sum = sum * 31 + twice(a[i]);
	return sum;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, sum = 0;
	struct node *list = NULL;
	unsigned char bytes[5] = { 1, 2, 3 };
	for (int i = 0; i < n; i++) {
		list = add(list, i * 3 % 5);
		if (i > 6)
			list->seen = i;
		sum += classify(i % 3, i);
	}
	for (struct node *at = list; at && sum < 1000; at = at->next == list ? NULL : at->next) {
		sum += at->key + pick(at->key, n, sum);
		if (n > 8)
			break;
	}
	sum += pick(n, 2, n) + pick(1, n, 9) + same("abcabd", "abcabc", n) + same("x", "y", 1);
	bytes[n & 3] = (unsigned char)sum;
	sum += wide(bytes, n % 6) > 100;
	sum += sort(n) + sort(n + 3);
	return sum & 1;
}
]])

local function covered(level, input)
	local function run(line)
		local status, out, err = tap.run(line)
		if status ~= 0 then tap.ok(false, line, out .. err) end
		return out
	end
	run("duct cc --pairs -O" .. level .. " -o p p.c")
	run(("rm -f s.db*; duct cover --quiet --scope inter --store s.db -- sh -c './p %s; true'"):format(input))
	local list = {}
	for line in run("duct report --pairs --store s.db"):gmatch("[^\n]+") do
		if line:match("\tcovered\t") then list[#list + 1] = line end
	end
	table.sort(list)
	return table.concat(list, "\n"), #list
end

for _, input in ipairs { "", "1", "4", "9", "30" } do
	local want, n = covered(0, input)
	for level = 1, 3 do
		tap.is(covered(level, input), want, ("input '%s': -O%d covers the pairs of -O0"):format(input, level))
	end
	tap.ok(n > 20, ("input '%s': there are some"):format(input), n)
end
local status = tap.run("objdump -d p | grep -q 'call.*<duct_rt_pairs_kept>'")
tap.is(status, 0, "optimised code tells groups")
local function functions(option)
	local _, out = tap.run(("duct cc %s -O1 -c -o p.o p.c && nm p.o"):format(option))
	local list = {}
	for name in out:gmatch(" t (%w+)\n") do list[#list + 1] = name end
	return table.concat(list, " ")
end
tap.is(functions "--pairs", functions "", "functions are inlined as without pairs")
tap.ok(not functions "--pairs":find "classify", "some are")
tap.done()
