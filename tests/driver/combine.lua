-- Combinations of strategy, search, partition, abstraction, partial constraints, aliases, proofs, jobs and pipes on
-- generated programs: each either runs, and what it calls covered or infeasible is so by running all inputs, or is
-- refused with the reason. What was used is named in the JSON.
--   lua5.4 combine.lua FIRST LAST
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local first, last = math.tointeger(arg[1]), math.tointeger(arg[2])

local function draw(seed)
	math.randomseed(seed, 11)
	local function pick(...) return (select(math.random(select("#", ...)), ...)) end
	local o, used = { strategy = pick("concolic", "dft", "flowtest", "latest", "ippc", "late-aliases", "random") }, {}
	local function add(text, name) o[#o + 1], used[#used + 1] = text, name end
	local search = pick("", "", "dfs", "bfs", "random", "cfg", "rnd", "rnd --one", "generational", "bounded 4", "coverage",
		"mix", "mix dfs rnd", "rss", "rss-md2u", "sdgs", "cpgs", "mutate")
	if search ~= "" then add(("--search '%s'"):format(search)) end
	if math.random(4) == 1 then add("--partition", "partition=true") end
	if math.random(4) == 1 then add("--abstract all", "abstract=all") end
	if math.random(3) == 1 then
		if math.random(3) == 1 then add("--partial paper", "partial=true") else add("--partial", "partial=true") end
	end
	if math.random(6) == 1 then add("--refine last", "refine=last") end
	local aliases = pick("", "", "late", "la", "early", "fix")
	if aliases ~= "" then add("--aliases " .. aliases, "aliases=" .. aliases) end
	if math.random(6) == 1 then add("--layers slice,reuse", "layers=slice,reuse") end
	if math.random(4) == 1 then add("--prove", "prove=true") end
	if math.random(4) == 1 then
		add("--jobs 2")
		o.jobs = true
	end
	if math.random(5) == 1 then add("--pipes", "pipes=true") end
	o.search, o.used = search, used
	return o
end

local function must(command)
	local status, out, err = tap.run(command)
	if status ~= 0 then error({ command .. ": status " .. status .. "\n" .. err }, 0) end
	return out
end

-- The outcomes of `test` that running all inputs takes: [LINE OUTCOME]; the source's lines.
local function oracle(dir, seed)
	must(("lua5.4 %s/tests/latest/program.lua %d >%s/p.c"):format(tap.root, seed, dir))
	must(("gcc -w -fwrapv -O1 -DORACLE -o %s/oracle %s/p.c"):format(dir, dir))
	local taken, source = {}, {}
	for text in io.lines(dir .. "/p.c") do source[#source + 1] = text end
	for line, outcome in must(dir .. "/oracle"):gmatch("(%d+) (%a+)\n") do taken[line .. " " .. outcome] = true end
	return taken, source
end

local counts = { run = 0, refused = 0, whole = 0 }

local function judge(dir, r, o)
	local taken, source = oracle(dir, o.program)
	local whole = r.exhausted and tap.whole(r)
	for unit in must(("duct report --store %s/store --branches"):format(dir)):gmatch("[^\n]+") do
		local func, place, kind, verdict = unit:match("^(%S+)\t[^\t]*\t[^\t]*\t(%S+)\t(%S+)\t(%S+)")
		local line = place and place:match(":(%d+):%d+$")
		if func == "test" and source[tonumber(line)]:find("if (", 1, true) then
			local is = taken[line .. " " .. kind:gsub("^p:", "")] or false
			if verdict == "covered" and not is then error({ unit .. ": never taken" }, 0) end
			if verdict == "infeasible" and is then error({ unit .. ": taken" }, 0) end
			if whole and (verdict == "covered") ~= is then error({ unit .. ": the session is exhausted" }, 0) end
		end
	end
	counts.whole = counts.whole + (whole and 1 or 0)
	local text = table.concat(r.options, " ") .. " "
	if r.strategy ~= o.strategy then error({ "strategy " .. r.strategy }, 0) end
	if o.search ~= "" and r.search ~= o.search then error({ "search " .. r.search }, 0) end
	if o.jobs and not text:find("jobs=2 ", 1, true) and not table.concat(r.bounds, " "):find("shares=2", 1, true) then
		error({ "--jobs is not named: " .. text }, 0)
	end
	for _, name in ipairs(o.used) do
		if not text:find(name .. " ", 1, true) then error({ ("%s is not named: %s"):format(name, text) }, 0) end
	end
end

local function check(seed)
	local o, dir = draw(seed), tap.folder("seed" .. seed)
	o.program = seed % 20 + 1
	must(("lua5.4 %s/tests/latest/program.lua %d >%s/p.c"):format(tap.root, o.program, dir))
	local command = ("duct %s %s/p.c --entry test --calls 1 --check none --keep all --json --quiet --runs 300 --time 10 "
		.. "--store %s/store %s"):format(o.strategy, dir, dir, table.concat(o, " "))
	local status, out, err = tap.run(command)
	if status == 2 then
		local message = err:match("duct: ([^\n]+)\n$")
		if not message or #message < 20 or message:find("^share") then error({ command .. "\nno reason: " .. err }, 0) end
		counts.refused = counts.refused + 1
		return "refused: " .. message
	elseif status > 1 then
		error({ ("%s\nstatus %d: %s"):format(command, status, err) }, 0)
	end
	counts.run = counts.run + 1
	local ok, why = pcall(judge, dir, json.decode(out), o)
	if not ok then error({ command .. "\n" .. (type(why) == "table" and why[1] or why) }, 0) end
	return "runs"
end

for seed = first, last do
	local o = draw(seed)
	local ok, why = pcall(check, seed)
	tap.ok(ok, ("%d: %s %s: %s"):format(seed, o.strategy, table.concat(o, " "), ok and why or "wrong"),
		not ok and (type(why) == "table" and why[1] or why))
end
tap.ok(counts.run * 3 >= last - first + 1, "a third of them run", counts.run)
tap.done()
