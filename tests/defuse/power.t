#!/usr/bin/env lua5.4
-- The paper's own example: all pairs of power, its cut points, its redefinitions. Line n of the figure is
-- line n + 20 of the file.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local tables = require "tables"

local power = tap.root .. "/share/examples/power.c"
tap.run(("duct cfg-dump %s >power.flow"):format(power))
local _, text = tap.run("defuse -p paper -e power power.flow | tee power.pairs")
local found = tables.read(text)

-- Per variable: definitions, then uses; * for p-uses.
local want = {
	"x 1 10", "x 1 14*", "y 1 4*", "y 1 5", "y 1 7", "y 1 13*",
	"exp 5 9*", "exp 7 9*", "exp 11 9*", "exp 5 11", "exp 7 11", "exp 11 11",
	"res 8 10", "res 8 17", "res 8 18", "res 10 10", "res 10 17", "res 10 18",
}
local left, total = {}, 0
for _, w in ipairs(want) do
	for _, kind in ipairs(w:find("%*") and { "p:true", "p:false" } or { "c" }) do
		left[w:gsub("%*", "") .. " " .. kind] = true
		total = total + 1
	end
end
tap.is(#found, 24, "24 pairs")
tap.is(total, 24, "24 expected")
for _, p in ipairs(found) do
	local key = ("%s %d %d %s"):format(p.name, p.def.line - 20, p.use.line - 20, p.kind)
	tap.ok(left[key], key)
	left[key] = nil
	p.key2 = key
end
tap.ok(next(left) == nil, "none is missing", next(left))

local flow = tables.flow(tap.slurp("power.flow"))
local _, goals = tap.run("cutpoints -f power.flow power.pairs")
goals = tables.goals(goals)
local function lines(p)
	local list = {}
	for _, point in ipairs(goals[p.id].points) do list[#list + 1] = flow.inst[point.inst].line - 20 end
	return table.concat(list, " ")
end
for _, p in ipairs(found) do
	if p.key2 == "res 8 17 c" then
		tap.is(lines(p), "4 8 9 13 14 17", "cut points of (8,17,res)")
		local kills = {}
		for _, k in ipairs(goals[p.id].kills) do kills[#kills + 1] = flow.inst[k.inst].line - 20 .. k.force end
		tap.is(table.concat(kills, " "), "8must 10must", "redefinitions of res")
	elseif p.key2 == "exp 11 9 p:false" then
		tap.is(lines(p), "4 8 9 11 9", "cut points of (11,(9,false),exp): round the loop")
	end
end
for _, p in ipairs { { "", 28 }, { "-c all-c-uses", 16 }, { "-c all-p-uses", 12 }, { "-c all-defs", 28 },
	{ "-e power", 24 } } do
	local _, out = tap.run("defuse " .. p[1] .. " power.flow | grep -c ^pair")
	tap.is(tonumber(out), p[2], "defuse " .. p[1])
end
local status, _, err = tap.run("defuse -c all-p power.flow")
tap.ok(status == 2 and err == "defuse: --criterion `all-p`: expected one of all-defs, all-c-uses, all-p-uses, all-uses\n",
	"a criterion that is none", err)
status, _, err = tap.run("defuse -e powr power.flow")
tap.ok(status == 2 and err == "defuse: --entry powr: no such function\n", "an entry that is none", err)

-- A length that is no number of bits in 64 bits: the whole object is written, not its first byte.
tap.spit("far.c", [[
#include <string.h>
int far(int k)
{
	char a[4];
	a[2] = 1;
	if (k)
		memset(a, 0, 2305843009213693953UL);
	return a[2];
}
]])
_, text = tap.run("duct cfg-dump far.c 2>/dev/null | defuse -e far")
local lines = {}
for _, p in ipairs(tables.read(text)) do
	if p.use.line == 8 then lines[#lines + 1] = p.def.line end
end
table.sort(lines)
tap.is(table.concat(lines, " "), "5 7", "a length without end")
tap.done()
