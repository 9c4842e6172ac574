#!/usr/bin/env lua5.4
-- Functions whose inputs grow, under proofs, workers, co-processes and continued from a store: no outcome is infeasible here and
-- covered there, what one covers all cover, and what is infeasible is so where it can be proved.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

tap.spit("w.c", [[
#include <string.h>
struct node { int v; struct node *next; };
int list(const struct node *l)
{
	int n = 0;
	for (; l && n < 3; l = l->next)
		n += l->v == 7;
	if (n == 2 && !l)
		return 1;
	return n > 3;
}
int word(const char *s)
{
	if (strlen(s) == 5 && s[4] == 'x')
		return 1;
	if (s[0] && !strlen(s))
		return 2;
	return 0;
}
int each(const int *a, int n, int (*f)(int, void *), void *with)
{
	int sum = 0;
	if (!f || n > 4)
		return -1;
	for (int i = 0; i < n; i++)
		sum += f(a[i], with) > 0;
	if (sum > n && n > 0)
		return 2;
	return sum == 2;
}
]])

local ways = { prove = "dft --prove w.c", jobs = "dft --jobs 2 w.c", pipes = "dft --pipes w.c",
	resume = "dft w.c" }

-- By place and outcome: the verdict.
local function verdicts(entry, name, how, seconds)
	local store = entry .. "-" .. name .. ".db"
	local command = ("duct %s --entry %s --store %s --quiet"):format(how, entry, store)
	os.remove(store)
	if name == "resume" then
		tap.run(command .. " --runs 3")
		command = command .. " --resume"
	end
	local status, out, err = tap.run(("%s --time %g && duct report --store %s --branches"):format(command, seconds,
		store))
	local list, n = {}, 0
	for line in out:gmatch "[^\n]+" do
		local word = {}
		for w in (line .. "\t"):gmatch "([^\t]*)\t" do
			word[#word + 1] = w
		end
		for _, v in ipairs { "covered", "infeasible", "unknown" } do
			for i, w in ipairs(word) do
				if w == v then
					list[table.concat(word, " ", 1, i - 1)], n = v, n + 1
				end
			end
		end
	end
	tap.ok(status == 0 and n > 0, ("%s, %s: a session"):format(entry, name), out .. err)
	return list
end

-- What all ways say: what contradicts itself, what one covers and another does not, how much is proved and covered, and
-- which ways missed something. said: the verdicts of each way.
local function compare(said)
	local seen, false_ones, missed, proved, covered, late = {}, {}, {}, 0, 0, {}
	for name in pairs(ways) do
		for place, verdict in pairs(said[name]) do
			local all = seen[place] or { covered = {}, infeasible = {}, unknown = {} }
			seen[place] = all
			table.insert(all[verdict], name)
		end
	end
	for place, all in pairs(seen) do
		local text = ("%s: covered %s, infeasible %s, unknown %s"):format(place, table.concat(all.covered, ","),
			table.concat(all.infeasible, ","), table.concat(all.unknown, ","))
		proved, covered = proved + (all.infeasible[1] and 1 or 0), covered + (all.covered[1] and 1 or 0)
		if all.covered[1] and all.infeasible[1] then
			false_ones[#false_ones + 1] = text
		elseif all.covered[1] and all.unknown[1] then
			missed[#missed + 1] = text
			for _, name in ipairs(all.unknown) do late[name] = true end
		end
	end
	return false_ones, missed, proved, covered, late
end

for _, entry in ipairs { "list", "word", "each" } do
	local missed, proved, covered, false_ones
	local said, late = {}, ways
	for _, seconds in ipairs { 1, 8 } do               -- longer only where the machine is busy
		for name in pairs(late) do said[name] = verdicts(entry, name, ways[name], seconds) end
		false_ones, missed, proved, covered, late = compare(said)
		late.prove = late.prove or entry == "list" and proved == 0 or nil
		tap.ok(#false_ones == 0, entry .. ": nothing is infeasible here and covered there", table.concat(false_ones, "\n"))
		if covered < 2 then
			late = ways
		elseif not next(late) then
			break
		end
	end
	tap.ok(#missed == 0 and covered > 1, entry .. ": what one covers all cover", table.concat(missed, "\n"))
	tap.ok(entry ~= "list" or proved > 0, entry .. ": what cannot be is proved")
end
tap.done()
