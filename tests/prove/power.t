#!/usr/bin/env lua5.4
-- The paper's examples: each pair of power and triangle is infeasible by a proof, or has a run that exercises it, by
-- every stage that can decide it alone.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local tables = require "tables"
local flowrun = require "flowrun"

local function verdicts(name, options)
	local file = name .. ".flow"
	tap.run(("duct cfg-dump %s/share/examples/%s.c >%s"):format(tap.root, name, file))
	tap.run(("defuse -p paper -e %s %s >p && cutpoints -f %s p >g"):format(name, file, file))
	local status, out, err = tap.run(("prove %s -f %s g"):format(options, file))
	tap.ok(status == 0 and err == "", ("%s %s: ends"):format(name, options), err)
	local list, last = {}, nil
	for r in tables.records(out) do
		if r[1] == "verdict" then
			last = { verdict = r[5], evidence = r[6], args = {} }
			list[tonumber(r[4])] = last
		elseif r[1] == "value" then
			table.insert(last.args, tonumber(r[6], 16))
		end
	end
	return flowrun.load(tap.slurp(file)), tables.read(tap.slurp("p")), list
end

local function key(pair) return ("%d %d %s"):format(pair.def.inst, pair.use.inst, pair.kind == "c" and "c"
	or pair.outcome) end

local function check_runs(name, p, found, list, steps)
	local failed = {}
	for _, pair in ipairs(found) do
		local v = list[pair.id]
		if v.verdict ~= "infeasible" then
			if not flowrun.call(p, name, false, v.args, steps)[key(pair)] then
				failed[#failed + 1] = pair.id .. " " .. v.evidence end
		end
	end
	tap.is(table.concat(failed, ", "), "", name .. ": each proposed run exercises its pair")
end

-- (8,18,res) and (5,(9,false),exp); line n of the figure is line n + 20.
for _, options in ipairs { "", "-s pdr", "-c any" } do
	local p, found, list = verdicts("power", options)
	local infeasible = {}
	for _, pair in ipairs(found) do
		if list[pair.id].verdict == "infeasible" then
			infeasible[#infeasible + 1] = ("%s %d %d %s"):format(pair.name, pair.def.line - 20, pair.use.line - 20, pair.kind)
		end
	end
	table.sort(infeasible)
	tap.is(table.concat(infeasible, ", "), "exp 5 9 p:false, res 8 18 c",
		"power " .. options .. ": the two infeasible pairs")
	check_runs("power", p, found, list, 1000000)
end

local p, found, list = verdicts("triangle", "")
local exercised = {}
for n = 0, 728 do
	for k in pairs(flowrun.call(p, "triangle", false, { n % 9, n // 9 % 9, n // 81 }, 10000)) do exercised[k] = true end
end
local wrong = {}
for _, pair in ipairs(found) do
	if (list[pair.id].verdict ~= "infeasible") ~= (exercised[key(pair)] or false) then wrong[#wrong + 1] = pair.id end
end
tap.is(table.concat(wrong, " "), "", "triangle: infeasible is what no sides of 0 to 8 exercise")
check_runs("triangle", p, found, list, 10000)
local _, _, only = verdicts("power", "-s simplify")
tap.ok(only[18].verdict == "unknown" and only[18].evidence == "no stage decides it",
	"power: a stage that cannot does not")
tap.done()
