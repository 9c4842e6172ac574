-- helper: the result of session:partition() in a process that explores blocks for a session (duct.crew). It has the
-- methods of duct.blocks that strategies call, so that the same strategy runs in both. Its blocks are the tasks that it
-- takes. It stops exploring a block whose inputs flow into decisions with others; the session finds that flow, too,
-- when it repeats the runs.
local arguments = require "duct.arguments"
local blocks = require "duct.blocks"
local core = require "duct.core"
local values = require "duct.values"

local Helper = {}
Helper.__index = Helper
for _, name in ipairs { "learn", "add", "fix", "draw", "hold", "fill" } do
	Helper[name] = blocks.methods[name]
end

local helper = {}

-- Forgets everything about the inputs, as at the start.
local function begin(self)
	local o = self.session.options
	local given = blocks.given(o)
	self.partition = core.partition(false, o.strategy ~= "latest")
	self.given, self.random, self.ranges = given.values, given.random, given.ranges
	self.fixed, self.held, self.usual = {}, {}, {}
	self.inputs, self.changes, self.learned, self.last_learned, self.forgotten = 0, 0, 0, 0, 0
end

function helper.new(session)
	local self = setmetatable({ session = session, crew = session.options.crew, grow = "" }, Helper)
	begin(self)
	session.blocks, session.open_questions = self, {}
	return self
end

local function numbers_of(self, list)
	local names = {}
	for i, v in ipairs(list) do
		names[i] = v.name
	end
	return names, self.partition:unite(names)
end

-- As { [input] = { low, high } }, of inputs that may not be known here yet.
local function by_number(self, list)
	local map = {}
	for _, v in ipairs(list) do
		local i = self.partition:unite({ v.name })[1]
		map[i] = { v.low, v.high }
	end
	return map
end

-- Limits as the session has them by now.
local function widen(self, text)
	if text == self.grow then
		return
	end
	local grow = {}
	for name, value in text:gmatch("([^\n]+)=(%-?%d+)") do
		grow[name] = math.tointeger(tonumber(value))
	end
	self.grow, self.session.grow = text, grow
	self.session:reopen(self.session.setup)
	begin(self)
end

-- For the next run: a partition that has only the inputs of the task, and the number of its block, which varies.
function Helper:varied()
	local task = self.current
	return task and task.inputs or self.partition, task and 1
end

-- A task from its text.
local function task_of(self, text)
	local number, most, grow, contexts, at = ("<I4I4s4I4"):unpack(text)
	local task = { number = number, most = most, ended = false }
	widen(self, grow)
	task.members, at = values.unpack(text, at)
	task.fixed, at = values.unpack(text, at)
	self.fixed = by_number(self, task.fixed)
	for k = 1, contexts do
		task[k], at = values.unpack(text, at)
	end
	local list
	task.of, list = numbers_of(self, task.members)
	task.names, task.list = {}, list
	for k, i in ipairs(list) do
		local v = task.members[k]
		task.names[i], self.usual[i] = v.name, { v.low, v.high }
	end
	self.inputs = self.partition:counts()
	task.inputs = core.partition(false, false)
	task.inputs:unite(task.of)
	task.changes, task.before = nil, self.session.runs
	return task
end

function Helper:start()
	self.session.judged = false
end

function Helper:changed()
	return function()
		local text = not self.session:over() and self.crew:take()
		if not text then
			self.session.ended = self.session.ended or "dismissed"
			return nil
		end
		self.task = task_of(self, text)
		return 1
	end
end

-- The first values: those that all have, and those of what guards the block.
function Helper:values()
	local task = self.current
	local model = self.session.space:model()
	for _, list in ipairs { task.fixed, task.guarding, task.members } do
		for _, v in ipairs(list) do
			if v.width > 0 then
				model:set(v.name, v.kind, v.width, v.low, v.high)
			end
		end
	end
	return model
end

-- Is the task over: has the session gone on without it, are its runs used up, or did its inputs flow into decisions
-- with others?
function Helper:is_over()
	local task = self.current
	if not task then
		return self.crew:is_dismissed()
	end
	if task.changes ~= self.changes then
		task.changes = self.changes
		task.ended = task.ended or self.partition:class_size(task.list[1]) > #task.list
	end
	return task.ended or task.most > 0 and self.session.runs - task.before >= task.most or self.crew:is_dismissed()
end

function Helper:ran(trace, model, path, parent)
	self:learn(trace)
	local task = self.current
	if task then
		task.runs[#task.runs + 1] = { model = model, parent = task.numbers[parent] or 0, length = path.length }
		task.numbers[self.session.runs] = #task.runs
		task.paths = task.paths + (path.fresh and 1 or 0)
		task.started = true
	end
end

local function answer_text(task, complete)
	local texts = { ("<I1I4I4"):pack(complete and 1 or 0, task.paths, #task.runs) }
	for _, run in ipairs(task.runs) do
		local found = blocks.values_of(run.model, task.names)
		texts[#texts + 1] = ("<I4I4"):pack(run.parent, run.length)
		for _, i in ipairs(task.list) do
			local value = found[i]
			texts[#texts + 1] = ("<I1i8i8"):pack(value and 1 or 0, value and value[1] or 0, value and value[2] or 0)
		end
	end
	return table.concat(texts)
end

function Helper:with(_, explore)
	local task, session, texts = self.task, self.session, {}
	for k = 1, #task do
		session:fresh()
		task.runs, task.numbers, task.paths, task.started = {}, {}, 0, false
		task.guarding, task.context = task[k], { values = by_number(self, task[k]) }
		self.current = task
		explore(session)
		local c, over = session.space:counts(), session:over()
		self.current = nil
		texts[k] = answer_text(task, not over and c.pending == 0 and c.unknown == 0 and c.contradicted == 0)
	end
	self.crew:answer(("<I4I4"):pack(task.number, #task) .. self.crew:figures(session) .. table.concat(texts))
end

function Helper:replay()
end

function Helper:stable()
	return true
end

function Helper:finish()
end

arguments.check(Helper, "partition", {
	start = "", changed = "", with = "number function", replay = "", stable = "", finish = "",
})

return helper
