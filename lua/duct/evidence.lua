-- evidence: duct prove --check|--audit|--cross STORE: checks the verdicts of a session. The program of the session is
-- built again; each verdict that does not hold is reported, and the status is 1.
--   check   every infeasible verdict has a stored proof that another solver confirms; or, for a verdict by exhaustion,
--           another search runs all paths again
--   audit   runs the stored tests and random inputs: none covers an infeasible objective, and tests cover the covered
--           ones
--   cross   prove decides all pairs and branches, including covered ones, none of which may be infeasible
local core = require "duct.core"
local inputs = require "duct.inputs"
local names = require "duct.names"
local parts = require "duct.parts"
local program = require "duct.program"
local proof = require "duct.proof"
local session = require "duct.session"

local lists = { len = true, string = true, distinct = true, may_alias = true, global = true, init = true,
	assume = true, range = true, stub = true, file = true, arg = true, env = true, argv = true }
local wanted = { check = true, aliases = true, criterion = true, protocol = true, scope = true, timeout = true,
	memory = true, output = true, depth = true, steps = true, stdin = true, faults = true, pointer_depth = true,
	assume_needs = true }

-- Parses a stored parameter: `key=value`, `option key=value`, `file NAME=N` or `input:time=1`.
local function take(o, line)
	local word, rest = line:match("^(%a+) (.*)$")
	if lists[word] then
		o[word] = table.move({ rest }, 1, 1, #(o[word] or {}) + 1, o[word] or {})
		return
	end
	local key, value = line:gsub("^option ", ""):match("^([%w:-]+)=(.*)$")
	key = key and key:gsub("-", "_")
	if lists[key] then
		o[key] = table.move({ value }, 1, 1, #(o[key] or {}) + 1, o[key] or {})
	elseif key and key:find("^input:") then
		o.input = table.move({ key:sub(7) }, 1, 1, #(o.input or {}) + 1, o.input or {})
	elseif wanted[key] then
		o[key] = math.tointeger(tonumber(value)) or tonumber(value) or value
	end
end

-- The options of the session.
local function options_of(view, given)
	local o = { strategy = "prove", search = "none", entry = view.entry, files = view.files, quiet = true,
		flags = #view.flags > 0 and view.flags or nil, seed = given.seed or 1, began = core.now(), time = given.time or 60,
		runs = given.runs }
	for _, list in ipairs { view.environment, view.bounds, view.parameters } do
		for _, line in ipairs(list) do
			take(o, line)
		end
	end
	o.pairs = #view.pairs > 0 or o.criterion or o.protocol or o.scope
	program.defaults(o)
	for _, file in ipairs(o.files) do
		if not core.exists(file) then
			program.fail(4, "%s: no such file: it was there when the session ran", file)
		end
	end
	return o
end

-- Reports a defect on stderr and counts it.
local function complain(report, ...)
	report.wrong = report.wrong + 1
	core.say(("duct: %s\n"):format(string.format(...)))
end

-- A session on a copy of the store, for the program as it is now, and the stored results.
local function reopen(given, folder)
	local opened, store = pcall(core.store, given.store, "read")
	if not opened then
		program.fail(core.exists(given.store) and 3 or 4, "%s", store)
	end
	local view, why = store:view(given.session)
	if not view then
		program.fail(3, "%s: %s", given.store, why)
	end
	local o = options_of(view, given)
	o.store = folder .. "/copy"
	store:copy(o.store)
	store:close()
	o.program = program.build(o, folder .. "/program")
	local s = session.new(o, parts.open(o))
	local now = s.store:view()
	if now.question ~= view.question or #now.pairs ~= #view.pairs then
		program.fail(3, "%s: the program or the shape of its inputs has changed", given.store)
	end
	return s, view
end

-- Calls f with each objective that the session found infeasible: kind, number, its table.
local function each_infeasible(view, f)
	for _, kind in ipairs { "pairs", "branches" } do
		for i, known in ipairs(view[kind]) do
			if known.verdict == "infeasible" then
				f(kind, i, known)
			end
		end
	end
end

-- The three checks

-- Runs prove; calls f for each verdict with "pairs" or "branches", number, verdict, evidence.
local function judge(s, folder, arguments, f)
	local lines, goals = proof.goals(s, folder)
	local objectives = proof.objectives(s, lines)
	local argv = { assert(core.home("libexec", "prove"), "prove is not built"), "-f", s.options.program }
	table.move(arguments, 1, #arguments, #argv + 1, argv)
	argv[#argv + 1] = goals
	local process = core.spawn(argv, "goals", "verdicts")
	for r in process.read, process do
		if r[1] == "verdict" then
			local pair, objective = tonumber(r[4]), objectives[r[4]:sub(2)]
			if pair or objective then
				f(pair and "pairs" or "branches", pair or objective, r[5], r[6])
			end
		end
	end
	local status = process:close()
	if status > 1 then
		program.fail(status > 4 and 4 or status, "prove ended with status %d", status)
	end
end

-- Runs all paths again, with a store of their own, and returns their coverage; nil when the time was not enough.
local function walk(s, folder)
	local o = { strategy = "concolic", search = "dfs", store = folder .. "/again", began = core.now() }
	for key, value in pairs(s.options) do
		o[key] = o[key] or value
	end
	local again = session.new(o, parts.open(o))
	names.load("strategy", o.strategy)(again)
	local view = again:exhausted() and again.store:view()
	again:finish()
	again.store:close()
	return view
end

-- Checks verdicts by exhaustion.
local function check_exhausted(s, folder, list, report)
	local now = #list > 0 and walk(s, folder)
	for _, v in ipairs(now and list or {}) do
		if now[v.kind][v.number].verdict == "covered" then
			complain(report, "%s: infeasible by exhaustion, but a path covers it", v.text)
		end
	end
	return #list == 0 and "" or (", %d by exhaustion %s"):format(#list, now and "hold when all paths are run again"
		or ("are not checked: not all paths are run again in %g s"):format(s.options.time))
end

local function check(s, view, folder, report)
	local holds, open, n, exhausted = { pairs = {}, branches = {} }, { pairs = {}, branches = {} }, 0, {}
	local unconfirmed = 0
	local file = assert(io.open(folder .. "/kept", "w"))
	assert(file:write(table.concat(view.proofs)) and file:close())
	if #view.proofs > 0 then
		local arguments = { "-t", ("%.3f"):format(s.options.time), "-k", folder .. "/kept" }
		judge(s, folder, arguments, function(kind, i, verdict, evidence)
			holds[kind][i] = holds[kind][i] or verdict == "infeasible"
			open[kind][i] = open[kind][i] or evidence:find "^not confirmed: " ~= nil
		end)
	end
	each_infeasible(view, function(kind, i, known)
		if known.evidence == "exhaustion" and view.settled then
			exhausted[#exhausted + 1] = { kind = kind, number = i, text = known.text }
		elseif known.evidence:find("^proof: ") and holds[kind][i] then
			n = n + 1
		elseif known.evidence:find "^proof: " and open[kind][i] then
			unconfirmed = unconfirmed + 1
			core.say(("duct: %s: its proof is not confirmed within %g s\n"):format(known.text, s.options.time))
		else
			complain(report, "%s: infeasible, but no proof of it checks: %s", known.text, known.evidence)
		end
	end)
	local open_text = unconfirmed > 0 and (", %d are not confirmed in time"):format(unconfirmed) or ""
	report.text = ("%d proofs check%s%s"):format(n, open_text, check_exhausted(s, folder, exhausted, report))
end

local function audit(s, view, _, report)
	local runs, n = s.options.runs or 2000, 0
	for _ in s:start() do end
	local replayed = s.store:view()
	for _, kind in ipairs { "pairs", "branches" } do
		for i, known in ipairs(view[kind]) do
			if known.evidence:find("^test ") and replayed[kind][i].verdict ~= "covered" and not s:over() then
				complain(report, "%s: covered by %s, but no stored test does it", known.text, known.evidence)
			end
		end
	end
	while not s:over() and s.runs < runs do
		s:run(inputs.random(s), nil, "random")
	end
	s:finish()
	local now = s.store:view()
	each_infeasible(view, function(kind, i, known)
		n = n + 1
		local found = now[kind][i]
		if found.verdict == "covered" then
			local test = tonumber(found.evidence:match("^test (%d+)$"))
			complain(report, "%s: infeasible by %s, but covered with %s", known.text, known.evidence,
				now.tests[test] or found.evidence)
		end
	end)
	report.text = ("%d runs cover none of %d that are infeasible"):format(s.runs, n)
end

local function cross(s, view, folder, report)
	local judged, covered = { pairs = {}, branches = {} }, 0
	for _, context in ipairs { "entry", "any" } do
		judge(s, folder, { "-t", ("%.3f"):format(s.options.time / 2), "-c", context }, function(kind, i, verdict, evidence)
			local known = view[kind][i]
			judged[kind][i] = true
			if known.verdict == "covered" and verdict == "infeasible" then
				complain(report, "%s: covered by %s, but infeasible by prove -c %s: %s", known.text, known.evidence, context,
					evidence)
			end
		end)
	end
	for kind, list in pairs(judged) do
		for i in pairs(list) do
			covered = covered + (view[kind][i].verdict == "covered" and 1 or 0)
		end
	end
	report.text = ("%d covered pairs and branches were judged, none as infeasible"):format(covered)
end

local modes = { check = check, audit = audit, cross = cross }

return program.protected(function(given)
	local folder <close> = program.folder()
	local s, view = reopen(given, folder.path)
	local report = { wrong = 0 }
	modes[given.mode](s, view, folder.path, report)
	s.runner:close()
	s.store:close()
	print(report.wrong == 0 and report.text or ("%d verdicts are wrong"):format(report.wrong))
	return report.wrong == 0 and 0 or 1
end)
