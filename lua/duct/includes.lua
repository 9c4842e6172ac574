-- includes: files that a build system compiled with flags that differ only in where headers are searched, as automake
-- adds each folder of the project to those of its own files, are one program all the same.
--   includes.join(groups)   groups: as of program.by_flags; the same with files that mean the same with the folders of
--                           all of them in one group, the first
local program = require "duct.program"

local includes = {}

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

-- The flags of a group in two parts: folders of headers, and all others.
local function apart(group)
	local folders, others = {}, {}
	for _, flag in ipairs(group.flags) do
		local folder = flag:match("^%-I(/.*)$")
		table.insert(folder and folders or others, folder and "-I" .. short(folder) or flag)
	end
	return folders, others
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

-- A key for the meaning of each file of a group with these flags, as a list; nil where one does not compile.
local function meanings(files, flags)
	local folder <close> = program.folder()
	local fine, flow = pcall(program.model, { files = files, flags = flags, silent = true }, folder.path)
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

-- Do all files mean with the flags of the joined group what they mean with their own?
local function is_same(group, folders, others)
	local own = table.move(others, 1, #others, #group.folders + 1, table.move(group.folders, 1, #group.folders, 1, {}))
	local before = meanings(group.files, own)
	local after = before and meanings(group.files, table.move(others, 1, #others, #folders + 1,
		table.move(folders, 1, #folders, 1, {})))
	for i, key in ipairs(before or {}) do
		if not after or after[i] ~= key then
			return false
		end
	end
	return before ~= nil
end

-- Joins `group` to `first`, whose other flags are the same; false if that would change what a file of them means.
local function joined(first, group)
	local folders = union(first.folders, group.folders)
	if not is_same(first, folders, first.others) or not is_same(group, folders, first.others) then
		return false
	end
	table.move(group.files, 1, #group.files, #first.files + 1, first.files)
	first.folders = folders
	first.flags = table.move(first.others, 1, #first.others, #folders + 1, table.move(folders, 1, #folders, 1, {}))
	return true
end

function includes.join(groups)
	local list, firsts = {}, {}
	for _, group in ipairs(groups) do
		group.folders, group.others = apart(group)
		local key = program.key_of_flags(group.others)
		if not firsts[key] or not joined(firsts[key], group) then
			list[#list + 1] = group
			firsts[key] = firsts[key] or group
		end
	end
	return list
end

return includes
