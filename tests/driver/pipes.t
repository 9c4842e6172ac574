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

local function same(strategy, what, options)
	local s1, fused, err1 = tap.run(("duct %s %s --json --quiet %s"):format(strategy, what, options))
	local s2, piped, err2 = tap.run(("duct %s %s --pipes --json --quiet %s"):format(strategy, what, options))
	tap.ok(s1 == 0 and s2 == 0 and #fused > 200 and without_times(fused) == without_times(piped),
		("%s %s: %s"):format(strategy, what:match("[^/]*$"), options), fused .. err1 .. piped .. err2)
end

-- Five programs under every strategy: each is built once for those that need the same code; latest builds by itself.
local code = { [""] = "concolic ippc late-aliases random", ["--pairs"] = "dft", ["--flows"] = "flowtest" }
for name, e in pairs {
	is_sorted = { "--entry isSorted", "--runs 60" },
	max3als = { "--entry max3Als", "--runs 60" },
	tcas = { "--entry advise", "--runs 40" },
	calculator = { "--entry calculate --string text=2", "--calls 1 --runs 60" },
	triangle = { "--entry triangle", "--seed 5 --runs 60" },
} do
	for kind, strategies in pairs(code) do
		local status, _, err = tap.run(("instrument --quick %s %s -o %s %s/share/examples/%s.c"):format(kind, e[1], name,
			tap.root, name))
		if not tap.ok(status == 0, ("%s is built %s"):format(name, kind), err) then break end
		for strategy in strategies:gmatch("%S+") do same(strategy, "./" .. name, e[2]) end
	end
	same("latest", ("%s/share/examples/%s.c %s"):format(tap.root, name, e[1]), e[2])
end

-- From sources, those of which a strategy has something else to say.
for _, e in ipairs {
	{ "late-aliases", "get_order.c --entry getOrder --len p=4", "-- -DN=4" },
	{ "dft", "power.c --entry power", "--runs 60" },
	{ "flowtest", "page_free.c --entry page_free --len A=3 --len count=3 --calls 1", "-- -DN=3" },
	{ "ippc", "prime.c --entry is_prime", "-- -DLIMIT=40" },
} do
	same(e[1], ("%s/share/examples/%s"):format(tap.root, e[2]), e[3])
end
tap.done()
