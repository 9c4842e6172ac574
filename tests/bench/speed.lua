-- The table of tests/bench/speed.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

local repeats = tonumber(os.getenv "REPEAT" or "3")
local examples = tap.root .. "/share/examples/"
local failed, reached, missed = 0, 0, 0

local function chosen(part)
	for _, word in ipairs(arg) do if part:find(word, 1, true) then return true end end
	return #arg == 0
end

local function verdict(ratio)
	local good = ratio >= 1
	reached, missed = reached + (good and 1 or 0), missed + (good and 0 or 1)
	return ("%s %.2f"):format(good and "OK" or "MISSED", ratio)
end

local function fail(what, why)
	print(what .. ": failed\n" .. why)
	failed = failed + 1
end

-- CPU seconds and MiB of a command, least of some runs and of those `before`, and what it printed: { cpu, mib, out };
-- nil and why not.
local function least(command, times, before)
	local best = before or { cpu = math.huge, mib = math.huge }
	for _ = 1, times or repeats do
		local status, out, err = tap.run(tap.scratch .. "/measure " .. command)
		local cpu, kib = err:match("measure [%d.]+ ([%d.]+) (%d+)%s*$")
		if status ~= 0 or not cpu then return nil, err end
		if tonumber(cpu) < best.cpu then best.cpu, best.out = tonumber(cpu), out end
		best.mib = math.min(best.mib, tonumber(kib) / 1024)
	end
	return best
end

local function cost(command, times)
	local best, why = least(command, times)
	if not best then return nil, why end
	return best.cpu, best.mib, best.out
end

-- The same for two commands, by turns, as others may use the machine.
local function by_turns(one, other)
	local a, b, why
	for _ = 1, 2 * repeats do
		a, why = least(one, 1, a)
		if not a then return nil, why end
		b, why = least(other, 1, b)
		if not b then return nil, why end
	end
	return a, b
end

local function figure(name, value, unit, target, detail)
	print(("%-44s %10s %-9s %9s  %-12s %s"):format(name, value, unit, target, detail[1], detail[2] or ""))
	io.stdout:flush()
end

-- A figure that is at most its target when all is well.
local function at_most(name, value, unit, target, detail)
	figure(name, ("%.2f"):format(value), unit, ("<= %g"):format(target), { verdict(target / value), detail })
end

-- ---- paths a CPU second

local klee, cheap = "10 x KLEE", "KLEE / 2"
local programs = {
	{ "independent branches, n = 10", "independent.c", "--entry independent --len a=10", "-DN=10", 9300, cheap, paths = 1024 },
	{ "two strcmp", "strcmp2.c", "--entry both --string s1=12 --string s2=15", "", 12000, cheap, paths = 720 },
	{ "calculator, 5 characters", "calc_parser.c", "--entry evaluate --string text=5", "", 12000, cheap },
	{ "tokenizer, 6 characters", "tokenizer.c", "--entry tokenize --string text=6", "", 4100, cheap, runs = 10000 },
	{ "bubble sort of 5", "bsort.c", "--entry bsort --len a=5", "-DN=5", 570, klee, paths = 120 },
	{ "gcd to 30", "gcd.c", "--entry gcd", "-DLIMIT=30", 74, klee, paths = 900 },
	{ "prime to 2000", "prime.c", "--entry is_prime", "-DLIMIT=2000 -DREMAINDER", 89, klee, paths = 59 },
	{ "factor to 2000", "factor.c", "--entry factor", "-DLIMIT=2000 -DREMAINDER", 86, klee, paths = 450 },
	{ "power, exponents to 100", "power.c", "--entry power_within", "-DBOUND=100", 243, "KLEE", paths = 302 },
	{ "getOrder of 5", "get_order.c", "--entry getOrder --len p=5", "-DN=5", 57, klee, paths = 16 },
	{ "getOrder of 6", "get_order.c", "--entry getOrder --len p=6", "-DN=6", 28, klee, paths = 30 },
}

local function paths(p)
	local file, flags = examples .. p[2], p[4] ~= "" and " -- " .. p[4] or ""
	local cpu, why, out = cost(("duct concolic %s --search dfs %s --calls 1 --distinct all --keep all --json --quiet --time 300%s%s"):format(file, p[3],
		p.runs and " --runs " .. p.runs or "", flags), p.runs and 1)
	if not cpu then return fail(p[1], why) end
	local r = json.decode(out)
	local all = r.exhausted or r.ended == "limits"      -- texts may be longer: every path within the limits was run
	if p.paths and r.paths ~= p.paths or r.mispredicted > 0 or not (all or p.runs) then
		return fail(p[1], ("%d paths, %d mispredicted, ended: %s"):format(r.paths, r.mispredicted, r.ended))
	end
	local target = p[6] == klee and 10 * p[5] or p[6] == cheap and p[5] / 2 or p[5]
	local function rate(what, seconds, detail)
		figure(p[1] .. what, ("%.0f"):format(r.paths / seconds), "paths/s", (">= %.0f"):format(target),
			{ verdict(r.paths / seconds / target), detail:format(r.paths / seconds / p[5]) })
	end
	rate("", cpu, ("%s; %d paths; %%.2f of KLEE"):format(p[6], r.paths))
	rate(", building aside", r.cpu.run + r.cpu.solve + r.cpu.strategy, "as the session says; KLEE is given bitcode; %.2f of it")
