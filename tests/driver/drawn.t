#!/usr/bin/env lua5.4
-- Where precision was lost, so that solving does not lead to an outcome, the default search draws values in the end.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

local folder = tap.folder("drawn")
tap.spit(folder .. "/pow.c", [[
#include <math.h>
double root_of(double a, double b)
{
	if (b < 0)
		return 0;
	return pow(a, b) > 8 ? 1 : 2;
}
float tables(float *t)
{
	return sinf(t[0]) + cosf(t[1]) < -1.5f ? t[0] : t[1];
}
]])

local function branches(options)
	local status, out, err = tap.run(("duct concolic '%s/pow.c' %s -t 30 -q"):format(folder, options))
	tap.is(status, 0, options .. " " .. err)
	return out:match("branches: (%d+ of %d+) covered"), out
end

local got, out = branches("--entry root_of")
tap.is(got, "4 of 4", "an outcome that depends on pow()")
tap.ok(out:find("precision lost", 1, true), "that precision was lost is said")
tap.is(branches("--entry tables"), "2 of 2", "one that depends on an array of floats")
tap.is(branches("--entry root_of --search dfs"), "3 of 4", "a search that the user chose remains as it is")

-- Mutations copy words and lines, for programs that read as many as they were told to expect.
tap.spit(folder .. "/read.c", [[
#include <stdio.h>
int main(void) { int c, n = 0; while ((c = getchar()) != EOF) n += c == 'x'; return n > 3; }
]])
tap.run(("mkdir '%s/seeds' && printf '4\\n1,2\\n' >'%s/seeds/one'"):format(folder, folder))
tap.spit(folder .. "/copies.lua", [[
local mutate = require "duct.mutate"
return function(session)
	local copies = 0
	for _ in session:start() do end
	function session.observe(trace)
		local text = {}
		for i = 1, 64 do text[i] = "" end
		for _, v in ipairs(trace:inputs()) do
			local i = v.name:match("%[(%d+)%]$")
			text[(i or 63) + 1] = i and string.char(v.value & 255) or ""
		end
		copies = copies + (table.concat(text):find("1,2\n1,2\n1,2\n1,2", 1, true) and 1 or 0)
	end
	for _ = 1, 1000 do session:run(mutate.input(session), nil, "mutated") end
	io.stderr:write(copies, " copies\n")
end
]])
local _, _, told = tap.run(("cd '%s' && duct ./copies.lua read.c --stdin 64 --corpus seeds -q"):format(folder))
local copies = tonumber(told:match("(%d+) copies"))
tap.ok(copies and copies > 50, "lines are copied", told)
tap.done()
