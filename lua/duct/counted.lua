-- counted: confirms the coverage of a session on the untouched program: Clang builds the written tests with the
-- untouched sources and counts.
--   counted.session(store, session, o) -> { branches, pairs: { taken, missed, unmeasured }, missed: list, failed: some
--   tests fail }; or nil and why it was not possible. o: store (its path), seconds, confine. Missed objectives are
--   unknown in the store.
local core = require "duct.core"
local program = require "duct.program"

local counted = {}
-- -fno-builtin: as the session's program was built, a function of the program's own is called even if it has the
-- name of one that clang knows.
local flags = "-O0 -w -fno-builtin -fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation"

local function text_of(path)
	local f <close> = io.open(path, "rb")
	return f and f:read("a")
end

-- Runs a script of the shell with arguments; is its status 0?
local function shell(script, ...)
	return core.run { "sh", "-c", script, "sh", ... } == 0
end

-- The tests, built in the folder; compiling is not confined, as it is not when a session builds its program.
local function build(folder, seconds)
	return shell([[timeout "$2" make -s -C "$1" tests CC=clang-19 CFLAGS="$3" LDFLAGS=-fprofile-instr-generate \
		>"$1/build.log" 2>&1]], folder, ("%.1f"):format(seconds), flags)
end

-- Runs them as confined as the session's runs. Counters are in memory that is mapped to a file, so that they outlive
-- crashes. The status of the runner: 0, 1 when some tests do not behave as they did, another one when it could not run
-- them all; nil when the time was over.
local function run(folder, seconds, confine)
	return core.confined { folder = folder, seconds = seconds, confine = confine or "full", argv = { "sh", "-c",
		"TMPDIR=/tmp DUCT_TEST_SECONDS=3 LLVM_PROFILE_FILE=$PWD/count-%m%c.profraw exec ./tests" } }
end

local function export(folder)
	return shell([[cd "$1" && llvm-profdata-19 merge -o profile count-*.profraw >count.log 2>&1 &&
		llvm-cov-19 export ./tests -instr-profile profile >counts.json 2>>count.log]], folder) and
		text_of(folder .. "/counts.json")
end

function counted.possible()
	return shell "for p in clang llvm-cov llvm-profdata; do command -v $p-19 >/dev/null || exit 1; done" or
		nil, "clang-19 or llvm-19 is not installed"
end

function counted.session(store, session, o)
	local scratch <close> = program.folder()
	local folder, deadline = scratch.path .. "/tests", core.now() + o.seconds
	local report = assert(core.home("libexec", "report"))         -- works in the folder that the session ran in
	if not shell([["$1" "$2" --session "$3" --out "$4" >/dev/null 2>&1]], report, o.store, tostring(session), folder) then
		return nil, "its tests cannot be written"
	elseif (text_of(folder .. "/INDEX") or ""):find("process.fork[", 1, true) then
		-- Some counters are differences of others, which does not hold once two processes share them.
		return nil, "it forks: clang's counts of several processes do not add up"
	elseif not build(folder, o.seconds) then
		return nil, core.now() >= deadline and "time ran out" or "its tests do not compile"
	end
	local status = run(folder, math.max(deadline - core.now(), 0.1), o.confine)
	if not status or status > 1 then
		return nil, status and "its tests could not be run" or "time ran out"
	end
	local counts = export(folder)
	if not counts then
		return nil, "clang counted nothing"
	end
	local result = store:recount(session, counts)
	result.failed = status == 1
	return result
end

return counted
