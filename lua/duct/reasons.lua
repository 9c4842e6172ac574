-- Evidence for pairs that are not covered: the best progress of searches, and what stopped them.
--   reasons.new(session); r:reached(pair, goals, passed, place, pruned), r:blocked(pair, passed, branch, answer)
--   r:decide() writes it to the store, at the end
local core = require "duct.core"

local Reasons = {}
Reasons.__index = Reasons

local reasons = {}

function reasons.new(session)
	return setmetatable({ session = session, of = {} }, Reasons)
end

local function entry(self, pair)
	local e = self.of[pair] or { passed = 0, blocked = -1 }
	self.of[pair] = e
	return e
end

function Reasons:reached(pair, goals, passed, place, pruned)
	local e = entry(self, pair)
	e.goals, e.pruned = goals, pruned
	if passed >= e.passed then
		e.passed, e.place = passed, place
	end
end

-- The outcome of a condition as FILE:LINE:COL p:true; nil: it is none of the program.
local function outcome_text(session, unit, id, outcome)
	local b = id and session:condition(unit, id)
	if not b then
		return nil
	end
	local side = b.kind ~= "s" and (outcome == 1 and "p:true" or "p:false")
		or outcome == b.cases and "p:default" or "p:case " .. outcome + 1 .. " of " .. b.cases
	return ("%s:%d:%d %s"):format(b.file, b.line, b.col, side)
end

-- The outcome of a branch of the tree, likewise; of a condition that is none of the program, the last one before it.
local function describe(session, branch)
	local own = outcome_text(session, session.space:branch(branch))
	local last = not own and outcome_text(session, session.space:before(branch))
	return own or "a condition of a library function or of the environment" .. (last and ", after " .. last or "")
end

-- The evidence for a goal that prove did not decide. shown: prove proposed an input, which was run but did not reach
-- the goal. late: the input was not run. left: where the run left the path that was proposed (reasons.left).
function reasons.of_proof(evidence, shown, late, left)
	if late then
		return "prove: an input is proposed, but the session was over before it could run"
	elseif shown or evidence:find("a run to try", 1, true) then
		return "prove: an input that was proposed does not exercise it" .. (left and left ~= "" and ": " .. left or "")
	end
	return "prove: " .. evidence
end

-- The condition about which a run and a counterexample, a `path` record of verdicts(5), disagree: prove may allow
-- more than the program does there, such as any result of a library function.
function reasons.left(session, trace, path)
	local how, unit, id, outcome = trace:left(session.defuse, path)
	local b = unit and session:condition(unit, id)
	if how == "follows" then
		return "its run takes the outcomes that the model says, but with other values"
	elseif not b then
		return nil
	end
	local place = ("`%s` at %s:%d:%d"):format(b.text, b.file, b.line, b.col)
	if how == "misses" then
		return ("its run does not reach %s, which is next in the model"):format(place)
	elseif how ~= "takes" then
		return ("its run takes the outcomes that the model says, at least to %s"):format(place)
	elseif b.kind ~= "s" then
		return ("%s is %s in the model, %s in the run"):format(place, outcome == 1, outcome ~= 1)
	end
	return ("%s takes %s in the model, another case in the run"):format(place,
		outcome == b.cases and "the default" or ("case %d of %d"):format(outcome + 1, b.cases))
end

-- "limits: KIND NAME, ...; proved within them by HOW", as prove has it, in the words that sessions use of their limits.
-- The object that prove lets a pointer lead to has 64 bytes.
function reasons.of_limits(evidence)
	local list, how = evidence:match("^limits: ([^;]*)(.*)$")
	local sentences = {}
	for kind, name in list:gmatch("([^,%s]+) ([^,]+)") do
		sentences[#sentences + 1] = kind == "null" and name .. " is not NULL in the proof"
			or core.limit(kind, name, kind == "size" and 64 or 0) or kind .. " " .. name
	end
	return "limits: " .. table.concat(sentences, "; ") .. how
end

function Reasons:unproved(pair, evidence, shown, late, left)
	entry(self, pair).proof = reasons.of_proof(evidence, shown, late, left)
end

-- prove showed that the pair is unreachable within limits.
function Reasons:limited(pair, evidence)
	entry(self, pair).limits = evidence
end

-- Keeps the blocked branch whose path has passed the most cut points.
function Reasons:blocked(pair, passed, branch, answer)
	local e = entry(self, pair)
	if passed >= e.blocked then
		e.blocked, e.at, e.answer = passed, describe(self.session, branch), answer
	end
end

local function text(e, ended)
	local list = { ended .. ": not looked for on its own" }
	if e and e.limits then
		return e.limits
	end
	if not e then
		return list[1]
	end
	if e.goals then
		list[1] = ("%s: passed %d of %d cut points"):format(e.pruned and "not reached" or ended, e.passed, e.goals)
	end
	if e.place then
		list[#list + 1] = "next " .. e.place
	end
	if e.at then
		list[#list + 1] = ("blocked at %s: %s"):format(e.at, e.answer)
	end
	if e.pruned then
		list[#list + 1] = "no open branch leads there"
	end
	list[#list + 1] = e.proof
	return table.concat(list, "; ")
end

-- With more pairs than this, only those that were searched for get evidence, and are stored (lib/store/pairs.c).
reasons.many = 100000

-- The open pairs that get evidence.
function Reasons:told()
	local session = self.session
	if #session.candidates <= reasons.many then
		return session:wanted()
	end
	local list = {}
	for pair, e in pairs(self.of) do
		local was_sought = e.goals or e.at or e.limits
		list[#list + 1] = was_sought and session:is_wanted(pair) and pair or nil
	end
	table.sort(list)
	return list
end

function Reasons:decide()
	local session = self.session
	local ended = session.ended and "budget over" or "not reached"
	for _, pair in ipairs(self:told()) do
		session.store:decide("pairs", pair, "unknown", text(self.of[pair], ended))
	end
	for pair in pairs(session.options.pairs_elsewhere or {}) do
		if session:is_wanted(pair) then
			session.store:decide("pairs", pair, "unknown", "a test of another function covers it: not looked for here")
		end
	end
end

return reasons
