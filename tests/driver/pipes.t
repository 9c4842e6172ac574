#!/usr/bin/env lua5.4
-- --pipes: the filters as co-processes give the very results of the fused driver.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

local function without_times(text)
	-- What a cache knows depends on the numbers of expressions, which are the process's own.
	return (text:gsub('"seconds": [%d.]+', ""):gsub('"cpu": %b{}', ""):gsub('"cached": %d+, "engine": %d+', ""))
end

local examples = {
	{ "is_sorted.c", "--entry isSorted" },
	{ "max3als.c", "--entry max3Als" },
	{ "get_order.c", "--entry getOrder --len p=4 -- -DN=4" },
	{ "tcas.c", "--entry advise" },
	{ "calculator.c", "--entry calculate --string text=2 --calls 1" },
	{ "triangle.c", "--entry triangle --search random --seed 5" },
	{ "is_sorted.c", "--entry isSorted", "ippc" },
	{ "prime.c", "--entry is_prime -- -DLIMIT=40", "ippc" },
}
for _, e in ipairs(examples) do
	local options, flags = (e[2] .. " -- "):match("^(.-) %-%- (.*)$")
	local function session(more)
		return tap.run(("duct %s %s/share/examples/%s %s --json --quiet %s -- %s"):format(e[3] or "concolic", tap.root, e[1], options,
			more, flags:gsub(" %-%- $", "")))
	end
	local s1, fused, err1 = session("")
	local s2, piped, err2 = session("--pipes")
	tap.ok(s1 == 0 and s2 == 0 and #fused > 200 and without_times(fused) == without_times(piped), e[1] .. ": " .. e[2],
		fused .. err1 .. piped .. err2)
end

tap.done()
