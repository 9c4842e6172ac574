-- pursue: searches that look for one def-use pair at a time. All share one tree: what was run for one pair is there
-- for the next. A pair is given up for now after some branches in vain, for more of them in each round.
--   pursue(session, points, backtrack, weigh)   points: "all" cut points or the "ends" alone; backtrack: see
--   duct.worklist; weigh(aim, branch) -> goals passed, distance to the next one, a weight among those that have
--   passed as many
local worklist = require "duct.worklist"

local patience = 16                               -- branches for a pair in the first round
local most = 4096                                 -- pairs that a round looks at: of more, the next ones in turn
local wide = 4                                    -- one of so many is chosen for coverage

return function(session, points, backtrack, weigh)
	local space, guide = session.space, session:guide()
	local W                                      -- the worklist of the target: its pending branches
	local open, oldest = {}, 1                   -- all branches, some of which were closed meanwhile; the first that was not
	local target, aim                            -- the pair at hand
	local round, turns = {}, {}                  -- pairs still to be tried in this round; how often each was
	local looked, all = 0, 0                     -- how many of all that are wanted were in rounds
	local left                                   -- branches before the target is given up
	local last                                   -- the branch chosen last, and how many goals its path has passed
	local spare, dry = 0, nil                    -- branches to be run for no pair before the next round; runs when that began
	local coverage                               -- a search that is asked by turns
	local search = {}

	-- The same outcome of the same condition in about the same round of a loop.
	local function class_of(es)
		if not backtrack then return 0 end
		local _, _, outcome, _, _, _, _, site, turn = space:branch(es)
		return (site << 32 | outcome) << 6 | math.log(turn + 1, 2) // 1 | 0
	end

	local function put(es)
		local passed, distance, weight = weigh(aim, es)
		if passed and distance < math.huge then  -- else pruned: it stays pending, for other pairs
			W:put(es, passed, weight, class_of(es))
		end
	end

	-- Branches that are still pending.
	local function sweep()
		local n = 0
		oldest = 1
		for i = 1, #open do
			local b = open[i]
			open[i] = nil
			if space:open(b) then
				n = n + 1
				open[n] = b
			end
		end
	end

	-- Pairs that nobody covered yet, those with the fewest goals to go first, and behind them what is known to need more
	-- steps through loops.
	local function new_round()
		local to_go, wanted = {}, session:wanted()
		looked, all = looked < #wanted and looked or 0, #wanted
		if all == 1 then
			round, looked = wanted, 1
			return
		end
		for i = looked + 1, math.min(looked + most, all) do
			if session:over() then
				return
			end
			local pair = wanted[i]
			local way <close> = guide:aim(pair, points)
			local goals, furthest = way:goals()
			to_go[pair] = goals - furthest + (session.far[pair] or 0)
			round[#round + 1] = pair
			looked = i
		end
		table.sort(round, function(a, b)          -- the last is taken first
			return to_go[a] > to_go[b] or to_go[a] == to_go[b] and a > b
		end)
	end

	-- What is known of the way to the target, for the report.
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
		end
		aim, W = guide:aim(target, points), worklist.new(backtrack)
		turns[target] = (turns[target] or 0) + 1
		sweep()
		left = math.max(patience << turns[target], #open // 64)
		for _, es in ipairs(open) do
			put(es)
		end
		note(W.count == 0)
	end

	-- Some turns go to what is near to code that was never run, unless the target cannot be reached from there: what
	-- leads to it may depend on data more than on the way.
	local function widen()
		if not coverage then
			coverage = session:search("coverage")
			coverage:update(open)
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
		while W.count > 0 and left > 0 do
			local es, passed
			if backtrack and left % wide == 0 then
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
		for _, es in ipairs(path) do
			open[#open + 1] = es
			if target then
				put(es)
			end
		end
	end

	-- The solver found no input for a branch: the way to the target is blocked there.
	function search:blocked(branch, answer)
		if target and last and last.branch == branch then
			session.reasons:blocked(target, last.passed, branch, answer)
		end
	end

	-- A branch for the target or one of those that follow in the round.
	local function for_a_pair()
		while (target or #round > 0) and not session:over() do
			local es = target and session:is_wanted(target) and select_state()
			if es then
				return es
			elseif target then
				note(W.count == 0)
			end
			next_target()
		end
	end

	-- Branches that lead to no pair are run all the same, for a while: when all are, the rest is infeasible.
	local function for_no_pair()
		spare = spare - 1
		while oldest <= #open and not space:open(open[oldest]) do
			oldest = oldest + 1
		end
		return open[oldest]
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

	-- No branch has led to any pair while half as much again was run as before, or a thousand times.
	function search:ended()
		return dry and session.runs - dry > math.max(1000, dry // 2)
	end
	return search
end
