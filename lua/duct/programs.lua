-- programs: which programs one call of duct test makes of the files and build folders that were named.
-- A build folder stands for the C files that were compiled there, except those of tests and examples. Files with the
-- same flags, but for folders of headers, are one program, unless two of them define one function, as the commands of a
-- project define main(): then each of these is a program of its own, with the others that define nothing twice.
--   programs.read(o)             -> what was named: { files, named = { [file] = functions }, recorded, out, left }
--                                   recorded: as in program.by_flags; out: a name for results; left: files left out
--   programs.list(o, what)       -> list of options, one for each program; `tested`: set of files whose functions are
--                                   entries, nil: all
local core = require "duct.core"
local includes = require "duct.includes"
local program = require "duct.program"

local programs = {}
local fail = program.fail

-- Folders of tests and examples, whose files call the code of others.
local trying = { test = true, tests = true, testing = true, t = true, example = true, examples = true, sample = true,
	samples = true, demo = true, demos = true, bench = true, benchmark = true, benchmarks = true, fuzz = true,
	fuzzing = true, fuzzer = true, fuzzers = true, testsuite = true }

local function tries(file)
	for folder in file:gmatch("([^/]+)/") do
		if trying[folder:lower()] then
			return true
		end
	end
	return false
end

-- "a.c:f" -> "a.c", "f"; a file of that very name is a file.
local function split(word)
	local file, entry = word:match("^(.+):([%a_][%w_]*)$")
	if file and not core.exists(word) then
		return file, entry
	end
	return word
end

-- The C files that were compiled in a folder, or in the folders in it that have a compilation database.
local function compiled(folder)
	local list = program.compiled(folder)
	for _, name in ipairs(list and {} or core.list(folder, true)) do
		local below = folder .. "/" .. name
		if not list and core.exists(below .. "/compile_commands.json") then
			list, folder = program.compiled(below), below
		end
	end
	return list, folder
end

-- Adds the files of a build folder.
local function add_folder(what, word)
	local list, found = compiled(word)
	if not list and core.exists(word .. "/store.db") then
		fail(2, "%s has results of duct test: duct report %s shows them; repeating the call that made them continues",
			word, word)
	elseif not list then
		fail(2, "%s: no C files that were compiled there are known: `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` writes"
			.. " a compile_commands.json, meson does by itself; for others make CC=\"duct cc\"", word)
	end
	local root, few = (os.getenv("PWD") or "") .. "/", false
	for _, unit in ipairs(list) do
		unit.tries = tries(unit.file:gsub("^" .. root:gsub("%p", "%%%0"), ""))
		few = few or not unit.tries
	end
	for _, unit in ipairs(list) do
		if few and unit.tries then
			what.left[#what.left + 1] = unit.file
		elseif not what.named[unit.file] then
			what.files[#what.files + 1], what.named[unit.file] = unit.file, {}
			what.recorded[unit.file] = { flags = unit.flags, found = found }
		end
	end
end

function programs.read(o)
	local what = { files = {}, named = {}, recorded = {}, left = {} }
	for _, word in ipairs(o.files or { o.database }) do
		local file, entry = split(word)
		if not entry and (core.exists(word .. "/.") or not o.files) then
			add_folder(what, word)
			what.out = what.out or "duct-out"
		elseif not what.named[file] then
			what.files[#what.files + 1], what.named[file] = file, { entry }
		else
			table.insert(what.named[file], entry)
		end
	end
	if not what.files[1] then
		fail(2, "no C file: duct test FILE.c[:FUNCTION]..., duct test BUILD-FOLDER, or `files` in a duct.lua")
	end
	if o.entry then
		table.insert(what.named[what.files[1]], o.entry)
	end
	return what
end

local function base(path)
	return path:match("[^/]+$")
end

-- The functions that each file of a group defines for others: a list of lists.
local function definitions(group)
	local folder <close> = program.folder()
	local flow, list = program.flow(group, folder.path), {}
	for unit = 0, flow:units() - 1 do
		list[unit + 1] = {}
		for _, f in ipairs(flow:functions(unit)) do
			if not f.hidden and not f.system and base(f.file) == base(group.files[unit + 1]) then
				table.insert(list[unit + 1], f.name)
			end
		end
	end
	return list
end

-- The files that define nothing that `taken` has, which gets what they define.
local function without_conflicts(files, defined, taken)
	local list, rest = {}, {}
	for _, file in ipairs(files) do
		local clash = false
		for _, name in ipairs(defined[file]) do
			clash = clash or taken[name]
		end
		for _, name in ipairs(clash and {} or defined[file]) do
			taken[name] = true
		end
		table.insert(clash and rest or list, file)
	end
	return list, rest
end

-- The files of each program of a group, and those of them that it is for.
local function parts(group)
	local defined, mains, others = {}, {}, {}
	local lists = definitions(group)
	for i, file in ipairs(group.files) do
		defined[file] = lists[i]
		local has_main = false
		for _, name in ipairs(lists[i]) do
			has_main = has_main or name == "main"
		end
		table.insert(has_main and mains or others, file)
	end
	local files, rest = without_conflicts(others, defined, {})
	if not rest[1] and #mains < 2 then
		return { { files = group.files } }
	end
	local list = { files[1] and { files = files, tested = files } }
	for _, file in ipairs(table.move(mains, 1, #mains, #rest + 1, rest)) do
		local with = table.move(files, 1, #files, 2, { file })
		list[#list + 1] = { files = without_conflicts(with, defined, {}), tested = { file } }
	end
	return list
end

local function copy(o, more)
	local own = {}
	for key, value in pairs(o) do
		own[key] = type(value) == "table" and table.move(value, 1, #value, 1, {}) or value
	end
	for key, value in pairs(more) do
		own[key] = value
	end
	return own
end
programs.copy = copy

local function set_of(list)
	local set = {}
	for _, value in ipairs(list) do
		set[value] = true
	end
	return set
end

-- Adds a program, unless functions were named, but none of it.
local function add(list, o, group, part, named)
	local one = copy(o, { files = part.files, flags = group.flags, found = group.found, named = {}, said = group.said,
		tested = part.tested and set_of(part.tested) })
	one.database = nil
	local any = false
	for _, file in ipairs(group.files) do
		any = any or named[file][1]
	end
	for _, file in ipairs(part.tested or part.files) do
		table.move(named[file], 1, #named[file], #one.named + 1, one.named)
	end
	if one.named[1] or not any then
		list[#list + 1] = one
	end
end

function programs.list(o, what)
	local list = {}
	for _, group in ipairs(includes.join(program.by_flags(what.files, o.database, o.flags, what.recorded))) do
		for _, part in ipairs(group.files[2] and parts(group) or { group }) do
			add(list, o, group, part, what.named)
		end
	end
	return list
end

return programs
