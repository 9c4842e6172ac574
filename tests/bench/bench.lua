-- The table of tests/bench/run, group rows. Each row is a whole `duct` process: CPU is its own and of all
-- that it started, memory the resident size of the largest process.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

-- goal: paths a CPU second; most: milliseconds of CPU a path; mib: memory; paths: what must come out.
local rows = {
	{ "independent 8", "independent.c", "--entry independent --len a=8", "-DN=8", paths = 256, goal = 1000 },
	{ "independent 10", "independent.c", "--entry independent --len a=10", "-DN=10", paths = 1024, goal = 1000 },
	{ "independent 12", "independent.c", "--entry independent --len a=12", "-DN=12", paths = 4096, goal = 1000 },
	{ "independent 17", "independent.c", "--entry independent --len a=17", "-DN=17", paths = 131072, goal = 1000, mib = 1024 },
	{ "tokenizer 100000", "tokenizer.c", "--entry tokenize --string text=14 --search mix", "", goal = 1000, mib = 1024,
		runs = 100000 },
	{ "two strcmp", "strcmp2.c", "--entry both --string s1=12 --string s2=15", "", paths = 720, goal = 1000 },
	{ "bubble sort 5", "bsort.c", "--entry bsort --len a=5", "-DN=5", paths = 120 },
	{ "gcd 30", "gcd.c", "--entry gcd", "-DLIMIT=30", paths = 900, goal = 40 },
	{ "gcd 30, remainders", "gcd.c", "--entry euclid", "-DLIMIT=30", goal = 40 },
	{ "prime 2000", "prime.c", "--entry is_prime", "-DLIMIT=2000 -DREMAINDER", paths = 59 },
	{ "factor 2000", "factor.c", "--entry factor", "-DLIMIT=2000 -DREMAINDER", paths = 450 },
	{ "prime 200, linear", "prime.c", "--entry is_prime", "-DLIMIT=200", paths = 199 },
	{ "factor 200, linear", "factor.c", "--entry factor", "-DLIMIT=200", paths = 199 },
	{ "tokenizer 4", "tokenizer.c", "--entry tokenize --string text=4", "", goal = 1000 },
	{ "tokenizer 6", "tokenizer.c", "--entry tokenize --string text=6", "", goal = 1000, runs = 20000 },
	{ "calculator 5", "calc_parser.c", "--entry evaluate --string text=5", "", most = 5 },
}

local keep = tap.root .. "/tests/bench/last"

local function last_figures()
	local last = {}
	for line in (tap.slurp(keep) or ""):gmatch("[^\n]+") do
		local name, rate = line:match("^([^\t]+)\t.*\t([%d.]+)$")
		if name then last[name] = tonumber(rate) end
	end
	return last
end

local function chosen(name)
	if #arg == 0 then return true end
	for _, word in ipairs(arg) do if name:find(word, 1, true) then return true end end
end

-- A row's figures, or nil and why not.
local function measure(row)
	local command = ("%s/measure duct concolic %s/share/examples/%s --search dfs %s --calls 1 --distinct all --keep all --json --quiet --time 300 %s %s"):format(
		tap.scratch, tap.root, row[2], row[3], row.runs and "--runs " .. row.runs or "", row[4] ~= "" and "-- " .. row[4] or "")
	local status, out, err = tap.run(command)
	local wall, cpu, memory = err:match("\nmeasure ([%d.]+) ([%d.]+) (%d+)")
	if status ~= 0 or not wall then return nil, err end
	local r = json.decode(out)
	r.wall, r.total, r.mib = tonumber(wall), tonumber(cpu), tonumber(memory) / 1024
	return r
end

local function verdict(row, r)
	local rate = r.paths / r.total
	if row.paths and r.paths ~= row.paths then return ("WRONG: %d paths"):format(row.paths) end
	if r.mispredicted ~= 0 then return "WRONG: predictions missed" end
	if r.ended ~= "exhausted" and r.ended ~= "limits" and not row.runs then return "SHORT: not all paths were run" end
	if row.mib and r.mib > row.mib then return ("SHORT: over %d MiB"):format(row.mib) end
	if row.goal then return (rate >= row.goal and "reached %d/s" or "SHORT of %d/s"):format(row.goal) end
	if row.most then
		local ms = 1000 / rate
		return (ms <= row.most and "reached %g ms a path" or "SHORT of %g ms a path"):format(row.most)
	end
	return "-"
end

