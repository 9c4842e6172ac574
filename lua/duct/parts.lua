-- The parts of a session: flow, store with its question, space, runner, solver.
local core = require "duct.core"
local functions = require "duct.functions"
local leeway = require "duct.leeway"
local limits = require "duct.limits"
local pipes = require "duct.pipes"
local program = require "duct.program"
local rests = require "duct.rests"

local parts = {}

-- factor of stack sizes: quickly compiled code needs four to ten times the stack
local quick_stacks = 8
-- steps of a run of such code: one that takes more is worth better code, and begins anew there
local quick_steps = 5000000

-- The given options as NAME=VALUE.
local function list_of(o, keys, prefix)
	local list = {}
	for _, key in ipairs(keys) do
		local value = o[key]
		for _, v in ipairs(type(value) == "table" and value or { value }) do
			local text = type(v) == "number" and ("%.14g"):format(v) or tostring(v)
			list[#list + 1] = ("%s%s=%s"):format(prefix or "", (key:gsub("_", "-")), text)
		end
	end
	return list
end

-- The parts of the environment that are inputs, for the runner.
local function asked(o)
	local list = { "environment=1", (o.faults or 0) > 0 and "faults=" .. o.faults or nil }
	for _, groups in ipairs(o.input or {}) do
		for group in groups:gmatch("[^,]+") do
			list[#list + 1] = ("input:%s=1"):format(group)
		end
	end
	return list
end

local function environment(o)
	local list = o.stdin and { "stdin=" .. o.stdin } or {}
	for _, key in ipairs { "file", "arg", "env", "argv" } do
		for _, v in ipairs(o[key] or {}) do
			list[#list + 1] = key .. " " .. v
		end
	end
	local asked_for = asked(o)
	return table.move(asked_for, 1, #asked_for, #list + 1, list)
end

-- Limits of the environment that are known before any run, as lines (lib/limits): calls that may fail, libraries and
-- objects that are not instrumented, argv[0], the compiler.
local function surroundings(o, flow, grow)
	local list, strange = {}, {}
	for _, name in ipairs(flow:called(o.entry)) do
		if not flow:find(name) then
			list[#list + 1] = core.fallible(name) and name or nil
			strange[#strange + 1] = core.unlisted(name) and ("limit concrete 0 %s()\n"):format(name) or nil
		end
	end
	table.sort(strange)
	local text = #list == 0 and "" or ("limit faults %d %s\n"):format(grow.faults or 0, table.concat(list, ", "))
	local name = o.entry == "main" and not grow.name and flow:takes_arguments() and "limit name 0\n" or ""
	return text .. table.concat(strange) .. name .. leeway.lines(flow, o.entry)
end

-- The plan by which inputs are built, and lines with the assumptions about them and their limits.
local function plan_of(o, flow)
	if o.narrowing then                           -- a program that was built with a harness
		return "", o.narrowing
	end
	local plan, narrowing = flow:plan(o)
	if not plan then
		error({ status = 2, message = narrowing }, 0)
	end
	return plan, narrowing
end

-- Memory that functions of the C library allocate has to come from the program's own allocator.
local allocators = { malloc = true, calloc = true, realloc = true, free = true, reallocarray = true, memalign = true,
	aligned_alloc = true, posix_memalign = true, valloc = true, pvalloc = true, malloc_usable_size = true }

-- The program's functions that have names of the C library, which tests use, too.
local function own_names(flow, parameters)
	for f in functions.each(flow) do
		if not f.hidden and f.blocks > 0 and not allocators[f.name] and core.library_has(f.name) then
			parameters[#parameters + 1] = "option own-name=" .. f.name
		end
	end
end

-- The description of a session for the store: its question and its parameters.
local function start(o, flow, grow, pairs, unconfined)
	local plan, narrowing = plan_of(o, flow)
	narrowing = narrowing .. surroundings(o, flow, grow) .. (o.setup and "set up by " .. o.setup .. "\n" or "")
	if o.calls and o.entry ~= "main" then
		narrowing = ("%s%s is called %s, from the program's first state\n"):format(narrowing, o.entry,
			o.calls == 1 and "once" or o.calls .. " times")
	end
	narrowing = narrowing .. (o.assume_needs and "callers meet the needs of functions\n" or "")
	local parameters = list_of(o, { "time", "runs", "timeout", "memory", "output", "query_timeout" })
	if o.share then
		parameters[#parameters + 1] = ("share=%d/%d"):format(o.share.number, o.share.of)
	end
	if o.crew then
		parameters[#parameters + 1] = ("option jobs=%d"):format(o.crew.of)
	end
	parameters[#parameters + 1] = unconfined and "unconfined=" .. unconfined
	own_names(flow, parameters)
	local choices = list_of(o, { "keep", "check", "aliases", "criterion", "criteria", "target", "pair", "var",
		"protocol", "scope", "one_pair", "layers", "engines", "cross", "partial", "refine", "pipes", "len", "string",
		"may_alias", "distinct", "assume_needs", "global", "init", "assume", "range", "stub", "setup", "calls",
		"objects", "args", "pointer_depth", "abstract",
		"partition", "blocks", "check_partition", "fixed", "prove" }, "option ")
	return {
		strategy = o.strategy, search = o.search, entry = o.entry, seed = o.seed, flow = flow,
		defuse = pairs, model = not pairs and core.flow(o.program, "records") or nil,
		files = o.files, flags = o.flags or {}, linked = program.is_program(o), plan = plan, narrowing = narrowing,
		targets = o.target, contents = rests.contents(o), variables = rests.environment(o, flow),
		environment = environment(o), bounds = list_of(o, { "depth", "steps" }),
		parameters = table.move(choices, 1, #choices, #parameters + 1, parameters),
	}
end

-- The pairs that are watched, or nil.
local function watched(o)
	if o.pairs then
		return core.defuse(o.program, { criterion = o.criterion, protocol = o.protocol, scope = o.scope, entry = o.entry,
			may_alias = o.may_alias ~= nil })
	end
end

-- An empty tree and a solver over it.
function parts.empty(o, flow)
	local space = core.space(flow)
	local solver, message = core.solver(space, {
		layers = o.layers, engines = o.engines, cross = o.cross, partial = o.partial, refine = o.refine,
		aliases = o.aliases == "la",
		timeout = o.query_timeout, seed = o.seed,
		command = o.pipes and core.home("libexec", "solve") or nil })
	if not solver then
		error({ status = message:find("^unknown") and 2 or 4, message = message }, 0)
	end
	return space, solver
end

-- Are cases of a switch with the same target one path each? Criteria may want to know which one was taken, and
-- strategies that keep paths themselves are told them case by case.
local function has_ways(o)
	return (o.strategy == "concolic" or o.strategy == "dft")
		and not (o.criteria or o.abstract or o.partition or o.pipes or o.one_pair)
end

-- They are not, in a new tree, but where the store or the pairs still want one of them.
function parts.ways(o, space, store, defuse)
	if has_ways(o) then
		space:ways(store, defuse)
	end
end

local function open_flow(o)
	local flow = core.flow(o.program)
	if program.is_program(o) and flow:harness() then
		o.entry, o.narrowing = flow:harness()
	end
	if (o.needs and o.needs.pairs or o.criterion or o.protocol or o.scope) and not flow:tells_pairs() then
		program.fail(2, "%s was built without --pairs: no run of it tells which pairs it exercises", o.program)
	end
	return flow
end

-- Fails if no parts can be made for these options.
function parts.check(o)
	local flow = open_flow(o)
	plan_of(o, flow)
	select(2, parts.empty(o, flow)):close()
end

-- The parts for complete options: `program` is the instrumented program, all limits are set. If --once finds a session
-- that answers the question, `answered` is that session, and the other parts are missing.
function parts.open(o)
	local p = { began = o.began }
	p.flow = open_flow(o)
	p.defuse = watched(o)
	p.store = core.store(o.store or ":memory:", "write")
	local run = { program = o.program, argv = o.argv, memory = o.memory, output = o.output,
		confine = o.confine, depth = o.depth, stdin = o.stdin, file = o.file, arg = o.arg, env = o.env,
		faults = o.faults, input = o.input, aliases = o.aliases, stacks = o.quick and quick_stacks or nil,
		steps = o.steps }
	p.cuts = o.quick and (not o.steps or o.steps > quick_steps)
	if p.cuts then
		run.steps = quick_steps
	end
	function p.new_runner(setup, grow)
		run.timeout = o.timeout
		run.ask = table.move(setup, 1, #setup, #asked(o) + 1, asked(o))
		run.grow = limits.setup(grow)
		table.move(run.grow, 1, #run.grow, #run.ask + 1, run.ask)
		if o.aliases then
			table.insert(run.ask, "aliases=" .. ({ late = 0, la = 0, early = 1, fix = 2 })[o.aliases])
		end
		if has_ways(o) then
			table.insert(run.ask, "ways=1")
		end
		return o.pipes and pipes.runner(run) or core.runner(run)
	end
	p.grow = p.store:grown(o.entry, (plan_of(o, p.flow)), limits.first(o))
	p.runner = p.new_runner({}, p.grow)
	p.improve = o.quick and function()
		local better = program.rebuild(o, ("%s-%d"):format(o.program, (o.share or o.crew or { number = 0 }).number), p.flow)
		if better then
			run.program, run.stacks = better, nil
		end
		run.steps = o.steps
	end
	local first = start(o, p.flow, p.grow, p.defuse, p.runner.unconfined and p.runner:unconfined())
	p.answered = o.once and p.store:answered(first)
	if p.answered then
		p.runner:close()
		return p
	end
	local begun, message = pcall(p.store.begin, p.store, first)
	if not begun and tostring(message):find("--target", 1, true) then
		program.fail(2, "%s", message:match("%-%-target.*"))
	elseif not begun then
		error(message, 0)
	end
	if first.model then
		first.model:close()                   -- it is large and only needed for the question's hash
	end
	p.store:inherit()
	p.suites = p.store:suites()
	p.space, p.solver = parts.empty(o, p.flow)
	parts.ways(o, p.space, p.store, p.defuse)
	return p
end

return parts
