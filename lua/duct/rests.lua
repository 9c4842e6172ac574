-- What an answer rests on that is in no model: the contents of linked libraries and objects, and variables of the
-- environment that the program reads. All of it is part of the question.
--   rests.contents(o)           names of files: objects and libraries among files and flags, shared ones that the built
--                               program loads, but for the C library's; the program itself where others linked it
--   rests.environment(o, flow)  "NAME=VALUE" of variables that it reads, "NAME" where one is not set
local core = require "duct.core"
local program = require "duct.program"

local rests = {}

-- Of the system's compiler: they change with the system alone.
local systems = {}
for name in ("c m dl rt pthread gcc_s util resolv"):gmatch("%S+") do
	systems[name] = true
end

local function is_linked(name)
	return name:find("%.[oa]$") or name:find("%.so$") or name:find("%.so%.[%d%.]+$")
end

-- Folders of -L among the flags, in their order.
local function folders(flags)
	local list, after = {}, false
	for _, flag in ipairs(flags) do
		if after or flag:find("^%-L.") then
			list[#list + 1] = after and flag or flag:sub(3)
		end
		after = flag == "-L"
	end
	return list
end

-- The static library that -lNAME means, where a folder of -L has it: a shared one is found in the built program.
local function static(name, list)
	for _, folder in ipairs(list) do
		local path = ("%s/lib%s.a"):format(folder, name)
		if core.exists(path) then
			return path
		end
	end
end

-- Shared libraries that the program loads, with what LD_PRELOAD and LD_LIBRARY_PATH make of it.
local function loaded(path, add)
	local output <close> = assert(io.popen("ldd " .. program.quoted(path) .. " 2>/dev/null"))
	for line in output:lines() do
		local file = line:match("=> (/%S+)") or line:match("^%s*(/%S+) %(")
		local name = file and file:match("/lib([^/]-)[%-%d%.]*%.so[^/]*$")
		if file and not file:find("/ld%-linux") and not systems[name] then
			add(file)
		end
	end
end

-- Can anything but the system's libraries have been linked?
local function links_more(o)
	if program.is_program(o) or os.getenv("LD_PRELOAD") then
		return true
	end
	for _, list in ipairs { o.files, o.flags or {} } do
		for _, word in ipairs(list) do
			if is_linked(word) or word:find("^%-l") and not systems[word:sub(3)] or word:find("^%-Wl,") then
				return true
			end
		end
	end
end

function rests.contents(o)
	local list, seen = {}, {}
	local function add(file)
		if not seen[file] then
			seen[file], list[#list + 1] = true, file
		end
	end
	if not links_more(o) then
		return list
	end
	for _, words in ipairs { o.files, o.flags or {} } do
		for _, word in ipairs(words) do
			local found = is_linked(word) and word or word:find("^%-l") and static(word:sub(3), folders(o.flags))
			if found then
				add(found)
			end
		end
	end
	if program.is_program(o) then
		add(o.files[1])
	end
	loaded(o.program, add)
	return list
end

-- Functions that read variables of the environment themselves, and these.
local reads = {
	setlocale = "LANG LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME LOCPATH",
	newlocale = "LANG LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME LOCPATH",
	localtime = "TZ TZDIR", localtime_r = "TZ TZDIR", mktime = "TZ TZDIR", tzset = "TZ TZDIR", ctime = "TZ TZDIR",
	strftime = "TZ TZDIR", getopt = "POSIXLY_CORRECT", getopt_long = "POSIXLY_CORRECT",
	getopt_long_only = "POSIXLY_CORRECT", execvp = "PATH", execlp = "PATH", posix_spawnp = "PATH", system = "PATH",
	popen = "PATH", tmpfile = "TMPDIR", tempnam = "TMPDIR", gettext = "LANG LANGUAGE LC_ALL LC_MESSAGES",
}
local asks = { getenv = true, secure_getenv = true, __secure_getenv = true }
-- Set anew by each shell, window or run: who reads all variables is taken not to mean these.
local fleeting = { _ = true, SHLVL = true, OLDPWD = true, PPID = true, WINDOWID = true, COLUMNS = true, LINES = true }

-- Names in the calls of getenv in the sources; nil: some are not constants, or not in these files.
local function constants(files, names)
	local found = false
	for _, file in ipairs(files) do
		local input <close> = io.open(file)
		local text = input and input:read("a") or ""
		for rest in text:gmatch("getenv%s*(%b())") do
			local name = rest:match('^%(%s*"([^"]*)"%s*%)$')
			if not name then
				return nil
			end
			names[name], found = true, true
		end
	end
	return found
end

local function whole(names)
	local output <close> = assert(io.popen("env -0"))
	for name in output:read("a"):gmatch("([^%z=]+)=[^%z]*%z") do
		names[name] = not fleeting[name] or nil
	end
end

-- Does the text of a source name all of the environment?
local function names_all(files)
	for _, file in ipairs(files) do
		local input <close> = io.open(file)
		local text = input and input:read("a") or ""
		if text:find("%f[%w_]environ%f[^%w_]") or text:find("%f[%w_]main%s*%([^,)]*,[^,)]*,") then
			return true
		end
	end
end

function rests.environment(o, flow)
	local names, all = {}, names_all(o.files)
	for unit = 0, flow:units() - 1 do
		for _, call in ipairs(flow:calls(unit)) do
			if asks[call.callee] and not call.harness then
				all = all or not constants(o.files, names)
			end
			for name in (not call.harness and reads[call.callee] or ""):gmatch("%S+") do
				names[name] = true
			end
		end
	end
	if all then
		whole(names)
	end
	local list = {}
	for name in pairs(names) do
		local value = os.getenv(name)
		list[#list + 1] = value and name .. "=" .. value or name
	end
	table.sort(list)
	return list
end

return rests
