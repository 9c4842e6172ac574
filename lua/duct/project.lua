-- project: what files lack that are compiled without the flags of their project's build.
--   project.add(options, text)   text: a compiler's errors. Adds -I FOLDER to options.flags for a missing header: the
--                                folder of the project nearest to the file that includes it; or -D_GNU_SOURCE for
--                                a name that a header which the file includes declares only then. Returns a line
--                                that says so; nil where there is none, two are as near, or the build makes the
--                                header.
--   project.older(options, text)  a compiler's messages: adds -std=gnu89 if no flag names a standard and there are
--                                errors, but not about headers, or gets() is undeclared; returns a line saying so, and
--                                a function that removes the flag again; or nil
--   project.hint(text)           a line that tells the user what to do about such errors; "" for others
--   project.folder_of(file)      its folder, as an absolute path
-- A project begins at the highest of the four folders above a file that looks like one (a build file, configure, .git).
local core = require "duct.core"

local project = {}
local most_up, most_down, most_folders = 4, 6, 3000
local most_read = 1 << 20                          -- bytes of a build file
local with_build = "make CC=\"duct cc\""

local function set(names)
	local all = {}
	for name in names:gmatch("%S+") do
		all[name] = true
	end
	return all
end

local build_files = set
	"CMakeLists.txt meson.build Makefile makefile GNUmakefile Makefile.am Makefile.in configure configure.ac"
local marks = setmetatable(set ".git debian configure.in", { __index = build_files })

function project.folder_of(file)
	local folder = file:match("^(.*)/[^/]*$") or "."
	local path = folder:sub(1, 1) == "/" and folder or (os.getenv("PWD") or ".") .. "/" .. folder
	return (path:gsub("/%./", "/"):gsub("/%.$", ""))
end

-- The file that includes a header which was not found, and the header's name.
local function lacking(text)
	return text:match("([^\n:]+):%d+:%d+: [%a ]*error: '([^'\n]+)' file not found")
end

local function is_project(folder)
	for _, name in ipairs(core.list(folder)) do
		if marks[name] then
			return true
		end
	end
	return false
end

local function root_of(folder)
	local root, at = folder, folder
	for _ = 0, most_up do
		root = is_project(at) and at or root
		at = at:match("^(.+)/[^/]*$")
		if not at then
			break
		end
	end
	return root
end

