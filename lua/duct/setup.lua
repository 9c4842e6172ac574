-- setup: what a person wrote down about the inputs of functions, in a Lua file beside the code. parse.duct.lua goes
-- with parse.c, --setup names another. It returns a table of options; those in `entries` are for one entry alone:
--   return { stub = "read_sensor", entries = { poll = { len = { data = 4 }, range = { n = "0..9" } } } }
-- What the command line says comes behind lists, and instead of single values.
local core = require "duct.core"
local names = require "duct.names"
local program = require "duct.program"

local setup = {}

local lists = { len = "=", string = "=", range = "=", file = "=", arg = "=", env = "=", distinct = true, may_alias = true,
	global = true, init = true, assume = true, stub = true, argument = true, input = true }
local single = { entry = "string", check = "string", aliases = "string", pointer_depth = "number", calls = "number", objects = "number", args = "number", stdin = "number",
	faults = "number", depth = "number", steps = "number" }
local keys = { "entries" }
for key in pairs(lists) do keys[#keys + 1] = key end
for key in pairs(single) do keys[#keys + 1] = key end
table.sort(keys)

-- The file's text and its path, for places in it.
local File = {}
File.__index = File

-- The line on which a word or a text stands first; 1 when it is written otherwise.
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

-- What an option is given as, in a list of texts: one text, a list, or, of NAME=VALUE, a table by name.
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

-- Where an assumption or a range stands, for the compiler's messages.
function File:placed(key, text)
	if (key ~= "assume" and key ~= "range") or self.path:find(" ") then
		return text
	end
	return ("@%s:%d %s"):format(self.path, self:line(text), text)
end

function File:option(o, given, key, value)
	if single[key] then
		if type(value) ~= single[key] then
			self:fail(key, true, "`%s` is a %s", key, single[key])
		elseif given[key] == nil then
			o[key] = value
		end
	elseif lists[key] then
		local name, list = key == "argument" and "argv" or key, {}
		for _, text in ipairs(self:texts(key, value)) do
			list[#list + 1] = self:placed(key, text)
		end
		o[name] = table.move(o[name] or {}, 1, #(o[name] or {}), #list + 1, list)
	else
		local near = names.nearest(tostring(key), keys)
		self:fail(tostring(key), true, "unknown option `%s`%s", key, near and (": did you mean `%s`?"):format(near) or "")
	end
end

-- In the order of their names, so that the same file gives the same options.
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

local function path_of(o)
	if o.setup then
		return core.exists(o.setup) and o.setup or program.fail(2, "--setup: there is no file %s", o.setup)
	end
	local beside = o.files and o.files[1] and o.files[1]:match("^(.*)%.c$")
	return beside and core.exists(beside .. ".duct.lua") and beside .. ".duct.lua" or nil
end

local function read(path)
	local f, message = io.open(path)
	if not f then
		program.fail(4, "%s", message)
	end
	local text = f:read("a")
	f:close()
	local chunk, wrong = load(text, "@" .. path, "t", {})
	if not chunk then
		program.fail(3, "%s", wrong)
	end
	local fine, t = pcall(chunk)
	if not fine or type(t) ~= "table" then
		program.fail(3, "%s", fine and path .. ":1: it returns no table" or t)
	end
	for name, entry in pairs(type(t.entries) == "table" and t.entries or { entries = t.entries }) do
		if type(entry) ~= "table" then
			program.fail(3, "%s:1: `%s` is no table of options", path, name)
		end
	end
	return setmetatable({ path = path, text = text }, File), t
end

-- Adds what the file says to the options; the entry has to be known by then, or comes from the file.
function setup.apply(o)
	local path = path_of(o)
	if not path then
		return
	end
	local file, t = read(path)
	local given = {}
	for key, value in pairs(o) do
		given[key] = value
	end
	file:options(o, given, t)
	file:options(o, given, t.entries and t.entries[o.entry or "main"] or {})
	o.setup = path
end

-- The options that there would be for an entry; lists are their own.
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
