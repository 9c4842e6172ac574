#!/usr/bin/env lua5.4
-- --pipes: the filters as co-processes give the very results of the fused driver, under every strategy.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

local function without_times(text)
	-- Hits of the cache depend on the numbering of expressions, which differs between processes.
	return (text:gsub('"seconds": [%d.]+', ""):gsub('"cpu": %b{}', ""):gsub('"cached": %d+, "engine": %d+', "")
		:gsub(', "pipes=true"', ""))
end

-- Five programs under every strategy, and more where one of them has something else to say.
local every = "concolic ippc late-aliases dft flowtest latest random"
local examples = {
	{ "is_sorted.c", "--entry isSorted --runs 60", every },
	{ "max3als.c", "--entry max3Als --runs 60", every },
	{ "tcas.c", "--entry advise --runs 40", every },
	{ "calculator.c", "--entry calculate --string text=2 --calls 1 --runs 60", every },
	{ "triangle.c", "--entry triangle --seed 5 --runs 60", every },
	{ "get_order.c", "--entry getOrder --len p=4 -- -DN=4", "late-aliases" },
	{ "power.c", "--entry power --runs 60", "dft" },
	{ "page_free.c", "--entry page_free --len A=3 --len count=3 --calls 1 -- -DN=3", "flowtest" },
	{ "prime.c", "--entry is_prime -- -DLIMIT=40", "ippc" },
}
for _, e in ipairs(examples) do
	local options, flags = (e[2] .. " -- "):match("^(.-) %-%- (.*)$")
	for strategy in e[3]:gmatch("%S+") do
		local function session(more)
			return tap.run(("duct %s %s/share/examples/%s %s --json --quiet %s -- %s"):format(strategy, tap.root, e[1], options,
				more, flags:gsub(" %-%- $", "")))
		end
		local s1, fused, err1 = session("")
		local s2, piped, err2 = session("--pipes")
		tap.ok(s1 == 0 and s2 == 0 and #fused > 200 and without_times(fused) == without_times(piped),
			("%s %s: %s"):format(strategy, e[1], e[2]), fused .. err1 .. piped .. err2)
	end
end

tap.done()
