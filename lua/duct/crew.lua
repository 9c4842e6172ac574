-- crew: the helper processes of a session with blocks of inputs (--jobs), which explore blocks for it. The session
-- gives blocks to helpers and explores the others itself. It repeats the runs of a helper without asking the solver, so
-- that it learns the same about flows, paths and outcomes as if it had worked alone.
--   crew.hire(options)        forks helpers; -> the session's side, or, in a helper, the helper's (`helps` is true)
-- The session's side:
--   crew:next(blocks)         -> a block to explore: one that a helper explored, or one given to no helper; nil: none
--   crew:answered(blocks, block)  -> the helper's task: { record, contexts, fixed, answers = by context { runs =
--                                { { values, parent, length of the path }, ... }, complete, paths } }; nil: it was
--                                given to no helper
--   crew:dismiss()            ends all helpers
-- A helper's side:
--   crew:take()               -> the next task, as a text; nil: the session needs no more
--   crew:answer(text)
--   crew:is_dismissed()
local core = require "duct.core"
local values = require "duct.values"

local Crew = {}
Crew.__index = Crew

local crew = {}

local pause = 0.01                                    -- seconds
local ahead = 2                                       -- tasks for each helper, so that none waits for the next one
local longest = 100000                                -- most bytes of a message; a longer one is a file's name
local least_runs = 8                                  -- least runs for a task, where --runs limits them
local figures = { "runs", "mispredicted" }            -- integers of an answer; then those of the solver
local asked = { "asked", "cached", "engine", "sat", "unsat", "questions", "infeasible", "pruned", "conjuncts" }
local seconds = { "run", "own", "solve", "strategy" }

