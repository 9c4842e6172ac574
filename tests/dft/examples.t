#!/usr/bin/env lua5.4
-- Examples whose pairs are all decided by search and proof together, for inputs of fixed size: what is proved
-- infeasible, another search never covers, and what one calls infeasible by exhaustion, the other does not cover
-- either.
-- EXAMPLES=long: only examples that take most of a minute of CPU together, which `make bench` asks for.
-- limit: 600
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local folder = tap.folder("examples")

-- The options that stand in the file, but those of its search.
local function options_of(file)
	local line = tap.slurp(file):match("\n %* duct: concolic ([^\n]*)")
	local before, flags = line:match("^(.-)%s*(%-%- .*)$")
	before = (before or line):gsub("%-%-search %S+", ""):gsub("%-%-runs %d+", "")
	return before, flags or ""
end

-- The same inputs as a closed space: what is a string of at most N characters, which is a limit, has N + 1 elements
-- here, and the last of them is stated to be 0.
local function close(options)
	return (options:gsub("%-%-string ([%w_]+)=(%d+)", function(name, n)
		return ("--len %s=%d --assume %s"):format(name, n + 1, tap.quote(("%s[%d] == 0"):format(name, n)))
	end))
end

local function session(strategy, file, options, flags, store)
	local status, out, err = tap.run(("duct %s %s %s --store %s --json --quiet %s"):format(strategy, file, options,
		store, flags))
	if not tap.ok(status == 0, ("%s of %s"):format(strategy, file:match("[^/]*$")), err) then return { pairs = {} }, {} end
	local verdicts = {}
	for line in select(2, tap.run("duct report --pairs --store " .. store)):gmatch("[^\n]+") do
		local pair, verdict, evidence = line:match("^([^#].*)\t(%a+)\t([^\t]*)$")
		if pair then verdicts[pair] = { verdict, evidence } end
	end
	return json.decode(out), verdicts
end

local long = os.getenv("EXAMPLES") == "long"
local proofs = 0
for _, name in ipairs(long and {} or { "bsort", "global_foo", "is_sorted", "max3", "max3als", "power", "prime", "program1",
	"tcas", "test_n", "textfmt", "triangle" }) do
	local file = ("%s/share/examples/%s.c"):format(tap.root, name)
	local limited, flags = options_of(file)
	local options = close(limited)
	local r, both = session("dft", file, options .. " --prove --time 20", flags, ("%s/%s.a"):format(folder, name))
	local _, alone = session("concolic", file, options .. " --criterion all-uses --time 0.3", flags,
		("%s/%s.b"):format(folder, name))
	local wrong = {}
	for pair, v in pairs(both) do
		local other = alone[pair] and alone[pair][1]
		if v[1] == "infeasible" and other == "covered" or v[1] == "covered" and other == "infeasible" then
			wrong[#wrong + 1] = ("%s: %s (%s), and %s"):format(pair, v[1], v[2], other)
		end
		proofs = proofs + (v[2]:find("^proof: ") and 1 or 0)
	end
	if options ~= limited then                    -- what is proved whatever the size is infeasible for this one
		local _, any = session("dft", file, limited .. " --prove --time 0.6", flags, ("%s/%s.d"):format(folder, name))
		for pair, v in pairs(any) do
			local proved = v[1] == "infeasible" and v[2]:find("^proof: ")
			if proved and both[pair][1] ~= "infeasible" then
				wrong[#wrong + 1] = ("%s: %s (%s), and %s"):format(pair, v[1], v[2], both[pair][1])
			end
			proofs = proofs + (proved and 1 or 0)
		end
	end
	tap.is(r.pairs.unknown, 0, name .. ": nothing is unknown")
	tap.is(table.concat(wrong, "\n"), "", name .. ": search and proof agree")
end
tap.ok(long or proofs > 10, "proofs were compared", proofs)

-- The other examples: nothing is unknown but for limits, or this is why. Where every path was run, late aliases leave
-- open which elements are the same (--aliases=early decides it); of floating point the prover knows that there is a
-- value; pid's control loop needs sums that no input that was proposed reaches.
local why = {
	find = "every path was run, but an address depends on inputs",
	get_order = "every path was run, but an address depends on inputs",
	pid = "an input that was proposed does not exercise it",
	quadratic = "prove: not infeasible in the model, which gets there in 1 step, but no input is known that does",
}
-- Seconds of the first session of those that less is never enough for.
local first = { calculator = 4, gcd = 2, pid = 8, pl0 = 8, strcmp2 = 2, testme = 4, tokenizer = 4 }
for _, name in ipairs(long and { "calculator", "pid", "pl0", "testme", "tokenizer" } or { "calc_parser", "factor", "find", "gcd", "get_order",
	"independent", "page_free", "program2", "program3", "quadratic", "schedule", "sqrt", "strcmp2", "strmat", "strmat2",
	"top_locate" }) do
	local file = ("%s/share/examples/%s.c"):format(tap.root, name)
	local options, flags = options_of(file)
	local r, other
	local seconds = first[name] or 0.6
	while seconds < 60 do                          -- goes on where the sessions before were too short
		local pairs_of
		r, pairs_of = session("dft", file, ("%s --prove --time %g"):format(options, seconds), flags,
			("%s/%s.e"):format(folder, name))
		other = {}
		for pair, v in pairs(pairs_of) do
			if v[1] == "unknown" and not v[2]:find("^limits: ") and not (why[name] and v[2]:find(why[name], 1, true)) then
				other[#other + 1] = pair .. ": " .. v[2]
			end
		end
		if #other == 0 and (r.pairs.unknown or 0) - (r.pairs.limited or 0) <= 12 then break end
		seconds = 2 * seconds
	end
	tap.is(table.concat(other, "\n"), "", ("%s: %s"):format(name, why[name] and "the reason for what is unknown"
		or "nothing is unknown"))
	tap.ok(r.pairs.unknown and r.pairs.unknown - r.pairs.limited <= 12, name .. ": little is", r.pairs.unknown)
end
tap.done()
