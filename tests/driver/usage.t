#!/usr/bin/env lua5.4
-- duct's own refusals: what it says and its exit status; output that does not arrive.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

local folder = tap.folder("usage")
local good, bad = folder .. "/good.c", folder .. "/bad.c"
tap.spit(good, "int sign(int x) { if (x < 0) return -1; return x > 0; }\nint main(void) { return 0; }\n")
tap.spit(bad, "int sign(int x) { return x + ; }\n")

-- alone: nothing else is said
local function refused(name, arguments, status, message, alone)
	local got, out, err = tap.run("duct " .. arguments)
	tap.ok(got == status and err:find(message, 1, true) and out == "" and not (alone and err ~= message .. "\n"), name,
		("status %s\n%s%s"):format(got, out, err))
end

refused("no argument", "", 2, "duct test FILE.c")
refused("unknown strategy", "concolc " .. good, 2, "duct: unknown command `concolc`: did you mean `duct concolic`?")
refused("unknown strategy, nothing near", "xylophone " .. good, 2,
	"duct: unknown command `xylophone`; see duct --help")
refused("duct cover without a command", "cover --store x", 2, "cover: no command: duct cover --store FILE -- COMMAND")
refused("duct cover without a store", "cover make check", 2, "cover: no store: duct cover --store FILE -- make check")
refused("unknown search", "concolic " .. good .. " --search dsf", 2, "duct: unknown search `dsf`: did you mean `dfs`?")
refused("a search for pairs without pairs", "concolic " .. good .. " --search 'mix dfs sdgs'", 2,
	"duct: --search: mix dfs sdgs is for pairs, and none are watched: --criterion, --protocol, --scope")
refused("... of several processes", "concolic " .. good .. " --search sdgs --jobs 2 --pipes", 2,
	"duct: --search: sdgs is for pairs, and none are watched: --criterion, --protocol, --scope", true)
refused("--refine without --partial", "concolic " .. good .. " --refine all", 2, "duct: --refine needs --partial")
refused("--refine of another name", "ippc " .. good .. " --refine some", 2,
	"duct: unknown refine `some`: ")
refused("words behind a search", "concolic " .. good .. " --search 'dfs --one'", 2, "search dfs takes no argument")
refused("bound of a search", "concolic " .. good .. " --search 'bounded 0'", 2, "search bounded takes one argument")
refused("unknown search of a mix", "concolic " .. good .. " --search 'mix dfs coverag'", 2,
	"unknown search `coverag`: did you mean `coverage`?")
refused("no depth", "concolic " .. good .. " --depth 0", 2, "duct: --depth: `0` is not a whole number that it takes, from 1 on")
refused("no steps", "concolic " .. good .. " --steps 0", 2, "duct: --steps: `0` is not a whole number that it takes, from 1 on")
refused("a number beyond all", "concolic " .. good .. " --runs 99999999999999999999", 2,
	"duct: --runs: `99999999999999999999` is not a whole number that it takes, from 0 on")
refused("more than runs can have", "concolic " .. good .. " --faults 99", 2, "duct: --faults: 99 is too many: at most 64")
refused("more objects than there is room for", "concolic " .. good .. " --objects 5000", 2, "duct: --objects: 5000 is too many")
refused("unknown option", "concolic " .. good .. " --serach dfs", 2,
	"duct: unknown option --serach: did you mean --search?")
refused("unknown option with a value", "concolic " .. good .. " --xyzzy=1", 2, "duct: unknown option --xyzzy")
refused("unknown letter", "concolic " .. good .. " -Z", 2, "duct: unknown option -Z")
refused("option without its value", "concolic " .. good .. " --search", 2, "duct: --search needs a value")
refused("option whose value is empty", "concolic " .. good .. " --out=", 2, "duct: --out: `` is not a name of a file or folder")
refused("rubbish for a number", "concolic " .. good .. " --runs many", 2,
	"duct: --runs: `many` is not a whole number that it takes, from 0 on")
refused("a negative number", "concolic " .. good .. " --time=-1", 2, "duct: --time: `-1` is not a number of seconds, more than 0")
refused("a size too large", "concolic " .. good .. " --memory 99999999999G", 2, "is not a number of bytes, such as 512M")
for _, later in ipairs { "--with=cbmc" } do
	refused(later, ("concolic %s %s"):format(good, later), 2,
		("duct: %s is not available in this version"):format(later:match("^[^=]+")))
end
refused("unknown check", "concolic " .. good .. " --check div,boundz", 2,
	"duct: unknown check `boundz`: did you mean `bounds`?")
refused("no check", "concolic " .. good .. " --check ''", 2, "duct: unknown check ``: there are div, bounds,")
for option, word in pairs { criterion = "all-use", protocol = "papr", scope = "intr" } do
	refused("--" .. option, ("concolic %s --%s %s"):format(good, option, word), 2,
		("duct: unknown %s `%s`: did you mean"):format(option, word))
end
local calls = folder .. "/calls.c"
tap.spit(calls, "static int twice(int x) { return x + x; }\nint f(int x) { return twice(x) == 8 ? 1 : 2; }\n")
refused("latest --search", "latest " .. calls .. " --entry f --search dfs", 2,
	"duct: --search: latest has an order of its own where calls may be abstract")
refused("latest --search --jobs", "latest " .. calls .. " --entry f --search dfs --jobs 2", 2,
	"duct: --search: latest has an order of its own where calls may be abstract", true)