function crew.hire(o)
	local self = setmetatable({ place = o.program, tasks = core.pool(o.jobs), results = core.pool(o.jobs), number = 1,
		of = o.jobs, processes = {}, out = {}, given = 0, numbered = 0, reserved = 0 }, Crew)
	self.tasks:join(1)
	self.results:join(1)
	for number = 2, o.jobs do
		local process = core.fork()
		if not process then
			self.helps, self.number = true, number
			self.tasks:join(number)
			self.results:join(number)
			return self
		end
		self.processes[#self.processes + 1] = process
	end
	return self
end

-- ---- the session's side

local zero = { 0, 0 }

-- Values of inputs by number as a list for values.pack; those without a width were not met.
local function list_of(blocks, by_number)
	local list = {}
	for i, value in pairs(by_number) do
		local name, kind, width = blocks.partition:input(i)
		list[#list + 1] = width > 0 and { name = name, kind = kind, width = width, low = value[1], high = value[2] } or nil
	end
	return list
end

local function task_text(blocks, task, most)
	local members, names, grow = {}, {}, {}
	for _, i in ipairs(blocks.partition:members(task.record.block)) do
		local name, kind, width = blocks.partition:input(i)
		local value = blocks.fixed[i] or blocks.usual[i] or zero
		members[#members + 1] = { name = name, kind = kind, width = width, low = value[1], high = value[2] }
		names[#names + 1] = i
	end
	task.members = names
	for name, value in pairs(blocks.session.grow) do
		grow[#grow + 1] = ("%s=%d"):format(name, value)
	end
	table.sort(grow)
	local texts = { ("<I4I4s4I4"):pack(task.number, most, table.concat(grow, "\n"), #task.contexts), values.pack(members),
		values.pack(list_of(blocks, blocks.fixed)) }
	for _, context in ipairs(task.contexts) do
		texts[#texts + 1] = values.pack(list_of(blocks, blocks:guarding(context)))
	end
	return table.concat(texts)
end

-- The runs that a helper may make for a task; nil: too few are left.
local function runs_for(self, session)
	if not session.last_run then
		return 0, 0
	end
	local most = (session.last_run - session.runs - self.reserved) // (4 * self.of)
	return most >= least_runs and most or nil, 2 * (most + 1)
end

-- Whether there is something to hand out for, and the task went out.
local function give(self, blocks, record, contexts)
	local most, reserved = runs_for(self, blocks.session)
	if not most or self.given >= ahead * (self.of - 1) then
		return false
	end
	if blocks.random then
		blocks:draw()
	end
	self.numbered = self.numbered + 1
	local task = { number = self.numbered, record = record, contexts = contexts, fixed = blocks.fixed,
		passed = blocks.passed, reserved = reserved }
	if not self.tasks:give(task_text(blocks, task, most)) then
		return false
	end
	self.out[record.block], self.given, self.reserved = task, self.given + 1, self.reserved + reserved
	return true
end

-- Is it still what the session would explore?
local function is_of_use(blocks, task)
	return blocks:is_same(task.record) and task.passed == blocks.passed
end

-- Looks at the blocks in order: hands out all but the first that nobody has, which is returned.
local function hand_out(self, blocks)
	local own
	for k = blocks.first, #blocks.order do
		local task = self.out[blocks.order[k]]
		if task and not is_of_use(blocks, task) then
			self.out[blocks.order[k]], task = nil, nil
		end
		local record, contexts
		if not task then
			record, contexts = blocks:open_at(k)
		end
		if record and not own then
			own = record.block
		elseif record and not give(self, blocks, record, contexts) then
			break
		elseif not record and not task and k == blocks.first and blocks.done[blocks.order[k]] then
			blocks.first = k + 1
		end
	end
	return own
end

local function add_figures(self, session, text, at)
	local n, s
	for _, name in ipairs(figures) do
		n, at = ("<i8"):unpack(text, at)
		session[name] = session[name] + n
	end
	for _, name in ipairs(asked) do
		n, at = ("<i8"):unpack(text, at)
		session.past[name] = (session.past[name] or 0) + n
	end
	for _, name in ipairs(seconds) do
		s, at = ("<d"):unpack(text, at)
		session.helped[name] = session.helped[name] + s
	end
	n, at = ("<I4"):unpack(text, at)
	for _ = 1, n do
		local reason, unit, file, line
		reason, unit, file, line, at = ("<s4i4I4I4"):unpack(text, at)
		session.store:lose(reason, unit, file, line)
	end
	return at
end

local function answer_of(task, text, at)
	local complete, paths, n, after = ("<I1I4I4"):unpack(text, at)
	local answer = { runs = {}, complete = complete == 1, paths = paths }
	at = after
	for i = 1, n do
		local run = { values = {} }
		run.parent, run.length, at = ("<I4I4"):unpack(text, at)
		for _, input in ipairs(task.members) do
			local is, low, high
			is, low, high, at = ("<I1i8i8"):unpack(text, at)
			run.values[input] = is == 1 and { low, high } or nil
		end
		answer.runs[i] = run
	end
	return answer, at
end

-- Takes an answer, waiting so long; returns its block, false when it is of no use, nil when there is none.
local function gather(self, blocks, wait)
	local text = self.results:take(wait)
	if not text then
		return nil
	elseif text:sub(1, 1) == "@" then
		local f <close> = assert(io.open(text:sub(2), "rb"))
		text = f:read("a")
	else
		text = text:sub(2)
	end
	local number, n, at = ("<I4I4"):unpack(text)
	at = add_figures(self, blocks.session, text, at)
	self.given = self.given - 1
	for block, task in pairs(self.out) do
		if task.number == number then
			self.reserved = self.reserved - task.reserved
			task.answers = {}
			for k = 1, n do
				task.answers[k], at = answer_of(task, text, at)
			end
			if is_of_use(blocks, task) then
				return block
			end
			self.out[block] = nil
		end
	end
	return false
end

-- Is there no helper that has a task, or will take one that is out?
local function is_lost(self)
	local any = false
	for number = 2, self.of do
		any = any or self.tasks:there(number)
	end
	return not any or self.tasks:alone() and self.tasks:hungry()
end

function Crew:next(blocks)
	blocks:put_in_order()
	blocks:keep_values()
	while not blocks.session:over() do
		local block
		repeat
			block = gather(self, blocks, 0)
		until block ~= false
		block = block or hand_out(self, blocks)
		if block or not next(self.out) then
			return block
		end
		local lost = is_lost(self)
		block = gather(self, blocks, lost and 0 or pause)
		if block then
			return block
		elseif lost and block == nil then
			self.out, self.given, self.reserved = {}, 0, 0
		end
		blocks.session:tick()
	end
end

function Crew:answered(_, block)
	local task = self.out[block]
	if task and task.answers then
		self.out[block] = nil
		return task
	end
end

function Crew:dismiss()
	self.tasks:leave()
	self.results:leave()
	for i, process in ipairs(self.processes) do
		local status = core.wait(process)
		if status ~= 0 and not core.interrupted() then
			core.say(("duct: helper %d of --jobs ended with status %d\n"):format(i + 1, status))
		end
	end
	self.processes = {}
end

-- ---- a helper's side

function Crew:is_dismissed()
	return not self.tasks:there(1)
end

function Crew:take()
	while not self:is_dismissed() and not core.interrupted() do
		local text = self.tasks:take(pause)
		if text then
			return text
		end
	end
end

-- The figures of the helper's session since the last answer, and its questions without an answer, as a text.
function Crew:figures(session)
	local c, f = session:solver_counts(), session:figures()
	local now = { runs = session.runs, mispredicted = session.mispredicted, unknown = c.unknown, run = f.cpu_run,
		own = f.cpu_run_own, solve = f.cpu_solve, strategy = f.cpu_strategy }
	for _, name in ipairs(asked) do
		now[name] = c[name]
	end
	local before, texts = self.told or {}, {}
	for _, list in ipairs { figures, asked, seconds } do
		for _, name in ipairs(list) do
			texts[#texts + 1] = (list == seconds and "<d" or "<i8"):pack(now[name] - (before[name] or 0))
		end
	end
	local open = session.open_questions
	if #open == 0 and now.unknown > (before.unknown or 0) then
		open[1] = { "no answer to a query", -1, 0, 0 }
	end
	self.told = now
	texts[#texts + 1] = ("<I4"):pack(#open)
	for _, question in ipairs(open) do
		texts[#texts + 1] = ("<s4i4I4I4"):pack(table.unpack(question))
	end
	session.open_questions = {}
	return table.concat(texts)
end

function Crew:answer(text)
	local message = "=" .. text
	if #message > longest then
		self.numbered = self.numbered + 1
		local place = ("%s-answer-%d-%d"):format(self.place, self.number, self.numbered)
		local f <close> = assert(io.open(place, "wb"))
		f:write(text)
		message = "@" .. place
	end
	while not self.results:give(message) and not self:is_dismissed() and not core.interrupted() do
		core.sleep(pause)
	end
end

return crew
