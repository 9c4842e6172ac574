#!/usr/bin/env lua5.4
-- waits
-- Searches: each explores everything, the order is its own and depends on nothing but the seed.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local folder = tap.folder("search")
local maze = folder .. "/maze.c"
-- 4 letters, a switch among the conditions; only one way to the innermost branch.
tap.spit(maze, [[
int maze(const char *s)
{
	int n = 0;
	for (int i = 0; i < 3; i++) {
		switch (s[i]) {
		case 'a': n++; break;
		case 'b': n += 4; break;
		default: n += 16;
		}
	}
	if (s[3] > 'k')
		n = -n;
	return n == -6;
}
]])

-- The conditions that are negated, in order: what a session does is told by a script of our own.
tap.spit(folder .. "/order.lua", [[
return function(session)
	local search = session:search()
	for path in session:start() do search:update(path) end
	while not search:empty() and not session:over() do
		local b = search:select()
		local unit, branch, outcome, depth
		if type(b) == "number" then unit, branch, outcome, depth = session.space:branch(b) end
		if unit then io.stderr:write(("%d.%d@%d "):format(branch, outcome, depth)) end
		local input = session:solve(b)
		if input then search:update(session:run(input, b)) end
	end
end
]])

local function session(search, more, file)
	local status, out, err = tap.run(("duct %s/order.lua %s --json --quiet --search '%s' %s %s")
		:format(folder, file or maze, search, file and "" or "--entry maze --len s=4 --assume s", more or ""))
	local fine, result = pcall(json.decode, out)
	return status == 0 and fine and result or { branches = {}, solver = {} }, err
end

local function without_times(text) return (text:gsub('"seconds": [%d.]+', ""):gsub('"cpu": %b{}', "")) end

