-- includes: files that a build system compiled with flags that differ only in where headers are searched, in macros and
-- in how code is laid out in memory are one program all the same: automake adds each folder of the project to those of
-- its own files, and meson and cmake compile a library and the command that uses it so.
--   includes.join(groups)   groups: as of program.by_flags; the same with files that mean the same with the folders and
--                           macros of all of them in one group, the first
local program = require "duct.program"

local includes = {}

-- Flags that change where code and data are, and who may refer to them.
local layout = { "^%-f[pP][iI][cCeE]$", "^%-fno%-[pP][iI][cCeE]$", "^%-fvisibility=", "^%-f[%w-]*sections$",
	"^%-fno%-semantic%-interposition$", "^%-fno%-plt$" }

-- "a/./b/../c" -> "a/c": automake writes -I. and -I.., and one folder has to have one name.
local function short(path)
	local parts = {}
	for part in path:gmatch("[^/]+") do
		if part == ".." and parts[1] and parts[#parts] ~= ".." then
			parts[#parts] = nil
		elseif part ~= "." then
			parts[#parts + 1] = part
		end
	end
	return (path:sub(1, 1) == "/" and "/" or "") .. table.concat(parts, "/")
end

local function is_layout(flag)
	for _, pattern in ipairs(layout) do
		if flag:find(pattern) then
			return true
		end
	end
	return false
end

-- The flags of a group in three parts: folders of headers, macros and layout, and all others.
local function apart(group)
	group.folders, group.macros, group.others = {}, {}, {}
	for _, flag in ipairs(group.flags) do
		local folder = flag:match("^%-I(/.*)$")
		table.insert(folder and group.folders or (flag:find("^%-D.") or is_layout(flag)) and group.macros or group.others,
			folder and "-I" .. short(folder) or flag)
	end
end

local function union(list, more)
	local seen, all = {}, {}
	for _, part in ipairs { list, more } do
		for _, value in ipairs(part) do
			all[#all + 1] = not seen[value] and value or nil
			seen[value] = true
		end
	end
	return all
end

-- Is a macro defined twice with different values?
local function is_contrary(macros)
	local values = {}
	for _, flag in ipairs(macros) do
		local name, value = flag:match("^%-D([%w_]+)(.*)$")
		if name and values[name] and values[name] ~= value then
			return true
		end
		values[name or ""] = value
	end
	return false
end

-- A key for the meaning of each file of a group with these flags, as a list; nil where one does not compile.
local function meanings(files, flags)
	local folder <close> = program.folder()
	local fine, flow = pcall(program.flow, { files = files, flags = flags, silent = true }, folder.path)
	if not fine then
		return nil
	end
	local keys = {}
	for unit = 0, flow:units() - 1 do
		keys[unit + 1] = flow:key(unit)
	end
	flow:close()
	return keys
end

local function whole(part)
	return table.move(part.others, 1, #part.others, #part.folders + #part.macros + 1,
		table.move(part.macros, 1, #part.macros, #part.folders + 1, table.move(part.folders, 1, #part.folders, 1, {})))
end

-- Do all files mean with these flags what they mean with those of their group?
local function is_same(group, flags)
	local own = whole(group)
	if table.concat(own, "\n") == table.concat(flags, "\n") then
		return true
	end
	local before = meanings(group.files, own)
	local after = before and meanings(group.files, flags)
	for i, key in ipairs(before or {}) do
		if not after or after[i] ~= key then
			return false
		end
	end
	return before ~= nil
end

-- Joins `group` to `first`, whose other flags are the same; false if that would change what a file of them means.
local function joined(first, group)
	local all = { folders = union(first.folders, group.folders), macros = union(first.macros, group.macros),
		others = first.others }
	local flags = whole(all)
	if is_contrary(all.macros) or not is_same(first, flags) or not is_same(group, flags) then
		return false
	end
	table.move(group.files, 1, #group.files, #first.files + 1, first.files)
	first.folders, first.macros, first.flags = all.folders, all.macros, flags
	return true
end

function includes.join(groups)
	local list, firsts = {}, {}
	for _, group in ipairs(groups) do
		apart(group)
		local key = program.key_of_flags(group.others)
		if not firsts[key] or not joined(firsts[key], group) then
			list[#list + 1] = group
			firsts[key] = firsts[key] or group
		end
	end
	return list
end

return includes
