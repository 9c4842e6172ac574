-- setup: options about inputs in Lua files: duct.lua, searched for from the folder of the C file (or the working
-- directory) upwards, and parse.duct.lua beside parse.c. --setup names another file in place of both.
-- Each returns a table of options; those in `entries` are for one entry:
--   return { stub = "read_sensor", entries = { poll = { len = { data = 4 }, range = { n = "0..9" } } } }
-- The command line adds to lists and replaces single values. duct.lua may also have options of `duct test`:
--   return { files = { "src/*.c" }, flags = { "-Iinclude" }, time = 300, fail_under = 90, fail_on = "finding" }
local core = require "duct.core"
local names = require "duct.names"
local program = require "duct.program"

local setup = {}

local lists = { len = "=", string = "=", range = "=", file = "=", arg = "=", env = "=", distinct = true,
	may_alias = true,
	global = true, init = true, assume = true, stub = true, argument = true, input = true }
local single = { entry = "string", check = "string", aliases = "string", pointer_depth = "number",
	calls = "number", objects = "number", args = "number", stdin = "number", faults = "number", depth = "number",
	steps = "number" }
local of_project = { files = "table", flags = "table", compile_commands = "string", out = "string", format = "string",
	time = "number", fail_under = "number", fail_on = "string" }
local project_name = "duct.lua"

