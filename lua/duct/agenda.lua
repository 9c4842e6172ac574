-- agenda: the order in which abstract paths are found and made concrete. Paths with the same result share their runs.
-- Paths that the same outcome keeps from being concrete form a group, of which only the first is tried. Paths that take
-- many runs are put off.
--   agenda.new(calls, concretize, wanted)  concretize(calls, path, useful) -> a concrete run that follows the path, or
--                                  nil; wanted(path): is it still useful to make it concrete? nil: each path is
--   agenda:step()                  finds a path, or tries to make one concrete; false when nothing is left to do
local shares = require "duct.shares"
local turns = require "duct.turns"

local Agenda = {}
Agenda.__index = Agenda

local agenda = {}

local least = 64                                      -- runs that a path gets at first

-- As concretize, but after the next call, only the first path that follows the run is tried for each further call.
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

-- Makes a run concrete by two searches that take turns: one begins like the nearest concrete run, the other from the
-- start. Only the second one can refute the path.
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

-- The search for a group. It continues where it stopped, unless its trees have been dropped since.
function Agenda:search_for(group)
	if group.trees ~= self.calls.trees then
		group.trees = self.calls.trees
		group.search = turns.begin(function() return self:make_real(group[1]) end)
	end
	return group.search
end

-- Was such a run made before, or is none wanted, or is it another share's work?
function Agenda:is_done(run)
	return self.calls.shown[run.key] or not self.calls:is_mine(run) or self.wanted and not self.wanted(run)
end

-- Tries the first path of a group with group.runs runs. If it becomes concrete or is refuted, the others are new paths
-- again; otherwise the group is put off, with twice the runs. known: a guess from known results was tried and failed.
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

-- Begins with a path: a guess from summaries first.
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
