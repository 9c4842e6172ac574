-- program: the program under test, built from options; and how a call of duct ends.
local core = require "duct.core"
local messages = require "duct.messages"
local names = require "duct.names"
local progress = require "duct.progress"
local project = require "duct.project"

local program = {}
local patient = 2                                   -- seconds for a process to begin

-- Ends with a message and an exit status.
function program.fail(status, message, ...)
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
function program.folder()
	return setmetatable({ path = core.scratch() }, { __close = function(self)
		if self.path then
			core.remove(self.path)
		end
	end })
end

-- Is the file a program that was built by instrument or `duct cc`?
function program.is_program(o)
	return #o.files == 1 and not (o.files[1]:find("%.[ciao]$") or o.files[1]:find("%.so$"))
end

-- A word for a shell.
function program.quoted(word)
	return not word:find("[^%w%./_=:,+-]") and word ~= "" and word or "'" .. word:gsub("'", "'\\''") .. "'"
end

-- A text, or a list of texts, in JSON.
function program.json(value)
	if type(value) == "table" then
		local list = {}
		for i, text in ipairs(value) do
			list[i] = program.json(text)
		end
		return "[" .. table.concat(list, ", ") .. "]"
	end
	return '"' .. value:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

-- Runs cfg-dump with these words about a build folder: the lines that it prints. Quiet: nil where it fails.
local function asked_of_build(words, quiet)
	local command = { assert(core.home("libexec", "cfg-dump"), "cfg-dump is not built"), table.unpack(words) }
	for i, word in ipairs(command) do
		command[i] = program.quoted(word)
	end
	local output <close> = assert(io.popen(table.concat(command, " ") .. (quiet and " 2>/dev/null" or "")))
	local lines = {}
	for line in output:lines() do
		lines[#lines + 1] = line
	end
	local _, _, status = output:close()
	if status ~= 0 and quiet then
		return nil
	elseif status ~= 0 then
		error({ status = status }, 0)                          -- cfg-dump has said why
	end
	return lines
end

-- The flags of a file in the compilation database, a list. Quiet: nil when it does not know the file.
local function recorded_flags(database, file, quiet)
	return asked_of_build({ "--flags", "-p", database, file }, quiet)
end

-- The C files that were compiled in a build folder: a list of { file, flags }; nil when none are known.
function program.compiled(folder)
	local here, list = (os.getenv("PWD") or "") .. "/", {}
	for _, line in ipairs(asked_of_build({ "--files", "-p", folder }, true) or {}) do
		local words = {}
		for word in line:gmatch("[^\t]+") do
			words[#words + 1] = word
		end
		local file = table.remove(words, 1)
		list[#list + 1] = { file = file:sub(1, #here) == here and file:sub(#here + 1) or file, flags = words }
	end
	return list[1] and list
end

-- Folders that may hold the compilation database of a file, the nearest first: its own, those above, and what lies in
-- them, as build folders of cmake and meson do.
local function database_folders(file)
	local at, list = project.folder_of(file), {}
	while at ~= "" do
		list[#list + 1] = at
		for _, name in ipairs(core.list(at, true)) do
			if name:sub(1, 1) ~= "." then
				list[#list + 1] = at .. "/" .. name
			end
		end
		at = at:match("^(.*)/[^/]*$") or ""
	end
	return list
end

-- The sources of a file's flags in a folder: its compilation database, or objects of the file's name.
local function sources_of_flags(folder, object)
	local database = folder .. "/compile_commands.json"
	if core.exists(database) then
		return { database }
	end
	local list = {}
	for _, name in ipairs(core.list(folder)) do
		list[#list + 1] = name:sub(-#object) == object and folder .. "/" .. name or nil
	end
	return list
end

-- The flags of a file, from the database that was given or from the nearest one, or object, that knows it; and which
-- that was.
function program.flags_of(file, database)
	if database then
		return recorded_flags(database, file), database
	end
	local object = file:match("([^/]*)%.c$")
	for _, folder in ipairs(database_folders(file)) do
		for _, place in ipairs(sources_of_flags(folder, object and object .. ".o" or "/")) do
			local flags = recorded_flags(place, file, true)
			if flags then
				return flags, place
			end
		end
	end
	return {}
end

local function recorded_or_found(known, file, database)
	if known then
		return extend({}, known.flags), known.found
	end
	return program.flags_of(file, database)
end

-- A key that is the same when flags differ only in what cmake and libtool define for shared libraries.
function program.key_of_flags(flags)
	local list = {}
	for _, flag in ipairs(flags) do
		list[#list + 1] = not flag:find("^%-D[%w_]+_EXPORTS$") and flag ~= "-DPIC" and flag or nil
	end
	return table.concat(list, "\n")
end

-- Files with the same flags are one program: a list of { files, flags, found }, found: where the flags are from.
-- recorded: { [file] = { flags, found } }, of files whose flags are known.
function program.by_flags(files, database, more, recorded)
	local list, by_flags = {}, {}
	for _, file in ipairs(files) do
		local flags, found = recorded_or_found(recorded and recorded[file], file, database)
		extend(flags, more)
		local key = program.key_of_flags(flags)
		if not by_flags[key] then
			by_flags[key] = { files = {}, flags = flags, found = found }
			list[#list + 1] = by_flags[key]
		end
		table.insert(by_flags[key].files, file)
	end
	return list
end

-- Puts the flags that a build system recorded before those that were given. All files are compiled with the same.
function program.take_recorded_flags(o)
	local first = recorded_flags(o.database, o.files[1])
	for i = 2, #o.files do
		if table.concat(recorded_flags(o.database, o.files[i]), "\n") ~= table.concat(first, "\n") then
			program.fail(2, "%s and %s were compiled with different flags: build a program with CC=\"duct cc\"",
				o.files[1], o.files[i])
		end
	end
	o.flags = extend(first, o.flags)
end

-- The content of a file that goes away.
local function read_away(path)
	local f = io.open(path)
	local text = f and f:read("a") or ""
	if f then
		f:close()
		os.remove(path)
	end
	return text
end

-- Prints a tool's messages from standard error, but for lines that were printed before.
function program.say(o, text)
	local before = o.said or ""
	core.pause(true)
	text = messages.undefined(text, before, o.elsewhere, o.silent, o.files or {})
	core.pause(false)
	text = ("\n" .. text):gsub("\ninstrument: ", "\nduct: "):sub(2)
	local new = text:gsub("[^\n]*\n?", function(line) return before:find(line, 1, true) and "" end)
	if new ~= "" and not o.silent then
		core.say(new)
	end
	o.said = before .. new
end

-- core.run: a build takes as long as the sources need, whatever the session's time is. A compiler that was killed has
-- said nothing. Its temporary files are where the messages are to be: in a folder that is removed, also after we were
-- killed.
local function built(command, errors, output)
	core.pause(true)
	local status, message = core.run(command, errors, output, errors:match "^(.*)/")
	core.pause(false)
	if core.interrupted() then
		error({ status = 130, message = "interrupted" }, 0)
	elseif status and status > 128 then
		local why = status == 128 + 11 and ": expressions or statements are nested too deeply" or ""
		core.say(("duct: the compiler was killed by signal %d%s\n"):format(status - 128, why))
	end
	return status, message
end

-- The words of a call of instrument that builds the program in the file `path`; first: those before them.
local function words_of(o, path, quick, first)
	local command = extend(first, { "-o", path, "--entry", o.entry, "--check", names.woven(o.check, o.criteria) })
	if o.needs and o.needs.abstract then
		extend(command, { "--abstract" })
	end
	if o.partition then
		extend(command, { "--flows" })
	end
	if o.object_folder then
		extend(command, { "--objects", o.object_folder })
	end
	for _, option in ipairs { "len", "string", "may_alias", "distinct", "global", "init", "assume", "range", "stub" } do
		extend(command, o[option], "--" .. option:gsub("_", "-"))
	end
	if o.pairs then
		extend(command, { "--pairs" })
	end
	if quick then
		extend(command, { "--quick" })
	end
	extend(command, o.files)
	return extend(extend(command, { "--" }), o.flags)
end

local function instrument()
	return (assert(core.home("libexec", "instrument"), "instrument is not built"))
end

-- Until its socket is there, programs of the file that share an object folder are built at o.server. It ends when the
-- process that called this ends.
function program.serve(o, path)
	local words = words_of(o, "/dev/null", true, { instrument(), "--serve", path })
	return core.run(words, "/dev/null", nil, path:match "^(.*)/")
end

-- Asks the process that listens at o.server to build the program: status and messages; nil: it gave no answer.
local function served(o, path)
	local till = core.now() + patient
	while not core.exists(o.server) and core.now() < till do
		core.sleep(0.01)
	end
	core.pause(true)
	local status, text = core.request(o.server, words_of(o, path, true, {}))
	core.pause(false)
	return status, text
end

-- Builds the instrumented program in the file `path`; returns the status of instrument and its messages.
function program.instrument(o, path, quick)
	if o.server and quick and o.object_folder then
		local status, text = served(o, path)
		if status then
			return status, text
		end
	end
	local command, words = words_of(o, path, quick, { instrument() }), path .. ".err"
	local status, message = built(command, words)
	if not status then
		program.fail(4, "%s", message)
	end
	return status, read_away(words)
end

-- Compiles as C of before 1999 where the messages ask for it; the first result stands where that fails.
local function as_older(o, compile, status, text)
	local said, undo = project.older(o, text)
	if said then
		local now, words = compile()
		if now == 0 then
			program.say(o, said)
			return now, words
		end
		undo()
	end
	return status, text
end

-- Calls a function that compiles the files and returns a status and messages: again with flags that the errors suggest
-- (project.add, project.older), as long as there are any.
local function with_additions(o, compile)
	while true do
		local status, text = compile()
		local added = status ~= 0 and project.add(o, text)
		if not added then
			return as_older(o, compile, status, text)
		end
		program.say(o, added)
	end
end

-- The instrumented program, in the file `path` when it is not given as one. Quick: built soon, and slow.
function program.build(o, path, quick)
	if program.is_program(o) then
		return o.files[1]:find("/") and o.files[1] or "./" .. o.files[1]
	end
	local status, text = with_additions(o, function() return program.instrument(o, path, quick) end)
	if status ~= 0 then
		messages.refuse(o, text, status > 4 and 4 or status)
	end
	progress.clear()
	program.say(o, text)
	return path
end

local function keys(flow)
	local list = {}
	for unit = 0, flow:units() - 1 do
		list[unit + 1] = flow:key(unit)
	end
	return table.concat(list, " ")
end

-- An optimised program of the same flow. Nil: its sources have changed.
function program.rebuild(o, path, flow)
	if pcall(program.build, o, path) then
		local now <close> = core.flow(path)
		return keys(now) == keys(flow) and path or nil
	end
end

-- They have to be there.
function program.need_files(o)
	local seen = {}
	for _, file in ipairs(o.files) do
		local wrong = messages.of_file(file) or seen[file] and file .. ": it is named twice"
		if wrong then
			program.fail(2, "%s", wrong)
		end
		seen[file] = true
	end
	if o.database and not core.exists(o.database .. "/compile_commands.json") and not o.database:find("%.json$")
		and not recorded_flags(o.database, o.files[1], true) then
		program.fail(2, "-p %s: there is no compile_commands.json, nor an object of %s from `duct cc`:"
			.. " `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` writes one, meson does by itself; for others make CC=\"duct cc\"",
			o.database, o.files[1])
	end
end

-- Writes the program model of the sources to the file `path`: the status of cfg-dump and its messages.
local function dump(o, path)
	local words = path .. ".err"
	local command = { assert(core.home("libexec", "cfg-dump")) }
	table.move(o.files, 1, #o.files, #command + 1, command)
	command[#command + 1] = "--"
	for _, flag in ipairs(o.flags or {}) do
		command[#command + 1] = not flag:find("^%-[lL].") and not flag:find("^%-Wl,") and flag or nil
	end
	local status, message = built(command, words, path)
	if not status then
		program.fail(4, "%s", message)
	end
	return status, read_away(words)
end

-- The program model of the sources, without building them.
function program.flow(o, folder)
	local path = folder .. "/flow"
	local status, text = with_additions(o, function() return dump(o, path) end)
	program.say(o, text .. project.hint(text))
	if status ~= 0 then
		error({ status = status > 4 and 4 or status }, 0)      -- cfg-dump has said why
	end
	return core.flow(path, "records")
end

local defaults = { timeout = 10, memory = 1 << 30, output = 1 << 20, query_timeout = 10, check = "div,bounds,null" }

-- Limits that were not given.
function program.defaults(o)
	for key, value in pairs(defaults) do
		o[key] = o[key] or value
	end
end

-- An error as a message: places in the toolkit's own scripts are left out, unless there is a traceback.
local function describe(e)
	if type(e) == "table" then
		return e
	elseif os.getenv("DUCT_TRACEBACK") then
		return { status = 4, message = debug.traceback(tostring(e), 2) }
	end
	local text = tostring(e)
	local place, message = text:match("^(.-):%d+: (.*)$")
	for _, ours in ipairs { core.lua_folder() .. "/duct/", "lua/duct/" } do     -- as it is, and compiled
		if place and place:sub(1, #ours) == ours then
			return { status = 4, message = message }
		end
	end
	return { status = 4, message = text }
end

-- Called by C: returns main's status, or the message and the status of the error.
function program.protected(main)
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
end

return program
