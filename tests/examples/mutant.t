#!/usr/bin/env lua5.4
-- Emitted tests must fail when the program is changed: each mutant of a copy of an example, made
-- after its tests were emitted, makes `make check` fail; the untouched copy passes.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local quote = tap.quote

-- file, options, and mutants: text and what takes its place
local subjects = {
	{ "is_sorted.c", "--entry isSorted", { "b > c", "b >= c" }, { "a > b", "a >= b" }, { "return 1", "return 2" } },
	{ "triangle.c", "--entry triangle", { "a == c", "a != c" }, { "return NONE", "return SCALENE" } },
	{ "max3.c", "--entry max3 --len a=3", { "max < a[2]", "max > a[2]" } },
	{ "strmat.c", "--entry strmat --string text=3 --string pattern=2", { "i == patterns", "i <= patterns" } },
}

local function replace(text, from, to)
	local i, j = text:find(from, 1, true)
	return assert(i and text:sub(1, i - 1) .. to .. text:sub(j + 1), "no such text in the example: " .. from)
end

for _, s in ipairs(subjects) do
	local dir = tap.folder(s[1])
	local copy = dir .. "/" .. s[1]
	local original = tap.slurp(tap.root .. "/share/examples/" .. s[1])
	tap.spit(copy, original)
	local status, _, err = tap.run(("duct concolic %s %s --keep all --quiet --out %s/tests"):format(quote(copy),
		s[2], quote(dir)))
	if tap.ok(status == 0, s[1] .. ": session", err) then
		local check = ("make -C %s/tests clean >/dev/null 2>&1; make -C %s/tests check"):format(quote(dir), quote(dir))
		tap.ok(tap.run(check) == 0, s[1] .. ": tests pass on the untouched source")
		for i = 3, #s do
			tap.spit(copy, replace(original, s[i][1], s[i][2]))
			tap.ok(tap.run(check) ~= 0, ("%s: a test fails when `%s` becomes `%s`"):format(s[1], s[i][1], s[i][2]))
		end
		tap.spit(copy, original)
		tap.ok(tap.run(check) == 0, s[1] .. ": and passes again on the untouched source")
	end
end
tap.done()
