-- Figures for tests/demo: gcov's branches of stb_c_lexer.h after the emitted tests ran, and duct's own.
--   lua5.4 demo.lua DIR       DIR holds store and tests, the latter built with --coverage and run
local lib = arg[0]:match("^(.*)/[^/]+$")
package.path = lib .. "/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local dir, file = arg[1], "stb_c_lexer.h"
tap.scratch = dir

local status, out, err = tap.run(
	("find %s/tests -name '*.gcda' | xargs gcov --json-format --branch-probabilities --stdout"):format(tap.quote(dir)))
if status ~= 0 then
	io.stderr:write("tests/demo: gcov: ", err, "\n")
	os.exit(4)
end

-- The same source may be in several objects: a line or branch counts once, with all their runs.
local lines, branches = {}, {}
for text in out:gmatch("[^\n]+") do
	for _, f in ipairs(json.decode(text).files) do
		if f.file:match("[^/]+$") == file then
			for _, l in ipairs(f.lines) do
				lines[l.line_number] = (lines[l.line_number] or 0) + l.count
				for i, b in ipairs(l.branches) do
					local key = l.line_number .. ":" .. l.function_name .. ":" .. i
					branches[key] = (branches[key] or 0) + b.count
				end
			end
		end
	end
end

local function share(set)
	local taken, all = 0, 0
	for _, count in pairs(set) do
		all = all + 1
		if count > 0 then taken = taken + 1 end
	end
	return taken, all, all > 0 and 100 * taken / all or 0
end

local status2, report, err2 = tap.run(("%s/../../bin/duct report --store %s/store --branches"):format(lib,
	tap.quote(dir)))
if status2 ~= 0 then
	io.stderr:write("tests/demo: ", err2, "\n")
	os.exit(4)
end
local own = {}
for line in report:gmatch("[^\n]+") do
	if not line:find("^#") and line:find(file .. ":%d+:%d+") then
		own[#own + 1] = line:find("\tcovered%f[\t\0]") and 1 or 0
	end
end

local function row(what, taken, all, percent)
	print(("%-28s %5d of %5d  %5.1f %%"):format(what, taken, all, percent))
end
row("gcov, lines", share(lines))
row("gcov, branches of its code", share(branches))
row("duct, sides of conditions", share(own))
print("(gcov counts the edges of gcc's code of the whole header; duct the sides of the source's\n"
	.. " conditions in functions that lex_text can reach)")
os.exit(next(lines) and #own > 0 and 0 or 4)
