-- proof: pairs and outcomes of conditions that no run has covered are handed to prove(1) (the hybrid of hybrid data-flow
-- testing, Section 5). What it proves infeasible leaves the search at once; what it finds reachable is run, and counts
-- when the run says so.
--   proof.new(session) -> prover
--   prover:due(idle)    is it its turn? `idle`: the search has nothing left
--   prover:round([seconds])   an iterator over inputs that may reach a goal
--   prover:leave(pair)  the runs have decided it
--   prover:any_open()   has it a goal that a longer look may decide?
--   prover:finish()     the last round
--   proof.finish(session)     for strategies that do not take turns: what they left is asked at their end
-- Search and proof take turns with growing budgets: 10, 30, 90, 300 seconds a pair in the paper, here the same shares
-- of a session, but more for the first where there are many goals, and of the search a number of branches, so that the
-- order is the same on every machine. A session that has gone on for a fifth of its time gives proofs as long as the
-- search has had, in one piece, as a proof that is cut off has to begin again. Behind these
-- four rounds the rest of a session's time is spent, when the search has nothing left.
-- A goal is a number here: a pair, or the negative of an objective of the store.
local core = require "duct.core"
local progress = require "duct.progress"
local kept_proofs = require "duct.kept"
local leeway = require "duct.leeway"
local reasons = require "duct.reasons"

local Proof = {}
Proof.__index = Proof

local proof = {}

local first_slice, growth = 100, 3                -- of the search, in branches; from round to round
local first_share = 10 / (10 + 30 + 90 + 300)     -- of the session, for search and proof together
local rounds = 4
local long_part = 0.6                             -- of what is left of a session, for one look that takes long
local most_first, a_goal = 0.1, 0.003            -- of the session, at most, for the first look at many goals; seconds for one
local beyond = 1000                               -- steps that are said to be to a pair within limits: others go first
local out_of_time = "the time was up"             -- prove's reason for what a longer look may decide

local function filter(name)
	return (assert(core.home("libexec", name), "the filter " .. name .. " was not found"))
end

