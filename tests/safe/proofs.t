#!/usr/bin/env lua5.4
-- A verdict infeasible that a run refutes is told as wrong: an earlier session's on a branch, a pair and a target, and
-- the proof of the same session. The runs' verdict stands.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local folder = tap.folder("proofs")

tap.spit(folder .. "/f.c", [[
int f(int x)
{
	int r = 0;
	if (x > 7)
		r = 1;
	if (x > 5 && x < 3)
		r = 2;
	return r;
}
]])

local function session(options, store)
	return tap.run(("cd %s && duct %s --entry f --quiet --store %s"):format(tap.quote(folder), options, store))
end

local function falsify(store, sql)
	local status = tap.run(("sqlite3 %s/%s %s"):format(tap.quote(folder), store, tap.quote(sql)))
	tap.is(status, 0, store .. ": a verdict is made wrong")
end

local dft = "dft f.c --prove -t 20"
local status, out, err = session(dft, "pairs.db")
tap.ok(status == 0 and err == "" and not out:find "error:", "a session whose verdicts are right says nothing", err)
falsify("pairs.db", "UPDATE verdict SET verdict = 'infeasible', evidence = 'proof: made up' WHERE goal = 1")
status, out, err = session(dft, "pairs.db")
tap.is(status, 4, "the next session fails")
tap.ok(err:find("f: verdicts infeasible that were wrong: 2", 1, true), "... and says so", err)
tap.ok(out:find("a run covers `x > 7` true, which was infeasible (proof: made up) at f.c:4 (1 time)", 1, true)
	and out:find("error: [^\n]* a run covers the pair of `x` that is defined in line 1[^\n]* at f.c:4 "), "the report names both, with the place",
	out)
tap.ok(out:find("branches: 5 of 6 covered, 1 infeasible", 1, true) and out:find("pairs: 7 of 9 covered, 2 infeasible", 1, true),
	"they count as covered, and the others as before", out)
status = session(dft, "pairs.db")
tap.is(status, 0, "the store is right again")

local target = "concolic f.c --target f.c:5 -t 20"
session(target, "target.db")
falsify("target.db", "INSERT INTO proved VALUES (1, 0, 1, '', 'infeasible', 'proof: made up')")
status, out = session(target, "target.db")
tap.ok(status == 4 and out:find("a run covers f.c:5, which was infeasible (a proof)", 1, true)
	and out:find("targets: 1 of 1 covered", 1, true), "a target", out)

tap.spit(folder .. "/early.lua", [[
return function(session)
	session.store:decide("branches", 1, "infeasible", "proof: too early")
	for _ in session:start() do
	end
	session.store:decide("branches", 2, "infeasible", "proof: too late")
end
]])
status, out = session("./early.lua f.c --runs 1", "early.db")
tap.ok(status == 4 and out:find("infeasible (proof: too early)", 1, true) or out:find("infeasible (proof: too late)", 1, true),
	"a proof of the same session", out)
tap.done()
