-- Differential test of generated programs (gen.lua), one result a seed.
--   lua5.4 diff.lua FIRST LAST [RUNS]
-- For each: built natively and instrumented, it prints the same on concrete inputs. A session of
-- RUNS runs; each of its tests, run natively and instrumented with the same arguments, gives the result
-- that the session observed. No prediction was missed unless something was lost. The
-- checking build finds no operand whose value differs from its expression.
-- KEEP=DIR keeps the files of failing seeds there.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local quote = tap.quote

local first, last, runs = math.tointeger(arg[1]), math.tointeger(arg[2]), arg[3] or "30"
local generator = quote(tap.root .. "/tests/gen/gen.lua")
local flags = "-w -fwrapv -fno-strict-aliasing -ffp-contract=off"

-- Stops the seed with what went wrong.
local function need(good, fmt, ...)
	if not good then error({ fmt:format(...) }, 0) end
	return good
end

local function run(command)
	local status, out, err = tap.run("timeout -k 1 120 " .. command)
	return status, out, err
end

local function must(command)
	local status, out, err = run(command)
	need(status == 0, "%s\nstatus %d\n%s", command, status, err)
	return out
end

local function make(dir, seed)
	must(("lua5.4 %s %d >%s/p.c"):format(generator, seed, dir))
	local names, len = {}, ""
	for a, b in must(("lua5.4 %s %d names"):format(generator, seed)):gmatch("(%S+)\t([^\n]+)") do
		if a == "--len" then len = "--len " .. b else names[#names + 1] = a end
	end
	must(("gcc %s -O1 -DMAIN -o %s/native %s/p.c -lm"):format(flags, dir, dir))
	must(("duct cc %s -DMAIN -o %s/woven %s/p.c -lm"):format(flags, dir, dir))
	return names, len
end

-- The same output and exit status, natively and instrumented; the output.
local function both(dir, args, what)
	local s1, o1 = run(("%s/native %s"):format(dir, args))
	local s2, o2 = run(("%s/woven %s"):format(dir, args))
	need(s1 == s2 and o1 == o2, "%s %s\nnative: %d %s\ninstrumented: %d %s", what, args, s1, o1, s2, o2)
	return o1
end

local function concrete(dir, names, seed)
	math.randomseed(seed, 7)
	for round = 1, 3 do
		local args = {}
		for i = 1, #names do
			args[i] = round == 1 and 0 or round == 2 and math.random(-8, 12) or math.random(-(1 << 31), 1 << 31)
		end
		both(dir, table.concat(args, " "), "concrete input")
	end
end

-- Value of an input of the store: hexadecimal, most significant digit first. Of numbers, the bits.
local function decimal(v)
	local kind, width, hex = v[2], v[3], v[4]
	if kind == "f" then
		hex = hex:gsub("^0x", "")
		if width < 80 then return (width == 32 and "f" or "d") .. hex end
		hex = ("0"):rep(20 - #hex) .. hex
		return "l" .. hex:sub(5) .. ":" .. hex:sub(1, 4)
	end
	local n = math.tointeger(tonumber("0x" .. hex:gsub("^0x", "")))
	if width < 64 and (kind == "i" or kind == "c") and n >= 1 << (width - 1) then n = n - (1 << width) end
	return n
end

local function replay(dir, names)
	local list = must(("sqlite3 -separator ' ' %s/store \"select number, ending, coalesce(result, 'none'), inputs from test order by number\""):format(dir))
	local n = 0
	for number, ending, result, inputs in list:gmatch("(%d+) (%S+) (%S+) ([^\n]+)") do
		local value, args = {}, {}
		for _, v in ipairs(json.decode(inputs)) do value[v[1]] = decimal(v) end
		for i, name in ipairs(names) do args[i] = value[name] or 0 end
		local out = both(dir, table.concat(args, " "), "test " .. number)
		need(ending == "exit", "test %s ends by %s: %s", number, ending, table.concat(args, " "))
		need(out == result .. "\n", "test %s: %s\nthe session observed %s, the program prints %s", number,
			table.concat(args, " "), result, out)
		n = n + 1
	end
	return n
end

-- The checking build, on the inputs of the session's tests.
local function checked(dir, len)
	must(("instrument --quick --check-shadows --entry test %s -o %s/checking %s/p.c -- %s"):format(len, dir, dir, flags))
	must(("sqlite3 -separator ' ' %s/store \"select number, inputs from test order by number\" >%s/inputs.txt"):format(dir, dir))
	local lines, n = { "#inputs 1 diff.lua" }, 0
	local function put(...) lines[#lines + 1] = table.concat({ ... }, "\t") end
	for number, inputs in tap.slurp(dir .. "/inputs.txt"):gmatch("(%d+) ([^\n]+)") do
		put("input", number)
		for _, v in ipairs(json.decode(inputs)) do put("v", v[1], v[2], v[3], v[4]) end
		put("run")
	end
	put("end", #lines - 1)
	tap.spit(dir .. "/inputs", table.concat(lines, "\n") .. "\n")
	local out = must(("run-trace %s/checking <%s/inputs"):format(dir, dir))
	for id, ending, rest in out:gmatch("\ndone\t([^\t\n]*)\t?([^\t\n]*)([^\n]*)") do
		n = n + 1
		local all = id .. "\t" .. ending .. rest
		need(not all:find("%f[%a]check%f[%A]"), "checking build: %s", all)
		need(all:find("%f[%a]exit%f[%A]"), "checking build: %s", all)
	end
	return n
end

local totals = { tests = 0, checked = 0, missed = 0, lost = 0 }

local function one(seed, dir)
	local names, len = make(dir, seed)
	concrete(dir, names, seed)
	local out = must(("duct concolic %s/p.c --keep all --calls 1 --faults 0 --entry test %s --runs %s --time 20 --query-timeout 0.2 --store %s/store --json --quiet -- %s")
		:format(dir, len, runs, dir, flags))
	local result = json.decode(out)
	local tests = replay(dir, names)
	need(tests >= 1 and tests <= result.runs, "%d tests in the store, %d runs", tests, result.runs)
	if result.mispredicted > 0 then
		totals.missed = totals.missed + result.mispredicted
		need(#result.lost > 0, "%d predictions missed and nothing lost", result.mispredicted)
	end
	if #result.lost > 0 then totals.lost = totals.lost + 1 end
	need(#result.failures == 0, "failures: %s", out)
	local n = checked(dir, len)
	need(n == tests, "checking build: %d traces of %d inputs", n, tests)
	totals.tests = totals.tests + tests
end

tap.seeds(first, last, one)
print(("# %d tests replayed; programs that lost precision: %d; predictions missed by those: %d"):format(
	totals.tests, totals.lost, totals.missed))
tap.done()
