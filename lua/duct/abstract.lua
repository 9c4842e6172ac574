-- abstract: runs in which calls of functions are not executed but give fresh inputs, and the search for runs
-- that execute one call more and keep to a path.
--
-- A run's level is the number of calls that it executes of those that may be abstract, from its start on; all
-- later ones are abstract. Runs of one level form a tree of their decisions. A run of level n keeps to a run of
-- level n - 1 when all is the same before the call that it executes more, and afterwards every condition
-- of the program goes the same way; conditions in calls that begin later do not count.
local core = require "duct.core"
local buckets = require "duct.buckets"
local names = require "duct.names"
local summaries = require "duct.summaries"

local abstract = {}
local Abstract = {}
Abstract.__index = Abstract

local real, replaced = 0, 1                           -- outcomes of `asked`; 2: executed, as nothing was symbolic
local all = 1 << 62                                   -- a level: every call is executed

-- ---- which functions

local function chosen(options, functions)
	local words, known, all = {}, {}, not options.abstract
	for _, f in ipairs(functions) do
		known[#known + 1] = f.name
		known[f.name] = true
	end
	for _, list in ipairs(options.abstract or {}) do
		for word in list:gmatch("[^,]+") do
			if word == "all" then
				all = true
			elseif known[word] then
				words[word] = true
			elseif word ~= "none" then
				error({ status = 2, message = names.unknown("function", word, known) }, 0)
			end
		end
	end
	return function(f)
		return f.name ~= options.entry and not f.harness and not f.hidden and (all or words[f.name])
	end
end

-- What the program may call, by the functions' numbers.
local function called(functions)
	local set = {}
	for _, f in ipairs(functions) do
		for i in pairs((f.harness or f.name == "main") and f.reaches or {}) do
			set[i] = true
		end
	end
	return set
end

-- A new mechanism for a session. `refused`: names of functions whose calls have to be executed.
function abstract.new(session, refused)
	local self = setmetatable({ session = session, trees = {}, shown = {}, pending = buckets.new("oldest"),
		ready = {}, splits = 0, complete = true, known = summaries.new(session.space) }, Abstract)
	self.functions = core.effects(session.options.program)
	local may_be, is_called, setup = chosen(session.options, self.functions), called(self.functions), {}
	for i, f in ipairs(self.functions) do
		f.abstract = is_called[i] and may_be(f) and not refused[f.name]
		setup[#setup + 1] = f.abstract and f.setup or nil
	end
	self.any = #setup > 0                         -- may any call be abstract?
	if self.any or next(refused) then
		session:reopen(setup)
	end
	return self
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

-- Outcomes of the conditions of the program from event `first` on, in order, but for those in calls.
local function outcomes(events, first)
	local list, inside = {}, 0
	for i = first, #events do
		local e = events[i]
		if e.kind == "asked" then
			inside = inside + (e.outcome == replaced and 0 or 1)
		elseif e.kind == "return" then
			inside = math.max(inside - 1, 0)
		elseif e.kind == "branch" and inside == 0 then
			list[#list + 1] = e
		end
	end
	return list
end

-- Events of the calls that no other call made.
local function calls_of(events)
	local list, inside = {}, 0
	for _, e in ipairs(events) do
		if e.kind == "asked" then
			list[#list + 1] = inside == 0 and e or nil
			inside = inside + (e.outcome == replaced and 0 or 1)
		elseif e.kind == "return" then
			inside = math.max(inside - 1, 0)
		end
	end
	return list
end

local function key_of(list)
	local text = {}
	for i, e in ipairs(list) do
		text[i] = e.site .. ":" .. e.outcome
	end
	return table.concat(text, " ")
end

local ends_early = { timeout = true, memory = true, output = true, limit = true, server = true, check = true }

-- Ends the search when calls cannot stay abstract: the run said so, or after an abstract call it met a fault that no
-- condition tells of, so that no other run would go on from there.
local faults = { null = true, segv = true, signal = true, division = true, bounds = true }

local function refuse(run)
	local needed = { run.ended == "limit" and (run.message or ""):match("^abstract: ([%w_]+)") or nil }
	local last = run.events[#run.events]
	if run.call and faults[run.ended] and not (last.kind == "condition" and last.about and last.outcome == 0) then
		for i = run.call, #run.events do
			needed[#needed + 1] = run.events[i].callee
		end
	end
	if #needed > 0 then
		error({ needed = needed }, 0)
	end
end

-- Calls explore(self). True when some calls cannot stay abstract: their functions are refused then.
function Abstract:attempt(explore, refused)
	local ok, why = pcall(explore, self)
	if not ok and not (type(why) == "table" and why.needed) then
		error(why, 0)
	end
	for _, name in ipairs(not ok and why.needed or {}) do
		refused[name] = true
	end
	return not ok
end

-- One execution that executes the first `level` calls.
function Abstract:run(values, level, origin)
	local session = self.session
	local blocks, varied = session.blocks, session.blocks and session.blocks.current
	values = values or varied and blocks:values(varied.block) or session.space:model()
	values:set("duct.calls", "u", 64, level)
	local trace <close> = session.runner:run(session.runs + 1, values, varied and blocks.partition, varied and varied.block)
	session.runs = session.runs + 1
	local run = { level = level, id = session.runs }
	run.events, run.values = session.space:events(trace)
	run.ended, run.failed, run.message = trace:ended()
	for i, e in ipairs(run.events) do
		if e.kind == "asked" and e.outcome == replaced then
			run.call = i
			break
		end
	end
	if blocks and not run.call then               -- what is not executed tells no flows
		blocks:learn(trace)
	end
	refuse(run)
	local decided = outcomes(run.events, 1)
	run.key = key_of(decided)
	local lost = #trace:lost() > 0
	if ends_early[run.ended] then
		session.cut = session.cut + 1
	end
	self.complete = self.complete and not lost
	local fresh = not run.call and run.ended ~= "rejected" and not self.shown[run.key]
	if fresh then
		self.shown[run.key] = true
		session.paths = session.paths + 1
	end
	local covered = session.store:add(trace, origin, nil, fresh and session.options.keep ~= "new", false, nil, run.call ~= nil)
	if covered > 0 then
		session.news = session.news + 1
	end
	session:tick()
	if not run.call and run.ended ~= "rejected" then
		self.known:learn(run, decided)
	end
	if level ~= all then
		self:insert(run, level)
	end
	return run
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

-- Goes on from a slot: plain events, and the event that decides; the slot of its outcome.
function Abstract:extend(level, slot, run, plain, e)
	local node = node_below(slot, e and e.about)
	if not node then
		self.splits = self.splits + (slot.node and 1 or 0)
		node = { plain = plain, about = e and e.about, run = run, level = level, other = slot.node, up = slot,
			slots = {}, kind = e and e.kind, site = e and e.site }
		slot.node = node
		for outcome, condition in pairs(e and e.conditions or {}) do
			local s = { condition = condition, outcome = outcome, above = node, depth = slot.depth + 1,
				step = (" %d:%d"):format(e.site, outcome), classes = {} }
			node.slots[outcome] = s
			s.open = outcome ~= e.outcome and not e.fixed
			if s.open and level == 0 then
				self.pending:put(s.depth, s)
			end
		end
	end
	local taken = e and node.slots[e.outcome]
	if taken then
		taken.open = false
	end
	return taken, node
end

function Abstract:insert(run, level)
	local slot = self.trees[level] or { depth = 0 }
	local plain, met, calls, before, node = {}, {}, 0, 0, nil
	self.trees[level] = slot
	run.path = {}
	for i, e in ipairs(run.events) do
		if run.call == i then
			run.prefix, run.before = #run.path, before
		end
		if e.about and not met[e.about] then
			met[e.about] = true
			slot = self:extend(level, slot, run, plain, e)
			if not slot then
				self.complete = false                 -- another number of cases than before
				return
			end
			run.path[#run.path + 1] = slot
			plain, before = {}, calls
		else
			plain[#plain + 1] = e
			calls = calls + (e.kind == "asked" and e.outcome == real and 1 or 0)
		end
	end
	_, node = self:extend(level, slot, run, plain, nil)
	if level == 0 and node.run == run and run.ended ~= "rejected" then
		self.ready[#self.ready + 1] = run
	end
end

-- What holds on the way to a slot.
local function conditions_of(slot)
	local list = {}
	while slot.above do
		list[slot.depth] = slot.condition
		slot = slot.above.up
	end
	return list
end

-- Runs into an open slot. `wish`: values that fresh inputs should rather have; `useful`: those that inputs of the
-- program should. False when there is no input for it.
function Abstract:open(slot, origin, wish, useful)
	local session, conditions = self.session, conditions_of(slot)
	local from = slot.above.run
	slot.open = false
	local before = core.cpu()
	local answer, values = session.solver:meet(conditions, from.values, wish)
	session.solve_cpu = session.solve_cpu + core.cpu() - before
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

-- ---- searches

-- Runs what the session has been given, without abstract calls.
function Abstract:replay()
	for _, input in ipairs((self.session:given())) do
		if not self.session:over() then
			self:run(input, all, "replay")
		end
	end
end

-- The paths of level 0, one after another.
function Abstract:paths()
	local started, given = false, 0
	return function()
		if not started then
			started = true
			self:run(nil, 0, "first")
		end
		while given == #self.ready and self.pending.count > 0 and not self.session:over() do
			local slot = self.pending:take()
			if slot.open then
				self:open(slot, "solved")
			end
		end
		given = given + 1
		return self.ready[given]
	end
end

-- What a node's plain events do to the place of a walk: calls executed so far, depth in the call that is
-- executed more (nil before it, 0 behind it), depth in later calls, outcomes that were kept. Nil: they
-- leave the path.
local function pass(plain, at, level, promised)
	local calls, depth, inside, kept = at.calls, at.depth, at.inside, at.kept
	for _, e in ipairs(plain) do
		if e.kind == "asked" then
			if depth == nil then
				calls = calls + (e.outcome == real and 1 or 0)
				depth = calls == level and 1 or nil
			elseif e.outcome ~= replaced and depth > 0 then
				depth = depth + 1
			elseif e.outcome ~= replaced then
				inside = inside + 1
			end
		elseif e.kind == "return" then
			if depth and depth > 0 then
				depth = depth - 1
			else
				inside = math.max(inside - 1, 0)
			end
		elseif e.kind == "branch" and depth == 0 and inside == 0 then
			kept = kept + 1
			local p = promised[kept]
			if not p or p.site ~= e.site or p.outcome ~= e.outcome then
				return nil
			end
		end
	end
	return { calls = calls, depth = depth, inside = inside, kept = kept, steps = at.steps }
end

-- The slot of this level's tree behind what comes before a run's first abstract call; nil: no run went there.
function Abstract:behind(run, level)
	local slot = self.trees[level]
	for i = 1, run.prefix do
		local s = run.path[i]
		local node = slot and node_below(slot, s.above.about)
		slot = node and node.slots[s.outcome]
	end
	return slot and slot.node and slot
end

-- Open slots of a search by class: an outcome in a callee, in about the same round of a loop (1, 2 to 3, 4 to 7, ...), on
-- a way of as many different steps. What was chosen seldom comes first, so that no loop drowns the rest, and a class
-- of simple ways is chosen oftener. What brings a run back to the promise comes before all that.
local bound = "bound"
local most_steps = 40

local function class_of(step, round, steps)
	return ("%s %d %d"):format(step, math.log(round, 2) // 1 | 0, steps.n)
end

local function put_open(search, slot, at, class)
	local list = search.open[class] or buckets.new("oldest")
	search.open[class] = list
	list.weight = class == bound and 0 or 2 ^ math.min(at.steps.n, most_steps)
	list:put(slot.depth, { slot = slot, at = at, class = class })
end

-- The place of a walk behind an outcome in a callee.
local function behind_step(at, step)
	if at.steps[step] then
		return at
	end
	local steps = { n = at.steps.n + 1, [step] = true }
	for other in pairs(at.steps) do
		steps[other] = steps[other] or true
	end
	return { calls = at.calls, depth = at.depth, inside = at.inside, kept = at.kept, steps = steps }
end

-- Walks what is known below a slot; the search gets `runs` that keep to the promise, and open slots. rounds: how
-- often each place was met since the search began.
local function walk(search, slot, at, rounds)
	local node = slot.node
	while node do
		local now = pass(node.plain, at, search.level, search.promised)
		if now and not node.about then
			if now.depth == 0 and now.kept == #search.promised and node.run.ended ~= "rejected" then
				search.runs[#search.runs + 1] = node.run
			end
		elseif now then
			local is_bound = now.depth == 0 and now.inside == 0 and node.kind == "branch"
			local p = search.promised[now.kept + 1]
			now.kept = now.kept + (is_bound and 1 or 0)
			rounds[node.site] = (rounds[node.site] or 0) + 1
			for outcome, s in pairs(node.slots) do
				local allowed = not is_bound or p and p.site == node.site and p.outcome == outcome
				local there = is_bound and now or behind_step(now, s.step)
				if allowed and s.open then
					put_open(search, s, there, is_bound and bound or class_of(s.step, rounds[node.site], there.steps))
				elseif allowed and s.node then
					walk(search, s, there, rounds)
				end
			end
			rounds[node.site] = rounds[node.site] - 1
		end
		node = node.other
	end
end

-- How often each place was met on the way to a slot.
local function rounds_before(search, slot)
	local rounds = {}
	while slot ~= search.start do
		local site = slot.above.site
		rounds[site] = (rounds[site] or 0) + 1
		slot = slot.above.up
	end
	return rounds
end

-- Walks it all again when a place that was passed leads on in another way, too.
local function look_again(search)
	if search.splits ~= search.owner.splits then
		search.splits, search.open, search.runs = search.owner.splits, {}, {}
		walk(search, search.start, search.at, {})
	end
end

local function better(search, class, best)
	local mine, other = search.open[class], search.open[best]
	local a = mine.weight * (1 + (search.chosen[class] or 0))
	local b = other.weight * (1 + (search.chosen[best] or 0))
	if a ~= b then
		return a < b
	end
	return mine.lowest < other.lowest or mine.lowest == other.lowest and class < best
end

-- The best slot, taken from the search; it was open when it was put there. nil: none is left.
local function take_best(search)
	local best
	for class, list in pairs(search.open) do
		if list.count == 0 then
			search.open[class] = nil
		elseif not best or better(search, class, best) then
			best = class
		end
	end
	return best and search.open[best]:take()
end

-- Real runs that keep more and more of the path of `run`, a run of level 0, as summaries tell. One that keeps to all of
-- it, or nil, which means nothing.
function Abstract:guess(run)
	local promised, kept = outcomes(run.events, 1), -1
	run.asked = calls_of(run.events)
	while self.known:kept(promised) > kept and not self.session:over() do
		kept = self.known:kept(promised)
		for _, proposal in ipairs(self.known:proposals(run, promised)) do
			local tried = self:run(proposal.values, all, "expanded")
			if self.known:kept(promised) > kept then
				self.known:confirm(proposal)
			end
			if tried.key == run.key and tried.ended ~= "rejected" then
				return tried
			elseif self.known:kept(promised) > kept or self.session:over() then
				break
			end
		end
	end
end

local most_vain = 2                                   -- attempts for a call

-- Real runs like this one whose calls read less, so that their summaries fit in more places and leave more room.
function Abstract:shorten(run)
	for i = 1, #run.known.calls do
		local by, failed = 1 << math.log(math.max(#run.known.calls[i].inputs, 1), 2) // 1 | 0, 0
		while by > 0 and failed < most_vain and not self.session:over() do
			local tried = self:run(self.known:moved(run.known, run.known.calls[i], by), all, "expanded")
			if tried.key == run.key and tried.known and tried.known.size < run.known.size then
				run, failed = tried, 0
			else
				by, failed = by >> 1, failed + 1
			end
		end
	end
end

-- A run that keeps to `run`, a run of level 0, and begins as the real run that keeps the most of it; nil: none was found.
function Abstract:begun(run)
	local values, level = self.known:start(run, outcomes(run.events, 1))
	if values and level > 0 then
		local begun = self:run(self.session.space:adopt({}, run.values, values), level, "expanded")
		return begun.key == run.key and begun.ended ~= "rejected" and begun or nil
	end
end

-- Values of the real run that keeps the most of the path of `run`; nil: there is none.
function Abstract:nearest(run)
	return self.known:values(outcomes(run.events, 1))
end

-- Values for the first run that goes on from what comes before a call: those of the real run that is nearest, where no
-- condition is about them.
function Abstract:first_values(run, useful)
	local conditions = {}
	for i = 1, run.prefix do
		conditions[i] = run.path[i].condition
	end
	return useful and self.session.space:adopt(conditions, run.values, useful) or run.values
end

-- The runs that execute one call more than `run` and keep to it, one after another. useful: values that inputs of the
-- program should rather have; last: the number of the run after which to give up.
function Abstract:keeping(run, useful, last)
	local level, promised, given = run.level + 1, outcomes(run.events, run.call + 1), {}
	local search = { owner = self, level = level, promised = promised, open = {}, runs = {}, chosen = {},
		at = { calls = run.before, inside = 0, kept = 0, steps = { n = 0 } } }
	return function()
		search.start = search.start or self:behind(run, level)
		if not search.start then
			self:run(self:first_values(run, useful), level, "expanded")
			search.start = self:behind(run, level)
		end
		while search.start and not self.session:over() and self.session.runs < last do
			look_again(search)
			local found = table.remove(search.runs, 1)
			if found and not given[found] then
				given[found] = true
				return found
			elseif not found then
				local entry = take_best(search)
				if not entry then
					return nil
				elseif entry.slot.open then
					search.chosen[entry.class] = (search.chosen[entry.class] or 0) + 1
					self:open(entry.slot, "expanded", run.values, useful)
				end
				walk(search, entry.slot, entry.at, rounds_before(search, entry.slot))
			end
		end
		self.complete = self.complete and last < math.huge    -- what gives up is not the only search
	end
end

return abstract
