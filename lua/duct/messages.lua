-- messages: translates errors of compilers and linkers to messages for duct's users: what happened, and what to do
-- next.
--   messages.of_file(file)                       why the file cannot be C source, or nil
--   messages.refuse(options, text, status)       exits with the error of instrument, translated where possible
--   messages.with_functions(why, files, flow)    a message about a missing function, with a list of existing ones
local core = require "duct.core"

local messages = {}

local most = 12                    -- number of names in a message

function messages.of_file(file)
	if file:find("[\n\t]") then
		return ("%q: names of files must not have tabs or newlines"):format(file)
	elseif file:find("%.cc$") or file:find("%.cpp$") or file:find("%.cxx$") or file:find("%.C$") then
		return file .. ": duct reads C; C++ is not supported"
	elseif core.exists(file .. "/.") then
		return file .. " is a folder: name its C files"
	elseif not core.exists(file) then
		return file .. ": no such file"
	end
end

local function listed(names)
	local text = table.concat(names, ", ", 1, math.min(#names, most))
	return #names > most and ("%s and %d more"):format(text, #names - most) or text
end

local function functions(flow)
	local list, seen = {}, {}
	for unit = 0, flow:units() - 1 do
		for _, f in ipairs(flow:functions(unit)) do
			if not f.system and not f.harness and not seen[f.name] then
				seen[f.name] = true
				list[#list + 1] = f.name
			end
		end
	end
	return list
end

function messages.with_functions(why, files, flow)
	local list = functions(flow)
	if not why:find("^no function") then
		return why
	elseif #list == 0 then
		return ("%s: no function is defined there"):format(table.concat(files, ", "))
	end
	return ("%s; there are: %s"):format(why, listed(list))
end

-- Installed libraries that define a function, as flags such as "-lz".
local function libraries(name)
	local pipe = io.popen(([[timeout 5 sh -c 'find -L /usr/lib/$(gcc -print-multiarch) /usr/local/lib -maxdepth 1 -name "lib*.so" \
		-size -4M -exec grep -la %s {} + | while read -r f; do
			nm -D --defined-only "$f" | grep -qE " [TWi] %s(@|$)" && basename "$f" .so; done' 2>/dev/null]]):format(name, name))
	local list = {}
	for line in pipe:lines() do
		list[#list + 1] = "-l" .. line:sub(4)
	end
	pipe:close()
	return list
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
	local told = {}
	for i = 1, math.min(#names, most) do
		local found = libraries(names[i])
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
		core.say(text)
		error({ status = status }, 0)
	elseif not missing then
		program.fail(status, "%s", tell_undefined(names))
	end
	local folder <close> = program.folder()
	local flow = program.model(o, folder.path)
	program.fail(2, "%s", messages.with_functions(missing, o.files, flow))
end

return messages
