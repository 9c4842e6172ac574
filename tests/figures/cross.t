#!/usr/bin/env lua5.4
-- All queries of some sessions, put to all engines and compared with the layers: no answers contradict each other.
-- limit: 120
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

local sessions = {
	{ "gcd.c", "--entry gcd", "-DLIMIT=8" }, { "gcd.c", "--entry euclid", "-DLIMIT=30" },
	{ "prime.c", "--entry is_prime", "-DLIMIT=200 -DREMAINDER" },
		{ "factor.c", "--entry factor", "-DLIMIT=300 -DREMAINDER" },
	{ "bsort.c", "--entry bsort --len a=5", "-DN=5" }, { "get_order.c", "--entry getOrder --len p=4", "-DN=4" },
	{ "tokenizer.c", "--entry tokenize --string text=4" }, { "calc_parser.c", "--entry evaluate --string text=5" },
	{ "triangle.c", "--entry triangle" }, { "power.c", "--entry power_within", "-DBOUND=4" },
	{ "top_locate.c", "--entry top --string input=5" },
}

for _, s in ipairs(sessions) do
	for _, layers in ipairs { "", "--layers none" } do
		local name = s[1] .. " " .. s[2] .. " " .. layers
		local status, out, err = tap.run(("duct concolic %s/share/examples/%s %s --json --quiet --runs 9 --query-timeout 0.2 --cross %s -- %s")
			:format(tap.root, s[1], s[2], layers, s[3] or ""))
		if tap.ok(status == 0, name, err) then
			local r = json.decode(out)
			tap.ok(r.solver.asked > 0 and r.solver.disagreed == 0, name .. ": nobody contradicts anybody")
			print(("# %d asked, %d unknown"):format(r.solver.asked, r.solver.unknown))
		end
	end
end
tap.done()
