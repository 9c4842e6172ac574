-- A session: a program under test, what was found out about it, and what a strategy does with it.
--   session:start()                an iterator over the paths of the first inputs
--   session:solve(branch)          -> input, or nil: the branch is closed then
--   session:run(input, branch)     -> path: the new pending branches in order, and facts
--   session:search()               -> the search that was asked for
--   session:over()                 time, runs or Ctrl-C
--   session:complete()             nothing is left open or unknown
--   session:missing()              something is not covered, by recorded suites neither
-- Fields that strategies may read: space, store, flow, random, options, runs, paths.
local core = require "duct.core"
local corpus = require "duct.corpus"
local names = require "duct.names"
local progress = require "duct.progress"

local Session = {}
Session.__index = Session

local session = {}

-- `parts`: flow, space, runner, solver, store, of which the session takes care from now on.
function session.new(options, parts)
	local self = setmetatable({
		options = options, flow = parts.flow, space = parts.space, runner = parts.runner,
		solver = parts.solver, store = parts.store,
		suites = parts.suites or 0,                   -- objectives that recorded suites cover
		random = core.random(options.seed), began = parts.began or core.now(),
		children = select(2, core.cpu()),             -- CPU of children before the first run
		kept = {},                                    -- inputs of runs that covered something
		runs = 0, paths = 0, mispredicted = 0, cut = 0, solve_cpu = 0,
		news = 0,                                     -- runs that covered something for the first time
	}, Session)
	self.deadline = options.time and self.began + options.time
	self.progress = progress.new(self, options.quiet)
	return self
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
	return new(self, words)
end

local ends_early = { timeout = true, memory = true, output = true, limit = true, server = true, check = true }

-- One execution: into the tree and the store.
function Session:run(input, branch, origin)
	if type(branch) == "table" then
		branch, origin = nil, "mutated"
	end
	local id = self.runs + 1
	local parent = branch and select(6, self.space:branch(branch))
	local trace <close> = self.runner:run(id, input)
	self.runs = id
	local path = self.space:add(trace, branch)
	if path.fresh then
		self.paths = self.paths + 1
	end
	if path.mispredicted then
		self.mispredicted = self.mispredicted + 1
	end
	local how, failed = trace:ended()
	if ends_early[how] then
		self.cut = self.cut + 1
	end
	local covered, kept = self.store:add(trace, origin or (branch and "solved" or "first"), parent,
		path.fresh and self.options.keep ~= "new", path.mispredicted)
	path.id, path.covered, path.kept, path.failed = id, covered, kept, failed
	if covered > 0 then
		self.kept[#self.kept + 1] = trace:inputs()
		self.news = self.news + 1
	end
	self:tick()
	return path
end

-- The first inputs: tests that the store has for this question, or all zeros; then those of files.
function Session:start()
	local inputs = self.store:replay(self.space)
	local i = #inputs > 0 and 0 or -1
	corpus.read(self, inputs)
	return function()
		i = i + 1
		if i == 0 then
			return self:run(nil, nil, "first")
		end
		if inputs[i] and not self:over() then
			return self:run(inputs[i], nil, "replay")
		end
	end
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
	local before = core.cpu()
	local answer, model = self.solver:ask(branch)
	self.solve_cpu = self.solve_cpu + core.cpu() - before
	if answer == "sat" then
		return model
	end
	if answer and not core.interrupted() then
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
			for i = 1, self.store:objectives() do
				distance:want(self.store:wanted(i))
			end
		end
		local site = sites[unit] and sites[unit][branch]
		return site and distance:get(unit, site.first + (site.cases > 0 and outcome or 1 - outcome))
	end
end

function Session:over()
	local o = self.options
	if core.interrupted() then
		self.ended = "interrupted"
	elseif o.runs and self.runs >= o.runs then
		self.ended = "runs"
	elseif self.deadline and core.now() >= self.deadline then
		self.ended = "time"
	elseif self.suites > 0 and not self:missing() then
		self.ended = "nothing is missing"
	end
	return self.ended ~= nil
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

-- True when every feasible path was run and nothing made that doubtful.
function Session:exhausted()
	local c = self.space:counts()
	return self.runs > 0 and c.pending == 0 and c.unknown == 0 and c.contradicted == 0
		and self.mispredicted == 0 and self.cut == 0 and self.store:counts().lost == 0
end

function Session:tick()
	local now = core.now()
	self.progress.tick(now)
	if now >= (self.next_figures or 0) then
		self.next_figures = now + 1
		self.store:progress(self:figures())
	end
end

function Session:figures()
	local s = self.solver:counts()
	local own = core.cpu()
	local run, runs = self.runner:cpu()          -- our part of running, and the runs themselves
	return {
		seconds = core.now() - self.began,
		cpu_run = run + runs, cpu_run_own = run, cpu_solve = self.solve_cpu + s.child_seconds, cpu_prove = 0,
		cpu_strategy = math.max(0, own - self.solve_cpu - run),
		runs = self.runs, paths = self.paths, mispredicted = self.mispredicted, cut = self.cut,
		pending = self.space:pending(),
		asked = s.asked, cached = s.cached, engine = s.engine, sat = s.sat, unsat = s.unsat,
		unknown = s.unknown, disagreed = s.disagreed, conjuncts = s.conjuncts,
		conjuncts_max = s.conjuncts_max, exhausted = false,
	}
end

-- Ends the session in the store. Returns the figures.
function Session:finish()
	self.progress.finish()
	self.runner:close()
	local figures = self:figures()
	local children = select(2, core.cpu()) - self.children - self.solver:counts().child_seconds
	figures.cpu_run = math.max(figures.cpu_run, figures.cpu_run_own + children)
	figures.exhausted = self:exhausted()
	figures.ended = figures.exhausted and "exhausted" or self.ended or "nothing left to try"
	self.store:finish(figures)
	return figures
end

return session
