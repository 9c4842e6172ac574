#!/usr/bin/env lua5.4
-- Cases of a switch that run the same code are one way of a path. Functions with such cases, drawn at random: a session
-- that knows ways exhausts them in fewer runs than a script with the same strategy, which does not, and says the same
-- of each outcome and each pair, also where assumptions reject some runs of a way.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local folder = tap.folder("cases")
local first, last = math.tointeger(arg[1] or 1), math.tointeger(arg[2] or 6)

for _, name in ipairs { "concolic", "dft" } do
	tap.spit(("%s/plain-%s.lua"):format(folder, name), ('return require "strategy.%s", { pairs = %s }'):format(name,
		name == "dft"))
end

local function pick(list)
	return list[math.random(#list)]
end

-- Statements for the cases of a switch on `value`, of characters or of small numbers; each label once.
local function switch(value, labels)
	local lines, left = { ("switch (%s) {"):format(value) }, table.move(labels, 1, #labels, 1, {})
	while #left > 1 do
		for _ = 1, math.min(#left, math.random(4)) do
			lines[#lines + 1] = ("case %s:"):format(table.remove(left, math.random(#left)))
		end
		lines[#lines + 1] = pick { "sum += 1;", "sum += 2;", "last = a[i];", "if (sum == 3) last = 'x';",
			"if (a[0] == 'b') sum += 4;", "duct_assume(n != 2);", "if (last == 'c') return 9;", "n += sum > 3;" }
		lines[#lines + 1] = math.random(4) > 1 and "break;" or nil
	end
	if math.random(2) == 1 then
		lines[#lines + 1] = "default: sum += 3;"
	end
	lines[#lines + 1] = "}"
	return table.concat(lines, "\n\t")
end

local function program(seed)
	math.randomseed(seed, 3)
	local letters = { "'a'", "'b'", "'c'", "'d'", "'<'", "'>'", "0" }
	return ([[
#include <duct.h>
int f(const unsigned char a[2], int n)
{
	int sum = 0, last = 0, i;
	duct_assume(n > 0 && n < 4);
	for (i = 0; i < 2; i++) {
		%s
	}
	i = 1;
	%s
	if (last == '<' && sum > 2)
		return 7;
	return sum;
}
]]):format(switch("a[i]", letters), switch(pick { "sum", "last", "a[1]" }, { "1", "2", "3", "5", "'a'", "'b'", "'<'" }))
end

local function session(strategy, name, store)
	local _, out, err = tap.run(("cd %s && duct %s %s.c --entry f --calls 1 --json --quiet --time 60 --search dfs --store %s"):format(
		folder, strategy, name, store))
	local verdicts = {}
	for _, kind in ipairs { "branches", "pairs" } do
		local _, text = tap.run(("cd %s && duct report %s --%s"):format(folder, store, kind))
		for line in text:gmatch "[^\n]+" do
			verdicts[#verdicts + 1] = line:match "^([^\t]*\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*)"
		end
	end
	return out:find "^{" and json.decode(out) or { exhausted = err, runs = 0 }, table.concat(verdicts, "\n")
end

local function differ(a, b)
	local list, of = {}, {}
	for line in a:gmatch "[^\n]+" do of[line] = true end
	for line in b:gmatch "[^\n]+" do
		list[#list + 1] = not of[line] and line or nil
	end
	return table.concat(list, "; ")
end

local runs, plain = 0, 0
for seed = first, last do
	local name, strategy = "p" .. seed, seed % 2 == 0 and "concolic" or "dft"
	tap.spit(("%s/%s.c"):format(folder, name), program(seed))
	local one, verdicts = session(strategy, name, name .. ".db")
	local all, want = session(("./plain-%s.lua"):format(strategy), name, name .. "-plain.db")
	tap.ok(one.exhausted == true and all.exhausted == true and verdicts == want and #want > 0,
		("seed %d: %s says the same as without ways"):format(seed, strategy),
		("%s %s %s"):format(one.exhausted, all.exhausted, differ(verdicts, want)))
	runs, plain = runs + one.runs, plain + all.runs
end
tap.ok(runs < plain * 3 // 4, "in less than three quarters of the runs", ("%d of %d"):format(runs, plain))
tap.done()
