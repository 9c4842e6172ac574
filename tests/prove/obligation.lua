-- obligation: no obligation that a checker calls safe may be of a pair that some input exercises. The stand-in runs an
-- obligation on all inputs, an interpreter of flow(5) the program; every so manieth pair in both scopes.
--   obligation.lua FROM TO EVERY        programs of tests/prove/small.lua
--   obligation.lua calls EVERY          tests/prove/outside/calls.c
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local tables = require "tables"
local flowrun = require "flowrun"
local subjects = require "subjects"
local calls = arg[1] == "calls"
local every = tonumber(arg[calls and 2 or 3])

-- pairs(5) with every so manieth pair alone, as p.
local function thin(file, scope)
	return tap.run(([[defuse -s %s -e test %s | awk -F'\t' -v OFS='\t' '$1 == "pair" { if (++n %% %d) next; $2 = ++id }
		$1 == "end" { $2 = m } !/^#/ && $1 != "end" { m++ } { print }' >p]]):format(scope, file, every))
end

local function exercised(p, scope)
	local seen = {}
	for input = 0, 255 do
		for key in pairs((flowrun.call(p, "test", scope == "inter", { input }, 100000))) do seen[key] = seen[key] or input end
	end
	return seen
end

local function check(s, file, scope)
	local seen, pair, wrong, n, safe, open = exercised(flowrun.load(tap.slurp(file)), scope), {}, {}, 0, 0, 0
	thin(file, scope)
	local status, out, err = tap.run(("cutpoints -f %s p >g && prove -s facts -t 600 -c entry -w %s/tests/prove/standin/check -f %s g")
		:format(file, tap.root, file))
	for _, p in ipairs(tables.read(tap.slurp "p")) do pair[p.id] = p end
	for r in tables.records(out) do
		if r[1] == "verdict" then
			local p = pair[tonumber(r[4])]
			local input = seen[tables.name(p)]
			n, safe = n + 1, safe + (r[5] == "infeasible" and 1 or 0)
			open = open + (r[5] ~= "infeasible" and not input and 1 or 0)
			if r[5] == "infeasible" and input then
				wrong[#wrong + 1] = ("%s %d:%d -> %d:%d %s: input %d exercises it, but %s"):format(p.name, p.def.line, p.def.col,
					p.use.line, p.use.col, p.kind, input, r[6])
			end
		end
	end
	tap.ok(status == 0 and safe > 0 and #wrong == 0, ("%s %s: %d pairs, %d safe, %d open that no input exercises"):format(s.name,
		scope, n, safe, open), table.concat(wrong, "\n") .. err)
end

local function both(s)
	local file, err = subjects.flow(s, true)
	if not file then return tap.ok(false, s.name, err) end
	check(s, file, "intra")
	check(s, file, "inter")
end

if calls then
	both { name = "calls", source = tap.root .. "/tests/prove/outside/calls.c", flags = "", options = "--entry test" }
else
	subjects.each({ "small", arg[1], arg[2] }, {}, both)
end
tap.done()
