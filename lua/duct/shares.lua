-- shares: lists of tasks that share the runs equally: the next task is from the list with the fewest runs so far.
--   shares.new(session), s:put(name, task)   adds a task at the end of the list `name`
--   s:take(go_on)                  calls go_on(task) for the next task; false if there is none
local queue = require "duct.queue"

local Shares = {}
Shares.__index = Shares

local shares = {}

function shares.new(session)
	return setmetatable({ session = session, lists = {}, ready = queue.new() }, Shares)
end

local function ready(self, list)
	if not list.ready and list.first <= list.last then
		list.ready = true
		self.ready:put(list, -list.spent)
	end
end

function Shares:put(name, task)
	local list = self.lists[name] or { first = 1, last = 0, spent = 0 }
	self.lists[name] = list
	list.last = list.last + 1
	list[list.last] = task
	ready(self, list)
end

function Shares:take(go_on)
	if self.ready.count == 0 then
		return false
	end
	local list, before = self.ready:take(), self.session.runs
	local task = list[list.first]
	list[list.first] = nil
	list.first = list.first + 1
	go_on(task)
	list.ready, list.spent = false, list.spent + self.session.runs - before
	ready(self, list)
	return true
end

return shares
