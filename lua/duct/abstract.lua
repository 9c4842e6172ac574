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

-- A new mechanism for a session. `refused`: names of functions whose calls have to be executed.
function abstract.new(session, refused)
	local self = setmetatable({ session = session, trees = {}, shown = {}, pending = buckets.new("oldest"),
		ready = {}, ways = {}, complete = true }, Abstract)
	self.functions = core.effects(session.options.program)
	local may_be, setup = chosen(session.options, self.functions), {}
	for _, f in ipairs(self.functions) do
		f.abstract = may_be(f) and not refused[f.name]
		setup[#setup + 1] = f.abstract and f.setup or nil
	end
	session:reopen(setup)
	return self
end

-- May any be?
function Abstract:any()
	for _, f in ipairs(self.functions) do
		if f.abstract then
			return true
		end
	end
	return false
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
	run.key = key_of(outcomes(run.events, 1))
	local lost = #trace:lost() > 0
	if ends_early[run.ended] then
		session.cut = session.cut + 1
	end
	self.complete = self.complete and not lost
	local fresh = not run.call and run.ended ~= "rejected" and not self.shown[run.key]
	if fresh then
		self.shown[run.key] = run
		session.paths = session.paths + 1
	end
	local covered = session.store:add(trace, origin, nil, fresh and session.options.keep ~= "new", false, nil, run.call ~= nil)
	if covered > 0 then
		session.news = session.news + 1
	end
	session:tick()
	if not run.call and level ~= all then
		self:insert(run, all)
	end
	self:insert(run, level)
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
	local calls, depth, inside, kept, entered = at.calls, at.depth, at.inside, at.kept, nil
	for _, e in ipairs(plain) do
		if e.kind == "asked" then
			if depth == nil then
				calls = calls + (e.outcome == real and 1 or 0)
				depth = calls == level and 1 or nil
			elseif e.outcome ~= replaced and depth > 0 then
				depth = depth + 1
			elseif e.outcome ~= replaced then
				entered = inside == 0 and e.site or entered
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
	return { calls = calls, depth = depth, inside = inside, kept = kept, entered = entered,
		callee = entered or at.callee }
end

-- What is promised next, as a key.
local function next_of(promised, kept)
	return key_of(table.move(promised, kept + 1, kept + 3, 1, {}))
end

-- Ways in a callee that were of use.
function Abstract:ways_of(callee)
	self.ways[callee] = self.ways[callee] or { values = {} }
	return self.ways[callee]
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

-- How often an outcome in a callee was chosen, in about the same round of a loop (1, 2 to 3, 4 to 7, ...): what was
-- chosen seldom comes first, so that no loop drowns the rest.
local function class_of(search, slot, round)
	local level = math.log(round, 2) // 1 | 0
	local key = slot.classes[level] or slot.step .. ":" .. level
	slot.classes[level] = key
	return key, search.chosen[key] or 0
end

-- Is an open slot better than the best so far? First, when it is asked for, what keeps more of the promise; then what
-- brings a run back to it; then what leads on ways in the callee that were of use before what is promised next, or
-- before anything; then what was chosen seldom; then what is nearest to the call.
local function consider(search, slot, at, use, site)
	local class, count = class_of(search, slot, search.rounds[site])
	local rank = { search.eager and -at.kept or 0, -use, use > 0 and 0 or count, slot.depth, slot.outcome }
	for i, value in ipairs(rank) do
		if search.best and value > search.rank[i] then
			return
		elseif not search.best or value < search.rank[i] then
			break
		end
	end
	search.best, search.rank, search.class, search.at = slot, rank, class, at
end

-- How much speaks for a way: 2: it was of use before what is promised next; 1: it was of use.
local function use_of(search, at, way)
	local ways = at.callee and search.owner.ways[at.callee]
	search.nexts[at.kept] = search.nexts[at.kept] or next_of(search.promised, at.kept)
	return ways and (ways[search.nexts[at.kept] .. way] and 2 or ways[way] and 1) or 0
end

-- Walks what is known below a slot; the search gets `runs` that keep to the promise, and the `best` open slot.
local function walk(search, slot, at, way)
	local node = slot.node
	while node do
		local now = pass(node.plain, at, search.level, search.promised)
		if now and not node.about then
			if now.depth == 0 and now.kept == #search.promised and node.run.ended ~= "rejected" then
				search.runs[#search.runs + 1] = node.run
			end
		elseif now then
			local bound = now.depth == 0 and now.inside == 0 and node.kind == "branch"
			local p = search.promised[now.kept + 1]
			local rounds, here = search.rounds, now.entered and "" or way
			now.kept = now.kept + (bound and 1 or 0)
			rounds[node.site] = (rounds[node.site] or 0) + 1
			for outcome, s in pairs(node.slots) do
				local allowed = not bound or (p and p.site == node.site and p.outcome == outcome)
				local longer = bound and here or here .. s.step
				if allowed and s.open then
					consider(search, s, now, bound and 3 or use_of(search, now, longer), node.site)
				elseif allowed and s.node then
					walk(search, s, now, longer)
				end
			end
			rounds[node.site] = rounds[node.site] - 1
		end
		node = node.other
	end
end

-- A run was of use: so was each beginning of the ways in its calls, and its values.
function Abstract:learn(run)
	local promised, kept, inside, way, next_key, ways, met = outcomes(run.events, 1), 0, 0, "", "", nil, {}
	for _, e in ipairs(run.events) do
		if e.kind == "asked" and e.outcome ~= replaced then
			if inside == 0 then
				ways, way, next_key = self:ways_of(e.site), "", next_of(promised, kept)
				ways.values[next_key] = run.values
			end
			inside = inside + 1
		elseif e.kind == "return" then
			inside = math.max(inside - 1, 0)
		elseif e.kind == "branch" and inside == 0 then
			kept = kept + 1
		end
		if e.about and not met[e.about] then
			met[e.about] = true
			if inside > 0 then
				way = ("%s %d:%d"):format(way, e.site, e.outcome)
				ways[way], ways[next_key .. way] = true, true
			end
		end
	end
end

function Abstract:search(level, promised)
	return { owner = self, level = level, promised = promised, rounds = {}, chosen = {}, nexts = {} }
end

-- Goes on from the best open slot of a search.
local function go_on(self, search, wish)
	local ways = search.at.callee and self.ways[search.at.callee]
	search.chosen[search.class] = (search.chosen[search.class] or 0) + 1
	self:open(search.best, "expanded", wish, ways and ways.values[next_of(search.promised, search.at.kept)])
end

-- Tries a few real runs that keep more and more of the path of `run`, a run of level 0. A real run that keeps to all
-- of it, or nil, which means nothing.
function Abstract:guess(run)
	local search = self:search(all, outcomes(run.events, 1))
	search.eager = true
	local slot, tries, kept = self.trees[all], 0, -1
	while slot and tries < 3 and not self.session:over() do
		search.runs, search.best = {}, nil
		walk(search, slot, { calls = 0, depth = 0, inside = 0, kept = 0 }, "")
		if search.runs[1] or not search.best then
			return search.runs[1]
		end
		tries = search.at.kept > kept and 0 or tries + 1
		kept = math.max(kept, search.at.kept)
		go_on(self, search)
	end
end

-- Values for the first run that goes on from what comes before a call: those that were of use before what is promised
-- next, where no condition is about them.
function Abstract:first_guess(run, promised)
	local wish, conditions = self:ways_of(run.events[run.call].site).values[next_of(promised, 0)], {}
	if not wish then
		return run.values
	end
	for i = 1, run.prefix do
		conditions[i] = run.path[i].condition
	end
	return self.session.space:adopt(conditions, run.values, wish)
end

-- The runs that execute one call more than `run` and keep to it, one after another.
function Abstract:keeping(run)
	local level, promised, given = run.level + 1, outcomes(run.events, run.call + 1), {}
	local search = self:search(level, promised)
	local start = { calls = run.before, inside = 0, kept = 0, callee = run.events[run.call].site }
	return function()
		local slot = self:behind(run, level)
		if not slot then
			self:run(self:first_guess(run, promised), level, "expanded")
			slot = self:behind(run, level)
		end
		while slot and not self.session:over() do
			search.runs, search.best = {}, nil
			walk(search, slot, start, "")
			for _, r in ipairs(search.runs) do
				if not given[r] then
					given[r] = true
					return r
				end
			end
			if not search.best then
				return nil
			end
			go_on(self, search, run.values)
		end
		self.complete = false
	end
end

return abstract