local form = "%-20s %7s %7s %8s %8s %8s %7s %7s %7s %7s %9s %9s %7s  %s"
local last, kept, bad = last_figures(), {}, 0
print(form:format("program", "paths", "runs", "asked", "cached", "engine", "run s", "solve s", "other s", "CPU s",
	"paths/s", "last", "MiB", "goal"))
for _, row in ipairs(rows) do
	if chosen(row[1]) then
		local r, why = measure(row)
		if not r then
			print(row[1] .. ": failed\n" .. why)
			bad = bad + 1
		else
			local rate, goal = r.paths / r.total, verdict(row, r)
			local f = function(x) return ("%.2f"):format(x) end
			print(form:format(row[1], r.paths, r.runs, r.solver.asked, r.solver.cached, r.solver.engine,
				f(r.cpu.run), f(r.cpu.solve), f(math.max(0, r.total - r.cpu.run - r.cpu.solve)), f(r.total), ("%.0f"):format(rate),
				last[row[1]] and ("%.0f"):format(last[row[1]]) or "-", ("%.0f"):format(r.mib), goal))
			io.stdout:flush()
			if goal:find("WRONG") then bad = bad + 1 end
			kept[#kept + 1] = ("%s\t%d\t%d\t%d\t%d\t%d\t%.3f\t%.0f\t%.1f"):format(row[1], r.paths, r.runs, r.solver.asked,
				r.solver.cached, r.solver.engine, r.total, r.mib, rate)
		end
	end
end

-- From the command to the first test on disk: wall clock and CPU.
local function first_test()
	local best, least
	for i = 1, 5 do
		local status, _, err = tap.run(("%s/measure duct concolic %s/share/examples/is_sorted.c --entry isSorted --runs 1 --quiet --out %s/first%d")
			:format(tap.scratch, tap.root, tap.scratch, i))
		local wall, cpu = err:match("\nmeasure ([%d.]+) ([%d.]+)")
		if status == 0 and wall then
			best, least = math.min(best or math.huge, tonumber(wall)), math.min(least or math.huge, tonumber(cpu))
		end
	end
	return best, least
end

if chosen("first test") then
	local seconds, cpu = first_test()
	if seconds then
		print(("start to first test (best of 5): %.3f s, %s 0.3 s; CPU %.3f s, %s 0.12 s"):format(seconds,
			seconds < 0.3 and "under" or "SHORT of", cpu, cpu < 0.12 and "under" or "SHORT of"))
	else
		print("start to first test: failed")
		bad = bad + 1
	end
end

-- Data-flow analysis of 20,000 lines with one function of 3,000: CPU seconds and memory of each filter.
local function analysis()
	local dir = tap.scratch
	local steps = {
		{ "cfg-dump", "duct cfg-dump %s/large.c -- -w >%s/large.flow" }, { "defuse", "defuse %s/large.flow >%s/large.pairs", "pair" },
		{ "cutpoints", "cutpoints -f %s/large.flow %s/large.pairs >%s/large.goals", "goal" },
		{ "defuse -s inter", "defuse -s inter %s/large.flow >%s/large.pairs", "pair" },
	}
	tap.run(("lua5.4 %s/tests/bench/large.lua >%s/large.c"):format(tap.root, dir))
	for _, step in ipairs(steps) do
		local status, _, err = tap.run(dir .. "/measure " .. step[2]:format(dir, dir, dir))
		local wall, cpu, memory = err:match("measure ([%d.]+) ([%d.]+) (%d+)")
		local _, count = tap.run(("grep -c ^%s %s/large.%s"):format(step[3] or "inst", dir, step[3] and step[3] .. "s" or "flow"))
		local fine = status == 0 and wall and tonumber(cpu) < 10 and tonumber(memory) < 1 << 20
		print(("20,000 lines: %-16s %8d %s, %.2f CPU s, %.0f MiB, %s 10 s and 1 GiB"):format(step[1], tonumber(count) or 0,
			step[3] and step[3] .. "s" or "instructions", tonumber(cpu) or 0, (tonumber(memory) or 0) / 1024, fine and "under" or "SHORT of"))
		if not fine then bad = bad + 1 end
	end
end

if chosen("analysis") then analysis() end
if #arg == 0 and bad == 0 then
	tap.spit(keep, "# program, paths, runs, asked, cached, engine, CPU seconds, MiB, paths a CPU second\n" .. table.concat(kept, "\n") .. "\n")
end
os.exit(bad == 0 and 0 or 1)
