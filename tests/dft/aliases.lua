-- Generated functions with arrays at symbolic indices: each of their inputs is run, and a session of dft must agree
-- with that about every pair: none that an input exercises is infeasible, no other is covered, and few are open.
-- aliases.lua FIRST LAST: seeds.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local folder = tap.folder("aliases")

-- Runs every value of i, j, k up to 4 and v up to 3.
tap.spit(folder .. "/all.lua", [[
return function(session)
	for n = 0, 5 * 5 * 5 * 4 - 1 do
		local model = session.space:model()
		for at, name in ipairs { "i", "j", "k", "v" } do
			model:set(name, "u", 32, n // ({ 1, 5, 25, 125 })[at] % 5)
		end
		session:run(model)
	end
end
]])

local types = { "int", "short", "char" }

local function generate(seed)
	math.randomseed(seed)
	local function any(list) return list[math.random(#list)] end
	local out, many = {}, math.random(3, 7)
	local function add(text, ...) out[#out + 1] = text:format(...) end
	local arrays = { "a", "b" }
	local function index()
		return any { "i", "j", "k", "i", "j", "k", "0", "1", "2", "3", "(i + 1) % 4", "(j ^ 1)", "n % 4" }
	end
	local function place()
		local form = math.random(11)
		if form <= 6 then return ("%s[%s]"):format(any(arrays), index()) end
		if form == 7 then return ("s[%s].x"):format(index()) end
		if form == 8 then return ("s[%s].y"):format(index()) end
		if form == 9 then return ("*(p + %s)"):format(index()) end
		if form == 10 then return any { "c[i]", "c[k]", "c[j + k]", "g", "q->at[i]", "h[j % 3]", "h[2]" } end
		return "n"
	end
	local function value() return any { "v", "n", "7", "v + 1", place(), place() } end
	local function statement(depth)
		local form = math.random(12)
		if form <= 5 then
			add("%s = %s;", place(), value())
		elseif form <= 7 then
			add("n = %s;", value())
		elseif form <= 9 and depth > 0 then
			add("if (%s %s %s) {", place(), any { ">", "==", "<" }, value())
			for _ = 1, math.random(2) do statement(depth - 1) end
			if math.random(2) == 1 then
				add("} else {")
				statement(depth - 1)
			end
			add("}")
		elseif form == 10 and math.random(3) == 1 then
			add(any { "memset(a, v, i * sizeof *a);", "memcpy(b, a, sizeof a / 2);", "s[i] = s[j];", "s[1] = s[k];",
				"memcpy(a + i, b, (4 - i) * sizeof *a);", "f2 = &a[i]; *f2 = v;", "f2 = v ? &a[i] : &b[j]; *f2 = 1;" })
		elseif form == 10 then
			add("put(%s, %s, %s);", any { "a", "b" }, any { "i", "j", "2" }, value())
		elseif form == 11 then
			add("switch (%s) { case 0: n++; break; case 7: %s = 1; break; default: n = 2; }", place(), place())
		else
			add("for (unsigned l = 0; l < 3; l++) %s[l] = %s;", any(arrays), value())
		end
	end
	for _ = 1, many do statement(2) end
	add("return n + a[i] + b[3] + s[j].x;")
	return ([[
#include <string.h>
struct two { %s x, y; };
static void put(%s *to, unsigned at, int what)
{
	to[at] = what;
}
int f(unsigned i, unsigned j, unsigned k, unsigned v)
{
	%s a[4] = { 0 }, b[4] = { 1, 2, 3, 4 }, *p = a, *f2;
	struct two s[4] = { { 0, 0 } };
	struct { int first, at[4]; } r = { 0 }, *q = &r;
	char *c = (char *)a;
	int n = 0, g = 1, other[4] = { 0 }, *h = v ? other + 1 : other;

	if (i > 3 || j > 3 || k > 3 || v > 2)
		return -1;
	%s
}
]]):format(any(types), "T", "T", table.concat(out, "\n\t")):gsub("%f[%w]T%f[%W]", any(types))
end

local function verdicts(file, arguments, db)
	local status, _, err = tap.run(("duct %s %s --entry f --quiet --store %s --criterion all-uses"):format(arguments,
		file, db))
	if status ~= 0 then error(err, 0) end
	local of, n = {}, 0
	local _, text = tap.run(("duct report --store %s --pairs"):format(db))
	for line in text:gmatch("[^\n]+") do
		local key, verdict = line:match("^([^#].-\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*)\t(%l+)\t")
		if key then of[key], n = verdict, n + 1 end
	end
	local _, shown = tap.run(("duct report --store %s"):format(db))
	return of, n, shown:find("every feasible path was run", 1, true) ~= nil
end

local function judge(seed)
	local name = ("%s/%d"):format(folder, seed)
	tap.spit(name .. ".c", generate(seed))
	local all = verdicts(name .. ".c", folder .. "/all.lua --runs 1000", name .. "-all.db")
	local mine, n, whole = verdicts(name .. ".c", "dft --time 20", name .. ".db")
	local wrong, open = {}, 0
	for key, verdict in pairs(mine) do
		local runs = all[key] == "covered"
		open = open + (verdict == "unknown" and 1 or 0)
		if verdict == (runs and "infeasible" or "covered") then
			wrong[#wrong + 1] = ("%s: %s, of all inputs %s"):format(key, verdict, all[key])
		end
	end
	tap.ok(#wrong == 0 and n > 0, ("%d: %d pairs, %d open%s"):format(seed, n, open, whole and "" or ", not all paths"),
		table.concat(wrong, "\n"))
	os.remove(name .. "-all.db")
	os.remove(name .. ".db")
	return n, open
end

local pairs_all, open_all = 0, 0
for seed = tonumber(arg[1]), tonumber(arg[2]) do
	local n, open = judge(seed)
	pairs_all, open_all = pairs_all + n, open_all + open
end
tap.ok(open_all * 20 < pairs_all, ("%d of %d pairs are decided"):format(pairs_all - open_all, pairs_all))
tap.done()
