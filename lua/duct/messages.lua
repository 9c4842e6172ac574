-- messages: translates errors of compilers and linkers to messages for duct's users: what happened, and what to do
-- next.
--   messages.of_file(file)                       why the file cannot be C source, or nil
--   messages.refuse(options, text, status)       exits with the error of instrument, translated where possible
--   messages.undefined(text, before, elsewhere, silent, files)
--                                                instrument's messages about what nothing defines: each name once,
--                                                with the flag of the library if a header of an installed one
--                                                declares it, and the C files beside `files` that define some;
--                                                silent: names alone. None in the set `elsewhere`, of other files
--                                                of the project: no run calls these
--   messages.listed(names)                       a list of names as a text, of which it has the first
--   messages.with_functions(why, files, flow)    a message about a missing function, with a list of existing ones
local core = require "duct.core"
local functions = require "duct.functions"
local project = require "duct.project"

local messages = {}

local most = 12                    -- number of names in a message
local most_search = 5              -- seconds, for libraries that define a function
local most_read = 1 << 20          -- bytes of a file that may define one
local most_reading = 0.3           -- CPU seconds, for such files

-- Continues a message about a file that does not exist: how to name the file or function that was meant.
local function instead_of(file)
	local source, entry = file:match("^(.-%.c):+([%a_][%w_]*)$")
	if source and core.exists(source) then
		return ("; for a function of %s: --entry %s, or duct test %s:%s"):format(source, entry, source, entry)
	elseif core.exists(file .. ".c") then
		return (": did you mean %s.c? A function is named with --entry, or duct test FILE.c:%s"):format(file, file)
	elseif core.exists(file:gsub(":+$", "")) then
		return ": a function is named after one colon, FILE.c:FUNCTION"
	elseif file:find("^[%a_][%w_]*$") then
		return "; a function is named with --entry, or duct test FILE.c:" .. file
	end
	return ""
end

-- The first bytes of a program, an object or an archive.
local function is_binary(file)
	local f <close> = io.open(file)
	local begins = f and f:read(8) or ""
	return begins:sub(1, 4) == "\127ELF" or begins == "!<arch>\n"
end

-- Why a file that is there is neither C source nor a program, or nil.
local function kind_of(file)
	if file:find("%.[ci]$") or is_binary(file) then
		return nil
	elseif file:find("%.h$") then
		return file .. ": a header: name a C file that includes it"
	elseif file:find("compile_commands%.json$") then
		local folder = file:match("^(.*)/[^/]*$") or "."
		return ("%s: name its folder: duct test %s, or -p %s FILE.c"):format(file, folder, folder)
	end
	return file .. ": neither C source, whose name ends in .c, nor a program"
end

function messages.of_file(file)
	if file:find("[\n\t]") then
		return ("%q: names of files must not have tabs or newlines"):format(file)
	elseif file:find("%.cc$") or file:find("%.cpp$") or file:find("%.cxx$") or file:find("%.C$") then
		return file .. ": duct reads C; C++ is not supported"
	elseif core.exists(file .. "/.") then
		return file .. " is a folder: name its C files"
	elseif not core.exists(file) then
		return file .. ": no such file" .. instead_of(file)
	end
	return kind_of(file)
end

