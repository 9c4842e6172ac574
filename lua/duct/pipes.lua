-- run-trace as a co-process, with the methods of core.runner.
local core = require "duct.core"

local pipes = {}

local function filter(name)
	return (assert(core.home("libexec", name), "the filter " .. name .. " was not found"))
end

local function option(argv, name, value)
	if value then
		argv[#argv + 1] = ("--%s=%s"):format(name, tostring(value))
	end
end

-- o as for core.runner.
function pipes.runner(o)
	local argv = { filter "run-trace", "--environment" }
	for _, name in ipairs { "timeout", "memory", "output", "depth", "steps", "stdin", "faults", "aliases", "confine" } do
		option(argv, name, o[name])
	end
	for _, name in ipairs { "file", "arg", "env", "input" } do
		for _, value in ipairs(o[name] or {}) do
			option(argv, name, value)
		end
	end
	for _, entry in ipairs(o.grow or {}) do
		option(argv, "grow", entry:match("^grow:(.*)$"))
	end
	local abstract = {}
	for _, entry in ipairs(o.ask or {}) do
		abstract[#abstract + 1] = entry:match("^abstract:[^:]*:[^:]*:([^:]*)")
	end
	option(argv, "abstract", #abstract > 0 and table.concat(abstract, ",") or nil)
	argv[#argv + 1] = o.program
	table.move(o.argv or {}, 1, #(o.argv or {}), #argv + 1, argv)
	local process = core.spawn(argv, "inputs", "trace")
	local runner, seconds, took = {}, 0, 0
	function runner:run(id, model, partition, block)
		process:input(id, model, partition, block)
		local trace = assert(process:trace(), "run-trace ended before its answer")
		took = trace:cpu()
		seconds = seconds + took
		return trace
	end
	function runner:within() end                -- run-trace has its own limit of a run
	function runner:took()
		return took
	end
	function runner:cpu()
		return 0, seconds
	end
	function runner:close()
		process:finish()
		while process:trace() do end
		local status = process:close()
		assert(status == 0, "run-trace ended with status " .. status)
	end
	return runner
end

return pipes
