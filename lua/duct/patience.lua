-- patience: methods of a session that bound the time of a single run, which may be in an endless or very long loop.
-- Where long queries are put off (session:hurry), so are long runs: each has little time, and the inputs of those that
-- need more are kept and run again when the search has nothing else left.
--   session:allowance(mutated, may_wait)   -> seconds that the next run may take, and seconds of wall clock that the
--                                  session has left for it. may_wait: it can be put off
--   session:timed(trace, seconds, took)  takes note of how long a run took: by the wall clock, and as its limit counts
--   session:waits(trace)           has the run, which had little time, to be made again?
--   session:postpone(trace, branch)   keeps its input, and the branch that it was made for
--   session:relent(search, more, last)   runs inputs that were put off again, with more time, while more(). last: there
--                                  is nothing else to do. Was any run?
--   session:endless()              one input for each line where runs did not end gets all the time that a run may
--                                  take: a loop without end is a failure
--   session:use_last_chance()      does so when only so much of the session is left
--   session:untold()               -> the paths of these runs, a list, for the search
local core = require "duct.core"

local Patience = {}

local least_run = 0.05             -- seconds that a run has even when the session's time is over
local least_patience = 0.1         -- seconds that a run has even when many before it did not end
local endless = 0.2                -- share of a session's time that runs which do not end may take
local brief, longer = 0.1, 4       -- seconds that a run has at first; times as many when it is made again
local least_brief = 0.03           -- seconds that a mutation has when runs without end have taken much of the session
local spare = 2.5                  -- times what a run may take: when so much is left, one gets that
local many = 10                    -- and at least so many times what the others took in the mean
local most_put_off = 256           -- inputs that are kept

function Patience:new_patience()
	self.cut_seconds, self.longest = 0, 0        -- of runs that a limit ended; of the longest other one
	self.short, self.shorts = 0, 0               -- of all others, and how many there are
	self.whole = 0                               -- runs that took the whole time of a run
	self.patience = least_patience               -- seconds that a run has even when many before it did not end
	self.second_time = brief                       -- seconds that runs which were put off had last
	self.postponed = {}                          -- inputs of runs that were; [key] = true of each
	self.forgotten = false                       -- are there more, which are not kept?
	self.ended_late = {}                         -- by line: a run that took the whole time ended there
	self.had_chance = false                      -- was the last chance used?
	self.unknown_to_search = {}                  -- paths
end

-- Runs may take longer from now on.
function Patience:more_patience()
	local o = self.options
	self.second_time, o.timeout, self.patience = o.timeout, 2 * o.timeout, 2 * self.patience
	self.cut_seconds, self.whole, self.ended_late = 0, 0, {}
end

-- Runs that do not end have taken more than their share of the session's time so far, or of all of it.
local function is_vain(self, all)
	return self.cut_seconds > endless * (all and self.options.time or core.now() - self.began)
end

-- Are runs put off?
local function is_hasty(self)
	return self.hasty and self.shorts > 0 and not self.blocks
end

-- Mutations have less when runs without end have taken much of the session: most of those that take long are made from
-- one that does. Where runs are not put off, a run has at least ten times what the longest of the others took then.
function Patience:allowance(mutated, may_wait)
	local left = math.max(least_run, self.deadline - core.now())
	local most, mean = self.options.timeout, self.short / math.max(1, self.shorts)
	local vain = self.whole + #self.postponed >= 2 and is_vain(self)
	if self.relenting then
		most = self.relenting
	elseif may_wait and is_hasty(self) then
		most = math.max(vain and mutated and least_brief or brief, many * mean)
	elseif vain then
		most = math.max(self.patience, many * (mutated and mean or self.longest))
	end
	return most, left
end

-- The line where a run ended.
local function line_of(trace)
	return (select(2, trace:place()))
end

function Patience:timed(trace, seconds, took)
	local how = trace:ended()
	if how == "timeout" or how == "limit" then
		self.cut_seconds = self.cut_seconds + seconds
		self.forgotten = self.forgotten or trace:is_cut() and not self:waits(trace)
	elseif not self.relenting then
		self.longest = math.max(self.longest, took)
		self.short, self.shorts = self.short + took, self.shorts + 1
	end
	if how == "timeout" then
		self.whole = self.whole + 1
		self.ended_late[line_of(trace)] = true
	end
end

local function key_of(input)
	local words = {}
	for i, v in ipairs(input) do
		words[i] = ("%s=%x.%x"):format(v.name, v.high or 0, v.value)
	end
	return table.concat(words, " ")
end

function Patience:waits(trace)
	return trace:is_cut() and (self.relenting or is_hasty(self)) and #self.postponed < most_put_off
end

function Patience:postpone(trace, branch)
	local input = trace:inputs()
	local key = key_of(input)
	if not self.postponed[key] then
		self.postponed[#self.postponed + 1] = { input = input, key = key, run = self.runs, line = line_of(trace),
			branch = branch }
		self.postponed[key] = true
	elseif branch and self.space:resume(branch) then     -- which has the same input
		self.space:drop(branch, false)
	end
end

-- The branches that inputs were made for are of a tree that is gone.
function Patience:forget_branches()
	self.unknown_to_search = {}
	for _, one in ipairs(self.postponed) do
		one.branch = nil
	end
end

-- Runs those again that `chosen` accepts, with so many seconds; the others stay put off.
local function run_again(self, seconds, chosen, ran)
	local list = self.postponed
	self.postponed, self.relenting = {}, seconds
	for _, one in ipairs(list) do
		if not self:over() and chosen(one) then
			local branch = one.branch and self.space:resume(one.branch) and one.branch or nil
			ran(self:run(self:model_of(one.input), branch, not branch and "replay" or nil, one.run))
		elseif not self.postponed[one.key] then
			self.postponed[#self.postponed + 1] = one
			self.postponed[one.key] = true
		end
	end
	self.relenting = nil
	if #self.postponed == 0 and self.whole == 0 and not self.forgotten then
		self.store:unreach("time")
	end
end

-- Runs inputs that were put off, one for each line where a run took the whole time, while such runs have taken less
-- than their share. last: of all of the session's time; at least one gets a whole run's time then.
local function relent(self, last, more, ran)
	self.second_time = last and self.second_time or self.second_time * longer
	run_again(self, last and self.options.timeout or self.second_time, function(one)
		return more() and not self.ended_late[one.line] and (last and self.whole == 0 or not is_vain(self, last))
	end, ran)
end

function Patience:relent(search, more, last)
	local before = self.runs
	if #self.postponed == 0 or self.blocks
		or not last and (is_vain(self) or self.second_time * longer >= self.options.timeout) then
		return false
	end
	relent(self, last, more, function(path)
		search:update(path)
	end)
	return self.runs > before
end

function Patience:endless()
	if #self.postponed > 0 and not self.blocks then
		relent(self, true, function() return true end, function(path)
			table.insert(self.unknown_to_search, path)
		end)
	end
end

function Patience:untold()
	local list = self.unknown_to_search
	self.unknown_to_search = {}
	return list
end

-- Before the session's time or number of runs is over.
function Patience:use_last_chance()
	local o = self.options
	if self.had_chance or self.whole > 0 or #self.postponed == 0
		or not (self.deadline and core.now() > self.deadline - spare * o.timeout
			or self.last_run and self.runs == self.last_run - 1) then
		return
	end
	self.had_chance = true
	self:endless()
end

return Patience
