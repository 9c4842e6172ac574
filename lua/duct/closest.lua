-- closest: the test that comes closest to an open objective, and where it stops: "closest test 4 stopped at a.c:52".
--   closest.pairs(session)       of the open pairs, while the guide to them is there
--   closest.branches(session)    of the open outcomes of conditions; with --target, of ways to open targets
-- Both end after a number of steps that does not depend on time, so that equal sessions say the same.
local core = require "duct.core"

local closest = {}
local most_pairs = 500             -- pairs that are looked at
local most = 5000000               -- conditions of the tree to look at, for all pairs
local most_distances = 400000      -- distances to ask for, for all outcomes

-- Tests of a share get other numbers when shares are joined, and a session for one pair alone has its own.
local function applies(session)
	return not session.options.share and not session.only
end

function closest.pairs(session)
	local guides = session.guides
	if not guides or not applies(session) then
		return
	end
	local left = math.min(most_pairs, most // math.max(1, guides:nodes()))
	for _, pair in ipairs(session:wanted()) do
		if left <= 0 then
			return
		end
		left = left - 1
		local aim <close> = guides:aim(pair, "all")
		local test, place = aim:closest()
		if test then
			session.store:closest("pairs", pair, test, place)
		end
	end
end

-- The outcomes of conditions that tests reach: { unit, outcome, place, test, covered }, and the numbers of open ones,
-- of `aims` if there are any.
local function sort_out(session, aims)
	local store, of, reached, open, sites = session.store, {}, {}, {}, {}
	for unit = 0, session.flow:units() - 1 do
		sites[unit] = session.flow:branches(unit)
	end
	for i = 1, store:objectives() do
		local o = store:objective(i)
		local test = o.verdict == "covered" and math.tointeger(tonumber(o.evidence and o.evidence:match("^test (%d+)$")))
		local key = o.unit << 32 | o.branch
		if o.verdict == "unknown" and (not aims or aims[i]) then
			open[#open + 1] = i
		end
		of[key] = of[key] or { unit = o.unit, site = sites[o.unit][o.branch] }
		table.insert(of[key], { covered = o.verdict == "covered", outcome = o.outcome })
		of[key].test = math.min(of[key].test or test or math.huge, test or math.huge)
		if #of[key] == 1 then
			reached[#reached + 1] = of[key]
		end
	end
	return open, reached
end

-- The last condition on a test's path from which the objective is still reachable, and its distance.
local function nearest(distance, reached)
	local best, least, best_covered = nil, math.huge, false
	for _, b in ipairs(reached) do
		for _, o in ipairs(b.test < math.huge and b or {}) do
			local far = distance:get(b.unit, o.outcome) or math.huge
			if far < least or far == least and best_covered and not o.covered then
				best, least, best_covered = b, far, o.covered
			end
		end
	end
	return best
end

function closest.branches(session)
	if not applies(session) then
		return
	end
	local aims = session.options.target and (select(2, session:aims()) or {})
	if aims and not next(aims) then
		return
	end
	local open, reached = sort_out(session, aims)
	local distance, left = core.distance(session.flow, false), most_distances // math.max(1, #reached)
	for k = 1, math.min(#open, left) do
		local unit, outcome = session.store:wanted(open[k])
		distance:want(unit, outcome, true)
		local b = nearest(distance, reached)
		distance:want(unit, outcome, false)
		if b then
			session.store:closest("branches", open[k], b.test, ("%s:%d"):format(b.site.file, b.site.line))
		end
	end
end

return closest
