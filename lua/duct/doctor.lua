-- duct doctor: lists the programs and libraries that duct uses: installed or not, version, purpose.
local core = require "duct.core"
local program = require "duct.program"

-- { name, command whose first line of output has the version, package, needed or wanted, purpose }; of checkers also
-- the version that duct was tried with, false: none, its tests have a stand-in
local needed, wanted = true, false
local commands = {
	{ "C compiler", "cc --version", "gcc", needed, "linking programs under test, building tests" },
	{ "binutils", "objcopy --version", "binutils", needed, "linking programs under test" },
	{ "make", "make --version", "make", needed, "building tests" },
	{ "boolector", "boolector --version", "boolector", wanted, "checks proofs again, --engines boolector, --cross" },
	{ "berkeley-abc", "berkeley-abc -c version", "berkeley-abc", wanted, "--prove where induction does not do" },
	{ "cbmc", "cbmc --version", "cbmc", wanted, "prove --with cbmc", false },
	{ "cpachecker", "cpa.sh --version", "cpachecker (not in Debian)", wanted, "prove --with cpachecker", false },
	{ "frama-c", "frama-c --version", "frama-c-base", wanted, "prove --with frama-c", "25.0" },
	{ "sqlite3", "sqlite3 --version", "sqlite3", wanted, "looking into stores by hand" },
	{ "lcov", "genhtml --version", "lcov", wanted, "pages of report --lcov" },
	{ "gcov", "gcov --version", "gcc", wanted, "measuring tests that were written" },
	{ "parallel", "parallel --version", "parallel", wanted, "duct farm on several hosts" },
	{ "man", "man --version", "man-db", wanted, "the manual pages" },
}
local filters = { "cfg-dump", "instrument", "run-trace", "solve", "partition", "defuse", "cutpoints", "credit",
	"distance", "prove", "report", "cover" }

local function first_line(command)
	local f = io.popen("command -v " .. command:match("%S+") .. " >/dev/null && { " .. command .. "; } 2>&1 </dev/null")
	local line
	for text in f:lines() do
		line = line or text:match("%d[%d.]*%d") and text or nil
	end
	f:close()
	return line
end

local function says(report, name, version, must, package, serves, tried)
	local missing = not version
	if tried ~= nil then
		serves = ("%s (%s)"):format(serves, tried and "tried with " .. tried or "no version was tried, only a stand-in")
	end
	report.bad = report.bad or missing and must
	if report.json then
		print(('{"name": %s, "present": %s, "needed": %s, "version": %s, "package": %s, "for": %s}'):format(
			program.json(name), not missing, must, version and program.json(version) or "null", program.json(package),
				program.json(serves)))
		return
	end
	local state = missing and (must and "MISSING" or "missing") or "ok"
	print(("%-8s %-14s %s"):format(state, name, missing and ("%s [package %s]"):format(serves, package)
		or ("%s: %s"):format(version:sub(1, 60), serves)))
end

return program.protected(function(o)
	if o.files then
		program.fail(2, "doctor takes no argument")
	end
	local report = { json = o.json }
	if not o.json then
		print("duct " .. core.version)
	end
	local absent = {}
	for _, name in ipairs(filters) do
		local path = core.home("libexec", name)
		local status = path and first_line(path .. " --version")
		absent[#absent + 1] = not status and name or nil
	end
	says(report, "filters", #absent == 0 and #filters .. " of them start", needed, "duct itself",
		#absent == 0 and "everything" or "do not start: " .. table.concat(absent, ", "))
	for _, c in ipairs(commands) do
		says(report, c[1], first_line(c[2]), c[4], c[3], c[5], c[6])
	end
	says(report, "z3", package.loadlib("libz3.so.4", "*") and (first_line("z3 --version") or "libz3.so.4"), wanted,
		"libz3-4", "floating point, hard arithmetic")
	local reason = core.confines()
	says(report, "confinement", not reason and "full", wanted, "not confined: " .. (reason or ""),
		"runs of programs under test")
	local scratch = os.getenv("TMPDIR") or "/tmp"
	local fine = pcall(function() core.remove(core.scratch()) end)
	says(report, "TMPDIR", fine and scratch, needed, "none: " .. scratch .. " cannot be written",
		"programs under test and their runs")
	return report.bad and 4 or 0
end)
