-- A session: a program under test, what was found out about it, and what a strategy does with it.
--   session:start()                an iterator over the paths of the first inputs
--   session:solve(branch)          -> input, or nil: the branch is closed then, or put off
--   session:hurry()                puts off what takes long; session:resume(search) brings it back, at the end
--   session:run(input, branch)     -> path: the new pending branches in order, and facts
--   session:search()               -> the search that was asked for
--   session:partial()              queries are partial path constraints from now on
--   session:offer()                a branch to a worker that has nothing left, if there is one: see duct.handover
--   session:adopt()                an iterator over first paths of what others gave; each needs a new search
--   session:widen()                when a search has nothing left: does it begin again, with wider limits? Then
--                                  session:start() gives the paths of what covered something
--   session:stagnates()            nothing new for long, though wider limits could help: the search gives up
--   session:over()                 time, runs or Ctrl-C
--   session:complete()             nothing is left open or unknown
--   session:missing()              something is not covered, by recorded suites neither
--   session:aims()                 of a session for targets: is one open, and objectives on the way to those that are
--   session:wanted()               numbers of the pairs that are watched and neither covered nor infeasible
--   session:is_wanted(pair), session:any_wanted()
--   session:guide()                how far branches are on the way to pairs
-- Fields that strategies may read: space, store, flow, random, options, runs, paths.
local core = require "duct.core"
local corpus = require "duct.corpus"
local handover = require "duct.handover"
local limits = require "duct.limits"
local names = require "duct.names"
local parts_of = require "duct.parts"
local progress = require "duct.progress"
local reasons = require "duct.reasons"

local patience = 1                 -- seconds that a question may take before it is put off
local least_question = 0.01        -- seconds that one has even when the session's time is over
local branches_a_share = 16        -- that are open when they are shared out
local stale = 500                  -- runs at least, and half of all, without news: the search stagnates
local least_run = 0.05             -- seconds that a run has even when the session's time is over
local worth = 1000000              -- steps of runs for each objective after which better code pays

local Session = {}
Session.__index = Session

local session = {}

-- 1 to n.
local function numbers(n)
	local list = {}
	for i = 1, n do
		list[i] = i
	end
	return list
end

-- The definition of each pair: one of its pairs does for it.
local function definitions(defuse)
	local of = {}
	for pair = 1, defuse:count() do
		local p = defuse:pair(pair)
		of[pair] = { key = ("%d:%d:%s"):format(p.def.unit, p.def.inst, p.name) }
		of[pair] = of[pair - 1] and of[pair - 1].key == of[pair].key and of[pair - 1] or of[pair]
	end
	return of
end

-- `parts`: flow, space, runner, solver, store, of which the session takes care from now on.
function session.new(options, parts)
	local self = setmetatable({
		options = options, flow = parts.flow, space = parts.space, runner = parts.runner,
		suites = parts.suites or 0,                   -- objectives that recorded suites cover
		solver = parts.solver, store = parts.store, defuse = parts.defuse,
		new_runner = parts.new_runner, improve = parts.improve, setup = {},
		steps = 0,                                    -- of all runs
		spent = { 0, 0 },                             -- CPU of runners that are closed
		random = core.random(options.seed), began = parts.began or core.now(),
		children = core.children_cpu(),             -- CPU of children before the first run
		kept = {},                                    -- inputs of runs that covered something
		runs = 0, before = 0, paths = 0, mispredicted = 0, cut = 0, solve_cpu = 0, prove_cpu = 0,
		gave = 0, adopted = 0,                        -- branches, to and from other workers
		news = 0,                                     -- runs that covered something for the first time
		news_run = 0, missed = 0,                     -- the last of them, or where limits were widened; mispredictions before
		grow = parts.grow or {},                      -- how far inputs grow (duct.limits)
		good = {},                                    -- as `kept`, of all trees
	}, Session)
	self.candidates, self.decided = options.pairs_only or numbers(parts.defuse and parts.defuse:count() or 0), 0
	self.definition = options.criterion == "all-defs" and definitions(parts.defuse) or {}
	self.reasons = reasons.new(self)
	self.far = {}                                -- by pair: more steps through loops than these are needed, a proof says
	self.searches, self.past = {}, {}             -- past: what solvers of trees that are gone were asked
	self.deadline, self.last_run = options.time and self.began + options.time, options.runs
	self.progress = progress.new(self, options.quiet)
	return self
