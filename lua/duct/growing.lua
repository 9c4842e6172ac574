-- growing: methods of a session that begin again with an empty tree, with the same limits or with wider ones.
--   session:await(input)           keeps an input that is longer than the limits allow until they are wider
--   session:widen()                when a search has nothing left: does it begin again, with wider limits? Then
--                                  session:start() gives the paths of what covered something
--   session:settled()              nothing is missing, and nothing new was found for long: the session ends, unless the
--                                  user asked for a test for each path, chose a search, or gave a number of runs
--   session:stagnates()            nothing new for long, or little memory left, though wider limits could help: the
--                                  search gives up
local core = require "duct.core"
local faults = require "duct.faults"
local limits = require "duct.limits"
local parts_of = require "duct.parts"
local stretch = require "duct.stretch"

local Growing = {}

local settled = 1000               -- runs at least, and half of all, without news when nothing is missing
local stuck = 64                   -- runs without news, none of which came beyond limits and needs
local stale = 500                  -- runs at least, and
local quiet_share = 8              -- one of so many without news: the search stagnates
local full = 0.8                   -- of the memory that a session may take
local few = 128                    -- runs that a tree has at least before it is given up for that

local ample = 4                    -- so many times the CPU time of a run is enough for one
local unstretched = 128            -- the same before long texts were tried

-- Begins with an empty tree again.
function Growing:fresh()
	self.past = self:solver_counts()
	self.solver:close()
	local before = self.space
	self.space, self.solver = parts_of.empty(self.options, self.flow)
	self.space:inherit(before)
	parts_of.ways(self.options, self.space, self.store, self.defuse)
	self.guides, self.searches, self.kept, self.varied, self.waiting, self.facts = nil, {}, {}, {}, nil, nil
	self.before, self.added = self.runs, 0        -- runs in other trees; in this one
	self.came_through = false                     -- did one of these end neither at a limit nor at a need?
	self:forget_branches()
end

-- Is an input within the limits? stretch says of those that it made which ones they were beyond.
local function is_within(grow, input)
	for name, value in pairs(input.beyond or {}) do
		if value > (grow[name] or 0) then
			return false
		end
	end
	return true
end

-- Keeps inputs that covered something. An input longer than the limits allow waits until they are wider, as searching
-- from it is slow.
function Growing:good_within()
	local list = {}
	for _, input in ipairs(self.good) do
		list[#list + 1] = is_within(self.grow, input) and input or nil
	end
	return list
end

-- Begins with an empty tree again; what covered something is run first.
function Growing:restart()
	self.again, self.missed, self.news_run = self:good_within(), self.mispredicted, self.runs
	self.doubtful, self.hard, self.judged, self.judged_within = nil, nil, nil, nil
	self:fresh()
	for _, input in ipairs(self.again) do              -- searches make others of what covered something
		self.kept[#self.kept + 1] = input.run and input or nil
	end
end

-- The same, for this pair alone.
function Growing:renew(pair, bounds)
	self:fresh()
	self.ended = nil
	self.only, self.candidates, self.decided, self.taken = pair, { pair }, 0, {}
	self.deadline = bounds.time and core.now() + bounds.time
	self:new_patience()
	self.last_run = bounds.runs and self.runs + bounds.runs
end

-- Were runs too long for a time that the user did not set, and is there time for longer ones?
local function were_cut(self, touched)
	local o = self.options
	if not o.longest_timeout or 2 * o.timeout > o.longest_timeout or core.now() + 4 * o.timeout > self.deadline then
		return false
	end
	for _, l in ipairs(touched) do
		if l.kind == "time" and l.runs > 0 then
			return self.whole > 0
		end
	end
	return false
end

-- Are there objectives that wider limits may help with?
function Growing:is_open()
	if self.options.target then
		return not self.only and self:aims()
	end
	return not self.only and self:missing()
end

-- The wider limits within which open objectives may be reached, and whether runs shall have more time; false or nil:
-- none.
function Growing:wider()
	if not self:is_open() then
		return false
	end
	local touched = self.store:limits()
	local grow, cut = limits.wider(self.options, self.grow, touched, self.awaited and self.awaited.grow,
		self.space:pending() == 0), were_cut(self, touched)
	return grow or cut and self.grow, cut
end

-- An input of more bytes than the limits allow is kept until they are wider (session:widen). Returns whether it is.
function Growing:await(input)
	local grow = not self.only and not self.blocks and limits.of_input(self.options, self.grow, input)
	if not grow then
		return false
	end
	self.awaited = self.awaited or { grow = {}, inputs = {} }
	table.insert(self.awaited.inputs, input)
	for name, value in pairs(grow) do
		self.awaited.grow[name] = math.max(self.awaited.grow[name] or 0, value)
	end
	return true
end

function Growing:settled()
	local o, quiet = self.options, self.runs - math.max(self.news_run, self.kept_run)
	if quiet >= math.max(settled, self.runs // 2) and quiet % 64 == 0 and o.keep ~= "all" and not o.search_given
		and not o.runs and not o.criteria and not o.target and not self.only and not self.blocks and not self:missing() then
		local before = self.kept_run
		faults(self)
		if self.kept_run == before then
			self.ended = self.ended or self:out_of_reach() > 0 and "out of reach" or "nothing is missing"
		end
	end
	return self.ended ~= nil
end

-- Has the tree become so large that the session would soon end by its memory? It begins again, then, with wider limits.
local function is_full(self)
	return self.added >= few and self.runs % 64 == 0 and not self.blocks
		and core.resident() > full * (self.options.own_memory or math.huge) and self:wider() and true
end

function Growing:stagnates()
	if is_full(self) then
		return true
	end
	local quiet = self.runs - self.news_run
	if quiet == 0 or quiet % 64 ~= 0 or quiet < self.runs // quiet_share or self.blocks then
		return false
	end
	local patience = not self.came_through and stuck
		or not self.stretched and stretch.pending(self) and unstretched or stale
	return quiet >= patience and self:wider() and true
end

-- Failures are judged again when globals become inputs, or runs have more time: are there too few runs, or is there too
-- little time, to run them all again? They would be lost. Then the session is over, "runs" or "time".
local function too_late(self)
	local again, own, runs = #self.good, self:runner_cpu()
	return self.last_run and self.last_run - self.runs < again and "runs"
		or self.deadline and self.deadline - core.now() < ample * again * (own + runs) / math.max(self.runs, 1) and "time"
end

-- Begins with an empty tree and wider limits. A share of a session goes on by itself, with all paths. Within a block of
-- inputs nothing is widened: `whole` says that the partition begins again, too.
function Growing:widen(whole)
	if not whole and self.blocks or self:over() then
		return false
	end
	local grow, cut = self:wider()
	local late = grow and (cut or grow.state ~= self.grow.state) and too_late(self)
	if not grow or late then
		self.ended = self.ended or late or nil
		return false
	end
	if cut then
		self:more_patience()
	end
	self.ran_within = self.ran_within or self:all_within()
	stretch.run(self, grow)
	-- runs that failed with initial values of globals may have failed because of these
	local again = grow.state ~= self.grow.state
	for _, input in ipairs((cut or again) and self.good or {}) do
		grow = limits.join(grow, input.beyond)
	end
	self.store:widen(grow, cut, again)
	self.grow, self.blocks, self.shared = grow, nil, nil
	self:restart()
	if self.awaited then
		local inputs = self.awaited.inputs
		self.again = table.move(self.again, 1, #self.again, 1, {})
		self.again, self.awaited = table.move(inputs, 1, #inputs, #self.again + 1, self.again), nil
	end
	self:reopen(self.setup)
	return true
end

return Growing
