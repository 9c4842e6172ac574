-- dft: covers def-use pairs (hybrid data-flow testing, Algorithm 2): concolic execution that is steered, by cpgs and
-- by the searches of concolic unless another one is asked for, to pairs that no test covers yet, and ends when all are
-- decided. All pairs share one tree and every test is credited with all that it covers. --one-pair is the paper's
-- protocol: a fresh session for each pair, which alone it is credited with, and the limits are those of a pair. With
-- --prove a model checker takes turns with the search: what it proves infeasible nobody looks for any more. Where there
-- are no pairs at all, conditions are searched for instead; conditions that are open when all pairs are decided come
-- last, and so do faults that no test of pairs was asked for. With --abstract calls are abstract at first, as latest
-- has it, and only paths that exercise an open pair are made real; what pairs need within the calls comes after that.
local faults = require "duct.faults"
local one_pair = require "duct.one_pair"
local outcomes = require "duct.outcomes"
local steps = require "duct.steps"
local concolic = require "strategy.concolic"
local latest = require "strategy.latest"

local vain = 500                   -- runs without news for which calls stay abstract

-- When all paths were run, pairs that none of them covers are infeasible by exhaustion: no prover has to be asked.
local function leave_to_exhaustion(session, prover)
	for _, pair in ipairs(session:wanted()) do
		session.store:exhaust("pairs", pair)
		prover:leave(pair)
	end
end

local function explore(session, search, prover)
	local exhausted = false
	local function ended()
		return search:empty() or search.ended and search:ended()
	end
	local function more()
		return session:any_wanted()
	end
	-- Runs that were put off come after the first proofs, as these leave less to look for.
	local function relents()
		return (not prover or prover.rounds > 0) and session:relent(search, more)
	end
	local function idle()
		return ended() and (not session:resume(search) or ended()) and (not relents() or ended())
	end
	session:hurry()
	while session:any_wanted() and not session:over() and not session:stagnates() do
		if prover and prover.rounds > 0 and not exhausted and idle() and session:all_run() then
			exhausted = true
			leave_to_exhaustion(session, prover)
		elseif prover and prover.rounds > 0 and not session.blocks and idle() and session:wider() then
			break                                -- runs within wider limits come before longer proofs
		elseif prover and prover:due(idle()) then
			steps.prove(session, search, prover)
			if session.awaited then
				break                        -- the prover's input is longer than the limits allow
			end
		elseif idle() and not session:relent(search, more, true) then
			break
		elseif not ended() then
			session:offer()
			session:merge(search)
			local alias = session:alias()
			steps.flip(session, search, alias or steps.choose(session, search))
		end
	end
end

local function cover(session, prover)
	explore(session, steps.first(session), prover)
	for search in steps.taken_over(session) do
		explore(session, search, prover)
	end
	if session:any_wanted() and session:widen() then
		return cover(session, prover)
	end
	if prover and (prover.rounds == 0 or not session:over()) then    -- conditions too, when all pairs are decided
		prover:finish()
	end
end

-- Pairs of the function under test, with calls executed only where a path needs them that exercises such a pair.
local function expand(session)
	local calls = latest(session, function(path)
		for _, pair in ipairs(path and path.may_cover or {}) do
			if session:is_wanted(pair) then
				return true
			end
		end
		return not path and session:any_wanted() and session.runs - session.news_run <= vain
	end)
	if calls then
		outcomes.with_calls(session)
	end
end

return function(session)
	if session.options.one_pair then
		one_pair(session, cover)
		return
	end
	local prover = session.options.prove and not session.blocks and session:prover()
	if session.options.abstract then
		expand(session)
	end
	if #session.candidates > 0 or session.blocks then
		cover(session, prover)
		if not (session.blocks or session.options.pairs_only or session.options.share) then
			faults(session)
		end
		outcomes.after_pairs(session)
		return
	end
	concolic(session)
	if prover then
		prover:finish()
	end
end, { pairs = true }