local function sorted_keys(...)
	local list = { "entries" }
	for _, t in ipairs { ... } do
		for key in pairs(t) do
			list[#list + 1] = key
		end
	end
	table.sort(list)
	return list
end
local keys, all_keys = sorted_keys(lists, single), sorted_keys(lists, single, of_project)

-- A setup file: its text and path, to give positions in messages.
local File = {}
File.__index = File

-- The line where a word or a text first occurs; 1 if it does not.
function File:line(what, as_word)
	local pattern = what:gsub("%p", "%%%0")
	local at = self.text:find(as_word and "%f[%w_]" .. pattern .. "%f[^%w_]" or pattern)
	local name, value = pattern:match("^(.-)%%=(.*)$")           -- NAME=VALUE may be written as a member
	at = at or name and self.text:find(name .. "[^\n]*=[^\n]*" .. value)
	return at and select(2, self.text:sub(1, at):gsub("\n", "")) + 1 or 1
end

function File:fail(what, as_word, message, ...)
	program.fail(3, "%s:%d: %s", self.path, self:line(what, as_word), message:format(...))
end

-- The value of an option as a list of texts: it is one text, a list or, for NAME=VALUE, a table by name.
function File:texts(key, value)
	local list = {}
	for name, v in pairs(type(value) == "table" and value or { value }) do
		if type(v) ~= "string" and math.type(v) ~= "integer" then
			self:fail(key, true, "`%s` is not a text, a number or a list of them", key)
		elseif math.type(name) then
			list[name] = tostring(v)
		elseif lists[key] == "=" then
			list[#list + 1] = name .. "=" .. v
		else
			self:fail(key, true, "`%s` takes a list, not names with values", key)
		end
	end
	if lists[key] == "=" then
		table.sort(list)
	end
	return list
end

-- The position of an assumption or a range, for the compiler's messages.
function File:placed(key, text)
	if (key ~= "assume" and key ~= "range") or self.path:find(" ") then
		return text
	end
	return ("@%s:%d %s"):format(self.path, self:line(text), text)
end

-- Adds an option, unless it is one of duct test or the command line has it.
function File:option(o, given, key, value)
	if self.project and of_project[key] then
		return                                    -- an option of duct test: see setup.project
	elseif single[key] then
		if type(value) ~= single[key] then
			self:fail(key, true, "`%s` is a %s", key, single[key])
		elseif given[key] == nil then
			o[key], self.has_part = value, true
		end
	elseif lists[key] then
		local name, list = key == "argument" and "argv" or key, {}
		for _, text in ipairs(self:texts(key, value)) do
			list[#list + 1] = self:placed(key, text)
		end
		o[name] = table.move(o[name] or {}, 1, #(o[name] or {}), #list + 1, list)
		self.has_part = true
	else
		local near = names.nearest(tostring(key), self.project and all_keys or keys)
		self:fail(tostring(key), true, "unknown option `%s`%s", key, near and (": did you mean `%s`?"):format(near) or "")
	end
end

-- Reads options in the order of their names, so that the result does not depend on the order in the table.
function File:options(o, given, t)
	local order = {}
	for key in pairs(t) do
		order[#order + 1] = key
	end
	table.sort(order, function(a, b) return tostring(a) < tostring(b) end)
	for _, key in ipairs(order) do
		if key ~= "entries" then
			self:option(o, given, key, t[key])
		end
	end
end

-- The project's file: its path, and its folder with a slash at the end, or "" for the working directory.
local function project_of(file)
	local here = os.getenv("PWD") or "."
	local folder = (file or ""):match("^(.*)/[^/]*$") or "."
	local at = folder:sub(1, 1) == "/" and folder or folder == "." and here or here .. "/" .. folder
	while at ~= "" do
		if core.exists(at .. "/" .. project_name) then
			local root = at == here and "" or at:sub(1, #here + 1) == here .. "/" and at:sub(#here + 2) .. "/" or at .. "/"
			return root .. project_name, root
		end
		at = at:match("^(.*)/[^/]*$") or ""
	end
end

local function paths_of(o)
	if o.setup then
		return { core.exists(o.setup) and o.setup or program.fail(2, "--setup: there is no file %s", o.setup) }
	end
	local file = o.files and o.files[1]
	local list = { (project_of(file)) }
	local beside = file and file:match("^(.*)%.c$")
	list[#list + 1] = beside and core.exists(beside .. ".duct.lua") and beside .. ".duct.lua" or nil
	return list
end

local function read(path, named)
	local text, t, message = core.options(path, named)
	if not text then
		program.fail(t, "%s", message)
	end
	for name, entry in pairs(type(t.entries) == "table" and t.entries or { entries = t.entries }) do
		if type(entry) ~= "table" then
			program.fail(3, "%s:1: `%s` is no table of options", path, name)
		end
	end
	return setmetatable({ path = path, text = text, project = path:match("[^/]*$") == project_name }, File), t
end

-- Adds the options of the files; the entry must be known, or comes from the files. o.setup: the files that gave any.
function setup.apply(o)
	local paths, given, parts = paths_of(o), {}, {}
	for key, value in pairs(o) do
		given[key] = value
	end
	for _, path in ipairs(paths) do
		local file, t = read(path, path == o.setup)
		file:options(o, given, t)
		file:options(o, given, t.entries and t.entries[o.entry or "main"] or {})
		parts[#parts + 1] = file.has_part and path or nil
	end
	o.setup = parts[1] and table.concat(parts, ", ") or nil
end

-- The files that match a word with *.
local function expand(word)
	local folder, name = word:match("^(.*/)([^/]*)$")
	name = name or word
	if not name:find("*", 1, true) then
		return { word }
	end
	local pattern, list = "^" .. name:gsub("%p", "%%%0"):gsub("%%%*", ".*") .. "$", {}
	for _, entry in ipairs(core.list(folder or ".")) do
		list[#list + 1] = entry:find(pattern) and (folder or "") .. entry or nil
	end
	table.sort(list)
	return list
end

-- Adds the options of `duct test` in the project's file that the command line does not have; paths are relative to it.
function setup.project(o)
	local path, root = project_of(o.files and o.files[1])
	if o.setup or not path then
		return
	end
	local file, t = read(path)
	for key, kind in pairs(of_project) do
		if t[key] ~= nil and type(t[key]) ~= kind then
			file:fail(key, true, "`%s` is a %s", key, kind == "table" and "list" or kind)
		end
	end
	local function place(name)
		return name and (name:sub(1, 1) == "/" and name or root .. name)
	end
	if not o.files and t.files then
		o.files, o.out = {}, o.out or place(t.out or "duct-out")
		for _, word in ipairs(t.files) do
			local found = expand(place(word))
			table.move(found, 1, #found, #o.files + 1, o.files)
		end
		if #o.files == 0 then
			file:fail("files", true, "`files`: there are none of these names")
		end
	end
	if not o.flags and t.flags then
		o.flags = file:texts("flags", t.flags)
		for i, flag in ipairs(o.flags) do
			o.flags[i] = flag:gsub("^(%-[IL])([^/])", function(letter, first) return letter .. root .. first end)
		end
	end
	for _, key in ipairs { "time", "fail_under", "fail_on", "format" } do
		o[key] = o[key] or t[key]
	end
	o.out, o.database = o.out or place(t.out), o.database or place(t.compile_commands)
end

-- The options for an entry, with copies of all lists.
function setup.of(o, entry)
	local own = {}
	for key, value in pairs(o) do
		own[key] = type(value) == "table" and table.move(value, 1, #value, 1, {}) or value
	end
	own.entry = entry
	setup.apply(own)
	return own
end

return setup
