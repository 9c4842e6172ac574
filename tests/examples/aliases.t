#!/usr/bin/env lua5.4
-- Symbolic indices: one test a feasible path when they stay open, one a combination of indices when they
-- are decided early. The paths of getOrder are counted here, over all permutations.
-- limit: 900
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

local function session(rest)
	local status, out, err = tap.run(("cd %s/share/examples && duct late-aliases --search dfs --json --quiet %s")
		:format(tap.root, rest))
	if not tap.ok(status == 0, rest, err) then return { branches = {} } end
	return json.decode(out)
end

local function complete(r, paths, name)
	tap.is(tap.whole(r), true, name .. ": exhausted")
	tap.is(r.paths, paths, name .. ": paths")
	tap.is(r.tests, paths, name .. ": tests")
	tap.is(r.mispredicted, 0, name .. ": predictions missed")
end

-- The decisions of getOrder on a permutation, as text.
local function decisions(p)
	local power, list = table.move(p, 1, #p, 1, {}), {}
	repeat
		local is_id = true
		for i = 1, #p do
			is_id = is_id and power[i] == i
			list[#list + 1] = is_id and "1" or "0"
			if not is_id then break end
		end
		local next = {}
		for i = 1, #p do next[i] = power[p[i]] end
		power = next
	until is_id
	return table.concat(list)
end

-- Calls f with each permutation of p.
local function permute(p, n, f)
	if n == 0 then return f(p) end
	for i = n, 1, -1 do
		p[i], p[n] = p[n], p[i]
		permute(p, n - 1, f)
		p[i], p[n] = p[n], p[i]
	end
end

local most = tonumber(os.getenv("ORDERS") or 6)
for n = 3, most do
	local seen, paths, all, p = {}, 0, 0, {}
	for i = 1, n do p[i] = i end
	permute(p, n, function(q)
		local text = decisions(q)
		all, paths = all + 1, paths + (seen[text] and 0 or 1)
		seen[text] = true
	end)
	local rest = ("get_order.c --entry getOrder --len p=%d %%s -- -DN=%d"):format(n, n)
	complete(session(rest:format("--aliases=late")), paths, ("getOrder, N = %d, late"):format(n))
	complete(session(rest:format("--aliases=early --time 900")), all, ("getOrder, N = %d, early"):format(n))
end

complete(session("max3als.c --entry max3Als"), 3, "max3Als, late")
complete(session("max3als.c --entry max3Als --aliases=early"), 5 ^ 3 // 1 | 0, "max3Als, early")
complete(session("max3als.c --entry max3Als --aliases=early --pipes"), 5 ^ 3 // 1 | 0, "max3Als, early, through pipes")

-- LA2 and LA3.1 to the letter: Figure 9's tests, one a path.
complete(session("max3als.c --entry max3Als --aliases=la"), 3, "max3Als, la")
for n, paths in pairs { [3] = 4, [4] = 7, [5] = 16 } do
	complete(session(("get_order.c --entry getOrder --len p=%d --aliases=la -- -DN=%d"):format(n, n)), paths,
		("getOrder, N = %d, la"):format(n))
end
local piped, _, why = tap.run("cd " .. tap.root .. "/share/examples && duct late-aliases max3als.c --entry max3Als --aliases la --pipes")
tap.ok(piped == 2 and why:find("not with --pipes", 1, true), "la through pipes is refused", why)

local r = session("max3als.c --entry max3Als --aliases=fix --calls 1")
tap.ok(not r.exhausted and r.branches.infeasible == 0, "fixed indices prove nothing")
tap.ok(r.lost and r.lost[1] and r.lost[1].reason:find("aliases=fix", 1, true), "fixed indices are said to be lost")

-- Parameters that may be one another (external aliases): 3 paths, whatever they are; decided, 4.
local external = tap.scratch .. "/external.c"
local f = assert(io.open(external, "w"))
f:write([[
struct s { int x, y; };
int f(int *p, int *q, struct s *a, struct s *b)
{
	*p = 1;
	*q = 2;
	a->x = 5;
	b->x = 6;
	if (*p == 2)
		return 1;
	if (a->x == 6)
		return 2;
	return 0;
}
]])
f:close()
local both = external .. " --entry f --may-alias p,q --may-alias a,b "
complete(session(both), 3, "parameters that may be one, late")
complete(session(both .. "--aliases=early"), 4, "parameters that may be one, early")

local status, _, err = tap.run("duct concolic " .. external .. " --aliases=never")
tap.ok(status == 2 and err:find("`late`, `la`, `early` or `fix`", 1, true), "another word is refused", err)
tap.done()
