#!/usr/bin/env lua5.4
-- Statements of the user about the inputs, on the command line and in a file beside the code: they hold in all runs, are reported
-- in every report, and mistakes are told with their place.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("device.c", tap.slurp(tap.root .. "/tests/driver/src/device.c"))
local asked = "--init reset --stub read_sensor --len data=4 --range n=0..2 --range 'data[*]=0..20' --assume 'len == 4 && name'"

local function duct(command, ...)
	local status, out, err = tap.run("duct " .. command:format(...))
	return status, out, err
end

local status, out, err = duct("concolic device.c --entry poll %s --calls 1 --keep all --quiet --store d.db --out made", asked)
tap.ok(status == 0 and out:find("ended: every path within the limits was run", 1, true), "everything at once",
	out .. err)
local wrong, seen = {}, {}
local report = json.decode(select(2, duct("report --store d.db --json")))
local lines = tap.run("sqlite3 d.db \"SELECT number, name, CAST(value AS TEXT) FROM input\" >values")
for number, name, value in tap.slurp("values"):gmatch("(%d+)|([^|\n]*)|(%x*)") do
	local v = tonumber(value, 16)
	seen[name] = true
	if name == "n" and v > 2 or name:find("^data%[") and v > 20 or name == "len" and v ~= 4 then
		wrong[#wrong + 1] = number .. ": " .. name .. " = " .. value
	end
end
tap.ok(lines == 0 and #wrong == 0 and seen.n and seen["data[1]"] and report.tests == 21,
	"tests keep to what was assumed",
	table.concat(wrong, "\n"))
tap.ok(seen["read_sensor()"] and seen["read_sensor()#2"], "each call of a stub is an input of its own")

-- The ways to state it.
local limits = "limits: [^\n]*data does not point into other objects here: %-%-may%-alias P,Q or %-%-distinct all;"
out = select(2, duct("report --store d.db --branches"))
tap.ok(out:find("\tdevice%.c:11:6\tp:true\tunknown\treached by 21 runs, never taken; " .. limits) and out:find("\n# assumed: n=0..2\n", 1, true)
	and out:find("\n# limit: data does not point into other objects here: --may-alias P,Q or --distinct all\n", 1,
		true), "the table of branches", out)
out = select(2, duct("report --store d.db"))
tap.ok(out:find("\n  n=0..2\n", 1, true) and out:find("`n > 100`: reached by %d+ runs, never taken; limits: "),
	"the summary", out)
tap.spit("small.c", "int small(int n) { if (n > 100) return 1; return 2; }\n")
out = select(2, duct("concolic small.c --entry small --range n=0..2 --quiet"))
tap.ok(out:find("`n > 100`: every path was run, and none takes it, under: n=0..2", 1, true),
	"what is infeasible says under what", out)
local all = table.concat(report.assumptions, "\n")
tap.ok(all:find("reset() is called first", 1, true) and all:find("len == 4 && name", 1, true)
	and all:find("read_sensor: a stub", 1, true), "JSON", all)
duct("report --store d.db --html page --sarif s.json --junit j.xml")
for _, file in ipairs { "page/index.html", "s.json", "j.xml", "made/tests.c" } do
	tap.ok((tap.slurp(file) or ""):gsub("&amp;", "&"):find("len == 4 && name", 1, true), file)
end

-- Tests build against the untouched source, stub and all, and notice when an assumption is broken.
for _, cc in ipairs { "gcc", "clang-19" } do
	status, out, err = tap.run("make -C made check CC=" .. cc
		.. " CFLAGS='-Wall -Wextra -Werror -Wno-unused-parameter -Wno-unused-function'")
	tap.ok(status == 0 and out:find(" 0 failed"), "tests with " .. cc, (out .. err):sub(1, 2000))
end
tap.run("sed -i 's/^\tint len = 4;/\tint len = 5;/' made/tests.c")
status, out = tap.run("make -C made check")
tap.ok(status ~= 0 and out:find("an assumption does not hold", 1, true),
	"an edited test that breaks an assumption fails", out)

-- --prove: infeasible under the assumption only.
tap.spit("two.c", "int g;\nint f(int a) { int x = 1; if (a > 10) x = 2; if (a < 5) return x + g; return x; }\n")
local function verdict(more)
	duct("dft two.c --entry f --prove --runs 50 --quiet --store two.db %s", more)
	local table_ = select(2, duct("report --store two.db --branches"))
	os.remove("two.db")
	return table_:match("a > 10\t%d+\t[^\t]*\tp:true\t(%a+)\t"), table_
end
local free, bound = verdict(""), verdict("--assume 'a <= 10'")
tap.ok(free == "covered" and bound == "infeasible", "an assumption decides", tostring(free) .. " " .. tostring(bound))

-- A stub gives any value in proofs, too, of a function and of a program.
tap.spit("any.c", [[
int sensor(void);
int reads(int x) { if (x > 3) return x; if (sensor() > 7) return 1; if (sensor() == 2) return 2; return 0; }
int main(void) { return sensor() > 7 ? reads(sensor()) : 5; }
]])
for _, entry in ipairs { "reads", "main" } do
	local r = json.decode(select(2, duct("dft any.c --entry %s --prove --quiet --json", entry)))
	tap.ok(r.branches.total >= 6 and r.branches.covered == r.branches.total and r.branches.infeasible == 0
		and r.pairs.infeasible == 0,
		entry .. ": a stub that gives any value", ("%d of %d, %d infeasible, %d pairs"):format(r.branches.covered,
			r.branches.total,
			r.branches.infeasible, r.pairs.infeasible))
	local _, verdicts = tap.run(("duct instrument -o any any.c --entry %s && duct cfg-dump ./any >flow && duct defuse -e %s flow >pairs &&"
		.. " cutpoints -f flow pairs >goals && duct prove -c entry -f flow goals"):format(entry, entry))
	tap.ok(verdicts:find("\tunknown\t") and not verdicts:find("\tinfeasible\t"),
		entry .. ": ... in proofs from the entry", verdicts)
end

-- The file beside the code.
tap.spit("device.duct.lua", [[
return {
	stub = "read_sensor",
	entries = {
		poll = { init = "reset", len = { data = 4 }, range = { n = "0..2", ["data[*]"] = "0..20" },
			assume = "len == 4 && name" },
	},
}
]])
status, out, err = duct("concolic device.c --entry poll --calls 1 --quiet --json")
local beside = json.decode(out)
tap.ok(status == 0 and beside.branches.infeasible == report.branches.infeasible and beside.paths == report.paths
	and table.concat(beside.assumptions, "\n"):find("set up by device.duct.lua", 1, true),
		"a file beside the code says the same", out .. err)
tap.ok(table.concat(beside.assumptions, "\n"):find("len == 4 && name (device.duct.lua:5)", 1, true), "with places")
out = select(2, duct("plan device.c"))
tap.ok(out:find("poll  device.c:%d+\n") and out:find("  input   data: points to unsigned char, or is NULL\n", 1, true)
	and out:find("  assume  data: 4 elements\n", 1, true) and out:find("reset  device.c:%d+\n"),
		"duct plan: entries and their inputs", out)
tap.run("mv device.duct.lua elsewhere.lua")
out = select(2, duct("plan device.c --entry poll"))
tap.ok(out:find("  stub    read_sensor: nothing defines it; its result", 1, true) and not out:find("strlen"),
	"duct plan: what would be stubbed", out)
status, out = duct("plan device.c --entry poll --setup elsewhere.lua")
tap.ok(status == 0 and out:find("n=0..2 (elsewhere.lua:4)", 1, true), "--setup names a file", out)
tap.ok(out:find("\n  grows   name: elements, and objects that they point to, as the function asks\n", 1, true),
	"duct plan: what grows", out)
tap.spit("both.c", "int f(int n) { return n > 3; }\nint g(int m) { return m > 3; }\n")
out = select(2, duct("plan both.c --assume 'n > 0'"))
tap.ok(out:find("n: signed, 4 bytes\n  assume  n > 0\ng  ") and not out:find("m: signed, 4 bytes\n  assume"),
	"duct plan: an assumption for the function that has its names", out)

-- Mistakes.
local function refused(what, command, want, message)
	local got, _, said = duct(command)
	tap.ok(got == want and said:find(message, 1, true), what, got .. " " .. said)
end
local poll = "concolic device.c --entry poll --runs 3 "
refused("an expression that names nothing", poll .. "--assume 'lenn > 3'", 2,
	"--assume:1:14: error: use of undeclared identifier 'lenn'")
refused("... nor what it can name", poll .. "--assume 'lenn > 3'", 2, "--assume: parameters of poll(): ")
refused("a range without bounds", poll .. "--range n", 2, "range 'n': expected NAME=LOW..HIGH")
refused("elements of what has none", poll .. "--range 'n[*]=0..1'", 2, "'n' is no array among the inputs")
tap.spit("sizes.c", "struct s { int a; };\nint sizes(int *p, int n, double d, struct s *t) { return p && n > 0 && p[n - 1] > d && t; }\n"
	.. "int none(int *p) { return p && *p; }\n")
for options, message in pairs {
	["--len p=99999999999999999999"] = "length 'p=99999999999999999999': an object has at most 33554432 elements",
	["--len p=0..99999999"] = "length 'p=0..99999999': an object has at most 33554432 elements",
	["--len p=d"] = "length 'p=d': 'd' is no integer; what a length can depend on: n",
	["--len p=n+t"] = "length 'p=n+t': 't' is no integer; what a length can depend on: n",
	["--len p=5..2"] = "length 'p=5..2': LOW is more than HIGH", ["--len p=-1"] = "length 'p=-1': expected NAME=N",
	["--len nope=3"] = "no pointer 'nope' among the inputs", ["--len n=3"] = "no pointer 'n' among the inputs",
	["--range m=0..3"] = "range 'm=0..3': no parameter or variable 'm'; parameters that are numbers: n, d",
	["--len p=m"] = "--len: parameters of sizes(): p, n, d, t", ["--string t=3"] = "'t' does not point to characters",
	["--range p=0..3"] = "range 'p=0..3': 'p' is not a number", ["--range n=5..1"] = "range 'n=5..1': LOW is more than HIGH",
	["--distinct p,nope"] = "no pointer 'nope' among the inputs", ["--global nope"] = "no global variable 'nope'",
} do
	refused(options, "concolic sizes.c --entry sizes --runs 3 " .. options, 2, message)
end
refused("a length of what is no integer, and none there", "concolic sizes.c --entry none --runs 3 --len p=p", 2,
	"none() has no parameter that is one")
tap.spit("stream.c", "#include <stdio.h>\nint stream(FILE *f) { return getc(f) == 'x'; }\n")
for _, option in ipairs { "--len", "--string" } do
	refused("a stream's " .. option, "concolic stream.c --entry stream --runs 3 " .. option .. " f=3", 2, "'f' is a stream")
end
refused("a stub of what is defined", poll .. "--stub reset", 2, "device.c:6 defines it")
refused("a stub of nothing", poll .. "--stub read_sensr", 2, "did you mean 'read_sensor'")
refused("a function called first with parameters", poll .. "--init poll", 2, "'poll' takes parameters")
refused("a function called first that is none", poll .. "--init rest", 2, "did you mean 'reset'")
refused("a plan with what no function has", "plan device.c --assume 'lenn > 3'", 2, "--assume:1:14: error: use of undeclared identifier 'lenn'")
refused("... and for one entry", "plan device.c --entry poll --range lenn=0..3", 2, "no parameter or variable 'lenn'")
tap.spit("main.c", "int main(void) { return 0; }\n")
refused("of a program", "concolic main.c --assume 1", 2, "--assume needs an entry other than main")
refused("no such file", poll .. "--setup no.lua", 2, "--setup: there is no file no.lua")
refused("plan of nothing", "plan device.c --entry pol", 2, "did you mean 'poll'")
tap.spit("two.duct.lua", "return {\n\tentries = { f = {\n\t\tassume = \"nn > 0\" } } }\n")
refused("... in a file", "plan two.c", 3, "two.duct.lua:3:14: error: use of undeclared identifier 'nn'")
os.remove("two.duct.lua")
for text, message in pairs {
	["return {\n\tstub = \"read_sensor\",\n\tasume = \"n > 0\",\n}\n"] = "bad.lua:3: unknown option `asume`: did you mean `assume`?",
	["return {\n\tassume = { \"n > 0\",\n\t\t\"m > 0\" },\n\tstub = \"read_sensor\" }\n"] = "bad.lua:3:14: error: use of undeclared identifier 'm'",
	["return {\n"] = "bad.lua:2: ", ["x = 1\n"] = "bad.lua:1: it returns no table",
	["return { stdin = \"x\" }\n"] = "bad.lua:1: `stdin` is a number",
		["return { len = { p = {} } }\n"] = "bad.lua:1: `len` is not a text",
} do
	tap.spit("bad.lua", text)
	refused("a file with a mistake: " .. message, poll .. "--setup bad.lua", 3, message)
end
tap.done()
