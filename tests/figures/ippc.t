#!/usr/bin/env lua5.4
-- Figures of Koroglu and Sen (IPPC): queries of far fewer conjuncts than those of depth-first search, for the same
-- branch coverage.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

local function session(strategy, file, rest)
	local status, out, err = tap.run(("duct %s %s/share/examples/%s --keep all --json --quiet %s"):format(strategy,
		tap.root, file, rest))
	if not tap.ok(status == 0, strategy .. " " .. file .. " " .. rest, err) then return { solver = {}, branches = {} } end
	return json.decode(out)
end

-- From 0, 0, 0.
local dfs = session("concolic --search dfs", "is_sorted.c", "--entry isSorted")
local ippc = session("ippc", "is_sorted.c", "--entry isSorted")
tap.is(dfs.paths, 4, "isSorted: paths")
tap.is(ippc.paths, 4, "isSorted, IPPC: paths")
tap.is(dfs.solver.asked, 3, "isSorted: solver calls")
tap.is(ippc.solver.asked, 3, "isSorted, IPPC: solver calls")
tap.is(dfs.solver.constraints_mean, 2, "isSorted: mean conjuncts")
tap.is(ippc.solver.constraints_mean, 1, "isSorted, IPPC: mean conjuncts")

local programs = {
	{ "gcd.c", "--entry gcd" }, { "bsort.c", "--entry bsort --len a=30 --runs 100 -- -DN=30" },
	{ "sqrt.c", "--entry int_sqrt" }, { "prime.c", "--entry is_prime -- -DLIMIT=200" },
	{ "factor.c", "--entry factor -- -DLIMIT=200" },
}
for _, p in ipairs(programs) do
	local a, b = session("concolic --search dfs", p[1], p[2]), session("ippc", p[1], p[2])
	local ratio = a.solver.constraints_mean / b.solver.constraints_mean
	tap.ok(ratio >= 10, p[1] .. ": mean conjuncts at least 10 times below those of depth-first search",
		("%g and %g"):format(a.solver.constraints_mean, b.solver.constraints_mean))
	print(("# %s: %.2f and %.2f conjuncts a query, %.1f times; largest %d and %d; %.2f queries a question, at most %d"):format(p[1],
		a.solver.constraints_mean, b.solver.constraints_mean, ratio, a.solver.constraints_max, b.solver.constraints_max,
		b.solver.rounds_mean, b.solver.rounds_max))
	tap.ok(a.branches.covered == b.branches.covered and a.branches.infeasible == b.branches.infeasible,
		p[1] .. ": the same branches")
	tap.ok(b.mispredicted == 0 and b.solver.unknown == 0, p[1] .. ": nothing unknown or mispredicted")
	if tap.whole(a) then
		tap.ok(tap.whole(b) and a.paths == b.paths, p[1] .. ": the same paths")
	end
	local s = b.solver
	tap.is(s.sat + s.unsat + s.unknown, s.asked, p[1] .. ": each round is a query")
end

-- Algorithm 2 to the letter: Figure 3's calls and lengths; elsewhere the same paths and branches, for more queries,
-- because nothing unsatisfiable is remembered.
local literal = session("ippc", "is_sorted.c", "--entry isSorted --partial paper")
tap.ok(literal.paths == 4 and literal.solver.asked == 3 and literal.solver.constraints_mean == 1,
	"isSorted, --partial paper: three calls of one conjunct")
for _, p in ipairs { programs[4], programs[5] } do
	local a, b = session("ippc", p[1], p[2]), session("ippc --partial paper", p[1], p[2])
	tap.ok(tap.whole(b) and a.paths == b.paths and a.branches.covered == b.branches.covered and b.mispredicted == 0,
		p[1] .. ", --partial paper: the same paths")
	tap.ok(b.solver.asked > 2 * a.solver.asked, p[1] .. ", --partial paper: more queries",
		("%d and %d"):format(b.solver.asked, a.solver.asked))
	print(("# %s, to the letter: %d queries of %.2f conjuncts, ours %d of %.2f"):format(p[1], b.solver.asked,
		b.solver.constraints_mean, a.solver.asked, a.solver.constraints_mean))
end
local refused, _, message = tap.run(("duct ippc %s/share/examples/gcd.c --entry gcd --partial paper --refine last"):format(tap.root))
tap.ok(refused == 2 and message:find("one of them", 1, true), "--partial paper with --refine is refused", message)

-- Other strategies and searches take --partial, and find what they find without it.
for _, more in ipairs { "--search bfs", "--search mix", "--layers none", "--layers slice,cores --refine last",
	"--refine all",
		"--refine shared" } do
	local r = session("concolic", "triangle.c", "--entry triangle --partial " .. more)
	tap.is(r.paths, 11, "triangle, --partial " .. more .. ": paths")
	tap.is(tap.whole(r), true, "triangle, --partial " .. more .. ": exhausted")
end
session("random", "triangle.c", "--entry triangle --partial --runs 20")
tap.done()