-- The folders of a project: a list of { path, depth }, what is higher first.
local function folders_below(root)
	local list = { { path = root, depth = 0 } }
	local next_one = 1
	while list[next_one] and #list < most_folders do
		local at = list[next_one]
		next_one = next_one + 1
		for _, name in ipairs(at.depth < most_down and core.list(at.path, true) or {}) do
			if name:sub(1, 1) ~= "." and not name:find("%-duct$") then
				list[#list + 1] = { path = at.path .. "/" .. name, depth = at.depth + 1 }
			end
		end
	end
	return list
end

-- Steps from one folder to another one.
local function distance(from, to)
	local a, b = {}, {}
	for part in from:gmatch("[^/]+") do a[#a + 1] = part end
	for part in to:gmatch("[^/]+") do b[#b + 1] = part end
	local same = 0
	while same < #a and a[same + 1] == b[same + 1] do
		same = same + 1
	end
	return #a + #b - 2 * same
end

-- The folders nearest to the including file that have the header; true where the build makes it.
local function nearest(file, name)
	local folder = project.folder_of(file)
	local list, least, made = {}, math.huge, name == "config.h"
	for _, at in ipairs(folders_below(root_of(folder))) do
		made = made or core.exists(at.path .. "/" .. name .. ".in")
		local steps = core.exists(at.path .. "/" .. name) and distance(folder, at.path) or math.huge
		if steps < least then
			list, least = { at.path }, steps
		elseif steps == least and steps < math.huge then
			list[#list + 1] = at.path
		end
	end
	return list, made
end

-- The header that a compiler did not find, the nearest folders that have it, and whether the build makes it; nil: none.
local function missing(text)
	local file, name = lacking(text)
	if file then
		return name, nearest(file, name)
	end
end

local function content(path)
	local f = io.open(path)
	local text = f and f:read(most_read) or ""
	if f then
		f:close()
	end
	return text
end

-- The first name that the file does not declare, if a header of the C library that it includes has it.
local function extension(text)
	local at, name = text:match("([^\n:]+):%d+:%d+: [^\n]*call to undeclared[^\n]* function '([%w_]+)'")
	if not at then
		at, name = text:match("([^\n:]+):%d+:%d+: error: use of undeclared identifier '([%w_]+)'")
	end
	for header in (at and name ~= "gets" and content(at) or ""):gmatch("#%s*include%s*<([%w_/.]+)>") do
		local declared = content("/usr/include/" .. header)
		if declared:find("%f[%w_]" .. name .. "%f[^%w_]") and declared:find("__USE_GNU", 1, true) then
			return name, header
		end
	end
end

-- Adds a flag that is not there yet.
local function add_flag(o, flag)
	for _, known in ipairs(o.flags or {}) do
		if known == flag then
			return false
		end
	end
	o.flags = o.flags or {}
	table.insert(o.flags, flag)
	return true
end

function project.add(o, text)
	local name, folders, made = missing(text)
	if name then
		local flag = not made and #folders == 1 and "-I" .. folders[1]
		return flag and add_flag(o, flag) and ("duct: %s was not found: compiled with %s\n"):format(name, flag) or nil
	end
	local header
	name, header = extension(text)
	return name and add_flag(o, "-D_GNU_SOURCE")
		and ("duct: <%s> declares %s with -D_GNU_SOURCE: compiled with that\n"):format(header, name) or nil
end

function project.older(o, text)
	local file = text:match("([^\n:]+):%d+:%d+: error: ")
		or text:match("([^\n:]+):%d+:%d+: warning: call to undeclared function 'gets'")    -- no header has it since C11
	for _, flag in ipairs(o.flags or {}) do
		file = not flag:find("^%-std=") and flag ~= "-ansi" and file or nil
	end
	if not file or o.database or lacking(text) or not add_flag(o, "-std=gnu89") then
		return nil
	end
	return ("duct: %s is older C: compiled with -std=gnu89\n"):format(file), function()
		table.remove(o.flags)
	end
end

-- A build file at or above the file's folder, as far as the project reaches, that names a macro of -D; or the build's
-- configuration header that has it.
local function defines(file, macro)
	local at = project.folder_of(file)
	local root = root_of(at)
	local header
	while #at >= #root do
		for _, name in ipairs(core.list(at)) do
			if build_files[name] and content(at .. "/" .. name):find("%-D%s*" .. macro .. "%f[^%w_]") then
				return at .. "/" .. name, true
			elseif not header and (name:find("^config[%w_.-]*%.h$") or name:find("%.h%.in$"))
				and content(at .. "/" .. name):find("#%s*%l+%s+" .. macro .. "%f[^%w_]") then
				header = at .. "/" .. name
			end
		end
		at = at:match("^(.+)/[^/]*$") or ""
	end
	return header
end

-- About the first of the names that no file declares which is a macro of the build.
local function hint_of_macro(text)
	local seen = {}
	for file, macro in text:gmatch("([^\n:]+):%d+:%d+: error: use of undeclared identifier '([%w_]+)'") do
		local place, is_flag
		if not seen[macro] then
			seen[macro] = true
			place, is_flag = defines(file, macro)
		end
		if place then
			return ("duct: %s defines %s: build the project with %s, then ask again%s\n"):format(place, macro, with_build,
				is_flag and ("; or give it: -- -D%s=VALUE"):format(macro) or "")
		end
	end
	return ""
end

function project.hint(text)
	if not text:find("error: '[^\n]*' file not found") then
		return hint_of_macro(text)
	end
	local name, folders, made = missing(text)
	if made then
		return ("duct: the project's build makes %s: configure and build it with %s, then ask again;"
			.. " or name the folder that it is in: -- -I DIR\n"):format(name, with_build)
	elseif folders and folders[2] then
		return ("duct: %s is in more than one folder: -- -I%s\n"):format(name, table.concat(folders, " or -- -I"))
	end
	return "duct: flags to compile with come last: -- -I DIR; or name the build folder: -p DIR\n"
end

return project
