-- dft: covers def-use pairs (hybrid data-flow testing, Algorithm 2): concolic execution that is steered, by cpgs and
-- coverage by turns unless another search is asked for, to pairs that no test covers yet, and ends when all are
-- decided. All pairs share one tree and every test is credited with all that it covers. --one-pair is the paper's
-- protocol: a fresh session for each pair, which alone it is credited with, and the limits are those of a pair. With
-- --prove a model checker takes turns with the search: what it proves infeasible nobody looks for any more. Where there
-- are no pairs at all, conditions are searched for instead; with --prove those that are open behind all pairs, too.
local one_pair = require "duct.one_pair"
local proof = require "duct.proof"
local concolic = require "strategy.concolic"

local enough = 500                           -- runs without news

-- What is open of conditions that no pair has to do with is searched for in the same tree, as long as that finds something.
local function conditions(session, search, idle)
	local from = session.runs
	while session:missing() and not session:over() and not idle() and session.runs - math.max(from, session.news_run) < enough do
		local branch = search:select()
		local input = session:solve(branch)
		if input then
			search:update(session:run(input, branch))
		end
	end
end

local function cover(session, prover)
	local search = session:search()
	for path in session:start() do
		search:update(path)
	end
	local function idle()
		return search:empty() or search.ended and search:ended()
	end
	local exhausted
	local function explore()
		exhausted = false
		while session:any_wanted() and not session:over() and not session:stagnates() do
			if prover and prover.rounds > 0 and not exhausted and idle() and session:all_run() then
				exhausted = true             -- what no path covers needs no other proof than a short look finds
				for _, pair in ipairs(session:wanted()) do
					session.store:exhaust_pair(pair)
					prover:leave(pair)
				end
			elseif prover and prover:due(idle()) then
				for t in prover:round() do
					search:update(session:run(t, nil, "prove"))
				end
			elseif idle() then
				break
			else
				session:offer()
				local es = search:select()
				local t = session:solve(es)
				if t then
					search:update(session:run(t, es))
				end
			end
		end
	end
	explore()
	for path in session:adopt() do
		search = session:search()
		search:update(path)
		explore()
	end
	if session:any_wanted() and session:widen() then
		return cover(session, prover)
	end
	if prover and (prover.rounds == 0 or not session:over()) then    -- conditions too, when all pairs are decided
		prover:finish()
		conditions(session, search, idle)
	end
end

return function(session)
	if session.options.one_pair then
		one_pair(session, cover)
		return
	end
	local prover = session.options.prove and not session.blocks and proof.new(session)
	if #session.candidates > 0 or session.blocks then
		cover(session, prover)
		return
	end
	concolic(session)
	if prover then
		prover:finish()
	end
end
