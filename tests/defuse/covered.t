#!/usr/bin/env lua5.4
-- The pairs that runs cover: power's pairs by the paper's protocol, and triangle with all sides 0 to 8, where an
-- interpreter of the flow must find the same.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local trace_pairs = require "trace_pairs"
local flowrun = require "flowrun"

-- Runs `entry` of an example on all values LOW to HIGH of its parameters: pairs by id.
local function covered(entry, parameters, low, high, options)
	tap.spit("all.lua", ([[
local core = require "duct.core"
return function(session)
	local names, hit = { %s }, {}
	local program, model = "./%s", session.space:model()
	local runner, d = core.runner { program = program }, core.defuse(program, { entry = %q, %s })
	local function each(k)
		if k <= #names then
			for v = %d, %d do
				model:set(names[k], "i", 32, v)
				each(k + 1)
			end
			return
		end
		local trace <close> = runner:run(1, model)
		for _, i in ipairs(d:covered(trace)) do hit[i] = true end
	end
	each(1)
	for i = 1, d:count() do
		local p = d:pair(i)
		print(("%%d\t%%s\t%%d\t%%d\t%%s\t%%s"):format(i, p.name, p.def.line, p.use.line, p.kind, hit[i] and "covered" or "open"))
	end
	for _ in session:start() do end
end
]]):format(parameters, entry, entry, options, low, high))
	local status, out, err = tap.run(("duct ./all.lua %s/share/examples/is_sorted.c --entry isSorted --runs 1 --quiet"):format(tap.root))
	tap.ok(status == 0, entry .. ": " .. options, err)
	local list = {}
	for id, name, def, use, kind, verdict in out:gmatch("(%d+)\t([^\t]+)\t(%d+)\t(%d+)\t([^\t]+)\t(%l+)\n") do
		list[tonumber(id)] = { name = name, def = tonumber(def), use = tonumber(use), kind = kind,
			hit = verdict == "covered" }
	end
	return list
end

local function build(entry)
	local status, _, err = tap.run(("duct instrument --pairs -o %s --entry %s %s/share/examples/%s.c && duct cfg-dump %s >%s.flow")
		:format(entry, entry, tap.root, entry, entry, entry))
	tap.ok(status == 0, entry .. " is built", err)
end

build("power")
local all, open = covered("power", '"x", "y"', -3, 4, 'protocol = "paper"'), {}
tap.is(#all, 24, "power: 24 pairs")
for _, p in ipairs(all) do
	if not p.hit then open[#open + 1] = ("%d %d %s %s"):format(p.def - 20, p.use - 20, p.name, p.kind) end
end
table.sort(open)
tap.is(table.concat(open, ", "), "5 9 exp p:false, 8 18 res c", "all but two are covered")

build("triangle")
local p = flowrun.load(tap.slurp("triangle.flow"))
local inputs = {}
for k, name in ipairs { "a", "b", "c" } do inputs[k] = { name = name, kind = "i", offset = 0, size = 4, width = 32 } end
for _, scope in ipairs { "intra", "inter" } do
	local hit, n, wrong = {}, 0, {}
	for k = 0, 728 do
		inputs[1].value, inputs[2].value, inputs[3].value = k % 9, k // 9 % 9, k // 81
		for key in pairs((flowrun.replay(p, scope == "inter", inputs, 1000))) do hit[key] = true end
	end
	local known = trace_pairs.known(scope, "triangle", "triangle.flow")
	for key in pairs(hit) do
		if not known[key] then wrong[#wrong + 1] = "defuse has no " .. key end
	end
	local list = covered("triangle", '"a", "b", "c"', 0, 8, ("scope = %q"):format(scope))
	for key, id in pairs(known) do
		n = n + (list[id].hit and 1 or 0)
		if list[id].hit ~= (hit[key] or false) then
			wrong[#wrong + 1] = ("%s: %s"):format(key, list[id].hit and "told falsely" or "not told") end
	end
	tap.ok(#wrong == 0 and n > 30, ("triangle: %s: %d of %d pairs covered"):format(scope, n, #list),
		table.concat(wrong, "\n"))
end
tap.done()
