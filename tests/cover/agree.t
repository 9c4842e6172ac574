#!/usr/bin/env lua5.4
-- A project with a suite of its own: what `duct cover` says that its tests cover is what clang's coverage
-- build counts when the same suite runs, and each line of it is one that gcov saw run.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local agree = require "agree"
local json = require "json"
local tap = require "tap"

local folder = tap.folder("project")
local store = folder .. "/duct/s.db"
local files = { tap.root .. "/tests/cover/project/calc.c", tap.root .. "/tests/cover/project/lex.c" }

-- A copy of the project, built with this compiler and flags.
local function build(name, setting)
	return tap.run(("cp -r %s/tests/cover/project %s/%s && make -s -C %s/%s %s"):format(
		tap.root, folder, name, folder, name, setting))
end

local status, _, err = build("duct", 'CC="duct cc"')
tap.ok(status == 0, "make CC=\"duct cc\" builds a program and a shared library", err)
status, _, err = tap.run(("cd %s/duct && duct cover --store s.db -- make -s -j4 check"):format(folder))
tap.ok(status == 0, "the suite passes under duct cover", err)
local claims, why = agree.claims(store)
tap.ok(claims, "branches are reported", why)

status, _, err = build("clang", "CC=clang-19 CFLAGS='-O0 -fprofile-instr-generate -fcoverage-mapping'"
	.. " LDFLAGS=-fprofile-instr-generate")
tap.ok(status == 0, "clang builds it for coverage", err)
local out
status, out, err = tap.run(([[
cd DIR/clang || exit 9
LLVM_PROFILE_FILE='DIR/clang/%p-%m.profraw' make -s check >&2
llvm-profdata-19 merge -o profile *.profraw && llvm-cov-19 export calc -object liblex.so -instr-profile profile]])
	:gsub("DIR", folder))
tap.ok(status == 0, "clang counts", err)
local counted = agree.counted(json.decode(out), agree.sources(files))
-- A process that aborts writes no profile, and no other takes this side.
local crash = "calc.c:80:6:T"
tap.ok(claims.covered[crash] and not counted[crash], "a crash is recorded")
counted[crash] = true
local more, less = {}, {}
for side in pairs(claims.covered) do if not counted[side] then more[#more + 1] = side end end
for side in pairs(counted) do if not claims.covered[side] then less[#less + 1] = side end end
tap.ok(next(counted) and #more + #less == 0, "sides covered are those that clang counts",
	("claimed, not counted: %s\ncounted, not claimed: %s"):format(table.concat(more, " "), table.concat(less, " ")))

status, _, err = build("gcc", "CC=gcc CFLAGS='-O0 --coverage' LDFLAGS=--coverage")
tap.ok(status == 0, "gcc builds it for coverage", err)
tap.ok(tap.run("make -s -C " .. folder .. "/gcc check") == 0, "the suite passes when gcc builds it")
_, out = tap.run("cd " .. folder .. "/gcc && gcov --json-format --stdout *.gcda")
local ran, dead = {}, {}
for line in out:gmatch("[^\n]+") do
	for _, file in ipairs(json.decode(line).files) do
		for _, l in ipairs(file.lines) do
			ran[("%s:%d"):format(file.file:match("[^/]+$"), l.line_number)] = l.count > 0
		end
	end
end
for side in pairs(claims.covered) do
	local line = side:match("^(.*:%d+):%d+:%a$")
	if side ~= crash and ran[line] == false then dead[#dead + 1] = side end
end
tap.ok(next(ran) and #dead == 0, "no claimed side on a line that gcov never ran", table.concat(dead, " "))
tap.done()
