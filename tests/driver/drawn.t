#!/usr/bin/env lua5.4
-- Where precision was lost, so that solving does not lead to an outcome, the default search draws values in the end.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

local folder = tap.folder("drawn")
tap.spit(folder .. "/pow.c", [[
#include <math.h>
double root_of(double a, double b)
{
	if (b < 0)
		return 0;
	return pow(a, b) > 8 ? 1 : 2;
}
float tables(float *t)
{
	return sinf(t[0]) + cosf(t[1]) < -1.5f ? t[0] : t[1];
}
]])

local function branches(options)
	local status, out, err = tap.run(("duct concolic '%s/pow.c' %s -t 30 -q"):format(folder, options))
	tap.is(status, 0, options .. " " .. err)
	return out:match("branches: (%d+ of %d+) covered"), out
end

local got, out = branches("--entry root_of")
tap.is(got, "4 of 4", "an outcome that depends on pow()")
tap.ok(out:find("precision lost", 1, true), "that precision was lost is said")
tap.is(branches("--entry tables"), "2 of 2", "one that depends on an array of floats")
tap.is(branches("--entry root_of --search dfs"), "3 of 4", "a search that the user chose remains as it is")

-- Mutations copy words and lines, for programs that read as many as they were told to expect.
tap.spit(folder .. "/rows.c", [[
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int main(void)
{
	char line[64];
	int n, id, count;
	if (!fgets(line, sizeof line, stdin))
		return 1;
	n = atoi(line);
	for (int i = 0; i < n; i++) {
		if (!fgets(line, sizeof line, stdin) || sscanf(line, "%d,%d", &id, &count) != 2)
			return 2;
		if (id <= 0)
			return 3;
	}
	if (n == 4)
		puts("four");
	return 0;
}
]])
local _, rows = tap.run(("duct concolic '%s/rows.c' -n 40000 -t 200 -q"):format(folder))
tap.ok(rows:find("branches: 12 of 12 covered", 1, true), "four lines are counted", rows)
tap.done()
