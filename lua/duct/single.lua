-- duct STRATEGY FILE.c...: a session, and its report.
local core = require "duct.core"
local jobs = require "duct.jobs"
local later = require "duct.later"
local main = require "duct.main"
local names = require "duct.names"
local program = require "duct.program"
local progress = require "duct.progress"

local crews = later "duct.crew"
local fail, is_program = program.fail, program.is_program

-- Writes the tests and the report of a session; returns the exit status.
local function report(o, store, number)
	if o.out then
		store:report { kind = is_program(o) and "corpus" or "tests", place = o.out, format = o.format, session = number }
	end
	store:report { kind = o.json and "json" or "text", place = not is_program(o) and o.out or nil, session = number,
		stats = o.stats, store = o.store }
	return main.status(o, store, number)
end

-- Runs the shares of a session in processes of their own, and reports the joined session.
local function shared(o, folder)
	local function work(own)
		folder.path = nil                         -- a worker must not remove the parent's folder
		main.run(own):close()
	end
	local path = jobs.run(o, folder.path, work)
	if not path then
		return 0
	end
	local store = core.store(path, "write")
	store:join()
	local status = report(o, store)
	store:close()
	return status
end

-- Fails if the strategy is unknown, with a hint if it is a C file.
local function check_strategy(o)
	local name = o.strategy
	if name:find("%.c$") or name:find("%.c:[%a_]") then
		fail(2, "`%s` is no command: `duct test %s` writes tests for it, `duct dft %s` is one of the strategies",
			name, name, name)
	end
	local list = names.list("strategy")
	for _, words in ipairs { o.command_names, o.filter_names } do
		table.move(words, 1, #words, #list + 1, list)
	end
	if not name:find("[/.]") and not names.contains(list, name) then
		if core.exists(name .. ".c") then
			fail(2, "unknown command `%s`: `duct test %s.c` writes tests for %s.c", name, name, name)
		end
		local near = names.nearest(name, list)
		fail(2, "unknown command `%s`%s", name, near and (": did you mean `duct %s`?"):format(near) or "; see duct --help")
	end
	main.load("strategy", name)
end

local function start(o)
	check_strategy(o)
	main.defaults(o)
	main.check(o)
	if o.database then
		program.take_recorded_flags(o)
	end
	local folder <close> = program.folder()
	main.build(o, folder.path .. "/program")
	if o.jobs and not o.partition then
		main.check_built(o)                       -- says so once, not in each process
		return shared(o, folder)
	end
	local crew = o.jobs and crews.hire(o)
	if crew and crew.helps then
		folder.path = nil                         -- it is the session's
		main.help(o, crew)
		return 0
	end
	o.crew, o.jobs = crew, nil
	local store, s, figures = main.run(o)
	if crew then
		crew:dismiss()
	end
	progress.clear()
	local status = report(o, store, not figures and s or nil)
	if figures and s.blocks and not o.json then
		s.blocks:text()
	end
	for i, f in ipairs(figures and not o.json and s.calls and s.calls.executed or {}) do
		io.write(i == 1 and "calls that were executed, not abstract:\n" or "", ("  %s: %s\n"):format(f.name, f.why))
	end
	store:close()
	if figures and figures.disagreed > 0 then
		fail(4, "%d answers of the solver's layers and engines differ", figures.disagreed)
	end
	return figures and s.blocks and s.blocks:violated() and math.max(status, 1) or status
end

return program.protected(start)
