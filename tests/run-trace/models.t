#!/usr/bin/env lua5.4
-- Library models: instrumented programs print what native ones print, operands equal their
-- expressions, nothing is lost, and inputs solved for keep their promises.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local folder = tap.root .. "/tests/run-trace/models/"

local seed = 7
local function random(n)
	seed = (seed * 1103515245 + 12345) % 2147483648
	return seed // 65536 % n
end

local alphabet = "abc1 ,-x09ABz.:#\n\xe4"
local function text(most)
	local t = {}
	for i = 1, random(most + 1) do
		local k = random(#alphabet) + 1
		t[i] = alphabet:sub(k, k)
	end
	return table.concat(t)
end

-- Records that give the bytes of `s` to inputs NAME[0], NAME[1], ...
local function bytes(name, s)
	local t = {}
	for i = 1, #s do t[i] = ("v\t%s[%d]\tc\t8\t%x\n"):format(name, i - 1, s:byte(i)) end
	return table.concat(t)
end

local function stream(groups)
	local body = table.concat(groups)
	local _, n = body:gsub("\n", "")
	return "#inputs 1 test\n" .. body .. "end\t" .. n .. "\n"
end

-- Traces as tables: name -> value of inputs, output, end, promise, lost.
local read = {
	var = function(t, f) t.value[f[3]] = tonumber(f[6], 16) end,
	output = function(t, f) t.output = f[2] end,
	lost = function(t, f) t.lost = f[4] end,
	promise = function(t, f) t.promise = f[2] end,
	fault = function(t, _, line) t.fault = line end,
	done = function(t, f) t.done = f[2] end,
}
local function traces(out)
	local all, t = {}, nil
	for kind, rest in ("\n" .. out):gmatch("\n(%l+)([^\n]*)") do
		if kind == "trace" then
			t = { value = {}, output = "" }
			all[#all + 1] = t
		elseif read[kind] then
			local f = { kind }
			for field in rest:gmatch("\t([^\t]*)") do f[#f + 1] = field end
			read[kind](t, f, kind .. rest)
		end
	end
	return all
end

-- The text that the trace's inputs are: up to the first NUL for arguments, by length for files.
local function spelled(t, name, size)
	local s = {}
	local n = t.value[name .. ".len"] or size
	for i = 1, n do s[i] = string.char(t.value[("%s[%d]"):format(name, i - 1)] or 0) end
	s = table.concat(s)
	return t.value[name .. ".len"] and s or s:match("^[^\0]*")
end

local function escape(s)
	return (s:gsub("[%c\\\x7f]", function(c)
		if c == "\n" then return "\\n" elseif c == "\t" then return "\\t" elseif c == "\\" then return "\\\\" end
		return ("\\x%02x"):format(c:byte())
	end))
end

local function compare(name, what, all, native)
	local good, why = #all > 0, "no traces"
	for i, t in ipairs(all) do
		local _, want = tap.run(native(t))
		local problem = t.done ~= "exit" and (t.fault or t.done) or t.lost
			or t.promise == "missed" and "promise missed"
			or t.output ~= escape(want) and ("printed\n" .. t.output .. "\nnot\n" .. escape(want))
		if problem and good then good, why = false, ("run %d: %s\n%s"):format(i, problem, native(t)) end
	end
	tap.ok(good, ("%s: %d %s runs"):format(name, #all, what), why)
end

-- flipped: for so many of the inputs the other outcomes of all conditions are solved for.
local function check(name, options, make, native, flipped)
	local program = tap.scratch .. "/" .. name
	local ok = tap.run(("instrument --quick --check-shadows -o %s.i %s%s.c -- -w && cc -w -o %s.n %s%s.c"):format(
		program, folder, name, program, folder, name))
	if not tap.ok(ok == 0, name .. " compiles") then return end
	local groups = {}
	for i = 1, 60 do groups[i] = ("input\t%d\n%srun\n"):format(i, make()) end
	tap.spit(program .. ".in", stream(groups))
	local run = ("run-trace %s %s.i"):format(options, program)
	local status, out, err = tap.run(("%s <%s.in"):format(run, program))
	tap.ok(status == 0, name .. " runs", err)
	compare(name, "random", traces(out), function(t) return native(t, program .. ".n") end)
	for i = (flipped or 10) + 1, #groups do groups[i] = nil end
	tap.spit(program .. ".in", stream(groups))
	status, out, err = tap.run(("%s <%s.in | solve | %s"):format(run, program, run))
	local all = traces(out)
	tap.ok(status == 0 and #all > 20, name .. ": other paths are solved for", err)
	for i = 61, #all do all[i] = nil end
	compare(name, "solved", all, function(t) return native(t, program .. ".n") end)
end

-- As many inputs as 60 answers need.
for _, one in ipairs { { "strings", 2 }, { "print", 3 }, { "native", 4 } } do
	check(one[1], "--arg 1=8 --arg 2=4", function() return bytes("argv[1]", text(8)) .. bytes("argv[2]", text(4)) end,
		function(t, program)
			return ("%s %s %s"):format(program, tap.quote(spelled(t, "argv[1]", 8)),
				tap.quote(spelled(t, "argv[2]", 4)))
		end, one[2])
end
-- Texts that are numbers, or nearly.
local function number(most)
	local t = { ("  "):sub(1, random(3)), ({ "", "-", "+", "", "0x" })[random(5) + 1] }
	for _ = 1, random(2) == 0 and 3 or most do t[#t + 1] = ("0123456789abxz7799"):sub(random(random(2) == 0 and 10 or 18) + 1):sub(1, 1) end
	return table.concat(t):sub(1, most)
end
check("numbers", "--arg 1=21 --arg 2=18", function() return bytes("argv[1]", number(21)) .. bytes("argv[2]", number(18)) end,
	function(t, program)
		return ("%s %s %s"):format(program, tap.quote(spelled(t, "argv[1]", 21)),
			tap.quote(spelled(t, "argv[2]", 18)))
	end, 2)
check("reader", "--stdin 9", function()
		local s = text(9)
		return ("v\tstdin.len\tu\t32\t%x\n"):format(#s) .. bytes("stdin", s)
	end,
	function(t, program)
		local file = program .. ".stdin"
		tap.spit(file, spelled(t, "stdin", 0))
		return ("%s <%s"):format(program, file)
	end)
check("files", "--file conf=6 --env MODE=2", function()
		local s = text(6)
		return ("v\tconf.len\tu\t32\t%x\n"):format(#s) .. bytes("conf", s) .. bytes("env.MODE", text(2))
	end,
	function(t, program)
		local dir = tap.scratch .. "/run"
		os.execute("mkdir -p " .. dir)
		tap.spit(dir .. "/conf", spelled(t, "conf", 0))
		return ("cd %s && MODE=%s %s"):format(dir, tap.quote(spelled(t, "env.MODE", 2)), program)
	end)
tap.done()