end

function Session:partial()
	self.solver:partial(self.options.refine)
end

-- Loads the search, with the words behind its name as its arguments.
function Session:search(name)
	local words = {}
	for word in (name or self.options.search):gmatch("%S+") do
		words[#words + 1] = word
	end
	local word = table.remove(words, 1)
	local new, message, status = names.load("search", word)
	if not new then
		error({ status = status or 2, message = message }, 0)
	end
	if #words > 0 and debug.getinfo(new, "u").nparams < 2 then
		error({ status = 2, message = ("search %s takes no argument"):format(word) }, 0)
	end
	local search = new(self, words)
	self.searches[#self.searches + 1] = search
	return search
end

-- A new guide takes part in all runs from now on.
function Session:guide()
	if not self.defuse then
		error({ status = 2, message = "this search is for pairs, and none are watched: --criterion, --protocol, --scope" }, 0)
	end
	self.guides = self.guides or core.guide(self.defuse, self.space)
	return self.guides
end

-- Begins with an empty tree again.
function Session:fresh()
	self.past = self:solver_counts()
	self.solver:close()
	local before = self.space
	self.space, self.solver = parts_of.empty(self.options, self.flow)
	self.space:inherit(before)
	self.guides, self.searches, self.kept = nil, {}, {}
	self.before = self.runs                      -- in other trees
end

-- The same; what covered something is run first.
function Session:restart()
	self.again, self.missed, self.news_run = self.good, self.mispredicted, self.runs
	self.doubtful, self.hard, self.judged, self.judged_within = nil, nil, nil, nil
	self:fresh()
end

-- The same, for this pair alone.
function Session:renew(pair, bounds)
	self:fresh()
	self.ended = nil
	self.only, self.candidates, self.decided, self.taken = pair, { pair }, 0, {}
	self.deadline = bounds.time and core.now() + bounds.time
	self.last_run = bounds.runs and self.runs + bounds.runs
end

-- What solvers were asked in all.
function Session:solver_counts()
	local c = self.solver:counts()
	for name, n in pairs(self.past) do
		if name == "conjuncts_max" then
			c[name] = math.max(c[name], n)
		elseif math.type(n) then
			c[name] = c[name] + n
		end
	end
	return c
end

function Session:is_wanted(pair)
	local definition = self.definition[pair]
	return self.store:pair(pair) == "unknown" and (not self.only or self.only == pair)
		and not (definition and definition.covered)
end

function Session:wanted()
	local list = {}
	for i = self.decided + 1, #self.candidates do
		if self:is_wanted(self.candidates[i]) then
			list[#list + 1] = self.candidates[i]
		end
	end
	return list
end

-- Pairs that are decided stay so.
function Session:any_wanted()
	local n = self.decided
	while n < #self.candidates and not self:is_wanted(self.candidates[n + 1]) do
		n = n + 1
	end
	self.decided = n
	return n < #self.candidates
end

-- The pairs that a run covers and that it is credited with.
local function covered_pairs(self, trace)
	local list = self.defuse and self.defuse:covered(trace) or {}
	for _, pair in ipairs(self.definition[1] and list or {}) do
		self.definition[pair].covered = true
	end
	if not self.only then
		return list
	end
	for _, pair in ipairs(list) do
		if pair == self.only then
			return { pair }
		end
	end
	return {}
end

local ends_early = { timeout = true, memory = true, output = true, limit = true, server = true, check = true }

-- What a session for one pair alone has taken itself: it knows nothing of those before it.
local function take(self, trace)
	for _, outcome in ipairs(trace:taken(self.flow)) do
		if not self.taken[outcome] then
			self.taken[outcome] = true
			self.news = self.news + 1
		end
	end
end

-- A run, as runner:run. The program was built to be there soon; when its runs are long it is built again, to be fast.
function Session:execute(...)
	if self.improve and self.steps > worth * self.store:objectives() then
		self.improve()
		self.improve = nil
		self:reopen(self.setup)
	end
	if self.deadline then
		self.runner:within(math.max(least_run, self.deadline - core.now()))
	end
	local trace = self.runner:run(...)
	self.steps = self.steps + select(5, trace:sizes())
	return trace
end

-- One execution: into the tree and the store.
function Session:run(input, branch, origin)
	if type(branch) == "table" then
		branch, origin = nil, "mutated"
	end
	local id = self.runs + 1
	local parent = branch and select(6, self.space:branch(branch))
	local blocks, varied = self.blocks, self.blocks and self.blocks.current
	if varied and origin == "mutated" then
		blocks:hold(input)
	elseif varied then
		blocks:fill(input)
	end
	local trace <close> = self:execute(id, input, blocks and blocks.partition, varied and varied.block)
	self.runs = id
	local path = self.space:add(trace, branch)
	if blocks then
		blocks:ran(trace, input, path)
	end
	if self.guides then
		self.guides:add(trace)
	end
	if path.fresh and (varied or not blocks) then
		self.paths = self.paths + 1
	end
	if path.mispredicted then
		self.mispredicted = self.mispredicted + 1
	end
	local how, failed = trace:ended()
	if ends_early[how] then
		self.cut = self.cut + 1
	end
	local covered, kept, _, _, _, entered = self.store:add(trace, origin or (branch and "solved" or "first"), parent,
		path.fresh and origin ~= "flows" and self.options.keep ~= "new", path.mispredicted, covered_pairs(self, trace))
	path.id, path.covered, path.kept, path.failed = id, covered, kept, failed
	self.entered = self.entered or entered
	self.first_end = self.first_end or how
	if self.only then
		take(self, trace)
	end
	if covered > 0 then
		self.kept[#self.kept + 1] = trace:inputs()
		self.good[#self.good + 1] = self.kept[#self.kept]
		self.news, self.news_run = self.news + 1, id
	end
	self:tick()
	return path
end

-- Models of lists as trace:inputs makes them.
local function models_of(space, lists)
	local models = {}
	for i, list in ipairs(lists) do
		models[i] = space:model()
		for _, v in ipairs(list) do
			models[i]:set(v.name, v.kind, v.width, v.value, v.high)
		end
	end
	return models
end

-- Inputs that are there already: tests that the store has for this question, then those of files; how many are tests.
-- After limits were widened, what covered something before.
function Session:given()
	if self.again then
		return models_of(self.space, self.again), #self.again
	end
	local inputs = self.only and {} or self.store:replay(self.space)
	local tests = #inputs
	corpus.read(self, inputs)
	return inputs, tests
end

-- Leaves only those branches of a path that are still open.
function Session:drop_closed(path)
	for k = #path, 1, -1 do
		if not self.space:open(path[k]) then
			table.remove(path, k)
		end
	end
end

-- A share begins as all shares of the session do, breadth first, until there is enough to share out. The paths so far,
-- with the branches that are its own from then on.
local function share_out(self)
	local share, space, paths, open, i = self.options.share, self.space, {}, {}, 0
	local function put(path)
		paths[#paths + 1] = path
		table.move(path, 1, #path, #open + 1, open)
	end
	put(self:run(nil, nil, "first"))
	while i < #open and space:pending() < branches_a_share * share.of and not self:over() do
		i = i + 1
		local input = space:open(open[i]) and self:solve(open[i])
		if input then
			put(self:run(input, open[i]))
		end
	end
	local given, tree = space:share(share.number, share.of)
	self.shared = given > 0 and { tree = tree ~ (self.options.together or 0), paths = self.paths } or nil
	self.store:progress(self:figures())           -- that all its paths were run is no proof from now on
	for _, path in ipairs(paths) do
		self:drop_closed(path)
	end
	return paths
end

function Session:offer()
	handover.give(self)
end

function Session:adopt()
	return handover.take, self
end

-- Is it this share that has to look at something of this number?
function Session:is_mine(number)
	local share = self.shared and self.options.share
	return not share or number % share.of == share.number - 1
end

-- The first inputs: those given; all zeros when none of them is a test. Of a block: the values that all have.
function Session:start()
	local varied = self.blocks and self.blocks.current
	if varied then
		return function()
			if not varied.started and not self.blocks:is_over() then
				return self:run(self.blocks:values(varied.block), nil, "flows")
			end
		end
	end
	local paths = self.options.share and share_out(self) or {}
	local inputs, tests = self:given()
	local i = (tests > 0 or paths[1]) and 0 or -1
	return function()
		if paths[1] then
			return table.remove(paths, 1)
		end
		i = i + 1
		if i == 0 then
			return self:run(nil, nil, "first")
		end
		if inputs[i] and not self:over() then
			return self:run(inputs[i], nil, "replay")
		end
	end
end

-- The wider limits that could lead to what is open; false or nil: none could.
function Session:wider()
	local missing = self.options.target and self:aims()
	if not self.options.target then
		missing = self:missing()
	end
	return not self.only and missing and limits.wider(self.options, self.grow, self.store:limits())
end

function Session:stagnates()
	local quiet = self.runs - self.news_run
	return quiet >= math.max(stale, self.runs // 2) and quiet % 64 == 0 and not self.blocks and self:wider() and true
end

-- Begins with an empty tree and wider limits. A share of a session goes on by itself, with all paths. Within a block of
-- inputs nothing is widened: `whole` says that the partition begins again, too.
function Session:widen(whole)
	local grow = (whole or not self.blocks) and not self:over() and self:wider()
	if not grow then
		return false
	end
	self.grow, self.blocks, self.shared = grow, nil, nil
	self.store:widen(grow)
	self:restart()
	self:reopen(self.setup)
	return true
end

-- From now on questions that take long are put off, until the search that asks them has nothing else left; not when
-- they would get no more time then.
function Session:hurry()
	self.hard = self.options.query_timeout > patience and {} or nil
end

-- They are asked again, with all the time that a question may take. Is there any?
function Session:resume(search)
	local again = { covered = 0 }
	for _, branch in ipairs(self.hard or {}) do
		again[#again + 1] = self.space:resume(branch) and branch or nil
	end
	self.hard = nil
	if #again > 0 then
		search:update(again)
	end
	return #again > 0
end

-- Seconds that a question may take, which is not asked beyond the session's end; nil: all that the solver gives.
function Session:question_time()
	local left = self.deadline and math.max(least_question, self.deadline - core.now())
	return self.hard and math.min(patience, left or patience) or left
end

-- An input that takes a pending branch; a search may have made one itself: { input = INPUT }. A fault that
-- some run has shown is not asked for again.
function Session:solve(branch)
	if type(branch) == "table" then
		return branch.input
	end
	if self.space:waive(branch) then
		return nil
	end
	local before, began = core.cpu(), core.now()
	local answer, model, why = self.solver:ask(branch, self:question_time())
	self.solve_cpu = self.solve_cpu + core.cpu() - before
	if answer == "sat" then
		return model
	end
	if answer == "unknown" and self.hard and core.now() - began >= patience / 2 and not core.interrupted() then
		self.space:put_off(branch)
		self.hard[#self.hard + 1] = branch
		return nil
	end
	if answer == "unknown" and self:over() then
		return nil                                 -- it had less time than a question may take
	end
	for _, search in ipairs(answer and self.searches or {}) do
		if search.blocked then
			search:blocked(branch, answer)
		end
	end
	if answer and not core.interrupted() then
		if answer == "unknown" then
			self.store:lose("no answer to a query: " .. why)
		end
		self.space:drop(branch, answer == "unsat")
	end
	self:tick()
end

-- How far it is from outcomes of conditions to one that is not covered yet; with `returns` also on ways
-- back to the callers.
--   distances(unit, branch, outcome) -> branches on the way, nil: no way
function Session:distances(returns)
	local distance, known, sites = core.distance(self.flow, returns), -1, {}
	for unit = 0, self.flow:units() - 1 do
		sites[unit] = self.flow:branches(unit)
	end
	return function(unit, branch, outcome)
		if known ~= self.news then
			known = self.news
			local aims = self.options.target and select(2, self:aims())
			for i = 1, self.store:objectives() do
				local u, o, wanted = self.store:wanted(i)
				if aims then
					wanted = aims[i] == true
				end
				if self.only then
					wanted = not self.taken[u << 32 | o]
				end
				distance:want(u, o, wanted)
			end
		end
		local site = sites[unit] and sites[unit][branch]
		return site and distance:get(unit, site.first + (site.cases > 0 and outcome or 1 - outcome))
	end
end

function Session:over()
	if core.interrupted() then
		self.ended = "interrupted"
	elseif self.last_run and self.runs >= self.last_run then
		self.ended = "runs"
	elseif self.deadline and core.now() >= self.deadline then
		self.ended = "time"
	elseif self.suites > 0 and not self:missing() then
		self.ended = "nothing is missing"
	end
	return self.ended ~= nil or self.blocks ~= nil and self.blocks:is_over()
end

-- Of a session that looks for targets: is one still open, and the objectives by number that runs to open ones take;
-- nil: what leads there is not known, so that all are wanted.
function Session:aims()
	local list, any = {}, false
	for _, t in ipairs(self.store:targets()) do
		local open = not t.reached and #t == 0
		for _, i in ipairs(t.reached and {} or t) do
			if self.store:objective(i).verdict ~= "infeasible" then
				list[i], open = true, true
			end
		end
		any = any or open
	end
	return any, next(list) and list or nil
end

-- Is there an objective that neither a run nor a recorded suite covers, and that is not infeasible?
function Session:missing()
	local c = self.store:counts()
	return c.unknown + c.pairs.unknown > 0
end

function Session:complete()
	local c = self.space:counts()
	return c.pending == 0 and c.unknown == 0
end

-- Another runner, with more to tell run-trace's setup.
function Session:reopen(setup)
	local own, runs = self:runner_cpu()
	self.runner:close()
	self.spent, self.setup = { own, runs }, setup
	self.runner = self.new_runner(setup, self.grow)
end

-- Seconds of our part of running, and of the runs themselves.
function Session:runner_cpu()
	local own, runs = self.runner:cpu()
	return self.spent[1] + own, self.spent[2] + runs
end

-- The strategy's own judgement: was every path of these functions ([unit][id] = true) run? Then what is
-- uncovered there is infeasible, unless limits were touched.
function Session:judge(complete, functions)
	self.judged_within = complete and not self:over() and self.runs > self.before and self.mispredicted == self.missed
		and self.store:counts().lost == 0
	self.judged = self.judged_within and #self.store:limits() == 0
	self.ended = not self.judged and self.ended or nil
	local branches = {}
	for unit = 0, self.flow:units() - 1 do
		branches[unit] = self.flow:branches(unit)
	end
	for i = 1, self.judged and self.store:objectives() or 0 do
		local o = self.store:objective(i)
		local branch = branches[o.unit][o.branch]
		if o.verdict == "unknown" and functions[o.unit] and functions[o.unit][branch.func] then
			self.store:exhaust(i)
		end
	end
end

-- Was every path within the limits run that is this session's, or this share's, with nothing to make that doubtful?
function Session:all_within()
	if self.judged_within ~= nil then
		return self.judged_within
	end
	local c = self.space:counts()
	return not self.doubtful and self.runs > self.before and c.pending == 0 and c.unknown == 0 and c.contradicted == 0
		and self.mispredicted == self.missed and self.store:counts().lost == 0
end

-- The same, and no limit was touched: then these are all paths that there are.
function Session:all_run()
	return self:all_within() and #self.store:limits() == 0
end

-- True when every feasible path was run and nothing made that doubtful.
function Session:exhausted()
	if self.judged ~= nil then
		return self.judged
	end
	return not self.shared and self:all_run()
end

function Session:tick()
	local now = core.now()
	self.progress.tick(now)
	if now >= (self.next_figures or 0) then
		self.next_figures = now + 1
		self.store:progress(self:figures())
		if self.options.jobs then
			self.store:learn()
		end
	end
end

function Session:figures()
	local s = self:solver_counts()
	local own = core.cpu()
	local run, runs = self:runner_cpu()
	return {
		seconds = core.now() - self.began,
		cpu_run = run + runs, cpu_run_own = run, cpu_solve = self.solve_cpu + s.child_seconds, cpu_prove = self.prove_cpu,
		cpu_strategy = math.max(0, own - self.solve_cpu - run),
		runs = self.runs, paths = self.paths, mispredicted = self.mispredicted, cut = self.cut,
		pending = self.space:pending(),
		asked = s.asked, cached = s.cached, engine = s.engine, sat = s.sat, unsat = s.unsat,
		unknown = s.unknown, disagreed = s.disagreed, confirmed = s.confirmed, conjuncts = s.conjuncts,
		conjuncts_max = s.conjuncts_max, questions = s.questions, infeasible = s.infeasible, pruned = s.pruned,
		rounds_max = s.rounds_max, exhausted = false, extra = self.extra,
		share = self.shared and ("%d/%d"):format(self.options.share.number, self.options.share.of),
		given = self.gave, adopted = self.adopted,
		tree = self.shared and self.shared.tree,
		common = self.shared and self.shared.paths or self.options.share and self.paths,
	}
end

-- Ends the session in the store. Returns the figures.
function Session:finish()
	self.progress.finish()
	self.runner:close()
	local figures = self:figures()
	local children = core.children_cpu() - self.children - self:solver_counts().child_seconds
		- self.prove_cpu
	figures.cpu_run = math.max(figures.cpu_run, figures.cpu_run_own + children)
	local whole = not self.only and self:exhausted()
	figures.exhausted, figures.judged = whole or self.shared and self:all_run() or false, self.judged ~= nil
	figures.within = not self.only and (self:all_within() or self.again ~= nil)
	for _, branch in ipairs(self.hard or {}) do
		if self.space:resume(branch) then
			self.store:lose(("no answer to a query: put off after %g s"):format(patience))
		end
	end
	if not figures.exhausted then
		self.reasons:decide()
	end
	figures.ended = figures.exhausted and "exhausted" or self.ended or self:all_within() and "limits"
		or "nothing left to try"
	self.store:finish(figures)
	self:check_assumptions()
	return figures
end

-- What was assumed has to leave some input, and be there.
function Session:check_assumptions()
	local list = {}
	for _, key in ipairs { "assume", "range" } do
		for _, text in ipairs(self.options[key] or {}) do
			list[#list + 1] = text:gsub("^@%S+ ", "")
		end
	end
	if #list == 0 or self.runs == 0 or self.entered then
		return
	end
	local what = table.concat(list, "; ")
	if self.first_end ~= "rejected" then
		error({ status = 2, message = ("the assumptions ask about what is not there: a run ended (%s) in them: %s"):format(
			self.first_end, what) }, 0)
	elseif self:all_within() then
		error({ status = 2, message = "no input satisfies the assumptions: " .. what }, 0)
	end
end

return session
