-- A session: a program under test, the results about it, and the actions of a strategy.
--   session:start()                an iterator over the paths of the first inputs
--   session:run(input, branch)     -> path: the new pending branches in order, and facts
--   session:execute(input)         -> trace of a run that a strategy keeps itself
--   session:search()               -> the search that was asked for
--   session:over()                 time, runs or Ctrl-C
-- The other methods are, by their purpose, in duct.questions, aims, aliases, growing, judging, sharing, earlier, scout;
-- those that scripts may use in duct-strategy(7), whose arguments duct.arguments checks.
-- Fields that strategies may read: space, store, flow, random, options, runs, paths.
local arguments = require "duct.arguments"
local closest = require "duct.closest"
local core = require "duct.core"
local corpus = require "duct.corpus"
local later = require "duct.later"
local names = require "duct.names"
local progress = require "duct.progress"
local reasons = require "duct.reasons"

local abstract, blocks, helper, proof =
	later "duct.abstract", later "duct.blocks", later "duct.helper", later "duct.proof"
local worth = 1000000              -- steps of runs for each objective after which better code pays

local Session = {}
Session.__index = Session
for _, part in ipairs { "questions", "aims", "aliases", "growing", "merging", "judging", "sharing",
	"earlier", "patience", "scout" } do
	for name, method in pairs(require("duct." .. part)) do
		Session[name] = method
	end
end

local session = {}

-- 1 to n.
local function numbers(n)
	local list = {}
	for i = 1, n do
		list[i] = i
	end
	return list
end

-- The pairs that a session searches for: those that no test of another function covers, if it is asked for these.
local function candidates(options, n)
	local list = {}
	for pair = 1, n do
		list[#list + 1] = not options.pairs_elsewhere[pair] and pair or nil
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
		new_runner = parts.new_runner, improve = parts.improve, cuts = parts.cuts, setup = {},
		steps = 0,                                    -- of all runs
		own = {},                                     -- by place: a run failed there whatever globals were set to
		blamed = {},                                  -- by place: the global whose value made runs fail there
		found = {},                                   -- by place: a run failed there, and nothing excused it
		spent = { 0, 0 },                             -- CPU of runners that are closed
		helped = { run = 0, own = 0, solve = 0, strategy = 0 },   -- CPU of helpers (duct.crew)
		random = core.random(options.seed + ((options.share and options.share.number or 1) - 1 << 32)),
		began = parts.began or core.now(),
		children = core.children_cpu(),             -- CPU of children before the first run, and of builds
		kept = {},                                    -- inputs of runs that covered something
		varied = {},                                  -- of others that came by a condition in a later iteration first
		runs = 0, before = 0, added = 0, paths = 0, mispredicted = 0, cut = 0, solve_cpu = 0, prove_cpu = 0,
		asking = 0, vain = 0, slowness = 1,           -- seconds of questions, and of those without an answer
		gave = 0, adopted = 0,                        -- branches, to and from other workers
		news = 0,                                     -- runs that covered something for the first time
		weighed = 0,                                  -- the last run after which its memory was looked at
		news_run = 0, missed = 0,                     -- the last of them, or where limits were widened; mispredictions before
		kept_run = 0,                                 -- the last run that became a test
		grow = parts.grow or {},                      -- how far inputs grow (duct.limits)
		good = {},                                    -- as `kept`, of all trees
	}, Session)
	local count = parts.defuse and parts.defuse:count() or 0
	self.candidates, self.decided = options.pairs_only or options.pairs_elsewhere and candidates(options, count)
		or numbers(count), 0
	self.definition = core.any_criterion(options.criterion, "definitions") and definitions(parts.defuse) or {}
	self:new_patience()
	self.reasons = reasons.new(self)
	self.distant = {}                            -- goals of prove that no run of a bearable length reaches
	self.far = {}                                -- by pair: more steps through loops than these are needed, a proof says
	self.searches, self.past = {}, {}             -- past: what solvers of trees that are gone were asked
	self.deadline, self.last_run = options.time and self.began + options.time, options.runs
	self.progress = progress.new(self, options.quiet)
	return self
