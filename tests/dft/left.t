#!/usr/bin/env lua5.4
-- A counterexample of the prover that the program does not follow: the reason names the condition on which its run and
-- the model disagree.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local folder = tap.folder("left")

-- The reason of the pair whose use is in that line, after a session of search and proof; without mutations, whose long
-- runs would take the time of the proof.
local function reason(name, text, line)
	local file, store = ("%s/%s.c"):format(folder, name), ("%s/%s.db"):format(folder, name)
	tap.spit(file, text)
	local session = "duct dft %s --entry f --prove --search 'mix cpgs coverage' --time 2 --quiet --store %s"
	local status, _, err = tap.run(session:format(file, store))
	tap.ok(status == 0, name .. ": runs", err)
	for row in select(2, tap.run("duct report --pairs --store " .. store)):gmatch("[^\n]+") do
		local use, why = row:match("\t[^\t]*:(%d+):%d+\tp:true\tunknown\t(.*)$")
		if tonumber(use) == line then return why end
	end
end

-- Numbers of 80 bits are any numbers in the model.
local concrete = reason("concrete", [[
int f(int n)
{
	int i, found = 0;
	long double third = 1;
	for (i = 0; i < n; i++)
		third = 1.0L / 3;
	if (n > 2)
		if (third > 1)
			found = 1;
	return found ? 9 : 0;
}
]], 10)
tap.ok(concrete and concrete:find("`third > 1` at .*concrete%.c:8:%d+ is true in the model, false in the run$"),
	"at a condition that does not depend on inputs", concrete)

local symbolic = reason("symbolic", [[
int f(unsigned n)
{
	unsigned i, found = 0, part = 0;
	long double third = 1;
	for (i = 0; i < n; i++)
		third = 1.0L / 3;
	part = (unsigned)(third * 3000) & 1;
	if ((n & part) == 1)
		found = 1;
	return found ? 9 : 0;
}
]], 10)
tap.ok(symbolic and symbolic:find("`%(n & part%) == 1` at .*symbolic%.c:8:%d+ is true in the model, false in the run"),
	"at a condition in whose place another one holds", symbolic)
tap.done()
