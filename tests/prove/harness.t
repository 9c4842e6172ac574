#!/usr/bin/env lua5.4
-- limit: 300
-- Programs with a harness: proposed runs, told by the names of inputs, exercise their pairs; drawn inputs never
-- exercise an infeasible one. An interpreter of flow(5) runs them.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local tables = require "tables"
local flowrun = require "flowrun"

local function inputs_of(r)
	local size = tonumber(r[5]) // 8
	return { name = r[3], kind = r[4], size = size, offset = (tonumber(r[3]:match("%[(%d+)%]$")) or 0) * size,
		value = tonumber(r[6], 16) }
end

local function check(name, entry, options)
	tap.run(("duct instrument -o prog %s/share/examples/%s.c --entry %s %s && duct cfg-dump prog >flow"):format(tap.root,
		name, entry, options))
	tap.run(("defuse -e %s flow >p && cutpoints -f flow p >g"):format(entry))
	local status, out, err = tap.run("prove -t 60 -f prog g")
	tap.ok(status == 0, name .. ": ends", err)
	local p, list, infeasible, inputs, last = flowrun.load(tap.slurp("flow")), {}, {}, nil, nil
	for r in tables.records(out) do
		if r[1] == "verdict" then
			last = { verdict = r[5], evidence = r[6], inputs = {} }
			list[tonumber(r[4])] = last
		elseif r[1] == "value" then
			table.insert(last.inputs, inputs_of(r))
		end
	end
	local tried, failed, n = 0, {}, 0
	for _, pair in ipairs(tables.read(tap.slurp("p"))) do
		local v, d = list[pair.id], pair.def
		local key = ("%s %d %s"):format(d.how == "incoming" and "incoming " .. d.func or d.inst, pair.use.inst,
			pair.kind == "c" and "c" or pair.outcome)
		if v.verdict == "infeasible" then
			infeasible[key], n = pair.id .. " " .. v.evidence, n + 1
		elseif v.evidence:find("a run to try") then
			tried, inputs = tried + 1, v.inputs
			if not flowrun.replay(p, false, v.inputs, 100000)[key] then failed[#failed + 1] = pair.id end
		end
	end
	tap.ok(tried > 0 and #failed == 0, ("%s: %d proposed runs exercise their pairs"):format(name, tried),
		table.concat(failed, " "))
	math.randomseed(3, 4)
	local wrong, seen = {}, 0
	for _ = 1, 300 do
		for _, i in ipairs(inputs) do i.value = math.random(-3, 6) & ((1 << i.size * 8) - 1) end
		for k in pairs(flowrun.replay(p, false, inputs, 100000)) do
			seen = seen + 1
			if infeasible[k] then wrong[#wrong + 1] = infeasible[k] end
		end
	end
	tap.ok(seen > 300 and #wrong == 0, ("%s: drawn inputs exercise none of %d infeasible pairs"):format(name, n),
		table.concat(wrong, "\n"))
end

check("power", "power_within", "")
check("bsort", "bsort", "--len a=3 -- -DN=3")
check("triangle", "triangle", "")
tap.done()