end

-- Loads the search, with the words after its name as its arguments.
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
	local search = arguments.search(new(self, words), word)
	self.searches[#self.searches + 1] = search
	return search
end

-- The pairs that a run covers and that it is credited with.
function Session:credited(trace)
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

local plenty = 5           -- times a whole run: that is left where the first one is made once more
local ends_early = { timeout = true, memory = true, output = true, limit = true, server = true, check = true }

-- Adds the outcomes of a run of a session for one pair alone, which has no outcomes of earlier pairs.
local function take(self, trace)
	for _, outcome in ipairs(trace:taken(self.flow)) do
		if not self.taken[outcome] then
			self.taken[outcome] = true
			self.news = self.news + 1
		end
	end
end

-- Builds the program again, to be fast. What that takes is not part of the runs.
function Session:build_again()
	local before = core.children_cpu()
	self.improve()
	self.improve, self.children = nil, self.children + core.children_cpu() - before
	self:reopen(self.setup)
end

-- May a busy machine have held up a run that took too long?
local function is_doubtful(self)
	local left = (self.deadline or math.huge) - core.now()
	return self.whole == 0 and left > plenty * self.options.timeout
end

local function execute(self, input, mutated, may_wait)
	local partition, varied
	if self.blocks then
		partition, varied = self.blocks:varied()
	end
	if self.deadline then
		self.runner:within(self:allowance(mutated, may_wait))
	end
	local from = core.now()
	local trace = self.runner:run(self.runs + 1, input, partition, varied)
	if trace:ended() == "timeout" and is_doubtful(self) then
		trace = self.runner:run(self.runs + 1, input, partition, varied)
	end
	local to = core.now()
	self:timed(trace, to - from, self.runner:took())
	self.first_run = self.first_run or to
	return trace
end

-- Did the run end because code that was built quickly has only so many steps?
local function is_too_long(self, trace)
	if not (self.improve and self.cuts) then
		return false
	end
	local how, _, message = trace:ended()
	return how == "limit" and message == "steps"
end

-- A trace of a run, which is in neither tree nor store. The program was built to be there soon; when its runs are long
-- it is built again, to be fast.
function Session:execute(input, mutated, may_wait)
	if self.improve and self.steps > worth * math.max(1, self.store:objectives()) then
		self:build_again()
	end
	local trace = execute(self, input, mutated, may_wait)
	if is_too_long(self, trace) then
		trace:close()
		self:build_again()
		trace = execute(self, input, mutated, may_wait)
	end
	self.runs = self.runs + 1
	self.steps = self.steps + select(5, trace:sizes())
	return trace
end

-- When only one block varies, the runtime cannot tell whether a failure is due to a fixed input, such as a null
-- pointer, which callers have to prevent. So the run is repeated with all inputs symbolic; nil: not necessary.
local function judged(self, trace, input)
	local alone = self.blocks and select(2, trace:ended())
	return alone and self.runner:run(self.runs, input) or nil
end

-- More of the path of a run that covered something, which was cut as the tree is large.
local function add_rest(self, trace, path)
	local more = self.space:add(trace, path.rest, true)
	self.space:sweep(path)
	table.move(more, 1, #more, #path + 1, path)
	if more.aliases then
		self:note_aliases(more)
	end
	if self.guides then
		self.guides:add(trace)
	end
end

-- How much another run like it takes, in events and blocks.
local function cost_of(trace)
	local _, events, _, _, steps = trace:sizes()
	return 1 + events + steps
end

-- The run of the trace covered something for the first time; test: its number, if it became one.
function Session:note_news(trace, test)
	local input = trace:inputs()
	input.test, input.run, input.cost = test or nil, self.runs, cost_of(trace)
	self.kept[#self.kept + 1] = input
	self.good[#self.good + 1] = input
	self.news, self.news_run = self.news + 1, self.runs
end

-- One execution: into the tree and the store. again: the run that had this input before, if any.
function Session:run(input, branch, origin, again)
	if type(branch) == "table" then
		branch, origin = nil, "mutated"
	end
	local parent = branch and select(6, self.space:branch(branch)) or again
	local partition, varied = self.blocks, self.blocks and self.blocks.current
	if varied and origin == "mutated" then
		partition:hold(input)
	elseif varied and input then
		partition:fill(input)
	end
	local scouted = origin == "mutated" and self:scout(input)
	if scouted then
		return scouted
	end
	local trace <close> = self:execute(input, origin == "mutated", true)
	self:scouted(origin, trace)
	local waits = self:waits(trace)
	if waits and branch then                         -- it has not come that far, perhaps
		self.space:put_off(branch)
	end
	local path = self.space:add(trace, branch)
	if self.observe then                            -- a search that looks at each run
		self.observe(trace)
	end
	if origin == "prove" and self.proposed then     -- the prover's input: where does its run leave the proposed path?
		self.proposed(trace)
		self.proposed = nil
	end
	self.added = self.added + 1
	if path.aliases then
		self:note_aliases(path)
	end
	local whole <close> = judged(self, trace, input)
	if partition then
		partition:ran(whole or trace, input, path, parent)
	end
	if self.guides then
		self.guides:add(trace)
	end
	if path.fresh and (varied or not partition) then
		self.paths = self.paths + 1
	end
	if path.mispredicted and not waits then
		self.mispredicted = self.mispredicted + 1
	end
	local how, failed, message = (whole or trace):ended()
	if ends_early[how] then
		self.cut = self.cut + 1
	end
	self.came_through = self.came_through or how ~= "need" and (how ~= "limit" or message == "steps")
	local covered, kept, _, test, _, entered = self.store:add(whole or trace,
		origin or (branch and "solved" or "first"), parent,
		path.fresh and origin ~= "flows" and self.options.keep ~= "new", path.mispredicted and not waits,
		self:credited(trace), false,
		self:excuse(whole or trace, how, failed))
	path.id, path.covered, path.kept, path.failed = self.runs, covered, kept, failed
	if branch and self.space:doubt(branch) then
		path[#path + 1] = branch
	end
	if covered > 0 and path.rest then
		add_rest(self, trace, path)
	end
	self.entered = self.entered or entered
	self.first_end = self.first_end or how
	if self.only then
		take(self, trace)
	end
	if kept and self.guides then
		self.guides:keep(test, branch)
	end
	self.kept_run = kept and self.runs or self.kept_run
	if kept and covered == 0 and failed then
		self.good[#self.good + 1] = trace:inputs()    -- it may have more time later, or other globals
	end
	if covered > 0 then
		self:note_news(trace, kept and test)
	elseif path.novel then
		local varying = trace:inputs()
		varying.run, varying.cost = self.runs, cost_of(trace)
		self.varied[#self.varied + 1] = varying
	end
	if waits then
		self:postpone(trace, branch)
	end
	self:tick()
	return path
end

-- The values of a list as trace:inputs makes it.
function Session:model_of(list)
	local model = self.space:model()
	for _, v in ipairs(list) do
		model:set(v.name, v.kind, v.width, v.value, v.high)
	end
	return model
end

-- Inputs that are there already: tests that the store has for this question, then those of files; how many are tests.
-- After limits were widened, what covered something before.
function Session:given()
	if self.again then
		local models = {}
		for i, input in ipairs(self.again) do
			models[i] = self:model_of(input)
		end
		return models, #models
	end
	local inputs = self.only and {} or self.store:replay(self.space)
	local tests = #inputs
	corpus.read(self, inputs)
	return inputs, tests
end

-- Leaves only those branches of a path that are still open.
function Session:drop_closed(path)
	self.space:sweep(path)
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
	local divided = self.options.share and self.options.strategy ~= "random"      -- which has no branches to share out
	local paths = divided and self:share_out() or {}
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
			local known = self.again and self.again[i]
			local path = self:run(inputs[i], nil, "replay", known and known.run)
			if self.guides and known and known.test then
				self.guides:keep(known.test)
			end
			return path
		end
	end
end

function Session:over()
	self:use_last_chance()
	if core.interrupted() then
		self.ended = "interrupted"
	elseif self.last_run and self.runs >= self.last_run then
		self.ended = "runs"
	elseif self.deadline and core.now() >= self.deadline then
		self.ended = "time"
	elseif self.suites > 0 and not self:missing() then
		self.ended = "nothing is missing"
	elseif self.runs % 64 == 0 and self.runs > self.weighed then
		self.weighed = self.runs
		self.ended = core.resident() > (self.options.own_memory or math.huge) and "memory" or nil
	end
	return self.ended ~= nil or self.blocks ~= nil and self.blocks:is_over()
end

-- Another runner, with more entries for run-trace's setup.
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
	local helped = self.helped
	return {
		seconds = core.now() - self.began,
		cpu_run = run + runs + helped.run, cpu_run_own = run + helped.own,
		cpu_solve = self.solve_cpu + s.child_seconds + helped.solve, cpu_prove = self.prove_cpu,
		cpu_strategy = math.max(0, own - self.solve_cpu - run) + helped.strategy,
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
	if not self.options.jobs then
		core.ending()
	end
	self.progress.finish()
	self.runner:close()
	local figures = self:figures()
	local children = core.children_cpu() - self.children - self:solver_counts().child_seconds
		- self.prove_cpu
	figures.cpu_run = math.max(figures.cpu_run, figures.cpu_run_own + children + self.helped.run - self.helped.own)
	local whole = not self.only and self:exhausted()
	figures.exhausted, figures.judged = whole or self.shared and self:all_run() or false, self.judged ~= nil
	figures.within = not self.only and (self:all_within() or self.ran_within or false)
	self:give_up()
	if not figures.exhausted then
		closest.pairs(self)
		closest.branches(self)
		self.reasons:decide()
	end
	figures.ended = figures.exhausted and "exhausted" or self.ended or self:all_within() and "limits"
		or self:out_of_reach() > 0 and "out of reach" or "nothing left to try"
	self.store:finish(figures)
	local wrong = self.store:counts().contradictions
	if wrong > 0 then
		core.say(("duct: %s: verdicts infeasible that were wrong: %d; see the errors in the report\n"):format(
			self.options.entry, wrong))
	end
	self:check_assumptions()
	return figures
end

-- Rounds of proofs (duct.proof), for strategies that alternate search and proof.
function Session:prover()
	return proof.new(self)
end

-- Calls explore(calls) with calls abstract (duct.abstract). Returns `calls`, nil when no call may be abstract.
function Session:abstract(explore)
	return abstract.explore(self, explore)
end

-- The partition of the inputs into blocks (duct.blocks); only the inputs of one block vary at a time.
function Session:partition()
	local crew = self.options.crew
	return (crew and crew.helps and helper or blocks).new(self)
end

arguments.check(Session, "session", {
	start = "", run = "input? branch? text? number?", execute = "input? truth? truth?", over = "", search = "text?",
	solve = "branch number?", alias = "",
	hurry = "", resume = "search", relent = "search function truth?",
	merge = "search", partial = "", widen = "text?", stagnates = "", offer = "", adopt = "", complete = "",
	settled = "", wanted = "", is_wanted = "pair", any_wanted = "", missing = "",
	distances = "truth? table? function?", guide = "",
	prover = "", abstract = "function", partition = "", judge = "truth table",
})

return session
