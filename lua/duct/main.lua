-- duct STRATEGY FILE.c...: from the options to a program under test, a session, and its report.
local core = require "duct.core"
local names = require "duct.names"
local pipes = require "duct.pipes"
local session = require "duct.session"

-- Ends with a message and an exit status.
local function fail(status, message, ...)
	error({ status = status, message = message:format(...) }, 0)
end

local function extend(list, more, prefix)
	for _, value in ipairs(more or {}) do
		if prefix then
			list[#list + 1] = prefix
		end
		list[#list + 1] = value
	end
	return list
end

-- A folder that goes away when the block ends, however it ends.
local function scratch_folder()
	return setmetatable({ path = core.scratch() }, { __close = function(self) core.remove(self.path) end })
end

local function load(kind, name)
	local made, message, status = names.load(kind, name)
	return made or fail(status or 2, "%s", message)
end

local function check(o)
	if not o.files then
		fail(2, "no C file: duct %s FILE.c...", o.strategy)
	end
	if o.resume and not o.store then
		fail(2, "--resume needs the --store to go on with")
	end
	if o.resume and not core.exists(o.store) then
		fail(2, "--resume: there is no store %s", o.store)
	end
	if o.keep and o.keep ~= "all" and o.keep ~= "new" then
		fail(2, "--keep is `all` or `new`")
	end
	if o.search ~= "none" then
		load("search", o.search:match("%S+") or "")
	end
	for _, file in ipairs(o.files) do
		if not core.exists(file) then
			fail(2, "%s: no such file", file)
		end
	end
end

-- The instrumented program.
local function build(o, folder)
	local program = folder .. "/program"
	local command = { assert(core.home("libexec", "instrument"), "instrument is not built"), "-o", program,
		"--entry", o.entry }
	for _, option in ipairs { "len", "string", "null", "may_alias", "global" } do
		extend(command, o[option], "--" .. option:gsub("_", "-"))
	end
	if o.pointer_depth then
		extend(command, { "--depth", tostring(o.pointer_depth) })
	end
	extend(command, o.files)
	extend(extend(command, { "--" }), o.flags)
	local status, message = core.run(command)
	if not status then
		fail(4, "%s", message)
	elseif status ~= 0 then
		error({ status = status > 4 and 4 or status }, 0)      -- instrument has said why
	end
	return program
end

-- NAME=VALUE of the options that were given.
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

local function environment(o)
	local list = o.stdin and { "stdin=" .. o.stdin } or {}
	for _, key in ipairs { "file", "arg", "env", "argv" } do
		for _, v in ipairs(o[key] or {}) do
			list[#list + 1] = key .. " " .. v
		end
	end
	return list
end

local function begin(o, store, flow)
	local plan, narrowing = flow:plan(o)
	if not plan then
		fail(2, "%s", narrowing)
	end
	store:begin {
		strategy = o.strategy, search = o.search, entry = o.entry, seed = o.seed, flow = flow,
		files = o.files, flags = o.flags or {}, plan = plan, narrowing = narrowing,
		environment = environment(o), bounds = list_of(o, { "depth", "steps" }),
		parameters = extend(list_of(o, { "time", "runs", "timeout", "memory", "output", "query_timeout" }),
			list_of(o, { "keep", "layers", "engines", "cross", "pipes" }, "option ")),
	}
	store:inherit()
end

local function open(o, program)
	local parts = { began = o.began }
	parts.flow = core.flow(program)
	parts.store = core.store(o.store or ":memory:", "write")
	begin(o, parts.store, parts.flow)
	parts.space = core.space(parts.flow)
	local run = { program = program, argv = o.argv, timeout = o.timeout, memory = o.memory, output = o.output,
		depth = o.depth, steps = o.steps, stdin = o.stdin, file = o.file, arg = o.arg, env = o.env }
	parts.runner = o.pipes and pipes.runner(run) or core.runner(run)
	local solver, message = core.solver(parts.space, {
		layers = o.layers, engines = o.engines, cross = o.cross, timeout = o.query_timeout, seed = o.seed,
		command = o.pipes and core.home("libexec", "solve") or nil })
	if not solver then
		fail(message:find("^unknown") and 2 or 4, "%s", message)
	end
	parts.solver = solver
	return parts
end

local defaults = { timeout = 10, memory = 1 << 30, output = 1 << 20, query_timeout = 10 }

local function main(o)
	o.began = core.now()
	o.entry = o.entry or "main"
	o.seed = o.seed or 1
	o.search = o.strategy == "random" and "none" or o.search or "dfs"
	if not o.time and not o.runs then
		o.time = 60
	end
	for key, value in pairs(defaults) do
		o[key] = o[key] or value
	end
	local strategy = load("strategy", o.strategy)
	check(o)
	local folder <close> = scratch_folder()
	local parts = open(o, build(o, folder.path))
	local s = session.new(o, parts)
	strategy(s)
	s:finish()
	if o.out then
		parts.store:report("tests", o.out)
	end
	parts.store:report(o.json and "json" or "text", o.out)
	parts.store:close()
	return 0
end

-- What went wrong, for people: places in the toolkit's own scripts are only told with a traceback.
local function describe(e)
	if type(e) == "table" then
		return e
	elseif os.getenv("DUCT_TRACEBACK") then
		return { status = 4, message = debug.traceback(tostring(e), 2) }
	end
	local folder, text = core.lua_folder() .. "/duct/", tostring(e)
	return { status = 4, message = text:sub(1, #folder) == folder and text:match("^.-:%d+: (.*)$") or text }
end

return function(options)
	local ok, result = xpcall(main, describe, options)
	if ok then
		return result
	end
	if result.message then
		core.say("duct: " .. result.message .. "\n")
	end
	return result.status
end