-- The lines of goals(5) for all pairs and conditions of the session, and the file in the folder that has them.
function proof.goals(session, folder)
	local o = session.options
	local command = { "sh", "-c", [[goals=$1/goals flow=$2 cutpoints=$3; shift 3
		"$@" "$flow" >"${goals%goals}pairs" && "$cutpoints" -b -f "$flow" "${goals%goals}pairs" >"$goals"]],
		"sh", folder, o.program, filter "cutpoints", filter "defuse", "-e", o.entry }
	for _, name in ipairs { "criterion", "protocol", "scope" } do
		if o[name] then
			table.move({ "--" .. name, o[name] }, 1, 2, #command + 1, command)
		end
	end
	if o.may_alias then
		command[#command + 1] = "--may-alias"
	end
	local status = core.run(command)
	if status ~= 0 then
		error({ status = 4, message = "--prove: the goals of the pairs cannot be had" }, 0)
	end
	local lines = {}
	for line in io.lines(folder .. "/goals") do
		lines[#lines + 1] = line
	end
	return lines, folder .. "/goals"
end

-- By the number that an outcome has in goals(5), as text: which objective of the store it is.
function proof.objectives(session, lines)
	local unit_of, by_place, list, unit = {}, {}, {}, {}
	for u = 0, session.flow:units() - 1 do
		unit_of[session.flow:key(u)] = u
	end
	for i = 1, session.store:objectives() do
		by_place[("%d %d"):format(session.store:wanted(i))] = i
	end
	for _, line in ipairs(lines) do
		local tag, id, second, outcome = line:match("^(%l+)\t(%d+)\t([^\t]*).*\t([^\t]*)$")
		if tag == "unit" then
			unit[id] = unit_of[second]
		elseif tag == "outcome" and unit[second] then
			list[id] = by_place[("%d %s"):format(unit[second], outcome)]
		end
	end
	return list
end

-- What the user stated of the pointers that come in: prove's -g. An object has a size of the user's where --len says it
-- exactly; pointers are distinct where --distinct names all of them.
local function given(session)
	local o, list = session.options, {}
	for _, names in ipairs(o.distinct or {}) do
		list[1] = list[1] or names == "all" and "distinct" or nil
	end
	list[#list + 1] = o.calls and "state" or nil
	list[#list + 1] = o.calls == 1 and "once" or nil
	return table.concat(list, ",")
end

function proof.new(session)
	local folder = setmetatable({ path = core.scratch() }, { __gc = function(f) core.remove(f.path) end })
	local budget = (session.options.time or 60) * first_share / 2
	local lines = proof.goals(session, folder.path)
	return setmetatable({ session = session, folder = folder, rounds = 0, steps = 0, slice = first_slice, seconds = budget,
		spent = 0, given = given(session), lines = lines, objectives = proof.objectives(session, lines), settled = {} }, Proof)
end

-- Goals that a longer look may still decide.
local function open_goals(self)
	local list, n, session = {}, 0, self.session
	for _, pair in ipairs(session:wanted()) do
		if not self.settled[pair] and session:is_mine(pair) then
			list[pair], n = true, n + 1
		end
	end
	for i = 1, session.store:objectives() do
		if select(3, session.store:wanted(i)) and not self.settled[-i] and session:is_mine(i) then
			list[-i], n = true, n + 1
		end
	end
	return list, n
end

-- All paths of a share were run: when those of the others do not cover the pair either, that is proof enough.
function Proof:leave(pair)
	self.settled[pair] = self.settled[pair] or self.session.shared ~= nil
end

function Proof:any_open()
	return select(2, open_goals(self)) > 0
end

-- Has the search had more than its half of a session that takes long?
local function starves(self)
	local s = self.session
	if not s.deadline or self.rounds == 0 then
		return false
	end
	local now = core.now()
	return now - s.began > (s.deadline - s.began) / 5 and self.spent < (now - s.began) / 2
end

function Proof:due(idle)
	self.steps = self.steps + 1
	self.long = idle and self.rounds > 0 or starves(self)
	if self.long and self.session.deadline then
		return self:any_open()
	end
	if not idle and self.steps < self.slice
		or self.rounds >= rounds and not (idle and self.session.deadline) then
		return false
	end
	return self:any_open()
end

-- These goals alone, as a file.
local function write_goals(self, open)
	local path = self.folder.path .. "/open"
	local f, records, goals = assert(io.open(path, "w")), 0, 0
	for _, line in ipairs(self.lines) do
		local tag, id, second, rest = line:match("^(%l+)\t(%d+)\t?([^\t]*)(.*)")
		local keep = true
		if tag == "goal" then
			keep = open[tonumber(second)]
			goals = goals + (keep and 1 or 0)
			line = ("goal\t%d\t%s%s"):format(goals, second, rest)
		elseif tag == "outcome" then
			keep = self.objectives[id] and open[-self.objectives[id]]
		elseif tag == "end" then
			line = "end\t" .. records
		end
		if keep then
			records = records + (line:find("^#") and 0 or 1)
			f:write(line, "\n")
		end
	end
	assert(f:close())
	return path
end

local killed = 124                                -- timeout(1)'s status

-- What prove says of these goals: { goal, verdict, evidence, value records }. A model too large to be made in time
-- does not keep prove from its limit: it is killed then, and what it had not yet said stays open.
local function ask(self, open, seconds)
	local list, assumed = {}, {}
	local path = write_goals(self, open)
	local argv = { "timeout", ("%.3f"):format(1.1 * seconds + 0.1), filter "prove", "-t", ("%.3f"):format(seconds), "-f",
		self.session.options.program, "-g", self.given, path }
	local process, kept = core.spawn(argv, "goals", "verdicts"), kept_proofs.new()     -- it reads the file, not us
	local function next_record()
		local whole, r = pcall(process.read, process)
		return whole and r or nil
	end
	for r in next_record do
		self.session.progress.tick(core.now())
		kept:add(r)
		if r[1] == "narrow" then
			assumed[r[2]] = (assumed[r[2]] or "") .. "; " .. r[3]
		elseif r[1] == "verdict" then
			local goal = tonumber(r[4]) or -self.objectives[r[4]:sub(2)]
			list[#list + 1] = { goal = goal, verdict = r[5], evidence = r[6], assumed = assumed[r[3]] or "" }
		elseif r[1] == "value" then
			table.insert(list[#list], r)
		end
	end
	local status = process:close()
	if status ~= 0 and status ~= killed then              -- a fault of prove, of which nothing it said is believed
		list = {}
		for goal in pairs(open) do
			list[#list + 1] = { goal = goal, verdict = "unknown", evidence = "it ended with status " .. status, assumed = "" }
		end
	elseif kept.infeasible then
		self.session.store:keep_proof(kept:text())
	end
	return list
end

-- The input of a counterexample.
local function model_of(session, v)
	local model = session.space:model()
	for _, r in ipairs(v) do
		local low, high = r[6], ""
		if #low > 16 then
			low, high = low:sub(-16), low:sub(1, -17)
		end
		model:set(r[3], r[4], tonumber(r[5]), tonumber(low, 16), tonumber(high, 16) or 0)
	end
	return model
end

local function decide(session, goal, verdict, evidence)
	if goal > 0 then
		session.store:decide_pair(goal, verdict, evidence)
	else
		session.store:decide(-goal, verdict, evidence)
	end
end

-- Not decided by a proof; true when it is still looked for. What is proved within limits is, until they are widened.
-- late: what it proposes is not run.
local function unproved(session, v, late)
	local limited = v.evidence:find("^limits: ")
	if v.goal > 0 then
		local wanted = session:is_wanted(v.goal)
		session.far[v.goal] = tonumber(v.evidence:match("no path within (%d+) step")) or limited and beyond or nil
		if wanted and limited then
			session.reasons:limited(v.goal, v.evidence)
		elseif wanted then
			session.reasons:unproved(v.goal, v.evidence, #v > 0, late)
		end
		return wanted
	end
	local wanted = select(3, session.store:wanted(-v.goal))
	if wanted then
		session.store:decide(-v.goal, "unknown", limited and v.evidence or reasons.of_proof(v.evidence, #v > 0, late))
	end
	return wanted
end

-- Does the proof hold for one compiler alone? Of a function by itself, in any state, only its own code counts.
local function doubtful(session, v)
	local name = session.options.entry
	if v.assumed:find("from any state", 1, true) and v.goal > 0 then
		name = session.defuse:pair(v.goal).def.func
	elseif v.assumed:find("from any state", 1, true) then
		local o = session.store:objective(-v.goal)
		name = session.flow:functions(o.unit)[session.flow:branches(o.unit)[o.branch].func].name
	end
	return leeway.sentences(session.flow, name)
end

function Proof:round(seconds)
	local session, budget = self.session, seconds or self.seconds
	if session.deadline and not seconds then
		budget = math.min(budget, math.max(0.1, session.deadline - core.now()))
	end
	local before, began, open, n = core.children_cpu(), core.now(), open_goals(self)
	if self.long and not seconds and session.deadline then
		budget = math.max(budget, long_part * (session.deadline - began))
	end
	if self.rounds == 0 then                      -- what is decided at once nobody looks for in vain
		budget = math.max(budget, math.min(n * a_goal, most_first * (session.options.time or 60)))
	end
	progress.phase("proving " .. session.options.entry, session.options.quiet)
	local verdicts = ask(self, open, budget)
	progress.phase("searching", session.options.quiet)
	self.spent = self.spent + core.now() - began
	session.prove_cpu = session.prove_cpu + core.children_cpu() - before
	self.rounds = self.rounds + 1
	self.steps, self.slice, self.seconds = 0, self.slice * growth, math.max(self.seconds, budget) * growth
	local i = 0
	return function()
		while i < #verdicts do
			i = i + 1
			local v = verdicts[i]
			self.settled[v.goal] = not v.evidence:find(out_of_time, 1, true)
			local doubt = v.verdict == "infeasible" and doubtful(session, v)
			if doubt then
				decide(session, v.goal, "unknown", "limits: " .. doubt)
			elseif v.verdict == "infeasible" then
				decide(session, v.goal, "infeasible", "proof: " .. v.evidence .. v.assumed)
			else
				local late = #v > 0 and session:over() and not (seconds and session.ended == "time")
				if unproved(session, v, late) and #v > 0 and not late then
					return model_of(session, v)
				end
			end
		end
	end
end

-- What is open is asked, for a tenth of the session's time.
function Proof:finish()
	for input in self:any_open() and self:round((self.session.options.time or 60) / 10) or function() end do
		self.session:run(input, nil, "prove")
	end
end

function proof.finish(session)
	proof.new(session):finish()
end

return proof
