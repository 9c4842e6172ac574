-- keeping: given a run, searches for runs that execute one more call and otherwise follow the same path.
local buckets = require "duct.buckets"
local events = require "duct.events"

-- Advances the position of a walk over a node's plain events. A position has: calls executed so far; depth in the
-- additional call (nil before it, 0 after it); depth in later calls; number of promised outcomes that were met. Nil
-- when the events leave the promised path.
local function pass(plain, at, level, promised)
	local calls, depth, inside, kept = at.calls, at.depth, at.inside, at.kept
	for _, e in ipairs(plain) do
		if e.kind == "asked" then
			if depth == nil then
				calls = calls + (e.outcome == events.real and 1 or 0)
				depth = calls == level and 1 or nil
			elseif e.outcome ~= events.replaced and depth > 0 then
				depth = depth + 1
			elseif e.outcome ~= events.replaced then
				inside = inside + 1
			end
		elseif e.kind == "return" then
			if depth and depth > 0 then
				depth = depth - 1
			else
				inside = math.max(inside - 1, 0)
			end
		elseif e.kind == "branch" and depth == 0 and inside == 0 then
			kept = kept + 1
			local p = promised[kept]
			if not p or p.site ~= e.site or p.outcome ~= e.outcome then
				return nil
			end
		end
	end
	return { calls = calls, depth = depth, inside = inside, kept = kept }
end

-- Open slots of a search are grouped in classes: an outcome in a callee, in about the same iteration of a loop (1, 2 to
-- 3, 4 to 7, ...), on a path with the same number of different steps. Classes that were chosen seldom come first, so
-- that loops do not dominate; classes of simple paths are chosen more often. The class `bound` comes before all others:
-- slots that return to the promised path, or that are known to give the call the result that it needs.
local bound = "bound"
local most_steps = 40

local function class_of(step, round, steps)
	return ("%s %d %d"):format(step, math.log(round, 2) // 1 | 0, steps)
end

local function put_open(search, slot, at, class, steps)
	local list = search.open[class] or buckets.new("oldest")
	search.open[class] = list
	list.weight = class == bound and 0 or 2 ^ math.min(steps, most_steps)
	list:put(slot.depth, { slot = slot, at = at, class = class })
end

-- The path to a slot from the start of the search: visits of each site, uses of each step, number of different steps.
local function take_step(way, slot)
	local site, step = slot.above.site, slot.step
	local times = way.steps[step] or 0
	way.rounds[site] = (way.rounds[site] or 0) + 1
	way.steps[step], way.n = times + 1, way.n + (times == 0 and 1 or 0)
end

local function take_back(way, slot)
	local site, step = slot.above.site, slot.step
	way.rounds[site], way.steps[step] = way.rounds[site] - 1, way.steps[step] - 1
	way.n = way.n - (way.steps[step] == 0 and 1 or 0)
end

local function way_to(search, slot)
	local way = { rounds = {}, steps = {}, n = 0 }
	while slot ~= search.start do
		take_step(way, slot)
		slot = slot.above.up
	end
	return way
end

-- Walks the known tree below a slot; adds runs that follow the promised path to search.runs, and open slots to
-- search.open.
local function walk(search, slot, at, way)
	local node = slot.node
	while node do
		local now = pass(node.plain, at, search.level, search.promised)
		if now and not node.about then
			if now.depth == 0 and now.kept == #search.promised and node.run.ended ~= "rejected" then
				search.runs[#search.runs + 1] = node.run
			end
		elseif now then
			local is_bound = now.depth == 0 and now.inside == 0 and node.kind == "branch"
			local p = search.promised[now.kept + 1]
			now.kept = now.kept + (is_bound and 1 or 0)
			for outcome, s in pairs(node.slots) do
				local allowed = not is_bound or p and p.site == node.site and p.outcome == outcome
				if allowed and (s.open or s.node) then
					take_step(way, s)
					if s.open then
						local first = is_bound or search.owner:leads(search.run, node.site, outcome, way.rounds[node.site])
						put_open(search, s, now, first and bound or class_of(s.step, way.rounds[node.site], way.n), way.n)
					else
						walk(search, s, now, way)
					end
					take_back(way, s)
				end
			end
		end
		node = node.other
	end
end

-- Walks the tree again from the start when a node that was passed has got another continuation.
local function look_again(search)
	local splits = search.owner.splits[search.level]
	if search.splits ~= splits then
		search.splits, search.open, search.runs = splits, {}, {}
		walk(search, search.start, search.at, way_to(search, search.start))
	end
end

local function better(search, class, best)
	local mine, other = search.open[class], search.open[best]
	local a = mine.weight * (1 + (search.chosen[class] or 0))
	local b = other.weight * (1 + (search.chosen[best] or 0))
	if a ~= b then
		return a < b
	end
	return mine.lowest < other.lowest or mine.lowest == other.lowest and class < best
end

-- Removes and returns the best slot; it may have been closed since it was added. Nil when none is left.
local function take_best(search)
	local best
	for class, list in pairs(search.open) do
		if list.count == 0 then
			search.open[class] = nil
		elseif not best or better(search, class, best) then
			best = class
		end
	end
	return best and search.open[best]:take()
end

-- Finds the start of the search: a run that executes the additional call, made if there is none. Nil if that run left
-- the path.
local function begin(search, run, useful)
	local a = search.owner
	search.start = a:behind(run, search.level)
	if not search.start then
		a:run(a:first_values(run, useful), search.level, "expanded")
		search.start = a:behind(run, search.level)
	end
	a.complete = a.complete and search.start ~= nil
	return search.start
end

-- An iterator over the runs that execute one call more than `run` and follow its path. useful: preferred values
-- for inputs of the program.
return function(a, run, useful)
	local given, session, wish = {}, a.session, run.values
	local search = { owner = a, run = run, level = run.level + 1, promised = run.promised, open = {}, runs = {},
		chosen = {}, at = { calls = run.before, inside = 0, kept = 0 } }
	return function()
		while not session:over() and (search.start or begin(search, run, useful)) do
			look_again(search)
			local found = table.remove(search.runs, 1)
			if found and not given[found] then
				given[found], wish = true, found.values
				return found
			elseif not found then
				local entry = take_best(search)
				if not entry then
					return nil
				elseif entry.slot.open then
					search.chosen[entry.class] = (search.chosen[entry.class] or 0) + 1
					a:open(entry.slot, "expanded", wish, useful)
				end
				walk(search, entry.slot, entry.at, way_to(search, entry.slot))
			end
		end
	end
end
