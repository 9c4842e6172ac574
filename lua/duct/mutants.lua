-- duct mutants STORE: strong mutation. Each mutant that the store's tests kill weakly is compiled in place of its
-- source, and the tests are run: it is killed when one of them fails.
local core = require "duct.core"
local program = require "duct.program"

local most_time = 20               -- seconds for the tests of one mutant

local function read(path)
	local f <close> = assert(io.open(path, "rb"))
	return f:read("a")
end

local function write(path, text)
	local f <close> = assert(io.open(path, "wb"))
	f:write(text)
end

-- Runs a command of the shell with arguments; its status.
local function shell(script, ...)
	return (core.run { "sh", "-c", script, "sh", ... })
end

-- The mutants of the store: place, text, verdict.
local function mutants_of(store, folder)
	local report = assert(core.home("libexec", "report"))
	if shell([["$1" "$2" --criterion mutants >"$3/list"]], report, store, folder) ~= 0 then
		return program.fail(3, "%s: no store with a session", store)
	end
	local list = {}
	for line in io.lines(folder .. "/list") do
		local place, text, verdict = line:match("^mutants\t[^\t]*\t[^\t]*\t([^\t]*)\t([^\t]*)\t(%l+)")
		if place then
			local file, number, col = place:match("^(.*):(%d+):(%d+)$")
			list[#list + 1] = { place = place, file = file, line = tonumber(number), col = tonumber(col), text = text,
				verdict = verdict }
		end
	end
	return list[1] and list or program.fail(2, "%s: no session for mutants: --criterion mutants", store)
end

-- The text in the source, and that of the mutant; nil in the body of a macro.
local function change_of(text)
	local whole, rest = text:match("^`(.-)`(.*)$")
	local operand, by = rest:match("^ with (.*) ([+-] 1)$")
	if rest == " left out" then
		return whole, "(void)0"
	elseif operand then
		return whole, ("%s(%s %s)"):format(whole:sub(1, #whole - #operand), operand, by)
	end
	return whole, rest:match("^ as `(.*)`$")
end

-- The source's text with the mutant in it; nil: the line does not have the operator's text, as in a macro.
local function mutate(text, m)
	local start, number = 1, 1
	while number < m.line and start do
		start = text:find("\n", start, true)
		start, number = start and start + 1, number + 1
	end
	local whole, instead = change_of(m.text)
	local at = instead and start
	while at do
		local first, last = text:find(whole, at, true)
		if not first or first >= start + m.col then
			return nil
		elseif last >= start + m.col - 1 then
			return text:sub(1, first - 1) .. "(" .. instead .. ")" .. text:sub(last + 1)
		end
		at = first + 1
	end
end

local function escaped(text)
	return (text:gsub("%p", "%%%0"))
end

-- The tests in `folder`, with the file that holds the mutant in place of its source; false: they do not name that.
local function replace(folder, kept, file, mutant)
	local own, found = "[^%s\"]*" .. escaped(file:match("[^/]*$")), false
	for _, name in ipairs { "tests.c", "Makefile" } do
		local text, n = kept[name]:gsub("%f[^%s\"]" .. own .. "%f[%s\"]", function() return mutant end)
		found = found or n > 0
		write(folder .. "/" .. name, text)
	end
	return found
end

-- Do all tests there behave as they did? They are confined as the runs of sessions are.
local function passes(folder)
	local command = "DUCT_TEST_FIRST=1 exec ./tests"         -- one that fails is enough
	return core.confined { folder = folder, seconds = most_time, argv = { "sh", "-c", command } } == 0
end

-- killed, alive, or why it was not tried.
local function judge(m, folder, kept)
	local source = core.exists(m.file) and read(m.file)
	local text = source and mutate(source, m)
	local mutant = folder .. "/mutant.c"
	if not text then
		return source and "not tried: the text is in a macro" or "not tried: no such file"
	end
	write(mutant, text)
	if not replace(folder .. "/tests", kept, m.file, mutant) then
		return "not tried: the tests do not name its file"
	end
	local beside = ("-iquote %s"):format(m.file:match("^(.*)/[^/]*$") or ".")
	if shell([[make -s -C "$1" tests CFLAGS="-w $2" >"$1/log" 2>&1]], folder .. "/tests", beside) ~= 0 then
		return "not tried: it does not compile"
	end
	return passes(folder .. "/tests") and "alive" or "killed"
end

return program.protected(function(o)
	if not o.files or #o.files ~= 1 or not core.exists(o.files[1]) then
		program.fail(2, "mutants takes a store: duct mutants STORE")
	end
	local folder <close> = setmetatable({ path = core.scratch() }, { __close = function(f) core.remove(f.path) end })
	local list, counts = mutants_of(o.files[1], folder.path), {}
	local report = assert(core.home("libexec", "report"))
	if shell([["$1" "$2" --out "$3/tests" >/dev/null]], report, o.files[1], folder.path) ~= 0 then
		program.fail(3, "%s: its tests cannot be written", o.files[1])
	end
	local kept = { ["tests.c"] = read(folder.path .. "/tests/tests.c"), Makefile = read(folder.path .. "/tests/Makefile") }
	if shell([[make -s -C "$1" tests CFLAGS=-w >"$1/log" 2>&1]], folder.path .. "/tests") ~= 0
		or not passes(folder.path .. "/tests") then
		program.fail(4, "%s: its tests fail without any mutant", o.files[1])
	end
	print("#place\tmutant\tweakly\tstrongly")
	for _, m in ipairs(list) do
		local strongly = m.verdict == "covered" and judge(m, folder.path, kept) or "-"
		counts[strongly] = (counts[strongly] or 0) + 1
		print(("%s\t%s\t%s\t%s"):format(m.place, m.text, m.verdict == "covered" and "killed" or m.verdict, strongly))
	end
	local weakly = #list - (counts["-"] or 0)
	print(("# %d mutants: %d killed weakly; of these %d strongly, %d alive"):format(#list, weakly, counts.killed or 0,
		counts.alive or 0))
	return 0
end)
