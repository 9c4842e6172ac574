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

-- The outcome of a branch as FILE:LINE:COL p:true.
local function describe(session, branch)
	local unit, id, outcome = session.space:branch(branch)
	local b = id and id > 0 and unit >= 0 and session.flow:branches(unit)[id]
	if not b then
		return "a condition of the environment or of a model"
	end
	local side = b.kind ~= "s" and (outcome == 1 and "p:true" or "p:false")
		or outcome == b.cases and "p:default" or "p:case " .. outcome + 1 .. " of " .. b.cases
	return ("%s:%d:%d %s"):format(b.file, b.line, b.col, side)
end

-- The evidence for a goal that prove did not decide. shown: prove proposed an input, which was run but did not reach
-- the goal. late: the input was not run. A counterexample without values of inputs cannot be run.
function reasons.of_proof(evidence, shown, late)
	local steps = evidence:match("a run to try, (%d+ steps?)")
	if late then
		return "prove: an input is proposed, but the session was over before it could run"
	elseif shown then
		return "prove: an input that was proposed does not exercise it"
	elseif steps then
		return ("prove: not infeasible in the model, which gets there in %s, but no input is known that does"):format(steps)
	end
	return "prove: " .. evidence
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

function Reasons:unproved(pair, evidence, shown, late)
	entry(self, pair).proof = reasons.of_proof(evidence, shown, late)
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
local many = 100000

function Reasons:decide()
	local session = self.session
	local ended = session.ended and "budget over" or "not reached"
	local all = #session.candidates <= many
	for _, pair in ipairs(session:wanted()) do
		if all or self.of[pair] then
			session.store:decide_pair(pair, "unknown", text(self.of[pair], ended))
		end
	end
end

return reasons