local _, searched = tap.run("duct latest " .. calls .. " --entry f --search dfs --abstract none --quiet")
tap.ok(searched:find("search dfs", 1, true) and searched:find("2 of 2 covered", 1, true), "... where no call may be abstract", searched)
refused("--one-pair", "concolic " .. good .. " --one-pair", 2, "duct: --one-pair is for dft")
refused("random --layers", "random " .. good .. " --layers slice", 2, "duct: --layers: random draws inputs: ")
refused("mutate --partial", "concolic " .. good .. " --search mutate --partial", 2,
	"duct: --partial: the search mutate asks the solver nothing")
refused("ippc --search mutate", "ippc " .. good .. " --search mutate", 2, "duct: ippc: the search mutate asks")
refused("--keep", "concolic " .. good .. " --keep some", 2, "duct: --keep is `all` or `new`")
refused("no file", "concolic", 2, "duct: no C file: duct concolic FILE.c...")
refused("no such file", "concolic no/such.c", 2, "duct: no/such.c: no such file")
refused("no such script", "./no/such.lua " .. good, 2, "duct: no such script: ./no/such.lua")
refused("--resume without a store", "concolic " .. good .. " --resume", 2,
	"duct: --resume needs --store FILE, which has the session to continue")
refused("--resume of nothing", "concolic " .. good .. " --resume --store no/such", 2,
	"duct: --resume: there is no store no/such")
refused("unknown entry", "concolic " .. good .. " --entry sing", 2, "no function 'sing'; did you mean 'sign'")
refused("unknown pointer", "concolic " .. good .. " --entry sign --len p=3", 2, "no pointer 'p' among the inputs")
refused("unknown layer", "concolic " .. good .. " --layers slcie", 2, "duct: unknown layer slcie")
refused("unknown engine", "concolic " .. good .. " --engines abacus", 2, "duct: unknown engine abacus")
refused("C that does not compile", "concolic " .. bad .. " --entry sign", 3, "bad.c:1:30: error: expected expression")
refused("a flag that clang does not know", "concolic " .. good .. " -- --nonsense", 3, "unknown argument: '--nonsense'")
refused("a store that cannot be", "concolic " .. good .. " --store /proc/nowhere/x", 4, "duct: /proc/nowhere/x: ")
tap.spit(folder .. "/rubbish", ("rubbish\n"):rep(200))
refused("a store that is none", ("concolic %s --store %s/rubbish"):format(good, folder), 4, "rubbish: ")
refused("a folder for tests that cannot be", "concolic " .. good .. " --out /proc/nowhere/x", 4,
	"duct: /proc/nowhere/x: ")
refused("a script that does not load", ("%s/broken.lua %s"):format(folder, good), 2, "no such script")
tap.spit(folder .. "/broken.lua", "return function(\n")
refused("a script with a mistake", ("%s/broken.lua %s"):format(folder, good), 3, "broken.lua:2: ")
tap.spit(folder .. "/none.lua", "x = 1\n")
refused("a script without a function", ("%s/none.lua %s"):format(folder, good), 3, "none.lua: returns no function")
tap.spit(folder .. "/throws.lua", "return function(session)\n\terror('a mistake')\nend\n")
refused("a script that fails", ("%s/throws.lua %s"):format(folder, good), 4, "throws.lua:2: a mistake")

for _, filter in ipairs { "cfg-dump", "instrument", "run-trace", "solve", "report", "defuse", "cutpoints", "partition",
	"prove" } do
	local status, out, err = tap.run("duct " .. filter .. " --help")
	tap.ok(status == 0 and out:find("^usage: " .. filter:gsub("%p", "%%%0")) and err == "",
		"duct " .. filter .. " --help", out .. err)
end
for _, command in ipairs { "diff", "plan", "doctor" } do
	local _, out = tap.run("duct " .. command .. " --help")
	tap.ok(out:find("--json +one JSON object for each %l+, on a line of its own"), "duct " .. command .. " --help: an object a line", out)
end
local status, out, err = tap.run("duct concolic --help")
tap.ok(status == 0 and out:find("^usage: duct ") and err == "", "duct concolic --help", out .. err)
local help = out
local _, shell = tap.run("duct completion bash")
local missing = {}
for option in shell:match("%*%) list='(%-%-help[^']*)'"):gmatch("%-%-([%l-]+)") do
	if option ~= "help" and not help:find("\n  --" .. option .. " ", 1, true) then missing[#missing + 1] = option end
end
tap.ok(#missing == 0, "every option has a line in the help", table.concat(missing, " "))
for _, line in ipairs { "duct --help", "duct help", "duct -h" } do
	status, out = tap.run(line)
	tap.ok(status == 0 and select(2, out:gsub("\n", "")) <= 24 and out:find("duct test FILE.c", 1, true),
		line .. " fits a screen", out)
end
status, out = tap.run("duct help solve")
tap.ok(status == 0 and out:find("^usage: solve"), "duct help FILTER", out)
refused("a C file instead of a strategy", good, 2, "`duct test " .. good .. "` writes tests for it")
status, out = tap.run("duct --version")
tap.ok(status == 0 and out:find("^duct %d"), "duct --version", out)

status, _, err = tap.run(("duct concolic %s --entry sign >/dev/full"):format(good))
tap.ok(status == 4 and err:find("duct: cannot write: No space left", 1, true), "a full disk", err)
for _, more in ipairs { "", "--json", "--pipes --json" } do
	_, _, err = tap.run(("{ duct concolic %s --entry sign --quiet %s; echo $? >%s/status; } | :"):format(good, more, folder))
	tap.ok(tap.slurp(folder .. "/status") == "141\n" and err == "", "a closed pipe ends it as SIGPIPE does " .. more,
		tap.slurp(folder .. "/status") .. err)
end

tap.done()