end

-- ---- start-up and concrete code

local function start()
	local cpu, why = cost(("duct concolic %sis_sorted.c --entry isSorted --runs 1 --quiet --out %s/first"):format(examples, tap.scratch), 5)
	if not cpu then return fail("start to first test", why) end
	at_most("start to first test on disk", 1000 * cpu, "ms", 25)
end

local function concrete()
	local _, out = tap.run("sh " .. tap.root .. "/tests/bench/concrete/run")
	local targets = { sort = 1.6, json = 4, crc = 1.3 }
	for name, plain, none, untouched in out:gmatch("\n(%l+) +([%d.]+) +[%d.]+ +[%d.]+ +([%d.]+) +([%d.]+)") do
		at_most(name .. ", nothing symbolic", tonumber(none), "x of -O1", targets[name], ("-O1: %s s"):format(plain))
		at_most(name .. ", inputs untouched", tonumber(untouched), "x of -O1", targets[name])
		targets[name] = nil
	end
	for name in pairs(targets) do fail("concrete " .. name, out) end
end

-- ---- one run

local function round(name, file, entry, target)
	local rounds, few = 5000, 500
	local command = "env ROUNDS=%d duct " .. tap.root .. "/tests/bench/rounds.lua " .. file .. " --entry " .. entry .. " --quiet"
	local most, why = cost(command:format(rounds))
	local least = cost(command:format(few))
	if not most or not least then return fail(name, why) end
	at_most(name, 1e6 * (most - least) / (rounds - few), "us", target, "both sides of the pipe")
end

local function run()
	round("run of a small entry, state undone", examples .. "is_sorted.c", "isSorted", 30)
	round("run of a small entry, forked", tap.root .. "/tests/bench/forked.c", "forked", 400)
end

-- ---- growth

-- Means, and the smaller runs as often as both take the same time: the least of short runs is of the machine at its best.
local function growth_of(name, n, runs, target, what)
	local command = "duct concolic %sindependent.c --entry independent --len a=%d --search dfs --keep all --quiet --runs %d -- -DN=%d"
	local sum, mib, count = { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }
	local function add(i, k, most)
		local cpu, size = cost(command:format(examples, n[k], most, n[k]), 1)
		if not cpu then return nil, size end
		sum[i], mib[i], count[i] = sum[i] + cpu, math.max(mib[i], size), count[i] + 1
		return true
	end
	for _ = 1, repeats do
		local good, why = add(3, 1, 1)
		for _ = 1, runs[2] // runs[1] do if good then good, why = add(1, 1, runs[1]) end end
		if good then good, why = add(2, 2, runs[2]) end
		if not good then return fail(name, why or "") end
	end
	local small, large, base = sum[1] / count[1], sum[2] / count[2], sum[3] / count[3]
	at_most(name .. ": time", (large - base) / (small - base), "x", target, what)
	at_most(name .. ": memory", mib[2] / mib[1], "x", target, ("%.0f and %.0f MiB"):format(mib[1], mib[2]))
end

local function growth()
	growth_of("paths twice as long", { 500, 1000 }, { 400, 400 }, 2.2, "400 paths of 500 and 1000 conditions, start-up aside")
	growth_of("10 times the paths", { 17, 17 }, { 5000, 50000 }, 11, "5,000 and 50,000 paths, start-up aside")
end

-- ---- partial path constraints

-- The same paths by IPPC and by depth-first search, all of them but of sqrt.
local subjects = {
	{ "gcd to 30", "gcd.c --entry gcd" }, { "sqrt, 1,000 runs", "sqrt.c --entry int_sqrt --runs 1000" },
	{ "prime to 200", "prime.c --entry is_prime -- -DLIMIT=200" }, { "factor to 200", "factor.c --entry factor -- -DLIMIT=200" },
}

local function ippc_of(what, options, target)
	for _, subject in ipairs(subjects) do
		local command = "duct %s --json --quiet " .. options .. " " .. examples .. subject[2]
		local name = ("ippc, %s, %s"):format(subject[1], what)
		local dfs, ippc = by_turns(command:format("concolic --search dfs"), command:format("ippc"))
		if not dfs then return fail(name, ippc) end
		at_most(name, ippc.cpu / dfs.cpu, "x of DFS", target, ("mean conjuncts: %.2f for %.2f of DFS"):format(
			json.decode(ippc.out).solver.constraints_mean, json.decode(dfs.out).solver.constraints_mean))
	end
end

local function ippc()
	ippc_of("no layers", "--layers none", 1)
	ippc_of("all layers", "", 1.1)
end

local parts = {
	{ "paths", function() for _, p in ipairs(programs) do paths(p) end end }, { "start", start }, { "concrete", concrete },
	{ "run", run }, { "growth", growth }, { "ippc", ippc },
}
print(("%-44s %10s %-9s %9s  %-12s"):format("figure", "measured", "", "target", "ratio"))
for _, part in ipairs(parts) do
	if chosen(part[1]) then part[2]() end
end
print(("%d reached, %d missed"):format(reached, missed))
os.exit(failed == 0 and 0 or 1)