-- Names for a message: not more than fit into it.
function messages.listed(names, at_most)
	at_most = at_most or most
	local text = table.concat(names, ", ", 1, math.min(#names, at_most))
	return #names > at_most and ("%s and %d more"):format(text, #names - at_most) or text
end

function messages.with_functions(why, files, flow)
	local list = functions.names(flow)
	if not why:find("^no function") then
		return why
	elseif #list == 0 then
		return ("%s: no function is defined there"):format(table.concat(files, ", "))
	end
	return ("%s; there are: %s"):format(why, messages.listed(list))
end

-- Installed libraries that define functions, as flags such as "-lz": { [name] = list }; and whether there was no
-- time to read all of them.
local function libraries(names)
	local wanted, of, began = table.move(names, 1, math.min(#names, most), 1, {}), {}, core.now()
	local main = (core.libraries_folder() or "/usr/lib"):gsub("^/lib", "/usr/lib")
	for _, folder in ipairs { main, "/usr/local/lib" } do
		for _, file in ipairs(core.list(folder)) do
			local library = file:match("^lib(.*)%.so$")
			if core.now() - began > most_search then
				return of, true
			end
			for name in pairs(library and core.library_defines(folder .. "/" .. file, wanted) or {}) do
				of[name] = of[name] or {}
				table.insert(of[name], "-l" .. library)
			end
		end
	end
	return of
end

-- Was it said of the name that nothing defines it?
local function was_told(before, name)
	for line in before:gmatch("[^\n]*: nothing defines it") do
		if line:find("%f[%w_]" .. name .. "%f[^%w_]") then
			return true
		end
	end
end

-- C files in the folders of these that seem to define one of the names, as NAME(...) {.
local function files_beside(undefined_names, files)
	local given, found, seen, began = {}, {}, {}, os.clock()
	for _, file in ipairs(files) do
		given[file] = true
	end
	for _, file in ipairs(files) do
		local folder = file:match("^(.*/)[^/]*$") or ""
		for _, other in ipairs(seen[folder] and {} or core.list(folder == "" and "." or folder)) do
			local path = folder .. other
			local read = other:find("%.c$") and not given[path] and #found < most and os.clock() - began < most_reading
			local f = read and io.open(path)
			local text = f and f:read(most_read) or ""
			for _, name in ipairs(undefined_names) do
				if text:find(name, 1, true) and text:find("%f[%w_]" .. name .. "%s*%b()%s*{") then
					found[#found + 1] = path
					break
				end
			end
			if f then
				f:close()
			end
		end
		seen[folder] = true
	end
	return found
end

local of_undefined = "instrument: ([^\n]-)(: nothing defines it: [^\n]*)\n"
-- Ends such a line where headers of the machine declare the names.
local if_library = " %(if a library does: %-%- %-lNAME%)$"

function messages.undefined(text, before, elsewhere, silent, files)
	return (text:gsub(of_undefined, function(names, line)
		local list, lines, nowhere = {}, {}, {}
		local what, of_library = line:gsub(if_library, "")
		for name in names:gmatch("[%w_]+") do
			if not was_told(before, name) and not (elsewhere and elsewhere[name]) then
				list[#list + 1] = name
			end
		end
		local of, late = {}, false
		if list[1] and not silent and of_library > 0 then
			of, late = libraries(list)
		end
		local groups, order = {}, {}
		for _, name in ipairs(list) do
			local flags = of[name] and table.concat(of[name], " or -- ")
			local group = flags and groups[flags] or nowhere
			if flags and not groups[flags] then
				order[#order + 1], groups[flags] = flags, { name }
			else
				group[#group + 1] = name
			end
		end
		for _, flags in ipairs(order) do
			lines[#lines + 1] = ("instrument: %s%s; a library has it: -- %s\n"):format(table.concat(groups[flags], ", "),
				what, flags)
		end
		if nowhere[1] then
			lines[#lines + 1] = ("instrument: %s%s%s\n"):format(table.concat(nowhere, ", "), what,
				late and "; if a library has it: -- -lNAME" or "")
		end
		local beside = list[1] and not silent and files_beside(list, files) or {}
		if beside[1] then
			lines[#lines + 1] = ("instrument: %s %s some of these: name %s as well to run that instead of stubs\n"):format(
				messages.listed(beside), beside[2] and "define" or "defines", beside[2] and "them" or "it")
		end
		return table.concat(lines)
	end))
end

local function undefined(text)
	local list, seen = {}, {}
	for name in text:gmatch("undefined reference to `([%a_][%w_]*)'") do
		if not seen[name] then
			seen[name] = true
			list[#list + 1] = name
		end
	end
	return list
end

local function tell_undefined(names)
	local told, of = {}, libraries(names)
	for i = 1, math.min(#names, most) do
		local found = of[names[i]] or {}
		told[#told + 1] = ("%s (%s)"):format(names[i], found[1] and "-- " .. table.concat(found, " or -- ")
			or "--stub " .. names[i])
	end
	return ("not defined in these files: %s; add the files or the library that have them, or answer with --stub"):format(
		table.concat(told, ", "))
end

function messages.refuse(o, text, status)
	local program = require "duct.program"
	local names = undefined(text)
	local missing = text:match("^instrument: (no function '[^\n]*)\n$")
	local no_main = text:match("instrument: (no main [^\n]*)\n$")
	if no_main then
		program.fail(2, "%s", no_main)
	elseif not missing and not names[1] then
		local library = text:match("cannot find (%-l[^\n: ]+)")
		program.say(o, library and ("duct: there is no library for %s; where it is: -- -L DIR %s\n"):format(library, library)
			or text .. project.hint(text))
		error({ status = status }, 0)
	elseif not missing then
		program.fail(status, "%s", tell_undefined(names))
	end
	local folder <close> = program.folder()
	local flow = program.flow(o, folder.path)
	program.fail(2, "%s", messages.with_functions(missing, o.files, flow))
end

return messages
