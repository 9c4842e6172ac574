#!/usr/bin/env lua5.4
-- limit: 300
-- Traps of false proofs: in each program of tests/prove/taken some compiler or run makes every condition true that
-- `taken` is written behind: what runs before main, beside it or after it, comes back, is volatile, has no value yet,
-- or goes by two names. None may be infeasible.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local tables = require "tables"
local quote = tap.quote

local infeasible = 0

-- The conditions of a flow by outcome: only those that are true.
local function conditions(text)
	local of = {}
	for r in tables.records(text) do
		if r[1] == "branch" then
			of[r[2] .. " " .. r[6]] = { line = tonumber(r[8]), col = tonumber(r[9]), text = r[12] }
		end
	end
	return of
end

local function lines_of(text)
	local list = {}
	for line in text:gmatch("([^\n]*)\n") do list[#list + 1] = line end
	return list
end

local function check(name, path, context)
	local source = tap.slurp(path)
	local entry = source:find("\nint main%(") and "main" or "f"
	local status, out, err = tap.run(("duct cfg-dump %s >x && defuse -e %s x >p && cutpoints -b -f x p >g && prove -t 4 -c %s -f x g")
		:format(quote(path), entry, context))
	local of, outcome, lines, wrong, marked = conditions(tap.slurp("x")), {}, lines_of(source), {}, 0
	for r in tables.records(tap.slurp("g")) do
		if r[1] == "outcome" then outcome["o" .. r[2]] = of[r[4] .. " " .. r[5]] end
	end
	for r in tables.records(out) do
		local c = r[1] == "verdict" and outcome[r[4]]
		if c then
			local taken = lines[c.line]:sub(c.col + #c.text):find("^%) /%* taken %*/")
			marked = marked + (taken and 1 or 0)
			if taken and r[5] == "infeasible" then wrong[#wrong + 1] = ("%d: %s: %s"):format(c.line, c.text, r[6]) end
		end
		if r[1] == "verdict" then infeasible = infeasible + (r[5] == "infeasible" and 1 or 0) end
	end
	tap.ok(status == 0 and marked > 0 and #wrong == 0, ("%s, %s: %d conditions"):format(name, context, marked),
		table.concat(wrong, "\n") .. (err or ""))
end

for path in io.popen("ls " .. tap.root .. "/tests/prove/taken/*.c"):lines() do
	for _, context in ipairs { "entry", "any" } do check(path:match("([^/]+)%.c$"), path, context) end
end
tap.ok(infeasible > 40, "proofs are still found", infeasible)
tap.done()
