-- pursue: searches for one def-use pair at a time, in one common tree. A pair is put off to the next round
-- after a number of branches without success, which doubles in each round.
--   pursue(session, how, weigh)   how.points: "all" cut points, or the "ends", definition and use, only; how.blind:
--   redefinitions prune nothing; how.backtrack, how.similar: see worklist in lib/guide; how.turns: some choices
--   are for coverage; weigh(aim, branch) -> number of goals passed, distance to the next goal, and a weight to compare
--   branches with the same number. Without `weigh` the weight is that of Formula 4 of hybrid data-flow testing, of
--   how.near (1 or 0) and how.new: 1 / distance^2 + 1 / instructions since the last new one^2
local core = require "duct.core"
local earned = require "duct.earned"

local patience = 16                               -- branches for a pair in a round, before doubling
local most, least = 4096, 64                      -- pairs in a round; further pairs are for the next rounds
local ranked = 1 << 24                            -- nodes of the tree that are looked at to order a round's pairs
local wide, seldom = 4, 64                        -- one of so many is chosen for coverage, most and least often
local vain = 4                                    -- turns without news after which they come half as often

return function(session, how, weigh)
	local space, guide = session.space, session:guide()
	local W                                      -- the worklist of the target: its pending branches
	local open = core.branches(space)            -- all open branches
	local target, aim                            -- the current pair, and its goals
	local round, turns = {}, {}                  -- pairs still to be tried in this round; how often each pair was tried
	local looked, all = 0, 0                     -- number of wanted pairs that were in a round; number of all
	local left                                   -- branches left before the target is put off
	-- the last branch chosen, and the number of goals that its path has passed
	local last
	-- branches to run for no pair before the next round; number of runs when that began
	local spare, dry = 0, nil
	local coverage, for_coverage = nil, earned.turns(wide, seldom, vain)
	local search = {}

	-- Branches from which the target cannot be reached are pruned for it; they stay pending.
	local function put(list)
		if not weigh then
			W:add(aim, space, list, how.near, how.new, how.similar)
		end
		for _, es in ipairs(weigh and (list == open and open:list() or list) or {}) do
			local passed, distance, weight = weigh(aim, es)
			if passed and distance < math.huge then
				W:put(es, passed, weight, 0)
			end
		end
	end

	-- Starts a round: wanted pairs, first those with the fewest goals to go; pairs that are known to need more iterations
	-- of loops come later.
	local function new_round()
		local to_go, wanted = {}, session:wanted()
		looked, all = looked < #wanted and looked or 0, #wanted
		if all == 1 then
			round, looked = wanted, 1
			return
		end
		local size = math.max(least, math.min(most, ranked // math.max(1, guide:nodes())))
		for i = looked + 1, math.min(looked + size, all) do
			if session:over() then
				return
			end
			local pair = wanted[i]
			local way <close> = guide:aim(pair, how.points, how.blind)
			local goals, furthest = way:goals()
			to_go[pair] = goals - furthest + (session.far[pair] or 0)
			round[#round + 1] = pair
			looked = i
		end
		table.sort(round, function(a, b)          -- the last is taken first
			return to_go[a] > to_go[b] or to_go[a] == to_go[b] and a > b
		end)
	end

	-- Records the progress towards the target, for the report.
	local function note(pruned)
		local goals, furthest = aim:goals()
		session.reasons:reached(target, goals, furthest, aim:goal(furthest + 1), pruned)
	end

	local function next_target()
		target = nil
		while #round > 0 and not target do
			local pair = table.remove(round)
			target = session:is_wanted(pair) and pair or nil
		end
		if not target then
			return
		end
		if aim then
			aim:close()
			W:close()
		end
		aim, W = guide:aim(target, how.points, how.blind), core.worklist(how.backtrack)
		turns[target] = (turns[target] or 0) + 1
		left = math.max(patience << turns[target], open:sweep() // 64)
		for_coverage:restart()
		put(open)
		note(W:count() == 0)
	end

	-- Some choices are made for coverage, among branches from which the target is reachable: reaching it may depend on
	-- data rather than on the distance in the control flow.
	local function widen()
		if not coverage then
			coverage = session:search("coverage")
			open:sweep()
			coverage:update(open:list())
		end
		for _ = 1, 8 do
			local es = not coverage:empty() and coverage:select()
			local passed, distance
			if es and space:open(es) then
				passed, distance = aim:state(es)
			end
			if passed and distance < math.huge then
				return es, passed
			end
		end
		return W:take()
	end

	local function select_state()
		while W:count() > 0 and left > 0 do
			local es, passed
			if how.turns and for_coverage:due(session.news) then
				es, passed = widen()
			else
				es, passed = W:take()
			end
			if space:open(es) then
				left, last = left - 1, { branch = es, passed = passed }
				return es
			end
		end
	end

	function search:update(path)
		if coverage then
			coverage:update(path)
		end
		open:add(path)
		if target then
			put(path)
		end
	end

	-- The solver found no input for a branch: records that the target is blocked there.
	function search:blocked(branch, answer)
		if target and last and last.branch == branch then
			session.reasons:blocked(target, last.passed, branch, answer)
		end
	end

	-- A branch for the target, or for one of the next pairs of the round.
	local function for_a_pair()
		while (target or #round > 0) and not session:over() do
			local es = target and session:is_wanted(target) and select_state()
			if es then
				return es
			elseif target then
				note(W:count() == 0)
			end
			next_target()
		end
	end

	-- Some branches that lead to no pair are run too: when all branches were run, uncovered pairs are infeasible.
	local function for_no_pair()
		spare = spare - 1
		return open:oldest()
	end

	function search:select()
		local es = spare <= 0 and for_a_pair()
		if not es and spare <= 0 then
			repeat
				new_round()
				es = for_a_pair()
			until es or looked >= all or session:over()
			dry = not es and (dry or session.runs) or nil
			spare = es and 0 or math.max(64, session.runs // 4)
		end
		return es or for_no_pair()
	end
	function search:empty()
		return space:pending() == 0
	end

	-- True when max(1000, half of the runs so far) more runs reached no branch that leads to a pair.
	function search:ended()
		return dry and session.runs - dry > math.max(1000, dry // 2)
	end
	return search
end
