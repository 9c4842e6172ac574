#!/usr/bin/env lua5.4
-- waits
-- What a session may take together with the programs that prove and solve for it: the largest of these is ended, and says so.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local folder = tap.folder("memory")

-- A program of that name that takes 150 MB, and then waits.
tap.spit(folder .. "/hog.c", [[
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
	size_t n = 150 << 20;
	char *p = malloc(n);
	memset(p, 1, n);
	sleep(8);
	return p[n / 2] - 1;
}
]])
tap.spit(folder .. "/f.c", "int f(int x) { return x > 3; }\n")
tap.spit(folder .. "/hog.lua", [[
local core = require "duct.core"
return function(session)
	core.memory(tonumber(os.getenv "BYTES"))
	print("ended with", core.run { os.getenv "HOG" })
end
]])
local function ends(name, bytes)
	local hog = folder .. "/" .. name
	assert(tap.run(("gcc -o %s %s/hog.c"):format(hog, folder)) == 0)
	local _, out, err = tap.run(("HOG=%s BYTES=%d duct %s/hog.lua %s/f.c --entry f --quiet"):format(hog, bytes, folder, folder))
	return out:match("ended with%s+(%d+)"), err
end
local status, err = ends("prove", 100 << 20)
tap.is(status, "137", "a program that proves is ended when it takes too much")
tap.ok(err:find "duct: prove was ended: it took %d+ MiB, .*%-%-memory allows 100", "... and named", err)
tap.is(ends("duct-z3", 100 << 20), "137", "so is one that solves")
tap.is(ends("other", 100 << 20), "0", "another program is not: runs have a limit of their own")

-- A session that takes too much by itself.
tap.spit(folder .. "/full.lua", [[
local core = require "duct.core"
return function(session)
	assert(core.memory() > 1000 and core.resident() > 1000000)
	local text = string.rep("x", 540 << 20)
	while not session:over() do
		session:run(nil, nil, "again")
	end
	print(#text, session.runs)
end
]])
local _, full = tap.run(("duct %s/full.lua %s/f.c --entry f --quiet --memory 1M --runs 10000"):format(folder, folder))
tap.ok(full:find "^566231040\t64\n", "a session that takes too much by itself ends", full)

-- Before that it begins again with wider limits, if there are any.
tap.spit(folder .. "/again.lua", [[
local core = require "duct.core"
local Growing = require "duct.growing"
return function()
	local resident, wider
	core.resident = function() return resident end
	local s = setmetatable({ options = { own_memory = 1000 }, added = 600, runs = 640, news_run = 640 }, { __index = Growing })
	function s.wider() return wider end
	for _, case in ipairs { { 700, {} }, { 900, {} }, { 900, nil } } do
		resident, wider = case[1], case[2]
		print("gives up", s:stagnates())
	end
	s.added, resident, wider = 100, 900, {}
	print("gives up", s:stagnates())
end
]])
local _, again = tap.run(("duct %s/again.lua %s/f.c --entry f --quiet"):format(folder, folder))
tap.ok(again:gsub("gives up%s+", ""):find "^false\ntrue\nfalse\nfalse\n", "a large tree is given up for wider limits", again)
tap.done()
