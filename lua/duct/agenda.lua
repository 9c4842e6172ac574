-- agenda: in which order abstract paths are found and made real: paths with the same result share their runs, paths
-- that the same outcome keeps from being real form a group, of which only the first is tried, and what takes many runs
-- is put off.
--   agenda.new(calls, concretize, wanted)  concretize(calls, path, useful) -> a real run that keeps to the path, or
--                                  nil; wanted(path): is it still of use to make it real? Without it all are
--   agenda:step()                  finds a path, or tries to make one real; false when nothing is left to do
local shares = require "duct.shares"
local turns = require "duct.turns"

local Agenda = {}
Agenda.__index = Agenda

local agenda = {}

local least = 64                                      -- runs for a path at first

-- As concretize, but of each call after the next one only the first path that keeps to this run is tried.
local function leap(calls, run, useful)
	if not run.call then
		return run
	end
	local next_path = calls:next_path(run, useful)
	return turns.first(function()
		local found = next_path()
		return found and function()
			while found and found.call do
				found = calls:leap(found)
				if found and found.call then
					found = calls:next_path(found, useful)()
				end
			end
			return found
		end
	end)
end

-- From what begins as the nearest real run, by turns with the search from the start; only that refutes.
function Agenda:make_real(run)
	local calls, useful = self.calls, self.calls:nearest(run)
	local function from_nearest()
		return leap(calls, calls:begun(run) or run, useful)
	end
	local function from_start()
		return self.concretize(calls, run, useful)
	end
	local ways = { from_nearest, from_start }
	local found = turns.first(function() return table.remove(ways, 1) end)
	if found then
		calls:shorten(found)
	end
end

-- The search for a group; it goes on where it was, as long as the trees that it walks are there.
function Agenda:search_for(group)
	if group.trees ~= self.calls.trees then
		group.trees = self.calls.trees
		group.search = turns.begin(function() return self:make_real(group[1]) end)
	end
	return group.search
end

-- Was a run like it made, or is none of use, or the business of another share?
function Agenda:is_done(run)
	return self.calls.shown[run.key] or not self.calls:is_mine(run) or self.wanted and not self.wanted(run)
end

-- Makes the first path of a group real, or refutes it, with so many runs; then the others are new ones again. Else it
-- is put off. known: the known result was tried, and is not enough.
function Agenda:try(group, known)
	local run, calls = group[1], self.calls
	if self:is_done(run) or not known and calls:guess(run)
		or turns.within(self:search_for(group), group.runs) then
		self.groups[group.obstacle] = nil
		for i = 2, #group do
			self.work:put(group[i].result, group[i])
		end
	else
		group.runs = 2 * group.runs
		self.work:put("put off", group)
	end
	calls:forget()
end

-- Summaries are tried first.
function Agenda:begin(run)
	local calls = self.calls
	if self:is_done(run) or calls:guess(run) then
		return
	end
	local obstacle = calls:obstacle(run)
	local group = self.groups[obstacle]
	if group then
		group[#group + 1] = run
	else
		self.groups[obstacle] = { run, obstacle = obstacle, runs = least }
		self:try(self.groups[obstacle], true)
	end
end

local find = {}                                       -- the task of finding another path

function agenda.new(calls, concretize, wanted)
	local self = setmetatable({ calls = calls, concretize = concretize, wanted = wanted,
		work = shares.new(calls.session), groups = {} }, Agenda)
	self.work:put("find", find)
	return self
end

function Agenda:step()
	return self.work:take(function(task)
		if task.obstacle then
			self:try(task)
		elseif task ~= find then
			self:begin(task)
		else
			local run = self.calls:abstract_next_path()
			if run then
				self.work:put(run.result, run)
				self.work:put("find", find)
			end
		end
	end)
end

return agenda
