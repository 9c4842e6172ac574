-- abstract: runs in which calls are not executed but return fresh inputs, and the search for runs that execute one more
-- call and follow the same path.
--
-- A run's level is the number of calls that it executes of those that may be abstract, from its start on; all later
-- ones are abstract. Runs of one level form a tree of their decisions. A run of level n follows a run of level n - 1
-- when both are equal before the additional call, and afterwards every condition of the program has the same outcome;
-- conditions in calls that begin later do not count.
local arguments = require "duct.arguments"
local core = require "duct.core"
local buckets = require "duct.buckets"
local calltree = require "duct.calltree"
local events = require "duct.events"
local keeping = require "duct.keeping"
local leap = require "duct.leap"
local names = require "duct.names"
local replays = require "duct.replays"
local summaries = require "duct.summaries"
local turns = require "duct.turns"

local abstract = {}
local Abstract = {}
Abstract.__index = Abstract

local all = 1 << 62                                   -- a level: every call is executed

-- ---- which functions

local function chosen(options, functions)
	local words, known, any = {}, {}, not options.abstract
	for _, f in ipairs(functions) do
		if not f.harness and f.name ~= options.entry then
			known[#known + 1] = f.name
			known[f.name] = true
		end
	end
	for _, list in ipairs(options.abstract or {}) do
		for word in list:gmatch("[^,]+") do
			if word == "all" then
				any = true
			elseif known[word] then
				words[word] = true
			elseif word == options.entry then
				error({ status = 2, message = ("--abstract %s: it is the entry"):format(word) }, 0)
			elseif word ~= "none" then
				error({ status = 2, message = names.unknown("function", word, known) }, 0)
			end
		end
	end
	return function(f)
		return f.name ~= options.entry and not f.harness and (any or words[f.name])
	end
end

-- The functions that the program may call, by their numbers.
local function called(functions)
	local set = {}
	for _, f in ipairs(functions) do
		for i in pairs((f.harness or f.name == "main") and f.reaches or {}) do
			set[i] = true
		end
	end
	return set
end

-- The program's functions, marked where calls of them may be abstract; and the runner's description of each marked one.
local function marked(options, refused)
	local functions, setup = core.effects(options.program), {}
	local may_be_chosen, is_called = chosen(options, functions), called(functions)
	for i, f in ipairs(functions) do
		f.wanted = is_called[i] and may_be_chosen(f)
		f.abstract = f.wanted and not f.hidden and not refused[f.name]
		f.why = f.wanted and not f.abstract and (f.hidden or refused[f.name]) or nil
		setup[#setup + 1] = f.abstract and f.setup or nil
	end
	return functions, setup
end

-- Has the program calls that may be abstract?
function abstract.possible(options)
	return #select(2, marked(options, {})) > 0
end

-- A new object for a session. `refused`: by the names of functions whose calls have to be executed, the reasons.
function abstract.new(session, refused)
	local self = setmetatable({ session = session, trees = {}, shown = {}, ways = {}, pending = buckets.new("oldest"),
		ready = {}, splits = {}, nodes = 0, complete = true,
		replays = replays.new(), tree = calltree.new() }, Abstract)
	self.known = summaries.new(session.space, function(conditions, values) return self:ask(conditions, values) end)
	local setup
	self.functions, setup = marked(session.options, refused)
	self.any = #setup > 0                         -- may any call be abstract?
	if self.any or next(refused) then
		session:reopen(setup)
	end
	if self.any then
		session:share_paths()
	end
	return self
end

-- Is the path of this run one that this share of the session answers for? The same path in each share has the same key.
function Abstract:is_mine(run)
	local number = 0
	for i = 1, self.session.shared and #run.key or 0 do
		number = (number ~ run.key:byte(i)) * 16777619 & 0xffffffff
	end
	return self.session:is_mine(number >> 8)
end

-- Functions that run only outside of calls that may be abstract: [unit][id] = true.
function Abstract:under_test()
	local inside, list = {}, {}
	for _, f in ipairs(self.functions) do
		for i in pairs(f.abstract and f.reaches or {}) do
			inside[i] = true
		end
	end
	for i, f in ipairs(self.functions) do
		if not f.abstract and not inside[i] then
			list[f.unit] = list[f.unit] or {}
			list[f.unit][f.id] = true
		end
	end
	return list
end

-- ---- runs

local ends_early = { timeout = true, memory = true, output = true, limit = true, server = true, check = true }

-- Ends the search when calls cannot stay abstract: the run said so, or a fault followed an abstract call without a
-- condition on the path, so that no other run would continue from there. Checks of divisors and for NULL are conditions
-- unless the path decides them.
local faults = { segv = true, signal = true, bounds = true }

local function refuse(run)
	local needed, why = {}, "a path writes or calls through a pointer that it returns, or its effects are not fully known"
	needed[1] = run.ended == "limit" and (run.message or ""):match("^abstract: ([%w_]+)") or nil
	local last = run.events[#run.events]
	if run.call and faults[run.ended] and not (last.kind == "condition" and last.about and last.outcome == 0) then
		why = "a fault follows it that no condition of the path explains"
		for i = run.call, #run.events do
			needed[#needed + 1] = run.events[i].callee
		end
	end
	if #needed > 0 then
		error({ needed = needed, why = why }, 0)
	end
end

-- Calls explore(self). True when some calls cannot stay abstract: their functions are refused then, and paths and
-- predictions of this attempt do not count.
local function attempt(self, explore, refused)
	local session = self.session
	local paths, mispredicted, cut = session.paths, session.mispredicted, session.cut
	local ok, why = pcall(explore, self)
	if not ok and not (type(why) == "table" and why.needed) then
		error(why, 0)
	end
	for _, name in ipairs(not ok and why.needed or {}) do
		refused[name] = why.why
	end
	if not ok then
		session.paths, session.mispredicted, session.cut = paths, mispredicted, cut
	end
	return not ok
end

-- The functions whose calls may be abstract, and those of which calls are executed, with the reason.
function Abstract:chosen()
	local names_of, executed = {}, {}
	for _, f in ipairs(self.functions) do
		names_of[#names_of + 1] = f.abstract and f.name or nil
		executed[#executed + 1] = f.why and { name = f.name, why = f.why } or nil
	end
	return names_of, executed
end

-- For the report: which functions' calls may be abstract, which not and why; of which paths are known as formulas; and
-- how often runs executed which.
local function tell(session, calls)
	local list, executed = calls:chosen()
	local texts = {}
	for i, f in ipairs(executed) do
		texts[i] = ('{"function": "%s", "why": "%s"}'):format(f.name, f.why)
	end
	local known = {}
	for i, f in ipairs(calls.known.formulas:known()) do
		known[i] = ('{"function": "%s", "paths": %d, "effects": %d}'):format(f.name, f.paths, f.effects)
	end
	session.extra = ('"calls": {"abstract": [%s], "executed": [%s],\n  "summaries": [%s], "tree": %s}'):format(
		#list > 0 and '"' .. table.concat(list, '", "') .. '"' or "", table.concat(texts, ",\n  "),
		table.concat(known, ",\n  "), calls.tree:json())
	session.calls = { executed = executed, text = session.extra }
end

-- Calls explore(calls), and again, with fewer functions, as long as calls of some cannot stay abstract. Returns the
-- last `calls`; nil where no call may be abstract: then results of explore, if it was called, do not count.
function abstract.explore(session, explore)
	local refused = {}
	local calls, again
	repeat
		calls = abstract.new(session, refused)
		tell(session, calls)
		again = calls.any and attempt(calls, explore, refused)
	until not again
	tell(session, calls)
	return calls.any and calls or nil
end

local function execute(self, values, level, origin)
	local session = self.session
	local blocks, varied = session.blocks, session.blocks and session.blocks.current
	values = values or varied and blocks:values(varied.block) or session.space:model()
	values:set("duct.calls", "u", 64, level)
	values:set("duct.returns", "u", 64, level > 0 and 1 or 0)
	local trace <close> = session:execute(values)
	local run = { level = level, id = session.runs }
	run.events, run.values, run.effects = session.space:events(trace)
	self.tree:learn(run.events, events.replaced)
	run.ended, run.failed, run.message = trace:ended()
	run.result = ("%s %s %d"):format(run.ended, trace:result())
	for i, e in ipairs(run.events) do
		if e.kind == "asked" and e.outcome == events.replaced then
			run.call = i
			break
		end
	end
	if blocks and not run.call then -- calls that are not executed report no flows
		blocks:learn(trace)
	end
	refuse(run)
	run.outcomes = events.outcomes(run.events, 1)
	run.key = events.key(run.outcomes)
	local lost = #trace:lost() > 0
	if ends_early[run.ended] then
		session.cut = session.cut + 1
	end
	self.complete = self.complete and not lost
	local fresh = not run.call and run.ended ~= "rejected" and not self.shown[run.key]
	if fresh then
		self.shown[run.key] = true
		session.paths = session.paths + (self:is_mine(run) and 1 or 0)
	end
	run.may_cover = run.call and level == 0 and session.defuse and session.defuse:covered(trace) or nil
	local covered, _, _, _, _, entered = session.store:add(trace, origin, nil,
		fresh and session.options.keep ~= "new", false, not run.call and session:credited(trace) or nil, run.call ~= nil)
	session.entered, session.first_end = session.entered or entered, session.first_end or run.ended
	if covered > 0 then
		session.news, session.news_run = session.news + 1, session.runs
		session.good[#session.good + 1] = trace:inputs()
	end
	session:tick()
	if not run.call then
		self.replays:put(trace:inputs(), values)
	end
	if not run.call and run.ended ~= "rejected" then
		self.known:learn(run)
	end
	run.effects = nil
	if level ~= all then
		if level > 0 then
			self:learn_way(run, level)
		end
		self:insert(run, level)
	end
	return run
end

-- One execution that executes the first `level` calls.
function Abstract:run(values, level, origin)
	local run = execute(self, values, level, origin)
	turns.pause()
	return run
end

-- A real run; nil if an equal one was made before.
function Abstract:new_run(values)
	return not self.replays:has(values) and self:run(values, all, "expanded") or nil
end

-- ---- trees. A node: plain events, then the expression that decides (nil: the run ends); slots of outcomes lead on.
-- Where a slot leads to several nodes (a value that was made concrete differs), they form a list.

local function node_below(slot, about)
	local node = slot.node
	while node and node.about ~= about do
		node = node.other
	end
	return node
end

local a_call = 64                                     -- decisions that count as much: paths of few calls come first

-- Goes on from a slot: plain events, and the event that decides after so many calls; the slot of its outcome, and the
-- node when it is new.
function Abstract:extend(level, slot, run, plain, e, calls)
	local node = node_below(slot, e and e.about)
	local known = node ~= nil
	if not known then
		self.splits[level] = (self.splits[level] or 0) + (slot.node and 1 or 0)
		self.nodes = self.nodes + (level > 0 and 1 or 0)
		node = { plain = plain, about = e and e.about, values = run.values, level = level, other = slot.node, up = slot,
			slots = {}, kind = e and e.kind, site = e and e.site }
		slot.node = node
		for outcome, condition in pairs(e and e.conditions or {}) do
			local s = { condition = condition, outcome = outcome, above = node, depth = slot.depth + 1,
				step = (" %d:%d"):format(e.site, outcome) }
			node.slots[outcome] = s
			s.open = outcome ~= e.outcome and not e.fixed
			if s.open and level == 0 then
				self.pending:put(s.depth + a_call * calls, s)
			end
		end
	end
	local taken = e and node.slots[e.outcome]
	if taken then
		taken.open = false
	end
	return taken, not known and node or nil
end

-- The conditions that hold on the way to a slot.
local function conditions_of(slot)
	local list = {}
	while slot.above do
		list[slot.depth] = slot.condition
		slot = slot.above.up
	end
	return list
end

-- Keeps of a run, whose events are in the tree: the slot of its first abstract call, the outcomes that its path
-- promises after that, and the calls that may be abstract, in order; for level 0 also the data that guesses need.
local function keep_little(run, last)
	run.promised = run.call and events.outcomes(run.events, run.call + 1)
	run.order = {}
	for _, e in ipairs(run.events) do
		run.order[#run.order + 1] = e.kind == "asked" and e.outcome ~= events.concrete and e or nil
	end
	if run.level == 0 then
		run.asked, run.conditions = events.calls(run.events), conditions_of(last)
	else
		run.outcomes = nil
	end
	run.events = nil
end

function Abstract:insert(run, level)
	local slot = self.trees[level] or { depth = 0 }
	local plain, met, calls, before, asked = {}, {}, 0, 0, 0
	self.trees[level] = slot
	for i, e in ipairs(run.events) do
		if run.call == i then
			run.slot, run.before = slot, before
		end
		if e.about and not met[e.about] then
			met[e.about] = true
			slot = self:extend(level, slot, run, plain, e, asked)
			if not slot then
				self.complete = false                 -- another number of cases than before
				return
			end
			plain, before = {}, calls
		else
			plain[#plain + 1] = e
			asked = asked + (e.kind == "asked" and 1 or 0)
			calls = calls + (e.kind == "asked" and e.outcome == events.real and 1 or 0)
		end
	end
	local _, ended = self:extend(level, slot, run, plain, nil)
	keep_little(run, slot)
	if ended and level > 0 then
		ended.run = run
	elseif ended and run.ended ~= "rejected" and run.ended ~= "limit" then
		self.ready[#self.ready + 1] = run
	end
end

function Abstract:ask(conditions, values, wish)
	local session, before = self.session, core.cpu()
	local answer, found = session.solver:ask(conditions, values, wish)
	session.solve_cpu = session.solve_cpu + core.cpu() - before
	return answer, found
end

-- Runs into an open slot. `wish`: values that fresh inputs should rather have; `useful`: those that inputs of the
-- program should. False when there is no input for it.
function Abstract:open(slot, origin, wish, useful)
	local session, conditions = self.session, conditions_of(slot)
	if session:over() then
		return false
	end
	slot.open = false
	local answer, values = self:ask(conditions, slot.above.values, wish)
	if answer ~= "sat" then
		self.complete = self.complete and answer == "unsat"
		return false
	end
	if useful then
		values = session.space:adopt(conditions, values, useful)
	end
	self:run(values, slot.above.level, origin)
	if not slot.node then
		session.mispredicted = session.mispredicted + 1
		self.complete = false
	end
	return true
end

-- ---- ways to results: the last decision of a call, with its loop iteration, before it returned a result

local function way_key(site, outcome, round)
	return ("%d:%d %d"):format(site, outcome, round)
end

-- Learns the last decision of the additional call of a run, and the call's result.
function Abstract:learn_way(run, level)
	local calls, inside, callee, rounds, way = 0, 0, nil, {}, nil
	for _, e in ipairs(run.events) do
		if e.kind == "asked" then
			calls = calls + (e.outcome == events.real and 1 or 0)
			callee = callee or calls == level and e.site or nil
			inside = inside + (callee and e.outcome ~= events.replaced and 1 or 0)
		elseif e.kind == "return" and callee then
			inside = inside - 1
			if inside == 0 then
				local result = ("%d %d"):format(callee, e.result or 0)
				self.ways[result] = self.ways[result] or {}
				self.ways[result][way or 0] = true
				return
			end
		elseif inside == 1 and e.about then
			rounds[e.site] = (rounds[e.site] or 0) + 1
			way = way_key(e.site, e.outcome, rounds[e.site])
		end
	end
end

-- Is an outcome known to be the last one before the first abstract call of a run returns the required result?
function Abstract:leads(run, site, outcome, round)
	local call = run.order[run.level + 1]
	local result = run.values:get(("%s#%d"):format(call.callee, leap.count(run, run.level + 1)))
	local ways = result and self.ways[("%d %d"):format(call.site, result)]
	return ways and ways[way_key(site, outcome, round)]
end

-- ---- searches

-- Runs what the session has been given, without abstract calls.
function Abstract:replay()
	for _, input in ipairs((self.session:given())) do
		if not self.session:over() then
			self:run(input, all, "replay")
		end
	end
end

-- Another path of level 0, on which every call that may be abstract is abstract (Figure 4); nil: there is none.
function Abstract:abstract_next_path()
	if not self.trees[0] then
		self:run(nil, 0, "first")
	end
	while #self.ready == 0 and self.pending.count > 0 and not self.session:over() do
		local slot = self.pending:take()
		if slot.open then
			self:open(slot, "solved")
		end
	end
	return table.remove(self.ready, 1)
end

local most_nodes = 100000                             -- of trees that are kept for the paths to come

-- Called between two paths: drops the trees of levels above 0 when they are large. They only save runs for later paths.
function Abstract:forget()
	if self.nodes > most_nodes then
		self.trees, self.splits, self.nodes = { [0] = self.trees[0] }, {}, 0
	end
end

-- The slot of this level's tree behind what comes before a run's first abstract call; nil: no run went there.
function Abstract:behind(run, level)
	local way, slot = {}, run.slot
	while slot.above do
		way[slot.depth] = slot
		slot = slot.above.up
	end
	slot = self.trees[level]
	for _, s in ipairs(way) do
		local node = slot and node_below(slot, s.above.about)
		slot = node and node.slots[s.outcome]
	end
	return slot and slot.node and slot
end

local most_vain = 2                                   -- attempts for a call

-- Real runs like this one in which a call reads fewer elements, so that its summary fits more calls.
local function shorten(self, run, i)
	local by, vain = 1 << math.log(math.max(#run.known.calls[i].inputs, 1), 2) // 1 | 0, 0
	while by > 0 and vain < most_vain and not self.session:over() do
		local tried = self:new_run(self.known:moved(run.known, run.known.calls[i], by))
		if tried and tried.key == run.key and tried.known and tried.known.size < run.known.size then
			run, vain = tried, -math.huge
		else
			vain = vain + 1
		end
		by = by >> 1
	end
	return run
end

-- Calls of a real run whose results are of use now, each result once.
function Abstract:shorten(run)
	for i = 1, #run.known.calls do
		local of_result = run.known.calls[i].of_result
		if of_result and not of_result.short then
			run = shorten(self, run, i)
			of_result.short = true
		end
	end
end

-- Makes real runs, guessed from summaries, that follow longer and longer prefixes of the path of `run`, a run of level
-- 0. A run that follows all of it, or nil, from which nothing follows.
function Abstract:guess(run)
	local promised, kept = run.outcomes, -1
	while self.known:kept(promised) > kept and not self.session:over() do
		kept = self.known:kept(promised)
		for _, proposal in ipairs(self.known:proposals(run, promised)) do
			local tried = self:new_run(proposal.values)
			if self.known:kept(promised) > kept then
				self.known:confirm(proposal)
				self:shorten(tried)
			end
			if tried and tried.key == run.key and tried.ended ~= "rejected" then
				return tried
			elseif self.known:kept(promised) > kept or self.session:over() then
				break
			end
		end
	end
end

-- The name of the first guess that fails for a path; nil: none does.
function Abstract:obstacle(run)
	return self.known:obstacle(run, run.outcomes)
end

-- A run that follows `run`, a run of level 0, and begins like the real run that follows the longest prefix of it; nil:
-- none was found.
function Abstract:begun(run)
	local values, level = self.known:start(run, run.outcomes)
	if values and level > 0 and not self.session:over() then
		local begun = self:run(self.session.space:adopt({}, run.values, values), level, "expanded")
		return begun.key == run.key and begun.ended ~= "rejected" and begun or nil
	end
end

-- An iterator over runs that execute one call more than `run` and keep to its path (next_path of Figure 5). useful:
-- values that inputs should rather have.
function Abstract:next_path(run, useful)
	return keeping(self, run, useful)
end

-- The inputs of a real run, for session:run.
function Abstract:inputs(run)
	local values = self.session.space:adopt({}, self.session.space:model(), run.values)
	values:set("duct.calls", "u", 64, all)
	return values
end

-- A run that keeps to the path of `run` and executes all calls before the one that has to go another way with these
-- inputs (duct.leap).
function Abstract:leap(run)
	return leap.to(self, run, all)
end

-- Values of the real run that keeps the most of the path of `run`; nil: there is none.
function Abstract:nearest(run)
	return self.known:values(run.outcomes)
end

-- Values for the first run that goes on from what comes before a call: those of the real run that is nearest, where no
-- condition is about them.
function Abstract:first_values(run, useful)
	return useful and self.session.space:adopt(conditions_of(run.slot), run.values, useful) or run.values
end

arguments.check(Abstract, "calls", {
	abstract_next_path = "", next_path = "table input?", inputs = "table", replay = "",
})

return abstract
