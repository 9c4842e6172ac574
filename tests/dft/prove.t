#!/usr/bin/env lua5.4
-- waits
-- Search and proof together: every pair of the paper's examples is covered or infeasible with a proof.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local folder = tap.folder("prove")

local function session(name, strategy, file, rest)
	local store = ("%s/%s.db"):format(folder, name:gsub("%W", "_"))
	local status, out, err = tap.run(("duct %s %s --store %s --json --quiet %s"):format(strategy, file, store, rest))
	if not tap.ok(status == 0, name .. ": runs", err) then return { pairs = {} }, {} end
	local rows = {}
	for line in select(2, tap.run("duct report --pairs --store " .. store)):gmatch("[^\n]+") do
		local verdict, evidence = line:match("^[^#].*\t(%a+)\t([^\t]*)$")
		if verdict then rows[#rows + 1] = { verdict = verdict, evidence = evidence } end
	end
	return json.decode(out), rows
end

local function proofs(rows)
	local n = 0
	for _, r in ipairs(rows) do
		if r.verdict == "infeasible" and r.evidence:find("^proof: ") then n = n + 1 end
	end
	return n
end

local examples = tap.root .. "/share/examples/"
local r, rows = session("power", "dft", examples .. "power.c", "--entry power --protocol paper --prove")
tap.is(r.pairs.unknown, 0, "power: nothing is unknown")
tap.is(r.pairs.infeasible, 2, "power: infeasible")
tap.is(proofs(rows), 2, "power: by proofs")
tap.ok(not r.exhausted, "power: its loops were not run to their ends")

r, rows = session("triangle", "dft", examples .. "triangle.c", "--entry triangle --protocol paper --prove")
tap.is(r.pairs.unknown, 0, "triangle: nothing is unknown")
tap.is(proofs(rows), r.pairs.infeasible, "triangle: what is infeasible is proved")
local without = session("triangle without", "dft", examples .. "triangle.c", "--entry triangle --protocol paper")
tap.is(r.pairs.covered, without.pairs.covered, "triangle: search alone covers the same")
tap.is(without.pairs.infeasible, r.pairs.infeasible, "triangle: and exhaustion agrees")

-- A strategy that knows nothing of pairs asks at its end.
local file = folder .. "/deep.c"
tap.spit(file, [[
int f(unsigned n, int k)
{
	unsigned i = 0;
	int r = 0, never = 0;

	while (i < n % 50)
		i++;
	if (i == 60)
		never = k;
	if (i == 49 && k == 12345)
		r = k;
	return r + never;
}
int g(int k)
{
	int r = 0;

	if (k == 1234567890)
		r = k;
	return r;
}
]])
rows = select(2, session("deep", "random", file, "--entry f --prove --runs 400 --time 30"))
tap.ok(proofs(rows) > 0, "a strategy without pairs: some by proof")
r = session("chance", "random", file, "--entry g --prove --time 1")
tap.is(r.pairs.unknown, 0, "a strategy without pairs: counterexamples are run")

r = session("both", "dft", file, "--entry f --prove --time 20")
tap.is(r.pairs.unknown, 0, "search and proof by turns decide all")

-- Conditions, whatever the strategy: what is uncovered is infeasible by a proof, or unknown for a reason.
tap.spit(folder .. "/conditions.c", [[
static int half(int x) { return x / 2; }
int f(unsigned n, int k, double d)
{
	unsigned i = 0;

	while (i < n % 200)
		i++;
	if (i == 300)
		return 1;
	if (half(k) == k && k)
		return 2;
	switch (k & 3) {
	case 0: return 3;
	case 5: return 4;
	}
	return d * d < 0 ? 5 : k > 5 && k < 3;
}
]])
local reasons = {}
for _, strategy in ipairs { "dft", "concolic", "random", "latest" } do
	local store = ("%s/conditions.%s"):format(folder, strategy)
	local status, out, err = tap.run(("duct %s %s/conditions.c --entry f --prove --runs 60 --store %s --json --quiet"):format(
		strategy, folder, store))
	local proved = {}
	for line in select(2, tap.run("duct report --branches --store " .. store)):gmatch("[^\n]+") do
		local text, side, verdict, evidence = line:match("^f\t([^\t]*)\t%d+\t[^\t]*\t([^\t]*)\t(%a+)\t([^\t]*)$")
		if verdict == "infeasible" and evidence:find("^proof: .*; from ") then proved[#proved + 1] = text .. " " .. side end
		if verdict == "unknown" then reasons[#reasons + 1] = evidence end
	end
	table.sort(proved)
	tap.is(table.concat(proved, ", "), "d * d < 0 p:true, i == 300 p:true, k & 3 p:case 5, k < 3 p:true, k p:true",
		strategy .. ": conditions that are proved")
	tap.ok(status == 0 and json.decode(out).branches.infeasible == 5, strategy .. ": as the figures say", err)
end
local plain, tried, shown = true, true, false
for _, reason in ipairs(reasons) do
	plain = plain and reason:find("; prove: ", 1, true)
	tried = tried and not reason:find("a run to try", 1, true)
	shown = shown or reason:find("an input is proposed, but the session was over before it could run", 1, true)
end
tap.ok(plain and #reasons > 0, "what is not decided has a reason", table.concat(reasons, "\n"))
tap.ok(tried and shown, "a counterexample that was not run is no reason", table.concat(reasons, "\n"))
local status, _, err = tap.run(("duct dft %s --entry f --prove --one-pair"):format(file))
tap.ok(status == 2 and err:find("--one-pair measures the search alone", 1, true), "--one-pair is alone", err)
-- Goals that need more rounds of a loop than were searched are searched last.
local far, script = folder .. "/far.c", folder .. "/far.lua"
local f = assert(io.open(far, "w"))
f:write([[
int f(unsigned n, unsigned x)
{
	unsigned s = 1, last = 0, i;

	for (i = 0; i < n; i++) {
		s = s * 31 + (x ^ s >> 3);
		if (i > 60 && s == 12345)
			last = s;
	}
	return last == 12345;
}
]])
f:close()
f = assert(io.open(script, "w"))
f:write([[
local proof = require "duct.proof"
return function(session)
	for input in proof.new(session):round(5) do
		session:run(input, nil, "prove")
	end
	for pair, steps in pairs(session.far) do
		print(session.store:known("pairs", pair), steps > 1)
	end
end
]])
f:close()
local _, out = tap.run(("duct %s %s --entry f --criterion all-uses --time 20 --quiet --json"):format(script, far))
tap.ok(out:find("^unknown\ttrue\n"), "a pair behind many rounds is known to be far", out:sub(1, 200))

tap.done()
