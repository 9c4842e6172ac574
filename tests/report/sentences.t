#!/usr/bin/env lua5.4
-- Why an objective is not covered is the same sentence in the text, in SARIF and in the page.
-- limit: 60
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

local f = assert(io.open("s.c", "w"))
f:write([[
#include <math.h>
int hard(double x, unsigned n)
{
	int r = 0;
	if (n > 9)
		r = 1;
	if (r && n < 5)
		r = 2;
	if (sin(x) * sin(x) > 0.9999999999 && cos(x) > 0.5)
		r = 3;
	return r == 3 ? 7 : r;
}
]])
f:close()
tap.run("duct dft s.c --entry hard --runs 20 --quiet --prove --store s.db")
local text = select(2, tap.run("duct report s.db --annotate"))
tap.run("duct report s.db --sarif s.json --html page")
local messages = {}
for _, r in ipairs(json.decode(tap.slurp("s.json")).runs[1].results) do
	messages[#messages + 1] = r.message.text
end
messages = table.concat(messages, "\n")
local page = tap.slurp("page/index.html")
local kinds, missing = { infeasible = 0, unknown = 0 }, {}
for verdict, why in text:gmatch(" (%a+): ([^\n]+)") do
	if kinds[verdict] then
		kinds[verdict] = kinds[verdict] + 1
		if not messages:find(why, 1, true) then missing[#missing + 1] = "SARIF: " .. why end
		if not page:find(why, 1, true) then missing[#missing + 1] = "page: " .. why end
	end
end
tap.ok(kinds.infeasible > 1 and kinds.unknown > 1, "infeasible and open objectives", text)
tap.ok(#missing == 0, "each sentence of the text is in SARIF and in the page",
	table.concat(missing, "\n") .. "\n" .. messages)

-- A condition from a macro is where the macro is used; several from one use are told apart.
tap.spit("m.c", [[
#define unlikely(x) __builtin_expect(!!(x), 0)
#define BOTH(x, y) ((x) == 5 && (y) == 6)
int m(int a, int b)
{
	if (unlikely(b == 7))
		return 1;
	if (unlikely(b == 8))
		return 2;
	return BOTH(a, b) ? 3 : 0;
}
]])
tap.run("duct concolic m.c --entry m --quiet --store m.db")
local places = select(2, tap.run("duct report m.db --branches"))
for _, place in ipairs { "unlikely(b == 7)\t1\tm.c:5:6", "unlikely(b == 8)\t2\tm.c:7:6", "BOTH(a, b)\t3\tm.c:9:9",
	"BOTH(a, b): (b) == 6\t4\tm.c:9:9" } do
	tap.ok(places:find("m\t" .. place .. "\tp:true\tcovered", 1, true), place, places)
end
tap.done()
