#!/usr/bin/env lua5.4
-- waits
-- Inputs that grow, without an option, under every strategy, with several workers, continued from a store, and with the filters
-- as co-processes: the same outcomes are covered, and the same ones are limited.
-- limit: 400
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("g.c", [[
#include <string.h>
struct node { int v; struct node *next; };
int find(struct node *l, int v, int **out)
{
	for (; l; l = l->next) {
		if (l->v == v) {
			if (out)
				*out = &l->v;
			return 1;
		}
	}
	return 0;
}
int count(const struct node *p)
{
	int n = 0;
	for (; p; p = p->next)
		n++;
	if (n > 5)
		return 1;
	return 0;
}
int word(const char *s)
{
	if (strlen(s) < 9)
		return 0;
	if (s[8] == 'x')
		return 1;
	return 2;
}
int sum(const int *a, int n)
{
	int s = 0;
	if (n > 20)
		return -1;
	for (int i = 0; i < n; i++)
		s += a[i] == 3;
	if (s == 2)
		return 1;
	return 0;
}
]])

local function covered(command)
	local status, out, err = tap.run(command)
	local fine, r = pcall(json.decode, out)
	return fine and r or { branches = {}, failures = { {} }, mispredicted = -1 }, ("%s: %d %s%s"):format(command, status, out:sub(1, 600), err)
end

for _, entry in ipairs { "find", "count", "word", "sum" } do
	for _, strategy in ipairs { "concolic", "dft", "ippc", "latest", "late-aliases", "concolic --pipes",
		"concolic --jobs 2", "dft --prove" } do
		local r, said = covered(("duct %s g.c --entry %s --runs 600 --time 60 --json --quiet"):format(strategy, entry))
		tap.ok(r.branches.total and r.branches.covered == r.branches.total and r.branches.infeasible == 0
			and r.mispredicted <= r.cut and #r.failures == 0, ("%s: %s covers all"):format(entry, strategy), said)
	end
	local first = covered(("duct concolic g.c --entry %s --runs 3 --json --quiet --store %s.db"):format(entry, entry))
	local again, said = covered(("duct concolic g.c --entry %s --runs 600 --time 60 --resume --json --quiet --store %s.db"):format(entry, entry))
	tap.ok(first.runs == 3 and again.branches.covered == again.branches.total and again.mispredicted == 0,
		entry .. ": --resume goes on", said)
end

-- Lines that fill a buffer, and texts that are longer than a number of the program's.
tap.spit("lines.c", [[
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	char b[300];
	int full = 0;
	while (fgets(b, sizeof b, stdin))
		full += strlen(b) == sizeof b - 1 && !strchr(b, '\\n');
	if (full > 1)
		puts("long");
	if (argc > 1 && strlen(argv[1]) > 150)
		puts("argument");
	return 0;
}
int path(const char *folder, const char *file)
{
	char b[200];
	if (snprintf(b, sizeof b, "%s/%s", folder, file) >= (int)sizeof b)
		return -1;
	return 0;
}
]])
for _, entry in ipairs { "main", "path" } do
	local r, said = covered(("duct concolic lines.c --entry %s --runs 400 --time 60 --json --quiet"):format(entry))
	tap.ok(r.branches.total and r.branches.covered == r.branches.total and #r.failures == 0, entry .. ": long texts", said)
end
tap.done()
