-- subjects.lua [-t SECONDS] [-n RUNS] [hybrid|flowtest|ippc|aliases ...]: the papers' tables on subjects that are written anew
-- after what the papers tell of theirs (tests/bench/subjects), each session with so many runs, so that the figures do not
-- depend on the machine (a number for each table unless -n is given), and seconds at most (60); the papers' figures stand
-- beside ours. Theirs are of larger programs, on other machines: what can be compared is who is ahead, and by how much.
-- Keeps what it prints in tests/bench/last-NAME (the figures of the last time are shown as "last").
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

local seconds, runs, chosen = 60, nil, {}
do
	local i = 1
	while arg[i] do
		if arg[i] == "-t" then
			seconds, i = tonumber(arg[i + 1]), i + 1
		elseif arg[i] == "-n" then
			runs, i = math.tointeger(arg[i + 1]), i + 1
		else
			chosen[arg[i]] = true
		end
		i = i + 1
	end
end

local subjects = tap.root .. "/tests/bench/subjects/"

local function session(how, most, file, rest, flags)
	local command = ("duct %s %s%s.c %s -n %d -t %g --json --quiet --calls 1 --faults 0 %s"):format(how, subjects, file,
		rest, runs or most, seconds, flags or "")
	local status, out, err = tap.run(command)
	if status ~= 0 then error(("%s: status %d: %s"):format(command, status, err), 0) end
	local r = json.decode(out)
	return r
end

local function last_of(name)
	local lines = {}
	local f = io.open(("%s/tests/bench/last-%s"):format(tap.root, name))
	for line in f and f:lines() or function() end do
		local key, rest = line:match("^([%w%-]+ +%S+)%s%s*(.*)$")
		if key then lines[key] = rest end
	end
	if f then f:close() end
	return lines
end

