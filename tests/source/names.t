#!/usr/bin/env lua5.4
-- One noun, one meaning: a struct, union, enum or class is defined in one module. A module is a folder of lib/, a file of
-- tools/, or share/. Types that have no name of their own and are given one by typedef or `using` count, too.
local root = os.getenv "ROOT"
package.path = root .. "/tests/lib/?.lua;" .. package.path
local sources = require "sources"

-- Names that several modules define, and why.
local allowed = {
	-- the command line of a filter, taken apart; filters are programs of their own
	settings = "^tools/",
}

local function module_of(file)
	return file:match "^lib/[^/]+" or file:match "^share" or file
end

local where, n = {}, 0 -- [name][module]: a file that defines it

local function add(name, file)
	n = n + 1
	where[name] = where[name] or {}
	where[name][module_of(file)] = file
end

local keywords = { struct = true, union = true, enum = true, class = true }
local files = io.popen("cd '" .. root .. "' && find lib tools share -name examples -prune -o -name '*.[ch]' -print -o -name '*.cc' -print")
for file in files:lines() do
	local f <close> = io.open(root .. "/" .. file)
	local code = sources.code_of(f:read "a")
	for key, rest in code:gmatch "%f[%w_](%l+)%s+([^;(){}]*){" do
		local name = keywords[key] and rest:gsub("^class%s+", ""):match "^([%a_][%w_]*)%s*[%w_]*%s*%f[:\0]"
		if name then add(name, file) end
	end
	for name in code:gmatch "%f[%w_]typedef[^;{}]-([%a_][%w_]*)%s*;" do add(name, file) end
	for name in code:gmatch "%f[%w_]typedef[^;{}]-([%a_][%w_]*)%s*%([^;()]*%)%s*;" do add(name, file) end
	for name in code:gmatch "%f[%w_]using%s+([%a_][%w_]*)%s*=" do add(name, file) end
end

local wrong = {}
for name, by in pairs(where) do
	local list = {}
	for module, file in pairs(by) do
		if not (allowed[name] and module:find(allowed[name])) then list[#list + 1] = file end
	end
	if #list > 1 then
		table.sort(list)
		wrong[#wrong + 1] = ("# %s: %s"):format(name, table.concat(list, " "))
	end
end
if n < 700 then wrong[#wrong + 1] = "# only " .. n .. " definitions found" end
sources.tell("each name of a type is defined in one module", wrong)
