#!/usr/bin/env lua5.4
-- A run shows that a definition was overwritten through a pointer, which no static analysis can know: what lies
-- behind is pruned for its pairs, only where the definition cannot be reached again, and only if every input on
-- that path does the same.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local folder = tap.folder("prune")
-- Tells where the branches of the first run stand on the way to each pair.
local script = [[
return function(session)
	local d, guide = session.defuse, session:guide()
	local path = session:run(nil)
	for i = 1, d:count() do
		local p, way = d:pair(i), guide:aim(i, "all")
		local goals = way:goals()
		for _, b in ipairs(path) do
			local unit, branch, outcome = session.space:branch(b)
			local passed, distance = way:state(b)
			local at = session.flow:branches(unit)[branch]      -- none: a condition of a pointer
			if at then io.stderr:write(("state %s %d %d %s %d %d %d %d %s\n"):format(p.name, p.def.line, p.use.line, p.kind,
				at.line, outcome, passed, goals, distance == math.huge and "far" or distance)) end
		end
	end
end
]]
tap.spit(folder .. "/states.lua", script)
tap.spit(folder .. "/blind.lua", (script:gsub('"all"', '"all", true')))

local function source(name, text)
	tap.spit(folder .. "/" .. name .. ".c", text)
	return folder .. "/" .. name .. ".c"
end
local function duct(arguments)
	local _, out, err = tap.run("duct " .. arguments .. " --json --quiet")
	local fine, result = pcall(json.decode, out)
	return fine and result or { pairs = {}, one_pair = {} }, err
end
-- By pair and branch, as "v 4 9 c: 9 1".
local function states(file, entry, how)
	local _, err = duct(("%s/%s.lua %s --entry %s --scope intra"):format(folder, how or "states", file, entry))
	local state = {}
	for pair, branch, passed, goals, distance in err:gmatch("state (%S+ %d+ %d+ %S+) (%d+ %d) (%d+) (%d+) (%w+)") do
		state[pair .. ": " .. branch] = { passed = tonumber(passed), goals = tonumber(goals), far = distance == "far",
			distance = tonumber(distance) }
	end
	return state, err
end

-- Which of the two is overwritten is an input; by default it is v. Eight conditions lie between it and the use.
local hidden = source("hidden", [[
int hidden(const int *a, int key, int which)
{
	int v = 0, w = 0, n = 0, *p = which ? &w : &v;
	v = 5;
	*p = 1;
	for (int i = 0; i < 8; i++)
		if (a[i] > i)
			n++;
	if (key == 77)
		n += v;
	return n;
}
]])
local s, err = states(hidden, "hidden --len a=8")
tap.ok(s["v 4 10 c: 7 1"] and s["v 4 10 c: 7 1"].far and s["v 4 10 c: 9 1"].far, "behind *p = 1: v = 5 is gone", err)
tap.ok(s["v 4 10 c: 3 1"] and not s["v 4 10 c: 3 1"].far, "before it: it is to be reached", err)
tap.ok(s["v 5 10 c: 9 1"] and s["v 5 10 c: 9 1"].distance and not s["v 5 10 c: 9 1"].far, "*p = 1 itself is there", err)
s, err = states(hidden, "hidden --len a=8", "blind")
tap.ok(s["v 4 10 c: 7 1"] and not s["v 4 10 c: 7 1"].far, "... unless redefinitions are not looked at", err)
local function runs_for(search)
	local r = duct(("dft %s --entry hidden --len a=8 --one-pair --runs 200 --search %s"):format(hidden, search))
	local most, missed = 0, 0
	for _, p in ipairs(r.one_pair) do
		most = p.covered and math.max(most, p.paths) or most
		missed = missed + (p.covered and 0 or 1)
	end
	return most, missed
end
local most, missed = runs_for("cpgs")
tap.ok(most > 0 and most <= 4, "cpgs does not look behind: no pair takes more than 4 runs", most)
local chance = runs_for("rss")
tap.ok(chance > 2 * most, "a search that does not know takes more", chance)
tap.is(missed, 1, "all but 0 + v, of the definition that is always overwritten")

-- The definition can be reached again in the next turn: nothing is lost.
local again = source("again", [[
int again(const char *s)
{
	int v = 0, w = 0, r = 0, *p;
	for (int i = 0; i < 4; i++) {
		if (s[i] == 'd')
			v = 7;
		p = s[i] == 'w' ? &w : &v;
		if (s[i] != 'd')
			*p = 1;
		if (s[i] == 'u')
			r = v;
	}
	return r + w;
}
]])
s, err = states(again, "again --len s=4")
local behind = s["v 3 11 c: 5 1"]
tap.ok(behind and behind.far, "v = 0 is gone for good behind the first turn", err)
tap.ok(s["v 6 11 c: 5 1"] and not s["v 6 11 c: 5 1"].far, "v = 7 can be reached again", err)
local all = duct(("concolic %s --entry again --len s=4 --criterion all-uses --search dfs --time 60"):format(again))
for _, search in ipairs { "cpgs", "sdgs" } do
	local r = duct(("dft %s --entry again --len s=4 --search %s --time 60"):format(again, search))
	tap.ok(all.exhausted and r.pairs.unknown == 0 and r.pairs.covered == all.pairs.covered and r.pairs.covered > 0,
		search .. ": covers what exhaustive exploration does, and decides the rest", r.pairs.covered)
end

-- An index is an input: another one on the same path overwrites something else.
local index = source("index", [[
int index_(unsigned i, int key)
{
	int a[4] = { 0 };
	if (i > 3)
		return 0;
	a[1] = 7;
	a[(i + 1) & 3] = 5;
	return key == 77 ? a[1] : 0;
}
]])
s, err = states(index, "index_")
tap.ok(s["a[1] 6 8 c: 8 1"] and not s["a[1] 6 8 c: 8 1"].far, "overwritten at this index only: not pruned", err)

-- A value that a condition has read counts, though the variable is overwritten before the condition is decided.
local count = source("count", [[
int count(int n)
{
	int turns = 0;
	if (n > 3)
		return -1;
	while (n-- > 0)
		turns++;
	return turns;
}
]])
s, err = states(count, "count")
local turn = s["n 1 6 p:true: 6 1"]
tap.ok(turn and turn.passed + 1 == turn.goals and turn.distance == 1, "n-- > 0: its other side is the pair", err)
tap.done()