local searches = {
	"dfs", "bfs", "random", "cfg", "rnd", "rnd --one", "generational", "bounded", "bounded 2", "coverage", "target",
	"mix", "mix dfs rnd",
}
local want
for _, search in ipairs(searches) do
	local r, order = session(search)
	want = want or r
	tap.ok(tap.whole(r) and r.paths == want.paths and r.runs == r.paths and r.search == search
		and r.branches.covered == want.branches.covered and r.mispredicted == 0,
		("%s explores all %s paths"):format(search, want.paths), order)
	local again = select(2, session(search))
	tap.ok(order == again and #order > 100, search .. ": the same order again", order .. "\n" .. again)
end

-- Known figures: all 4 paths of isSorted, each of one query of two conditions on the mean.
local sorted = tap.root .. "/share/examples/is_sorted.c"
for _, search in ipairs(searches) do
	local r = session(search, "--entry isSorted", sorted)
	tap.ok(tap.whole(r) and r.paths == 4 and r.runs == 4 and r.solver.asked == 3
		and math.abs(r.solver.constraints_mean - 2) < 1e-9 and r.branches.unknown == 0, search .. ": isSorted")
end

local depths = {}
for depth in select(2, session("bfs")):gmatch("@(%d+)") do depths[#depths + 1] = tonumber(depth) end
local sorted = true
for i = 2, #depths do sorted = sorted and depths[i] >= depths[i - 1] end
tap.ok(sorted and #depths > 20, "bfs goes by depth", table.concat(depths, " "))

local one, two = select(2, session("random", "--seed 1")), select(2, session("random", "--seed 2"))
tap.ok(one ~= two, "another seed, another order")

-- Depth first: the deepest branch of the newest path.
local first = select(2, session("dfs", "--runs 2")):match("@(%d+)")
tap.is(tonumber(first), 5, "dfs begins with the deepest condition")

-- Within the bound everything comes before what is beyond it.
local level, growing = 0, true
for depth in select(2, session("bounded 2")):gmatch("@(%d+)") do
	local now = tonumber(depth) < 2 and 0 or tonumber(depth) < 4 and 1 or 2
	growing, level = growing and now >= level, now
end
tap.ok(growing and level == 2, "bounded: all within the bound before what is beyond it", level)

-- Generations: branches of a run follow each other, and the next run is one with the best score.
tap.spit(folder .. "/generations.lua", [[
return function(session)
	local search, score, parent = session:search(), {}, 0
	local function update(path)
		if #path > 0 then score[path.id] = path.covered end
		search:update(path)
	end
	for path in session:start() do update(path) end
	while not search:empty() do
		local b = search:select()
		local of = select(6, session.space:branch(b))
		if of ~= parent then
			local best = 0
			for _, s in pairs(score) do best = math.max(best, s) end
			io.stderr:write(score[of] == best and "best " or "wrong ")
			parent, score[of] = of, nil
		end
		local input = session:solve(b)
		if input then update(session:run(input, b)) end
	end
end
]])
local _, _, generations = tap.run(("duct %s/generations.lua %s --entry maze --len s=4 --assume s --quiet --search generational"):format(folder, maze))
tap.ok(#generations > 50 and not generations:find("wrong"), "generational: the run with the best score is next",
	generations)

-- cfg is guided to what is uncovered: it needs no more runs than depth first for full coverage.
local deep = folder .. "/deep.c"
tap.spit(deep, [[
int deep(const int *a)
{
	int hits = 0;
	for (int i = 0; i < 12; i++)
		if (a[i] == 7)
			hits++;
	if (a[12] == 1)
		if (a[13] == 2)
			if (a[14] == 3)
				return 1;
	return hits > 20;
}
]])
local function runs_to_cover(search)
	tap.spit(folder .. "/until.lua", [[
return function(session)
	local search = session:search()
	for path in session:start() do search:update(path) end
	while not search:empty() and not session:over() and session.store:counts().covered < 10 do
		local b = search:select()
		local input = session:solve(b)
		if input then search:update(session:run(input, b)) end
	end
end
]])
	local _, out = tap.run(("duct %s/until.lua %s --entry deep --len a=15 --json --quiet --runs 500 --search %s")
		:format(folder, deep, search))
	local fine, r = pcall(json.decode, out)
	return fine and r.runs or -1, fine and r.branches.covered or -1
end
for _, search in ipairs { "cfg", "coverage", "mix" } do
	local runs, covered = runs_to_cover(search)
	tap.ok(covered == 10 and runs > 0 and runs <= 8, search .. " goes straight for what is uncovered",
		runs .. " runs, " .. covered)
end

-- Distances: into what is called, and with returns back to the caller.
local back = folder .. "/back.c"
tap.spit(back, [[
static int callee(int x)
{
	if (x > 3)
		return 1;
	return 0;
}
static int other(int x)
{
	return x == 9;
}
static int (*const pointer)(int) = other;
int back(int x, int y)
{
	if (y < 0)
		return -1;
	int r = callee(x);
	if (y == r + 5)
		return 2;
	if (r)
		r = pointer(y);
	for (int i = 0; i < 5; i++)
		if (x & 256 << i)
			r++;
	return r;
}
]])
tap.spit(folder .. "/distances.lua", [[
return function(session)
	local say = require "duct.core".say
	for path in session:start() do
		for _, b in ipairs(path) do
			local _, branch, _, _, _, _, _, site, round = session.space:branch(b)
			local _, before, outcome = session.space:before(b)
			say(("pending %d after %s.%s site %d round %d\n"):format(branch, before, outcome, site, round))
		end
	end
	local calls, returns = session:distances(), session:distances(true)
	for i = 1, session.store:objectives() do
		local o = session.store:objective(i)
		local side = o.outcome % 2 == 0 and 1 or 0       -- true comes first
		say(("%s %d: %s %s\n"):format(o.text, side, calls(o.unit, o.branch, side), returns(o.unit, o.branch, side)))
	end
end
]])
local _, _, told = tap.run(("duct %s/distances.lua %s --entry back --quiet"):format(folder, back))
for _, want in ipairs {
	"x > 3 1: 0 0", "x > 3 0: nil 1", "y < 0 0: 1 1", "y < 0 1: 0 0", "y == r + 5 0: 1 1", "i < 5 0: nil nil",
} do
	tap.ok(told:find(want, 1, true), "distance " .. want, told)
end
local rounds = {}
for site, round in told:gmatch("site (%d+) round (%d+)") do
	rounds[site] = (rounds[site] or "") .. round
end
local most = ""
for _, list in pairs(rounds) do most = #list > #most and list or most end
tap.ok(most == "1234" or most == "01234", "rounds of a loop are counted", told)
tap.ok(told:find("pending %d+ after nil.nil") and told:find("pending %d+ after %d+.0"), "what came before", told)

-- A loop over a switch of many cases opens thousands of branches; what is behind it is found all the same.
local flood = folder .. "/flood.c"
tap.spit(flood, [[
int flood(const char *s, int key)
{
	int n = 0;
	for (int i = 0; i < 24; i++)
		switch (s[i]) {
		case 'a': case 'e': n += 1; break;
		case 'b': case 'f': n += 2; break;
		case 'c': case 'g': n += 3; break;
		case 'd': case 'h': n += 4; break;
		}
	if (key & 1)
		if (key & 2)
			if (key & 4)
				if (s[3] == 'x' && s[5] == 'y')
					return 1;
	return n;
}
]])
for _, search in ipairs { "coverage", "mix" } do
	local r = session(search, "--entry flood --len s=24 --runs 120", flood)
	tap.ok(r.branches.unknown == 0, search .. ": a loop does not drown what is behind it", r.branches.unknown)
end

-- The same bytes but for times, of every strategy.
for _, strategy in ipairs { "concolic", "random" } do
	local command = ("duct %s %s --entry maze --len s=4 --assume s --json --quiet --runs 40 --seed 7"):format(strategy, maze)
	local _, a = tap.run(command)
	local _, b = tap.run(command)
	tap.ok(without_times(a) == without_times(b) and #a > 200, strategy .. ": the same output twice", a .. b)
end

-- A search of one's own.
tap.spit(folder .. "/mine.lua", [[
return function(session)
	local queue = {}
	return {
		update = function(_, path) for _, b in ipairs(path) do table.insert(queue, 1, b) end end,
		select = function() return table.remove(queue) end,
		empty = function() return #queue == 0 end,
	}
end
]])
tap.is(session(folder .. "/mine.lua").paths, want.paths, "a search of one's own")

-- Questions that take long come last, and none is lost.
tap.spit(folder .. "/hard.lua", [[
return function(session)
	local solver, slow, late = session.solver, 0, 0
	session.solver = setmetatable({ ask = function(_, branch, seconds)
		local hurried = seconds and seconds < 2
		late = late + (hurried and 0 or 1)
		if hurried and select(3, session.space:branch(branch)) == 1 and slow < 2 then
			slow = slow + 1
			os.execute "sleep 0.6"
			return "unknown"
		end
		return solver:ask(branch, seconds)
	end }, { __index = function(_, name) return function(_, ...) return solver[name](solver, ...) end end })
	require "strategy.concolic" (session)
	io.stderr:write(("%d slow, %d late\n"):format(slow, late))
end
]])
for _, search in ipairs { "dfs", "mix", "generational" } do
	local status, out, err = tap.run(("duct %s/hard.lua %s --entry maze --len s=4 --assume s --json --quiet --search %s"):format(folder, maze, search))
	local r = status == 0 and json.decode(out)
	tap.ok(r and tap.whole(r) and r.paths == want.paths, search .. ": what takes long is asked again", err)
	tap.ok(err:find("2 slow, [1-9]"), search .. ": with more time", err)
end

local chance = session("mutate", "--runs 3000")
local all = chance.branches.unknown == 0
tap.ok(chance.solver.asked == 0 and (all or chance.runs == 3000)
	and chance.branches.covered >= want.branches.covered - 2, "mutate: without solving", chance.branches.covered)
local easy = session("mutate", "--entry isSorted --runs 100000", tap.root .. "/share/examples/is_sorted.c")
tap.ok(easy.branches.unknown == 0 and easy.runs < 100000, "mutate: ends when all is done", easy.runs)
tap.spit(folder .. "/read.c", [[
#include <stdio.h>
int main(void) { int n = 0, c; while ((c = getchar()) != EOF) if (c == 'x') n++; return n; }
]])
local _, out = tap.run(("duct concolic %s/read.c --stdin 9 --search mutate --runs 3000 --json --quiet"):format(folder))
local read = json.decode(out)
tap.ok(read.solver.asked == 0 and read.branches.covered >= 4, "mutate: standard input from nothing",
	read.branches.covered)
tap.spit(folder .. "/literal.c", [[
#include <stdlib.h>
int f(const char *s) { double x = atof(s); return x == 2.5 ? 1 : x == 123.456 ? 2 : x < -3e5 ? 3 : 4; }
]])
_, out = tap.run(("duct concolic %s/literal.c --entry f --string s=9 --search mutate --runs 5000 --json --quiet")
	:format(folder))
read = json.decode(out)
tap.is(read.branches.unknown, 0, "mutate: numbers that the program compares with, as text")
tap.spit(folder .. "/word.c", [[
#include <stdio.h>
#include <string.h>
static const char *const names[] = { "summer", "winter" };
int main(void)
{
	char word[8];
	size_t n = 0;
	int c, all = 0;
	while ((c = getchar()) != EOF && c != ' ')
		if (n + 1 < sizeof word)
			word[n++] = (char)c;
	word[n] = 0;
	for (int i = 0; i < 2; i++)
		if (strcmp(word, names[i]) == 0)
			all++;
	return all;
}
]])
_, out = tap.run(("duct concolic %s/word.c --stdin 12 --search mutate --runs 1000 --json --quiet"):format(folder))
read = json.decode(out)
tap.is(read.branches.unknown, 0, "mutate: words of the program")
tap.is(session("mutate", "--runs 3000").paths, chance.paths, "mutate: the same again")

tap.done()
