-- proof: passes pairs and outcomes of conditions that no run has covered to prove(1) (the combination of search and
-- proof in hybrid data-flow testing, Section 5). Goals that it proves infeasible are removed from the search; inputs
-- that it proposes are run, and a goal is covered only if the run shows that.
--   proof.new(session) -> prover
--   prover:due(idle)    whether a round of proofs is due; `idle`: the search has nothing left
--   prover:round([seconds])   an iterator over inputs that may reach a goal
--   prover:leave(pair)  the runs have decided the pair
--   prover:any_open()   whether more time for proofs may decide a goal
--   prover:finish()     the last round
--   proof.finish(session)     for strategies without rounds of proofs: one round at the end
-- Search and proof alternate with growing budgets. The paper has 10, 30, 90 and 300 seconds for each pair; here proofs
-- get the same shares of a session's time (the first round more if there are many goals), and the search a number of
-- branches, so that the order does not depend on the machine, or, when it finds nothing new, as much time as the last
-- round of proofs took. After a fifth of a session's time, or up to half of it while the search finds more in a second
-- than proofs decide, proofs get as much time as the search has had, in one piece, because an interrupted proof has to
-- start again. After these four rounds, the rest of the session's time goes to proofs when the search has nothing left.
-- A goal is a number, that of a pair, or the negative of that of an objective in the store; or a text, the number in
-- goals(5) of another goal without cut points: a condition, blocks, an evaluation.
local arguments = require "duct.arguments"
local core = require "duct.core"
local progress = require "duct.progress"
local goalnames = require "duct.goalnames"
local kept_proofs = require "duct.kept"
local leeway = require "duct.leeway"
local reasons = require "duct.reasons"

local Proof = {}
Proof.__index = Proof

local proof = {}


-- branches in the first round of the search; factor from round to round
local first_slice, growth = 100, 3
local first_share = 10 / (10 + 30 + 90 + 300)     -- of the session's time, for the first round of search and proof
local rounds = 4
local long_part = 0.6                             -- of a session's remaining time, for one long round of proofs
local most_a_second = 3000                         -- goals, of a session's time, that are handed over soon
local least_heavy = 60                             -- seconds that a search for many goals has before proofs
-- first round: at most this part of the session's time; seconds for each goal
local most_first, a_goal = 0.1, 0.003
local least_barren = 0.5                           -- seconds that the search has between two rounds of proofs
local most_counterexamples = 3                     -- that a goal may have
local enough = 0.25                                -- of a session's time: a round in which the second one is the last
-- distance given to pairs that are unreachable within limits, so that others go first
local beyond = 1000
local killed = 124                                -- timeout(1)'s status
local out_of_time = "time limit reached"          -- prove's reason for goals that more time may decide

local function filter(name)
	return (assert(core.home("libexec", name), "the filter " .. name .. " was not found"))
end

-- Records of goals without cut points.
local without = { outcome = true, condition = true, blocks = true, evaluation = true }

-- Writes those lines of goals(5) to a file whose pair or outcome is wanted; goals are numbered anew.
--   wanted(tag, number)   tag: `goal` of a pair, with the number of the pair, or `outcome`; both as texts
local function write_goals(path, lines, wanted)
	local f, records, goals = assert(io.open(path, "w")), 0, 0
	for _, line in ipairs(lines) do
		local tag, id, second, rest = line:match("^(%l+)\t(%d+)\t?([^\t]*)(.*)")
		local keep = true
		if tag == "goal" then
			keep = wanted(tag, second)
			goals = goals + (keep and 1 or 0)
			line = ("goal\t%d\t%s%s"):format(goals, second, rest)
		elseif without[tag] then
			keep = wanted(tag, id)
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

