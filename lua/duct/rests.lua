-- The parts of a question that no program model contains: the contents of linked libraries and objects, and environment
-- variables that the program reads.
--   rests.contents(o)           names of files: objects and libraries among files and flags, shared libraries that the
--                               built program loads, except the C library; the program itself if it was linked
--                               elsewhere
--   rests.environment(o, flow)  "NAME=VALUE" for variables that the program reads, "NAME" for unset ones
local core = require "duct.core"
local program = require "duct.program"

local rests = {}

-- Libraries of the compiler, which change with the system only, and are not read.
local systems = {}
for name in ("c m dl rt pthread gcc_s util resolv"):gmatch("%S+") do
	systems[name] = true
end

local function is_linked(name)
	return name:find("%.[oa]$") or name:find("%.so$") or name:find("%.so%.[%d%.]+$")
end

-- The folders of -L among the flags, in order.
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

-- The static library of -lNAME, if a folder of -L has it; shared libraries are found in the built program.
local function static(name, list)
	for _, folder in ipairs(list) do
		local path = ("%s/lib%s.a"):format(folder, name)
		if core.exists(path) then
			return path
		end
	end
end

-- Adds the shared libraries that the program loads, under the current LD_PRELOAD and LD_LIBRARY_PATH.
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

-- Whether anything but the compiler's libraries may be linked or preloaded.
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

-- Library functions that read environment variables, and the variables.
local reads = {
	setlocale = "LANG LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME LOCPATH",
	newlocale = "LANG LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME LOCPATH",
	localtime = "TZ TZDIR", localtime_r = "TZ TZDIR", mktime = "TZ TZDIR", tzset = "TZ TZDIR", ctime = "TZ TZDIR",
	strftime = "TZ TZDIR", getopt = "POSIXLY_CORRECT", getopt_long = "POSIXLY_CORRECT",
	getopt_long_only = "POSIXLY_CORRECT", execvp = "PATH", execlp = "PATH", posix_spawnp = "PATH", system = "PATH",
	popen = "PATH", tmpfile = "TMPDIR", tempnam = "TMPDIR", gettext = "LANG LANGUAGE LC_ALL LC_MESSAGES",
}
local asks = { getenv = true, secure_getenv = true, __secure_getenv = true }
-- Variables that each shell, window or run sets anew; left out for programs that read all variables.
local fleeting = { _ = true, SHLVL = true, OLDPWD = true, PPID = true, WINDOWID = true, COLUMNS = true, LINES = true }

-- Adds the names in calls of getenv in the sources; nil or false if some are not constants, or there are no such calls.
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

-- Whether the word stands in a text with what the pattern wants behind it. A plain search for the word is many times
-- faster than a pattern that is tried at each character.
local function stands(text, word, behind)
	local at, last = text:find(word, 1, true)
	while at do
		if (at == 1 or not text:find("^[%w_]", at - 1)) and text:find(behind, last + 1) then
			return true
		end
		at, last = text:find(word, last + 1, true)
	end
end

-- Whether a source refers to the whole environment: `environ`, or a third parameter of main.
local function names_all(files)
	for _, file in ipairs(files) do
		local input <close> = io.open(file)
		local text = input and input:read("a") or ""
		if stands(text, "environ", "^%f[^%w_]") or stands(text, "main", "^%s*%([^,)]*,[^,)]*,") then
			return true
		end
	end
end

function rests.environment(o, flow)
	local names, all = {}, names_all(o.files)
	for _, callee in ipairs(flow:called()) do
		if asks[callee] then
			all = all or not constants(o.files, names)
		end
		for name in (reads[callee] or ""):gmatch("%S+") do
			names[name] = true
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
