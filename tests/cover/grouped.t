#!/usr/bin/env lua5.4
-- Uses that are reported at one place share a test of their labels in optimised code: its pairs are those of code that
-- is not optimised, where each has its own.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

-- Parameters whose definitions change with the call, beside constants; a use with different company at two places;
-- memory that has no definition at first; switches; uses of one value on both sides.
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
	run(("rm -f s.db*; duct cover --quiet --store s.db -- sh -c './p %s; true'"):format(input))
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
tap.done()
