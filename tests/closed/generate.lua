-- Programs for the judge whose sizes, depths, hidden state and environment are drawn: the same for the same number.
--   lua5.4 generate.lua FIRST LAST FOLDER      writes FOLDER/gen_N.c
-- Two of three are functions of drawn parts (parts.lua): parameters with conditions on them and on state; the native driver
-- calls them over drawn inputs up to three times as large as the largest bound. The third is a main with drawn questions
-- (questions.lua) to arguments, stdin, environment, files and the machine, and twelve drawn runs.
local first, last, folder = tonumber(arg[1]), tonumber(arg[2]), arg[3]

local state
local function draw(low, high)
	state = (state * 6364136223846793005 + 1442695040888963407)
	return low + (state >> 33) % (high - low + 1)
end
local function pick(list)
	return list[draw(1, #list)]
end

local words = { "start", "stop", "verbose", "quit", "a", "--", "yes", "the-longest-word-here", "0x10", "none" }

package.path = arg[0]:match("^(.*)/[^/]*$") .. "/?.lua;" .. package.path
local parts = require "parts"
local questions = require "questions"(draw, pick, words)

-- A part is made for the n-th place of a program: parameters, declarations of the file, lines of the body, what the driver
-- passes. See parts.lua.
local function fill(text, n, drawn)
	return (text:gsub("%$(%u)", function(c) return c == "N" and tostring(n) or tostring(drawn[c]) end))
end

local function includes(names)
	local text = ""
	for name in names:gmatch("%S+") do
		text = text .. "#include <" .. name .. ".h>\n"
	end
	return text
end

local function numbers()
	return { B = pick { 2, 5, 9, 17, 20, 29 }, C = draw(1, 7), D = draw(2, 6), K = pick { 7, 42, 77, -5, 100000 },
		L = pick { "L", ",", "x", "z" }, W = pick(words) }
end

local function a_function(number)
	local needs, declared, parameters, bodies, passed, before = {}, {}, {}, {}, {}, {}
	local letter = pick { "z", "," }
	for n = 1, draw(1, 3) do
		local p, drawn = pick(parts.list), numbers()
		drawn.L, drawn.S = letter, ""
		drawn.S = p.size and fill(p.size, n, drawn) or ""
		parameters[n] = fill(p.parameter, n, drawn)
		passed[n] = fill(p.pass, n, drawn)
		bodies[n] = fill(p.body, n, drawn)
		declared[n] = p.declare and p.declare ~= "" and fill(p.declare, n, drawn) .. "\n" or ""
		before[n] = p.before and fill(p.before, n, drawn) .. "\n" or ""
		if p.needs then
			needs[p.needs] = true
		end
	end
	local types, makers = "", ""
	for _, name in ipairs(parts.order) do
		types = types .. (needs[name] and parts.types[name] or "")
		makers = makers .. (needs[name] and parts.builders[name] or "")
	end
	return ("/* entry: f\n * class: generated\n * faults: yes\n */\n%s\n%s%s\nint\nf(%s)\n{\n\tint r = 0, n = 0;\n\n%s\n\treturn r + n;\n}\n")
		:format(includes "ctype errno stddef stdio stdlib string time", types, table.concat(declared), table.concat(parameters, ", "), table.concat(bodies, "\n"))
		.. "\n#ifdef NATIVE\n" .. parts.driver:gsub("%$SEED", tostring(number)):gsub("%$L", letter) .. makers
		.. ("int\nmain(void)\n{\n\tfor (int i = 0; i < 60; i++) {\n\t\tseed += 7;\n%s\t\tTRY({ dirty(below(3) * 85); for (int j = below(12); j >= 0; j--) f(%s); });\n\t}\n\treturn 0;\n}\n#endif\n")
		:format(table.concat(before), table.concat(passed, ", "))
end

local main_headers = includes("fcntl getopt signal stdio stdlib string sys/mman sys/stat sys/syscall sys/uio sys/wait time unistd "
	.. "wchar")

local function a_main()
	local bodies, adds, runs = {}, {}, {}
	for n = 1, draw(2, 4) do
		bodies[n], adds[n] = pick(questions)(n)
	end
	for i = 1, 12 do
		local run = { env = {}, args = {}, stdin = "", files = {} }
		for _, add in ipairs(adds) do
			add(run)
		end
		local line = ""
		for n = 1, #bodies do
			line = line .. (run.files[n] and ("printf '%s' >file%d; "):format(run.files[n], n) or "")
		end
		runs[i] = (" * run: %sprintf '%s' | env %s $P %s\n"):format(line, run.stdin, table.concat(run.env, " "), table.concat(run.args, " "))
	end
	return ("/* entry: main\n * class: generated\n%s */\n#define _GNU_SOURCE\n%s\nint\nmain(int argc, char **argv)\n{\n\tint r = 0;\n\n%s\treturn r;\n}\n")
		:format(table.concat(runs), main_headers, table.concat(bodies))
end

for number = first, last do
	state = number * 7919 + 12345
	for _ = 1, 5 do
		draw(0, 1)
	end
	local file = assert(io.open(("%s/gen_%d.c"):format(folder, number), "w"))
	file:write(number % 3 == 0 and a_main() or a_function(number))
	file:close()
end
