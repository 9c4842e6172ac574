#!/usr/bin/env lua5.4
-- The paper's example and the triangle: pairs covered, the two that cannot be, tests that hold elsewhere.
-- Line n of the figure is line n + 20 of power.c.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local folder = tap.folder("dft")
local power, triangle = tap.root .. "/share/examples/power.c", tap.root .. "/share/examples/triangle.c"

local function duct(arguments)
	local status, out, err = tap.run("duct " .. arguments)
	local fine, result = pcall(json.decode, out)
	return fine and result or { pairs = {}, branches = {}, solver = {} }, status, out, err
end

-- The rows of report --pairs.
local function rows(store)
	local _, out = tap.run(("duct report --store %s --pairs"):format(store))
	local list = {}
	tap.is(out:match("^[^\n]*"), "#function\tvariable\tdef\tuse\tkind\tverdict\tevidence",
		store:match("[^/]*$") .. ": header")
	for line in out:gmatch("\n([^#\n][^\n]*)") do
		local r = {}
		for field in (line .. "\t"):gmatch("([^\t]*)\t") do r[#r + 1] = field end
		r.key = ("%s %s %s %s"):format(r[2], r[3]:match("(%d+):%d+$"), r[4]:match("(%d+):%d+$"), r[5])
		r.verdict, r.evidence = r[6], r[7]
		list[#list + 1] = r
	end
	return list
end

local store, out = folder .. "/power.db", folder .. "/power"
local r, status, _, err = duct(("dft %s --search cpgs --protocol paper --entry power --runs 2000 --json --quiet --store %s --out %s")
	:format(power, store, out))
tap.ok(status == 0 and r.search == "cpgs" and r.strategy == "dft" and r.ended == "nothing left to try",
	"duct dft power", err)
tap.is(r.pairs.total, 24, "power: 24 pairs (the paper prints 11, of its CIL form)")
tap.is(r.pairs.covered, 22, "power: 22 covered")
tap.is(r.pairs.covered + r.pairs.infeasible + r.pairs.unknown, r.pairs.total, "verdicts add up")
local open = {}
for _, p in ipairs(rows(store)) do
	if p.verdict ~= "covered" then
		open[p.key] = p
		tap.ok(p.verdict == "unknown" and p.evidence:find("passed %d+ of %d+ cut points"), "why not: " .. p.key, p.evidence)
	else
		tap.ok(p.evidence:find("^test %d+$"), "by which test: " .. p.key, p.evidence)
	end
end
tap.ok(open["res 28 38 c"] and open["exp 25 29 p:false"], "the two that are infeasible are not covered")
status, _, err = tap.run(("make -s -C %s check CFLAGS=-w"):format(out))
tap.ok(status == 0, "the tests hold on the untouched source", err)

local r2 = duct(("dft %s --protocol paper --entry power --runs 20 --json --quiet"):format(power))
tap.ok(r2.search == "mix cpgs coverage rnd mutate" and r2.pairs.covered == 22,
	"by default mixed with coverage: 22 covered in 20 runs", r2.pairs.covered)

-- A second session replays what was covered before it looks for the rest.
local again = duct(("dft %s --protocol paper --entry power --runs %d --json --quiet --store %s"):format(power,
	r.tests, store))
tap.ok(again.pairs.covered == 22 and again.solver.asked == 0, "a second session replays the tests first",
	again.solver.asked)
local other = duct(("dft %s --entry power --runs 1 --json --quiet --store %s"):format(power, store))
tap.ok(other.pairs.total ~= 24 or other.pairs.covered < 22, "another protocol takes nothing over")

-- Alone, (1,(13,F),y) needs the first condition negated, while the loop offers branches that passed more cut points.
r = duct(("dft %s --protocol paper --entry power --one-pair --runs 60 --json --quiet"):format(power))
tap.is(r.pairs.covered, 22, "each on its own, in at most 60 runs: 22 covered")

-- Algorithm 2 to the letter: the pair of Table 1, (res, 8, 17), within its 7 steps; pairs behind which the loop offers more
-- and more cut points are not covered.
local literal = folder .. "/literal.db"
r = duct(("dft %s --protocol paper --entry power --search cpgs-paper --one-pair --runs 60 --json --quiet --store %s"):format(
	power, literal))
local paper = {}
for i, p in ipairs(rows(literal)) do paper[p.key] = r.one_pair[i] end
local du1 = paper["res 28 37 c"] or {}
tap.ok(du1.covered and du1.paths <= 7, "cpgs-paper: du1 in 7 steps", du1.paths)
tap.ok(r.search == "cpgs-paper" and r.pairs.covered >= 18 and r.pairs.covered < 22, "cpgs-paper: on its own", r.pairs.covered)
r = duct(("dft %s --protocol paper --entry power --search cpgs-paper --runs 500 --json --quiet"):format(power))
tap.is(r.pairs.covered, 22, "cpgs-paper: in one tree, as many as cpgs")

-- Bounded: two paths for each y from 0 to 4, and what is left is infeasible.
r = duct(("dft %s --protocol paper --entry power_within --time 60 --json --quiet -- -DBOUND=4"):format(power))
tap.ok(r.exhausted == true and r.pairs.unknown == 0 and r.pairs.infeasible >= 2,
	"bounded: exhausted, the rest is infeasible")

-- The pairs that running all sides from 0 to 8 covers, as a strategy of our own.
tap.spit(folder .. "/all.lua", [[
return function(session)
	for a = 0, 8 do for b = 0, 8 do for c = 0, 8 do
		local model = session.space:model()
		model:set("a", "i", 32, a)
		model:set("b", "i", 32, b)
		model:set("c", "i", 32, c)
		session:run(model)
	end end end
end
]])
local all, found = folder .. "/all.db", folder .. "/triangle.db"
local want = duct(("%s/all.lua %s --entry triangle --criterion all-uses --json --quiet --keep new --store %s"):format(folder,
	triangle, all))
r = duct(("dft %s --entry triangle --json --quiet --keep new --store %s --out %s/triangle"):format(triangle,
	found, folder))
tap.ok(want.runs == 729 and want.pairs.covered > 0, "triangle: all sides")
print(("# triangle: %d pairs, %d covered (the paper: 46, of its own classifier)"):format(r.pairs.total,
	r.pairs.covered))
local covered = {}
for _, p in ipairs(rows(all)) do covered[p.key] = p.verdict == "covered" end
local same = true
for _, p in ipairs(rows(found)) do
	if covered[p.key] ~= (p.verdict == "covered") then
		same = tap.ok(false, "triangle: " .. p.key, p.verdict) and same
	end
end
tap.is(r.pairs.covered, want.pairs.covered, "triangle: as many as exhaustive running covers")
tap.ok(same and r.exhausted == true and r.pairs.unknown == 0, "triangle: the rest is infeasible, by exhaustion")
status, _, err = tap.run(("make -s -C %s/triangle check CFLAGS=-w"):format(folder))
tap.ok(status == 0, "triangle: its tests hold", err)
tap.done()
