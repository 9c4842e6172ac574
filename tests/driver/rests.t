#!/usr/bin/env lua5.4
-- A question includes linked files and environment variables: after a change of a library, an object or a variable it
-- is another question, which adopts no `infeasible` except those whose proofs hold there, too.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local folder = tap.folder("rests")

local function limit(n)
	tap.spit(folder .. "/lim.c", ("int limit(void) { return %d; }\n"):format(n))
end

tap.spit(folder .. "/main.c", [[
#include <stdlib.h>
int limit(void);
int f(int x)
{
	if (x & 1 && limit() > 20)
		return 1;
	if ((x | 1) == 2)
		return 2;
	return getenv("RESTS") != 0;
}
]])

-- A session on the same store; how many verdicts it took over.
local function kept(build, arguments, variables)
	local status, out, err = tap.run(("cd %s && { %s; } && %s duct %s --quiet --json --time 10 --store all.db %s")
		:format(folder, build, variables or "env -u RESTS", arguments == "whole" and "concolic" or "dft --prove", arguments))
	local fine, r = pcall(json.decode, out)
	tap.ok(status == 0 and fine, "a session with " .. arguments, err)
	return fine and r.kept or -1, fine and r.branches or {}
end

local function questions()
	local _, n = tap.run(("sqlite3 %s/all.db 'SELECT count(*) FROM question'"):format(folder))
	return tonumber(n)
end

-- `infeasible`: there are such verdicts, which the same question takes over.
local function changed(what, build, arguments, infeasible)
	tap.run("rm -f " .. folder .. "/all.db")
	limit(10)
	tap.is((kept(build, arguments)), 0, what .. ": nothing is known")
	local same = kept(build, arguments)
	tap.ok(questions() == 1 and (not infeasible or same > 0), what .. ": what is the same keeps its verdicts", same)
	limit(30)
	local _, branches = kept(build, arguments)
	tap.is(questions(), 2, what .. ": another content is another question")
	tap.ok((branches.covered or 0) > 0, what .. ": and the session goes on", branches.covered)
	local _, list = tap.run(("cd %s && duct report all.db --session latest --branches"):format(folder))
	tap.ok(list:find("limit%(%) > 20\t[^\n]*\tp:true\tcovered"), what .. ": what the old content ruled out is covered", list)
end

changed("static library", "gcc -c lim.c && rm -f liblim.a && ar qcs liblim.a lim.o",
	"main.c --entry f -- -L. -llim", true)
changed("object", "gcc -c lim.c", "main.c lim.o --entry f", true)
changed("shared library", "gcc -shared -fPIC -o liblim2.so lim.c",
	"main.c --entry f -- -L. -llim2 -Wl,-rpath,$PWD", true)
changed("library of a built program", "gcc -shared -fPIC -o libdep.so lim.c && duct cc -c main.c -o main.o && "
	.. "echo 'int f(int); int main(int n, char **v) { return f(n); }' >begin.c && "
	.. "duct cc -o whole begin.c main.o -L. -ldep -Wl,-rpath,$PWD", "whole")

limit(10)
local build = "gcc -c lim.c && rm -f all.db liblim.a && ar qcs liblim.a lim.o"
kept(build, "main.c --entry f -- -L. -llim")
local _, set = kept("true", "main.c --entry f -- -L. -llim", "RESTS=1")
-- what is proved is infeasible, but not what the library's function, of which nothing is known, never said
tap.ok(questions() == 2 and set.infeasible == 1, "a variable that is set now is another question", set.infeasible)
tap.ok(kept("true", "main.c --entry f -- -L. -llim", "OTHER=1 env -u RESTS") > 0, "another variable does not matter")
local _, text = tap.run(("sqlite3 %s/all.db 'SELECT text FROM question'"):format(folder))
tap.ok(text:find("variable RESTS -", 1, true) and text:find("variable RESTS %x+\n") and not text:find("RESTS=1",
	1, true),
	"the store holds no values of variables", text)
tap.done()