-- Prints a row and keeps it; what it was the last time stands behind.
local function table_of(name, title, rows)
	local last, kept = last_of(name), {}
	print(title)
	rows(function(key, text)
		print(("%-22s %s%s"):format(key, text, last[key] and ("   [last: %s]"):format(last[key]:gsub("%s+", " ")) or ""))
		kept[#kept + 1] = ("%-22s %s"):format(key, text)
	end)
	tap.spit(("%s/tests/bench/last-%s"):format(tap.root, name), table.concat(kept, "\n") .. "\n")
end

-- Hybrid data-flow testing, Tables of RQ1 to RQ3: pairs covered and infeasible by search, by proof, by both. The papers'
-- totals: pairs of the whole program, of which KLEE with cpgs covered so many; infeasible by its provers.
local hybrid = {
	{ "replace", "--entry replace --string pattern=6 --string with=3 --string line=6" },
	{ "tokens", "--entry tokens --string text=8" }, { "tokens2", "--entry tokens --string text=8" },
	{ "scheduler", "--entry schedule --string text=12" }, { "statistics", "--entry statistics --string text=16" },
}
local prover = tap.root .. "/tests/bench/hybrid/prover.lua --criterion all-uses"
local modes = { { "search", "dft" }, { "cpgs-paper", "dft --search cpgs-paper" }, { "proof", prover }, { "hybrid", "dft --prove" } }

local function hybrid_rows(put)
	for _, subject in ipairs(hybrid) do
		for _, mode in ipairs(modes) do
			local r = session(mode[2], 2000, subject[1], subject[2])
			local p = r.pairs
			put(("%s %s"):format(subject[1], mode[1]), ("%4d pairs %4d covered %4d infeasible %4d open %5d runs"):format(
				p.total, p.covered, p.infeasible, p.unknown, r.runs))
		end
	end
end

-- FlowTest, Table 1: blocks, coverage of branches, paths, time; with blocks, and without as Splat.
local flowtest = {
	{ "pages", "--entry process --len flags=256 --len references=256 -- -DPAGES=256",
		"pmap: 512 blocks, 1536 paths in 509 s; Splat 6238 paths in more than an hour" },
	{ "protection", "--entry protect --len where=4 --len rights=2",
		"mondrian: 2 blocks, 733 paths in 1400 s; Splat 2916 paths in 2195 s" },
	{ "filter", "--entry filter --len p=28", "snort: 2 blocks, 45 paths in 284 s; Splat 73 paths in 295 s" },
}

local function flowtest_rows(put)
	for _, subject in ipairs(flowtest) do
		local rest, flags = subject[2]:match("^(.-) (%-%- .*)$")
		for _, how in ipairs { "flowtest", "flowtest --fixed random", "concolic" } do
			local r = session(how .. " --search dfs", 8000, subject[1], rest or subject[2], flags)
			local whole = r.partition and r.partition.complete or not r.partition and r.ended ~= "time" and r.ended ~= "runs"
			put(("%s %s"):format(subject[1], how:gsub(" %-%-fixed ", "-")), ("%4d blocks %3d of %3d outcomes %6d paths %6d runs%s"):format(
				r.blocks and r.blocks[1] and #r.blocks or 1, r.branches.covered, r.branches.total, r.paths, r.runs,
				whole and "" or ", not to the end"))
		end
		print("  the paper: " .. subject[3])
	end
end

-- IPPC, Table 2: solver calls, their mean length, coverage, time; DFS, CFG, RND, IPPC, and IPPC to the letter.
local ippc = {
	{ "replace", "--entry replace --string pattern=6 --string with=3 --string line=6",
		"replace, 1000 runs: DFS 1129 calls of 16.6, IPPC 6847 of 3.8; 85.2 % both; DFS / IPPC 0.7 of the time" },
	{ "tokens", "--entry tokens --string text=20",
		"ptokens, 1000 runs: DFS 1181 calls of 591, IPPC 38415 of 29.8; 85.1 % both; DFS / IPPC 1.6 of the time" },
	{ "match", "--entry search --string expression=8 --string line=6",
		"grep, 340 runs: DFS 439 calls of 324.8, IPPC 3671 of 8.3; 16.7 % both; DFS / IPPC 0.84 of the time" },
}
local techniques = { { "DFS", "concolic --search dfs" }, { "CFG", "concolic --search cfg" }, { "RND", "concolic --search rnd" },
	{ "IPPC", "ippc" }, { "IPPC-paper", "ippc --partial paper" } }

local function ippc_rows(put)
	for _, subject in ipairs(ippc) do
		for _, technique in ipairs(techniques) do
			local r = session(technique[2], 1000, subject[1], subject[2])
			local s, b = r.solver, r.branches
			put(("%s %s"):format(subject[1], technique[1]), ("%5d runs %6d calls of %6.1f, at most %4d; %5.1f %%"):format(
				r.runs, s.asked, s.constraints_mean, s.constraints_max, 100 * b.covered / b.total))
		end
		print("  the paper: " .. subject[3])
	end
end

-- Late aliases, Fig. 4 and 9: tests of all feasible paths, with addresses late, by the delayed list of LA2/LA3.1, early as
-- PathCrawler, and fixed as CUTE.
local aliases = { { "max3als", "--entry max3Als" }, { "get_order", "--entry getOrder --len p=4", "-- -DN=4" },
	{ "get_order", "--entry getOrder --len p=5", "-- -DN=5" } }

local function aliases_rows(put)
	for _, subject in ipairs(aliases) do
		for _, mode in ipairs { "late", "la", "early", "fix" } do
			local r = session("late-aliases --aliases " .. mode, 20000, "../../../share/examples/" .. subject[1], subject[2],
				subject[3])
			local n = (subject[3] or ""):match("%d+") or ""
			put(("%s%s %s"):format(subject[1]:gsub("_", ""), n, mode), ("%6d tests %6d paths %6d runs%s"):format(r.tests, r.paths, r.runs,
				r.exhausted and ", all" or ""))
		end
	end
	print("  the paper: max3Als 3 tests late, 125 early; getOrder late 7 and 16, early 24 and 120")
end

local tables = { { "hybrid", "pairs by search, by proof, and by both", hybrid_rows },
	{ "flowtest", "blocks of inputs, and all inputs at once", flowtest_rows },
	{ "ippc", "partial path constraints", ippc_rows }, { "aliases", "symbolic addresses", aliases_rows } }
for _, t in ipairs(tables) do
	if not next(chosen) or chosen[t[1]] then
		table_of("subjects-" .. t[1], t[2], t[3])
	end
end
