#!/usr/bin/env lua5.4
-- Summaries of calls contain what they write through pointers and to globals. Paths that need such a value
-- are the same as those of concolic, in fewer runs than it has paths.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local folder = tap.folder("effects")

local through_pointer = [[
struct num { int value, digits; };
static char s[14];
static int number(int at, struct num *n)
{
	n->value = n->digits = 0;
	while (s[at] >= '0' && s[at] <= '9') {
		n->value = n->value * 10 + s[at++] - '0';
		n->digits++;
	}
	return at;
}
int date(const char *text)
{
	struct num d, m, y;
	int at;
	for (int i = 0; i < 13; i++)
		s[i] = text[i];
	at = number(0, &d);
	if (d.digits == 0 || s[at] != '.')
		return -1;
	at = number(at + 1, &m);
	if (m.digits == 0 || s[at] != '.')
		return -2;
	number(at + 1, &y);
	if (y.digits != 4)
		return -3;
	if (m.value < 1 || m.value > 12)
		return -4;
	if (d.value < 1 || d.value > 31)
		return -5;
	if (d.value + m.value == 13 && y.value == 1999)
		return 2;
	return 1;
}
]]
local in_globals = through_pointer:gsub("struct num %{ int value, digits; %};", "static int value, digits;"):gsub(
	", struct num %*n", ""):gsub("n%->", ""):gsub("struct num d, m, y;", "int d, m, y;"):gsub("number%((.-), &(%w)%);",
	function(at, name) return ("number(%s); %s = value;"):format(at, name) end):gsub("%w%.digits", "digits"):gsub(
	"(%w)%.value", "%1")

-- The text is an argument, too: what another argument points to is all that the call writes.
local by_argument = through_pointer:gsub("static char s%[14%];\n", ""):gsub("number%(int at", "number(const char *s, int at"):gsub(
	"\tfor %(int i = 0[^\n]*\n[^\n]*\n", ""):gsub("number%((%d*[at +1]*), &", "number(s, %1, &"):gsub("const char %*text", "const char *s")

local function session(strategy, name)
	local status, out, err = tap.run(("cd %s && duct %s %s.c --entry date --len %s=13 --calls 1 --quiet --json --time 60"):format(
		tap.quote(folder), strategy, name, name == "argument" and "s" or "text"))
	return status == 0 and json.decode(out), err
end

for name, text in pairs { pointer = through_pointer, globals = in_globals, argument = by_argument } do
	tap.spit(("%s/%s.c"):format(folder, name), text)
	local lazy, why = session("latest", name)
	local all, why_not = session("concolic --search dfs --keep all", name)
	tap.ok(lazy and all and lazy.exhausted and lazy.branches.covered == all.branches.covered
		and lazy.branches.infeasible == all.branches.infeasible, name .. ": the outcomes of concolic", why .. why_not)
	tap.ok(lazy and all and lazy.runs * 3 < all.paths, name .. ": fewer runs than a third of its paths",
		lazy and all and lazy.runs .. " " .. all.paths)
	local known = lazy and lazy.calls.summaries[1] or {}
	tap.ok(known["function"] == "number" and known.paths > 4 and known.effects == (name == "globals" and 2 or 1),
		name .. ": summaries tell what is written", known.effects)
end

local status, out = tap.run(("cd %s && duct instrument --abstract -o prog pointer.c --entry date --len text=13 && "
	.. "duct run-trace -d --abstract number --execute 1 prog"):format(tap.quote(folder)))
tap.ok(status == 0 and select(2, out:gsub("\neffect\t1\t%d+\t1\t%d+", "")) == 1,
	"effects of the call that was executed alone", out:match("[^\n]*effect[^\n]*"))
tap.spit(folder .. "/trace", out)
status = tap.run(("cd %s && duct solve --flow prog trace"):format(tap.quote(folder)))
tap.is(status, 0, "filters read them")
tap.done()
