-- Programs of csmith, natively against instrumented, one result a seed.
--   lua5.4 csmith.lua FIRST LAST
-- Its global scalars are mixed with an input that is 0, so that a run has expressions
-- everywhere. The checksum is the same natively, instrumented, and in a run of the
-- checking build, which compares every operand with its expression.
-- KEEP_FAILED=DIR keeps the files of failing seeds there.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

local first, last = math.tointeger(arg[1]), math.tointeger(arg[2])
local flags = ("-w -fwrapv -fno-strict-aliasing -I/usr/include/csmith -I%s"):format(tap.root)
local shape = "--max-funcs 4 --max-block-depth 3 --max-expr-complexity 5 --max-array-dim 2"

local function fail(fmt, ...) error({ fmt:format(...) }, 0) end

local function run(command) return tap.run("timeout -k 1 60 " .. command) end

local function must(command)
	local status, out, err = run(command)
	if status ~= 0 then fail("%s\nstatus %d\n%s", command, status, err:sub(-2000)) end
	return out
end

-- The program with an input: every global scalar gets it added, which changes nothing.
local function with_input(text)
	local mix = {}
	for line in text:gmatch("[^\n]+") do
		local name = line:match("^static u?int%d+_t (g_%d+) =")
		if name then mix[#mix + 1] = ("\t%s ^= zero;\n"):format(name) end
	end
	local code, n = text:gsub("(\n%s*platform_main_begin%(%);\n)", function(begin)
		return "\n\tlong zero = 0;\n\tduct_symbolic(&zero, sizeof zero, \"zero\");\n" .. table.concat(mix) .. begin
	end)
	if n ~= 1 then fail("no beginning of main") end
	return '#include "share/duct.h"\n' .. code, #mix
end

local totals = { mixed = 0, limited = 0, nodes = 0 }

local function checked(dir, want)
	must(("instrument --quick --check-shadows -o %s/checking %s/p.c -- %s"):format(dir, dir, flags))
	local trace = must(("run-trace --default %s/checking"):format(dir))
	local ending, rest = trace:match("\ndone\t(%S+)([^\n]*)")
	for _ in trace:gmatch("\ne\t") do totals.nodes = totals.nodes + 1 end
	if ending == "limit" or ending == "timeout" or ending == "memory" then
		totals.limited = totals.limited + 1
	elseif ending ~= "exit" then
		fail("checking build: %s%s\n%s", tostring(ending), tostring(rest), trace:match("\nfault[^\n]*") or "")
	elseif not (trace:match("\noutput\t([^\n]*)") or ""):find(want:match("(%x+)%s*$"), 1, true) then
		fail("checking build: %s, natively %s", trace:match("\noutput\t([^\n]*)") or "no output", want)
	end
end

local function one(seed, dir)
	local code, mixed = with_input(must(("sh -c 'cd %s && exec csmith --seed %d %s'"):format(dir, seed, shape)))
	tap.spit(dir .. "/p.c", code)
	tap.spit(dir .. "/noduct.c", "void duct_symbolic(void *p, unsigned long n, const char *s) { (void)p; (void)n; (void)s; }\n")
	must(("gcc %s -O1 -o %s/native %s/p.c %s/noduct.c"):format(flags, dir, dir, dir))
	local status, want = run(("timeout 2 %s/native"):format(dir))
	if status == 124 then return "does not end natively" end
	must(("duct cc %s -o %s/woven %s/p.c"):format(flags, dir, dir))
	local status2, out = run(dir .. "/woven")
	if status ~= status2 or out ~= want then
		fail("natively: %d %s\ninstrumented: %d %s", status, want, status2, out)
	end
	checked(dir, want)
	totals.mixed = totals.mixed + mixed
end

if not os.execute("command -v csmith >/dev/null") then
	print("1..0 # SKIP csmith is not installed")
	os.exit(0)
end
tap.seeds(first, last, one)
print(("# %d globals were inputs, %d expressions checked; runs cut short by a limit: %d"):format(
	totals.mixed, totals.nodes, totals.limited))
tap.done()
