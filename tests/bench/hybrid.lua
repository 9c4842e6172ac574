-- hybrid.lua [NAME...]: search alone, proof alone, and both by turns, with the same budget of HYBRID seconds (10), on
-- programs of tests/bench/hybrid, whose loops have no bound, so that no search comes to an end, and examples: coverage of pairs = covered / (total - infeasible), and CPU seconds of all that took part, building included. The hybrid must
-- not be below either in what it covers, nor decide less.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local agree = require "agree"
local json = require "json"
local tap = require "tap"
local budget = tonumber(os.getenv "HYBRID" or "10")
local programs = #arg > 0 and arg or { "counters", "session", "digits", "power", "triangle", "bsort", "tcas", "find", "schedule", "factor", "top_locate",
	"textfmt", "get_order", "page_free", "strmat" }
local modes = {
	{ "search", "dft", "" }, { "proof", tap.root .. "/tests/bench/hybrid/prover.lua", "--criterion all-uses" },
	{ "hybrid", "dft", "--prove" },
}
local short, total = 0, {}

-- The example's own inputs and flags, none of its limits.
local function shape(t)
	local words = { "--entry " .. ((t.args or ""):match("%-%-entry%s+([%w_]+)") or "main") }
	for option, value in (t.args or ""):gmatch("(%-%-[%l-]+)[ =](%S+)") do
		if ("--len --string --distinct --calls --objects --global --stdin --arg --file --depth --steps --pointer-depth"):find(option, 1, true) then
			words[#words + 1] = ("%s %s"):format(option, tap.quote(value))
		end
	end
	return table.concat(words, " ")
end

local function measure(path, t, mode)
	local status, out, err = tap.run(("%s/measure duct %s %s %s %s -t %g --json --quiet -- -w %s"):format(tap.scratch, mode[2], tap.quote(path), shape(t), mode[3],
		budget, t.flags or ""))
	if status ~= 0 then error(("%s %s: status %d: %s"):format(path, mode[1], status, err), 0) end
	local r = json.decode(out)
	local p = r.pairs
	return { covered = p.covered, infeasible = p.infeasible, unknown = p.unknown, seconds = r.seconds,
		coverage = p.covered / math.max(1, p.total - p.infeasible), cpu = tonumber(err:match("measure [%d.]+ ([%d.]+)")) }
end

print(("%-12s %s"):format("hybrid", "  search: cov.%  inf.   open  CPU s     proof: cov.%  inf.   open  CPU s    hybrid: cov.%  inf.   open  CPU s"))
for _, name in ipairs(programs) do
	local path = ("%s/tests/bench/hybrid/%s.c"):format(tap.root, name)
	path = io.open(path) and path or ("%s/share/examples/%s.c"):format(tap.root, name)
	local t, row, found = agree.header(path), {}, {}
	for k, mode in ipairs(modes) do
		local r = measure(path, t, mode)
		found[k] = r
		total[k] = total[k] or { covered = 0, coverage = 0, unknown = 0, cpu = 0 }
		for key in pairs(total[k]) do total[k][key] = total[k][key] + r[key] end
		row[k] = ("   %12.1f %5d %6d %6.2f"):format(100 * r.coverage, r.infeasible, r.unknown, r.cpu)
	end
	local below = {}
	for k = 1, 2 do
		if found[3].coverage < found[k].coverage or found[3].covered + found[3].infeasible < found[k].covered + found[k].infeasible then
			below[#below + 1] = modes[k][1]
		end
	end
	short = short + (#below > 0 and 1 or 0)
	print(("%-12s%s%s"):format(name, table.concat(row), #below > 0 and "  BELOW " .. table.concat(below, ", ") or ""))
end
for k, mode in ipairs(modes) do
	print(("%s: mean coverage %.1f %%, %d pairs open, %.1f s of CPU"):format(mode[1], 100 * total[k].coverage / #programs,
		total[k].unknown, total[k].cpu))
end
os.exit(short == 0 and 0 or 1)
