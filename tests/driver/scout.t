#!/usr/bin/env lua5.4
-- Inputs made without solving are run with fixed values first, where following them takes much longer.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

local folder = tap.folder("scout")
tap.spit(folder .. "/mixed.c", [[
int mixed(unsigned a, unsigned char b)
{
	unsigned x = a;
	for (int i = 0; i < 50000; i++)
		x = x * 33 + i;
	if (x == 7)
		return 1;
	if (b == 200)
		return 2;
	if (b == 201) {
		int *p = 0;
		return *p;
	}
	return 0;
}
]])
-- As a search does that makes inputs without solving: of each run whether it followed its inputs, and whether it is news.
tap.spit(folder .. "/tell.lua", [[
return function(session)
	local first
	for path in session:start() do first = first or path end
	local function try(b)
		local input = session.space:model()
		input:set("a", "u", 32, 5)
		input:set("b", "u", 8, b)
		local path = session:run(input, { input = input })
		io.stderr:write(("%d %s %d\n"):format(b, path.length > 0 and "followed" or "fixed", path.covered))
	end
	for b = 1, 10 do try(b) end
	try(200)
	try(201)
	try(11)
end
]])
local status, out, err = tap.run(("duct %s/tell.lua %s/mixed.c --entry mixed --quiet --json"):format(folder, folder))
local lines = {}
for b, how, covered in err:gmatch("(%d+) (%a+) (%d+)") do
	lines[#lines + 1] = ("%s %s %s"):format(b, how, tonumber(covered) > 0 and "news" or "nothing")
end
tap.is(status, 0, "the session ends as usual")
tap.is(table.concat(lines, ", ", 1, 10), "1 followed nothing, 2 followed nothing, 3 followed nothing, 4 followed nothing, "
	.. "5 followed nothing, 6 followed nothing, 7 followed nothing, 8 followed nothing, 9 fixed nothing, 10 fixed nothing",
	"the ninth is run with fixed values")
tap.is(lines[11], "200 followed news", "one that covers something is run again, followed")
tap.is(lines[12], "201 followed news", "so is one that ends with a fault")
tap.is(lines[13], "11 fixed nothing", "then fixed ones go on")
tap.ok(out:find('"ended"', 1, true) and out:find('"kind": "null"', 1, true) or out:find("null"), "the fault is a finding")
tap.done()
