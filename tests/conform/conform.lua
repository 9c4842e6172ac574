-- Conformance: every mark of a program (conform.h) is reached, or named by a loss in its rule.
--   lua5.4 conform.lua NAME...
-- For each tests/conform/NAME.c: a session until it is exhausted; its tests, built by gcc from
-- the untouched source, give the marks that the session observed; marks that must not be
-- reached are infeasible when nothing was lost. The first line of a program may have options of its
-- session, and "(hard)": queries may stay without an answer, which get 3 s instead of 10; "(limits: KIND ...)": which
-- limits its runs touch, all of them.
-- There, what is not reached is unknown on account of them.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local flags = "-w -fwrapv -fno-strict-aliasing"

local function must(command)
	local status, out, err = tap.run("timeout -k 1 400 " .. command)
	if status ~= 0 then error({ ("%s\nstatus %d\n%s%s"):format(command, status, out:sub(-3000), err:sub(-3000)) }, 0) end
	return out
end

-- The rules of a source: name, first and last line, and by mark the rule that it belongs to.
local function rules_of(path)
	local rules, n = {}, 0
	for line in io.lines(path) do
		n = n + 1
		local name = line:match("rule: ([^*]-)%s*%*/") or line:match("rule: (.*)$")
		if name then rules[#rules + 1] = { name = name, first = n, marks = {}, nevers = {} } end
		if #rules > 0 then rules[#rules].last = n end
	end
	return rules
end

local function rule_at(rules, line)
	for _, r in ipairs(rules) do if r.first <= line and line <= r.last then return r end end
end

-- Marks as the preprocessor leaves them, so that macros may make some.
local function find_marks(path, rules)
	local file, line = "", 0
	for text in must(("gcc -E %s -I%s %s"):format(flags, tap.root, path)):gmatch("([^\n]*)\n") do
		local n, name = text:match('^# (%d+) "([^"]*)"')
		if n then
			file, line = name, tonumber(n) - 1
		else
			line = line + 1
			local rule = file == path and rule_at(rules, line)
			for kind, number in text:gmatch("return (%a+)%((%d+)%)") do
				if rule and kind == "mark" then table.insert(rule.marks, tonumber(number)) end
				if rule and kind == "never" then table.insert(rule.nevers, tonumber(number)) end
			end
		end
	end
end

-- Verdicts by mark: the last condition of a MARK's or NEVER's text is the one on its result.
local function verdicts(store)
	local of = {}
	for line in must("duct report --branches --store " .. store):gmatch("[^\n]+") do
		local number, verdict = line:match("^[^\t]*\t%u+%((%d+),[^\t]*\t%d+\t[^\t]*\tp:true\t(%a+)")
		if number then of[tonumber(number)] = verdict end
	end
	return of
end

local function reached_of(store)
	local reached = {}
	for n in must(("sqlite3 %s 'select distinct result from test where result is not null'"):format(store)):gmatch("%-?%d+") do
		reached[tonumber(n)] = true
	end
	return reached
end

local function join(list) return #list > 0 and " " .. table.concat(list, " ") or "" end

-- One rule: what is wrong with its marks, and its line of the table.
local function judge(rule, reached, verdict, exact, limited)
	local missing, wrong, n, losses = {}, {}, 0, {}
	for reason in pairs(rule.lost) do losses[#losses + 1] = reason end
	table.sort(losses)
	for _, m in ipairs(rule.marks) do
		if reached[m] then n = n + 1 else missing[#missing + 1] = m end
		if reached[m] and verdict[m] and verdict[m] ~= "covered" then wrong[#wrong + 1] = ("%d reached, but %s"):format(m, verdict[m]) end
		if not reached[m] and verdict[m] == "covered" then wrong[#wrong + 1] = m .. " covered by no test" end
		if not reached[m] and #losses > 0 and verdict[m] == "infeasible" then wrong[#wrong + 1] = m .. " lost, but infeasible" end
	end
	for _, m in ipairs(rule.nevers) do
		if reached[m] then wrong[#wrong + 1] = m .. " must not be reached" end
		if exact and verdict[m] ~= (limited and "unknown" or "infeasible") then wrong[#wrong + 1] = ("%d is %s"):format(m, verdict[m]) end
	end
	if #missing > 0 and #losses == 0 then wrong[#wrong + 1] = "not reached:" .. join(missing) end
	print(("# %-52s %3d marks %3d reached %3d lost %3d infeasible  %s"):format(rule.name, #rule.marks, n,
		#losses > 0 and #missing or 0, #rule.nevers, table.concat(losses, "; ")))
	return wrong, n, #losses > 0 and #missing or 0
end

local totals = { marks = 0, reached = 0, lost = 0, nevers = 0 }

local function program(name)
	local path = ("%s/tests/conform/%s.c"):format(tap.root, name)
	local dir = tap.folder(name)
	local store = dir .. "/store"
	local rules = rules_of(path)
	find_marks(path, rules)
	local head = io.open(path):read("l")
	local options, hard = head:match("options: ([^*(]*)") or "--string s=7", head:find("(hard)", 1, true)
	local r = json.decode(must(("duct concolic %s --calls 1 --distinct all --keep all --entry test %s --search dfs --time 300 --query-timeout %d --store %s --out %s/tests --json --quiet -- %s -I%s -lm")
		:format(path, options, hard and 3 or 10, store, dir, flags, tap.root)))
	for _, rule in ipairs(rules) do rule.lost = {} end
	for _, l in ipairs(r.lost) do
		local rule = rule_at(rules, l.line)
		if rule and l.file:match("[^/]*$") == name .. ".c" then rule.lost[l.reason .. ":" .. l.line] = true end
	end
	local kinds, limits = {}, ""
	for _, l in ipairs(r.limits) do kinds[l.kind] = true end
	for _, kind in ipairs { "address", "arguments", "compiler", "concrete", "faults", "kept", "order", "string", "uninit", "volatile" } do
		if kinds[kind] then limits, kinds[kind] = limits .. (limits == "" and "" or " ") .. kind, nil end
	end
	for kind in pairs(kinds) do limits = limits .. " " .. kind end
	tap.is(limits, head:match("%(limits: ([^)]*)%)") or "", name .. ": its limits")
	local exact = #r.lost == 0 and not (hard and r.solver.unknown > 0)
	tap.ok(tap.whole(r) or not exact, name .. ": exhausted, or precision was lost, or a hard query has no answer", ("ended: %s; %d mispredicted"):format(r.ended, r.mispredicted))
	tap.ok(#r.failures == 0 and (r.mispredicted == 0 or not exact), name .. ": no failures, predictions come true",
		("%d failures, %d mispredicted"):format(#r.failures, r.mispredicted))
	local status, out, err = tap.run(("make -s -C %s/tests check CC=gcc CFLAGS='-O0 -w'"):format(dir))
	tap.ok(status == 0, name .. ": native runs give the marks observed", (out .. err):sub(-2000))
	local reached, verdict = reached_of(store), verdicts(store)
	for _, rule in ipairs(rules) do
		if #rule.marks + #rule.nevers > 0 then
			local wrong, n, lost = judge(rule, reached, verdict, exact, limits ~= "")
			tap.ok(#wrong == 0, ("%s: %s"):format(name, rule.name), table.concat(wrong, "\n"))
			totals.marks, totals.reached, totals.lost = totals.marks + #rule.marks, totals.reached + n, totals.lost + lost
			totals.nevers = totals.nevers + #rule.nevers
		end
	end
	print(("# %s: %d runs, %.1f s, %d queries without an answer"):format(name, r.runs, r.seconds, r.solver.unknown))
end

for _, name in ipairs(arg) do
	local good, why = pcall(program, name)
	if not good then tap.ok(false, name, type(why) == "table" and why[1] or why) end
end
print(("# %d marks: %d reached, %d lost; %d that must not be reached"):format(totals.marks, totals.reached, totals.lost, totals.nevers))
tap.done()