-- Adds a record for each target whose ways are not known; units that have no record yet get one.
local function add_blocks(session, lines)
	local unit_of, units, last = {}, 0, 0
	for _, line in ipairs(lines) do
		local tag, id, key = line:match("^(%l+)\t(%d+)\t?([^\t]*)")
		last = without[tag] and math.max(last, tonumber(id)) or last
		if tag == "unit" then
			units, unit_of[key] = math.max(units, tonumber(id)), id
		end
	end
	local ending = table.remove(lines)
	for _, target in ipairs(session.store:blocks()) do
		local key = session.flow:key(target.unit)
		if not unit_of[key] then
			units = units + 1
			unit_of[key] = tostring(units)
			lines[#lines + 1] = ("unit\t%d\t%s\t-"):format(units, key)
		end
		last = last + 1
		lines[#lines + 1] = ("blocks\t%d\t%s\t%s"):format(last, unit_of[key], table.concat(target, ","))
	end
	lines[#lines + 1] = ending
end

-- Writes goals(5) for all objectives, and pairs if they are watched, to a file; returns its lines and its path.
function proof.goals(session, folder)
	local o = session.options
	local path = folder .. "/goals"
	local own = not session.defuse and core.defuse(o.program, { entry = o.entry, criterion = o.criterion,
		protocol = o.protocol, scope = o.scope, may_alias = o.may_alias ~= nil }) or nil
	local defuse = session.defuse or own
	defuse:goals(path, core.any_criterion(o.criteria, "evaluations"))
	if own then
		own:close()
	end
	local lines = {}
	for line in io.lines(path) do
		lines[#lines + 1] = line
	end
	add_blocks(session, lines)
	write_goals(path, lines, function(tag) return without[tag] or session.defuse ~= nil end)
	return lines, path
end

-- By the number of an outcome in goals(5), as text: the number of the objective in the store.
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

-- By the number in goals(5), as text: the other goals without cut points, as arguments of store:goal_open().
local function others(session, lines)
	local unit_of, list, unit = {}, {}, {}
	for u = 0, session.flow:units() - 1 do
		unit_of[session.flow:key(u)] = u
	end
	for _, line in ipairs(lines) do
		local tag, id, second, rest = line:match("^(%l+)\t(%d+)\t([^\t]*)\t?(.*)$")
		if tag == "unit" then
			unit[id] = unit_of[second]
		elseif without[tag] and tag ~= "outcome" and unit[second] then
			list[id] = { tag, unit[second], (rest:gsub("\t", ",")) }
		end
	end
	return list
end

-- The user's statements about the inputs, for prove -g: incoming pointers are distinct only if --distinct says that of
-- all; --calls gives the initial state of globals, and that there is one call.
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
	return setmetatable({ session = session, folder = folder, rounds = 0, steps = 0, slice = first_slice, seconds = budget,
		spent = 0, decided = 0, given = given(session), others = {},
		settled = {}, left = {}, counterexamples = {} }, Proof)
end

-- Hands the goals over, before they are asked about first.
local function prepare(self)
	if not self.lines then
		self.lines = proof.goals(self.session, self.folder.path)
		self.objectives = proof.objectives(self.session, self.lines)
		self.others = others(self.session, self.lines)
	end
end

-- Has it so many goals that handing them over takes seconds, or a tenth of the session's time?
local function is_heavy(self)
	local n, seconds = #self.session.candidates, self.session.options.time
	return n > reasons.many or seconds ~= nil and n > most_a_second * seconds
end

-- The goals that more time may still decide, as a set, and their number.
local function open_goals(self)
	local list, n, session = {}, 0, self.session
	prepare(self)
	local aims = session.options.target and select(2, session:aims())
	for _, pair in ipairs(session:wanted()) do
		if not self.settled[pair] and session:is_mine(pair) then
			list[pair], n = true, n + 1
		end
	end
	for i = 1, session.store:objectives() do
		if select(3, session.store:wanted(i)) and not self.settled[-i] and session:is_mine(i) and (not aims or aims[i]) then
			list[-i], n = true, n + 1
		end
	end
	for number, other in pairs(self.others) do
		if not self.settled[number] and session:is_mine(tonumber(number)) and session.store:goal_open(table.unpack(other))
			and (not session.options.target or other[1] == "blocks") then
			list[number], n = true, n + 1
		end
	end
	return list, n
end

-- In a share of a session, all paths were run: if no other share covers the pair, it is infeasible by exhaustion.
function Proof:leave(pair)
	self.settled[pair] = self.settled[pair] or self.session.shared ~= nil
end

function Proof:any_open()
	return select(2, open_goals(self)) > 0
end

-- Has the search lately found something more often, by the second, than proofs have decided a goal?
local function earns_more(self, now)
	local ended = self.ended
	return (self.session.news - ended.news) * self.spent > self.decided * (now - ended.at)
end

-- Whether the search of a long session has had more than half of the time. Up to the middle of the session it may
-- while it earns more.
local function starves(self)
	local s = self.session
	if not s.deadline or self.rounds == 0 then
		return false
	end
	local now = core.now()
	local time = s.deadline - s.began
	return now - s.began > time / 5 and self.spent < (now - s.began) / 2
		and (now - s.began > time / 2 or not earns_more(self, now))
end

-- Has the search found nothing new since the last round of proofs, in as much time as that round had?
local function is_barren(self)
	local s, ended = self.session, self.ended
	return s.deadline and ended and not s.options.one_pair and s.news_run <= ended.run
		and core.now() > ended.at + math.max(least_barren, ended.took)
end

-- Proofs of many goals wait until the search has nothing to do, or half of a long session is over.
local function waits(self, idle)
	local s = self.session
	return is_heavy(self) and not idle and s.deadline
		and core.now() < s.began + math.max(least_heavy, (s.deadline - s.began) / 2)
end

function Proof:due(idle)
	self.steps = self.steps + 1
	if waits(self, idle) then
		return false
	end
	self.long = idle and self.rounds > 0 or starves(self)
	if self.long and self.session.deadline then
		return self:any_open()
	end
	if not idle and self.steps < self.slice and not is_barren(self)
		or self.rounds >= rounds and not (idle and self.session.deadline) then
		return false
	end
	return self:any_open()
end

-- The goal of that name in verdicts(5), as a number or text of this module.
local function goal_of(self, name)
	local number = name:match("^o(%d+)$")
	return tonumber(name) or self.objectives[number] and -self.objectives[number] or number
end

-- The answers of a process that proves: a list of { name, goal, verdict, evidence, assumed, value records }, and its
-- status.
local function verdicts_of(self, process, kept)
	local list, assumed = {}, {}
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
			list[#list + 1] = { name = r[4], goal = goal_of(self, r[4]), verdict = r[5], evidence = r[6],
				assumed = assumed[r[3]] or "" }
		elseif r[1] == "value" then
			table.insert(list[#list], r)
		elseif r[1] == "path" then
			list[#list].path = r[3]
		end
	end
	return list, process:close()
end

local function names_of(self)
	self.names = self.names or goalnames.of(self.session.flow, self.lines)
	return self.names
end

-- A process that proves the goals of a file: a copy of this one, which has the program model. Sessions without
-- pairs read it again; if that takes too long, it is killed, and goals without a verdict remain open.
local function prover_of(self, path, seconds)
	local defuse = self.session.defuse
	return defuse and core.prove(defuse, path, seconds, self.given)
		or core.spawn({ "timeout", ("%.3f"):format(1.1 * seconds + 0.1), filter "prove", "-t", ("%.3f"):format(seconds),
			"-f", self.session.options.program, "-g", self.given, path }, "goals", "verdicts")
end

-- Runs prove on these goals.
local function ask(self, open, seconds)
	local path = write_goals(self.folder.path .. "/open", self.lines, function(tag, number)
		if tag == "goal" then
			return open[tonumber(number)]
		end
		return self.objectives[number] and open[-self.objectives[number]] or open[number]
	end)
	local kept = kept_proofs.new()
	local list, status = verdicts_of(self, prover_of(self, path, seconds), kept)
	if status ~= 0 and status ~= killed then              -- prove failed: its verdicts are ignored
		list = {}
		for goal in pairs(open) do
			list[#list + 1] = { goal = goal, verdict = "unknown", evidence = "it ended with status " .. status, assumed = "" }
		end
	elseif kept.infeasible then
		self.session.store:keep_proof(kept:text(names_of(self)))
	end
	return list
end

-- Is each of these given facts given here, too?
local function is_given(self, words)
	for word in words:gmatch("%l+") do
		if word ~= "part" and not ("," .. self.given .. ","):find("," .. word .. ",", 1, true) then
			return false
		end
	end
	return true
end

-- Checks claims, verdicts(5) with proofs: those that hold, by the name of the goal.
local function check_claims(self, claims, seconds)
	local path, holds = self.folder.path .. "/claims", {}
	local f = assert(io.open(path, "w"))
	assert(f:write(claims) and f:close())
	local process = core.spawn({ "sh", "-c", 'exec "$@" 2>/dev/null', "sh", "timeout", ("%.3f"):format(seconds),
		filter "prove", "-t", ("%.3f"):format(seconds), "-k", path, "-f", self.session.options.program,
		self.folder.path .. "/goals" }, "goals", "verdicts")
	for _, v in ipairs(verdicts_of(self, process, kept_proofs.new())) do
		holds[v.name] = v.verdict == "infeasible" and v or nil
	end
	return holds
end

-- Verdicts on open goals by proofs of the last session that asked another question about the entry: the program was
-- another, say. prove checks each proof with the program as it is now, so it does not matter what was
-- changed: a proof that holds no more, or is now about another condition, does not check, and its goal is asked anew.
local function check_earlier(self, open, seconds)
	local session, deadline, list, numbers = self.session, core.now() + seconds, {}, {}
	local texts = session.store:earlier_proofs()
	for number, name in pairs(texts[1] and names_of(self) or {}) do
		numbers[name] = number
	end
	for _, text in ipairs(texts) do
		local claims, made = kept_proofs.translate(text, numbers, function(name, facts)
			return open[goal_of(self, name)] and is_given(self, facts)
		end)
		local holds = claims and core.now() < deadline and check_claims(self, claims, deadline - core.now()) or {}
		local before = #list
		for _, claim in ipairs(made) do
			local v = holds[claim.goal]
			if v and open[v.goal] then
				open[v.goal], v.evidence = nil, claim.evidence
				list[#list + 1] = v
			end
		end
		if #list > before then
			session.store:take_proof(kept_proofs.translate(text, numbers, function(name) return holds[name] end),
				#list - before)
		end
	end
	return list
end

-- The transition system has any argc. As many arguments as a run may have, none if there is not even argv[0].
local function arguments_of(session, args)
	return args >= 1 << 31 and 0 or math.min(args, session.grow.args or (select(4, core.limit("args", ""))))
end

-- The input of a counterexample, from its value records, as trace:inputs lists values.
local function input_of(session, v)
	local list = {}
	for i, r in ipairs(v) do
		local low, high = r[6], ""
		if #low > 16 then
			low, high = low:sub(-16), low:sub(1, -17)
		end
		list[i] = { name = r[3], kind = r[4], width = tonumber(r[5]), value = tonumber(low, 16),
			high = tonumber(high, 16) or 0 }
		list[i].value = r[3] == "args" and arguments_of(session, list[i].value) or list[i].value
	end
	return list
end

local function decide(self, goal, verdict, evidence)
	local session, other = self.session, self.others[goal]
	if other then
		session.store:goal_judge(other[1], other[2], other[3], verdict, evidence)
	else
		session.store:decide(goal > 0 and "pairs" or "branches", math.abs(goal), verdict, evidence)
	end
end

-- Records why a goal is not decided by a proof; returns whether it is still wanted, as goals that are unreachable
-- within limits are. late: the session is over, and the proposed input is not run. left: where its run left the path
-- that the transition system has.
local function unproved(self, v, late, left)
	local session, limited = self.session, v.evidence:find("^limits: ")
	local why = limited and reasons.of_limits(v.evidence) or reasons.of_proof(v.evidence, #v > 0, late, left)
	if self.others[v.goal] then
		decide(self, v.goal, "unknown", why)
		return session.store:goal_open(table.unpack(self.others[v.goal]))
	end
	if v.goal > 0 then
		local wanted = session:is_wanted(v.goal)
		session.far[v.goal] = tonumber(v.evidence:match("no path within (%d+) step")) or limited and beyond or nil
		if wanted and limited then
			session.reasons:limited(v.goal, reasons.of_limits(v.evidence))
		elseif wanted and not is_heavy(self) then
			session.reasons:unproved(v.goal, v.evidence, #v > 0, late, left)
		end
		return wanted
	end
	local wanted = select(3, session.store:wanted(-v.goal))
	if wanted then
		decide(self, v.goal, "unknown", why)
	end
	return wanted
end

-- Why a proof may hold for Clang only, or nil. For a proof from any state only the code of the goal's function counts.
local function doubtful(session, v)
	local name = session.options.entry
	if type(v.goal) == "string" then
		return leeway.sentences(session.flow, name)
	end
	if v.assumed:find("from any state", 1, true) and v.goal > 0 then
		name = session.defuse:pair(v.goal).def.func
	elseif v.assumed:find("from any state", 1, true) then
		local o = session.store:objective(-v.goal)
		name = session.flow:functions(o.unit)[session.flow:branches(o.unit)[o.branch].func].name
	end
	return leeway.sentences(session.flow, name)
end

-- Has the counterexample been run for another goal? If not, session:run() is to say where the run leaves its path.
local function tried(self, v)
	local words = { v.path or "" }
	for i, r in ipairs(v) do
		words[i + 1] = r[3] .. "=" .. r[6]
	end
	local key = table.concat(words, " ")
	if self.left[key] then
		unproved(self, v, false, self.left[key])
		return true
	end
	self.session.proposed = v.path and self.session.defuse and function(trace)
		self.left[key] = reasons.left(self.session, trace, v.path) or ""
		unproved(self, v, false, self.left[key])
	end
	return false
end

-- Is the goal not asked about again? More time may decide it after a limit of time, and after a counterexample: in
-- longer rounds more is known of the results of calls. A goal that is reached only when a counter has overflown is
-- asked about twice, and then not looked for any longer. `budget`: seconds of the round.
local function settles(self, v, budget)
	if v.evidence:find("a counter reaches its limit first", 1, true) then
		self.session.distant[v.goal] = self.rounds > 1 or nil
		return self.rounds > 1
	end
	if v.evidence:find("a run to try", 1, true) then
		local n, time = (self.counterexamples[v.goal] or 0) + 1, self.session.options.time or 0
		self.counterexamples[v.goal] = n
		return n > 1 and budget >= enough * time or n > most_counterexamples
	end
	return not (v.evidence .. v.assumed):find(out_of_time, 1, true)
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
	if self.rounds == 0 then                      -- quick proofs save the search from looking for infeasible goals
		budget = math.max(budget, math.min(n * a_goal, most_first * (session.options.time or 60)))
	end
	progress.phase("proving " .. session.options.entry, session.options.quiet)
	local verdicts = self.rounds == 0 and check_earlier(self, open,
		math.max(budget, most_first * (session.options.time or 60))) or {}
	local asked = ask(self, open, math.max(budget - (core.now() - began), budget / 2))
	table.move(asked, 1, #asked, #verdicts + 1, verdicts)
	progress.phase("searching", session.options.quiet)
	self.spent = self.spent + core.now() - began
	session.prove_cpu = session.prove_cpu + core.children_cpu() - before
	self.rounds = self.rounds + 1
	self.ended = { at = core.now(), took = core.now() - began, run = session.runs, news = session.news }
	self.steps, self.slice, self.seconds = 0, self.slice * growth, math.max(self.seconds, budget) * growth
	local i = 0
	return function()
		while i < #verdicts do
			i = i + 1
			local v = verdicts[i]
			if i % 4096 == 0 then
				core.now()                            -- tells the watch that this loop ends
			end
			self.settled[v.goal] = settles(self, v, budget)
			local doubt = v.verdict == "infeasible" and doubtful(session, v)
			if doubt then
				decide(self, v.goal, "unknown", "limits: " .. doubt)
			elseif v.verdict == "infeasible" then
				self.decided = self.decided + 1
				decide(self, v.goal, "infeasible", "proof: " .. v.evidence .. v.assumed)
			else
				local proposed = v.evidence:find("a run to try", 1, true)
				local late = proposed and session:over() and not (seconds and session.ended == "time")
				local input = proposed and not late and input_of(session, v)
				local kept = input and session:await(input)
				if unproved(self, v, late or kept) and input and not kept and not tried(self, v) then
					return session:model_of(input)
				end
			end
		end
	end
end

-- A last round for all open goals, with a tenth of the session's time; not of many when the time is over.
function Proof:finish()
	if is_heavy(self) and self.session:over() then
		return
	end
	for input in self:any_open() and self:round((self.session.options.time or 60) / 10) or function() end do
		self.session:run(input, nil, "prove")
	end
end

arguments.check(Proof, "prover", { due = "truth?", round = "number?", leave = "pair", any_open = "", finish = "" })

function proof.finish(session)
	proof.new(session):finish()
end

return proof
