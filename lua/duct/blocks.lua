-- Blocks: the partition of a session's inputs, what is known of each block, and the values that inputs have
-- while another block varies.
--   blocks.new(session)            from the finest partition, --blocks, or --check-partition
--   b:start()                      the first runs, in which nothing is symbolic
--   b:changed()                    an iterator over blocks that have to be explored
--   b:with(block, explore)         explores one: a tree of its own, its inputs symbolic
--   b:replay()                     repeats runs whose flows may be different by now
--   b:stable(), b:finish()
-- If runs end early because of the fixed inputs of another block, that block gets the values of one of its runs that
-- does not end early, and blocks that were explored with the old values are explored again. A block that guards several
-- others, because its decisions decide whether or how theirs are made, is shared by them: each is explored once for
-- each path of its guard in which its inputs take part in a decision, with the guard's values of that path. These runs
-- of the guard are the contexts of what it guards.
local arguments = require "duct.arguments"
local core = require "duct.core"

local Blocks = {}
Blocks.__index = Blocks
for name, method in pairs(require "duct.block_report") do
	Blocks[name] = method
end

local blocks = { methods = Blocks }

local function fail(status, message)
	error({ status = status, message = message }, 0)
end

-- The ranges of --range whose bounds are numbers: [name] = { low, high }.
local function ranges_of(o)
	local of = {}
	for _, text in ipairs(o.range or {}) do
		local name, low, high = text:gsub("^@%S+ ", ""):match("^(.-)=(%-?%d+)%.%.(%-?%d+)$")
		low, high = math.tointeger(tonumber(low)), math.tointeger(tonumber(high))
		if low and high and low <= high then
			of[name] = { low, high }
		end
	end
	return of
end

-- The values of inputs that do not vary, from --fixed and --range. random: they are drawn; values: by name.
function blocks.given(o)
	local given = { values = {}, ranges = ranges_of(o) }
	for _, text in ipairs(o.fixed or {}) do
		local name, value = text:match("^(.-)=(%-?%w+)$")
		value = math.tointeger(tonumber(value))
		given.random = given.random or text == "random"
		if text ~= "random" and not (name and value) then
			fail(2, ("--fixed: `%s` is neither random nor NAME=NUMBER"):format(text))
		end
		local range = name and given.ranges[name]
		if range and (value < range[1] or value > range[2]) then
			fail(2, ("--fixed %s: --range %s=%d..%d excludes it"):format(text, name, range[1], range[2]))
		elseif name then
			given.values[name] = value
		end
	end
	return given
end

function blocks.new(session)
	local o = session.options
	local given = blocks.given(o)
	local self = setmetatable({
		session = session, partition = core.partition(o.check_partition ~= nil, o.strategy ~= "latest"),
		order = {}, first = 1,                        -- blocks, guards first; those before the first are done
		done = {},                                    -- block -> { key, runs, cut = blocks that cut it short, ... }
		given = given.values, random = given.random, ranges = given.ranges,
		fixed = {},                                   -- input -> { low, high } when not its usual value
		held = {},                                    -- the same, for values that were found to be needed
		usual = {},                                   -- choice -> { low, high } that a run makes by itself, such as an object
		changes = 0, changes_of = {},                 -- of the partition; block -> how often it got other values
		changed_to = 0,                               -- changes of the partition that `order` knows of
		passed = 0,                                   -- how often any block got other values
		inputs = 0, explored = 0, helped = 0,
		learned = 0, last_learned = 0, forgotten = 0, -- places that runs wrote in scopes: in all; of this process; before it
	}, Blocks)
	local file = o.check_partition or o.blocks
	if file then
		local ok, message = self.partition:read(file)
		if not ok then
			fail(core.exists(file) and 3 or 2, message)
		end
	end
	session.blocks = self
	return self
end

-- Learns from a run: new inputs, and blocks that became one.
function Blocks:learn(trace)
	local changes, count, learned = self.partition:learn(trace)
	if count > self.inputs then
		self:add(count, trace)
	end
	if learned < self.last_learned then           -- the program was started again: what its runs learned is gone
		self.forgotten = self.learned + 1
	end
	self.last_learned, self.learned = learned, self.forgotten + learned
	self.changes, self.inputs = changes, count
end

function Blocks:add(count, trace)
	local met = {}
	for _, v in ipairs(trace:inputs()) do
		met[v.name] = v.kind == "n" and v.value or nil
	end
	for i = self.inputs + 1, count do
		local choice = met[(self.partition:input(i))]
		self.usual[i] = choice and { choice, 0 }
		self:fix(i)
	end
end

-- The value that an input keeps while another block varies: what --fixed says, or its usual one, mostly 0; within what
-- --range says.
function Blocks:fix(i)
	local name, kind, width = self.partition:input(i)
	local range = self.ranges[name]
	if self.held[i] then
		self.fixed[i] = self.held[i]
	elseif self.given[name] then
		self.fixed[i] = { self.given[name], self.given[name] < 0 and -1 or 0 }
	elseif range and (self.random or range[1] > 0 or range[2] < 0) then
		local size = range[2] - range[1] + 1
		local value = self.random and size > 0 and range[1] + self.session.random:below(size)
			or range[1] > 0 and range[1] or math.min(range[2], 0)
		self.fixed[i] = { value, value < 0 and -1 or 0 }
	elseif self.random and kind ~= "n" then       -- what an object is, or that there is none, is not drawn
		self.fixed[i] = { self.session.random:value(kind, width), 0 }
	end
end

-- Random values are others for each block that is explored (Algorithm 1, line 9).
function Blocks:draw()
	self.fixed = {}
	for i = 1, self.inputs do
		self:fix(i)
	end
end

-- Of a run that was made: the block that it ended early for, if it did, and where.
function Blocks:cut(trace)
	local how = trace:ended()
	local scope, risk, place = self.partition:ended(trace)
	local input = scope or how ~= "exit" and risk
	return input and self.partition:block(input), place
end

local zero = { 0, 0 }

-- Calls set(input, value) for what the guards of a block have in a context.
local function each_guarding(context, set)
	while context do
		for i, value in pairs(context.values) do
			set(i, value)
		end
		context = context.context
	end
end

-- The values with which a run begins, in the session's space; all inputs of the varied block have values.
function Blocks:values(block, changed, context, fixed)
	local model = self.session.space:model()
	local function set(i, value)
		local name, kind, width = self.partition:input(i)
		if width > 0 then
			model:set(name, kind, width, value[1], value[2])
		end
	end
	fixed = fixed or self.fixed
	for i, value in pairs(fixed) do
		set(i, value)
	end
	each_guarding(context or self.current and self.current.block == block and self.current.context, set)
	for _, i in ipairs(block and self.partition:members(block) or {}) do
		set(i, (changed or fixed)[i] or self.usual[i] or zero)
	end
	return model
end

-- Sets the inputs that do not vary in an input that a search made.
function Blocks:hold(model)
	local guarding = {}
	each_guarding(self.current.context, function(i, value) guarding[i] = value end)
	for i = 1, self.inputs do
		local name, kind, width = self.partition:input(i)
		if width > 0 and not self.current.names[i] then
			local value = guarding[i] or self.fixed[i] or self.usual[i] or zero
			model:set(name, kind, width, value[1], value[2])
		end
	end
end

-- Adds values of inputs that the run may meet and the run before it did not.
function Blocks:fill(model)
	local function set(i, value)
		local name, kind, width = self.partition:input(i)
		if width > 0 and not model:get(name) then
			model:set(name, kind, width, value[1], value[2])
		end
	end
	each_guarding(self.current.context, set)
	for i, value in pairs(self.fixed) do
		set(i, value)
	end
	for i in pairs(self.current.names) do
		set(i, self.usual[i] or zero)
	end
end

-- Are a block and its guards unchanged?
function Blocks:is_same(b)
	local now, key = self.partition:block(b.block)
	local guard = now == b.block and self.partition:guard(b.block) or nil
	return now == b.block and key == b.key and (guard and self.done[guard] or nil) == b.guard
end

-- Has the varied block changed?
function Blocks:is_over()
	local b = self.current
	return b ~= nil and not self:is_same(b)
end

-- The values of a block's inputs in a run, where its values tell them.
local function values_of(model, names)
	local list = {}
	for i, name in pairs(names) do
		local low, high = model:get(name)
		list[i] = low and { low, high }
	end
	return list
end

-- For the next run: the partition, and the number of the block that varies.
function Blocks:varied()
	return self.partition, self.current and self.current.block
end

-- Keeps the values of the runs of the block that was explored last.
function Blocks:keep_values()
	for _, run in ipairs(self.last and self.last.runs or {}) do
		run.values = run.values or values_of(run.model, self.last.names)
		run.model = nil
	end
	self.last = nil
end

-- A tree of its own from now on.
function Blocks:fresh()
	self:keep_values()
	self.session:fresh()
end

-- Does a block guard another, directly or not?
function Blocks:guards(guard, block)
	repeat
		block = self.partition:guard(block)
	until not block or block == guard
	return block ~= nil
end

-- Called after each run of the session; keeps what is needed of it.
function Blocks:ran(trace, model, path)
	self:learn(trace)
	self.decided = self.partition:decided(trace)
	local b, cut, place = self.current, self:cut(trace)
	if not b or self:is_over() then
		return
	end
	local run = { learned = self.learned, model = model, decided = { self.decided }, context = b.context,
		fixed = self.fixed }
	b.runs[#b.runs + 1] = run
	b.started = true
	if cut == b.block then
		b.early = b.early or #b.runs == 1
		b.place = b.place or place
		b.several = b.several or b.place ~= place     -- where its own runs end
	else
		b.passes = b.passes or { values = values_of(model, b.names), context = b.context }
	end
	if cut and cut ~= b.block and not self:guards(cut, b.block) then
		b.cut[cut] = true
	end
	b.paths = b.paths + (path.fresh and 1 or 0)
end

function Blocks:start()
	local session, list, tests = self.session, self.session:given()
	for _, input in ipairs(list) do
		if session:over() then
			return
		end
		session:run(input, nil, "replay")
	end
	if tests == 0 then
		local model = core.space(session.flow):model()   -- a space of its own: kinds and widths are not known yet
		for name, value in pairs(self.given) do
			model:set(name, "i", 64, value, value < 0 and -1 or 0)
		end
		session:run(model, nil, "first")
	end
end

-- The blocks, those that guard others before these.
function Blocks:in_order()
	local list, depth, total = {}, {}, self.partition:counts()
	for i = 1, total do
		if self.partition:block(i) == i and select(3, self.partition:input(i)) > 0 then
			local guard = self.partition:guard(i)
			list[#list + 1], depth[i] = i, 0
			while guard do
				depth[i], guard = depth[i] + 1, self.partition:guard(guard)
			end
		end
	end
	table.sort(list, function(a, b) return depth[a] < depth[b] or depth[a] == depth[b] and a < b end)
	return list
end

-- Does an input of a block take part in a decision of this run?
local function takes_part(run, names)
	for _, bits in ipairs(run.decided) do
		for i in pairs(names) do
			if (bits:byte(i // 8 + 1) or 0) >> i % 8 & 1 == 1 then
				return true
			end
		end
	end
	return false
end

local plain = {}                                      -- the context of what nothing guards

-- The contexts of a block that it was not explored in yet; nil: what guards it is to be explored first.
function Blocks:contexts(b)
	if not self.partition:guard(b.block) then
		return b.explored[plain] and {} or { plain }
	elseif not b.guard then
		return nil
	end
	local list = {}
	for _, run in ipairs(b.guard.runs) do
		if not b.explored[run] and takes_part(run, b.names) then
			list[#list + 1] = run
		end
	end
	return list
end

-- By number, the values of what guards a block in a context.
function Blocks:guarding(context)
	local map = {}
	each_guarding(context ~= plain and context or nil, function(i, value) map[i] = value end)
	return map
end

-- The record of a block: the one from before while the block is the same.
function Blocks:record(block)
	local d, guard = self.done[block], self.partition:guard(block)
	if d and self:is_same(d) then
		return d
	end
	local b = { block = block, key = select(2, self.partition:block(block)), guard = guard and self.done[guard],
		names = {}, runs = {}, cut = {}, paths = 0, explored = {}, complete = true }
	for _, i in ipairs(self.partition:members(block)) do
		b.names[i] = self.partition:input(i)
	end
	return b
end

-- The blocks, as they are now, in the order in which they are explored.
function Blocks:put_in_order()
	if self.changed_to ~= self.changes then
		self.order, self.first, self.changed_to = self:in_order(), 1, self.changes
	end
end

-- The record of the k-th block and its contexts, when it has to be explored and can be; nil otherwise.
function Blocks:open_at(k)
	local b = self:record(self.order[k])
	local contexts = self:contexts(b)
	if contexts and (contexts[1] or self.done[b.block] ~= b) then
		return b, contexts
	end
end

-- The next block that has to be explored; nil: there is none.
function Blocks:next_open()
	self:put_in_order()
	while self.first <= #self.order and not self.session:over() do
		local b = self:open_at(self.first)
		if b then
			return b.block
		end
		self.first = self.first + 1
	end
end

function Blocks:changed()
	local crew = self.session.options.crew
	return function()
		if crew then
			return crew:next(self)
		end
		return self:next_open()
	end
end

-- Makes the runs that a helper made in exploring the current block. Returns whether these are all that there are: what
-- the helper says of its paths holds for these where each is as long, and as many are different.
local function make_again(self, b, answer)
	local session, made, paths, same = self.session, {}, 0, true
	for i, run in ipairs(answer.runs) do
		if session:over() then
			return false
		end
		local path = session:run(self:values(b.block, run.values), nil, i == 1 and "flows" or "solved", made[run.parent])
		made[i], paths = path.id, paths + (path.fresh and 1 or 0)
		same = same and path.length == run.length
	end
	return answer.complete and same and paths == answer.paths
end

-- Explores a block in one context. answer: what a helper did; it is explored here when that does not do.
local function explore_in(self, b, context, explore, answer)
	local before, whole = b.paths, false
	local function begin()
		self:fresh()
		b.context, b.started, b.paths = context ~= plain and context or nil, false, before
		self.current, self.last = b, b
	end
	begin()
	if answer then
		whole = make_again(self, b, answer)
	end
	if not answer or not whole and not self.session:over() then
		if answer then
			begin()
		end
		explore(self.session)
		local c = self.session.space:counts()
		whole = c.pending == 0 and c.unknown == 0 and c.contradicted == 0
	end
	self.current = nil
	b.complete = b.complete and whole
	b.explored[context] = true
end

function Blocks:with(block, explore)
	local crew, random = self.session.options.crew, self.random
	local task = crew and crew:answered(self, block)
	local b = task and task.record or self:record(block)
	local contexts = task and task.contexts or self:contexts(b) or {}
	self.explored, self.helped, self.done[b.block] = self.explored + 1, self.helped + (task and 1 or 0), nil
	if random and not task then
		self:draw()
	elseif random then
		self.fixed = task.fixed
	end
	for k, context in ipairs(contexts) do
		if self.session:over() or not self:is_same(b) then
			return
		end
		explore_in(self, b, context, explore, task and task.answers[k])
	end
	if not self.session:over() and self:is_same(b) then
		self.done[b.block] = b
		self:pass(b)
	end
end

local most_changes = 16

-- A block whose values ended runs of others early gets others, and those are to be explored again.
function Blocks:pass(b)
	local changes = self.changes_of[b.block] or 0
	if not b.early or not b.passes or changes == most_changes then
		return
	end
	self.changes_of[b.block], self.passed = changes + 1, self.passed + 1
	each_guarding(b.passes, function(i, value)
		self.held[i], self.fixed[i] = value, value
	end)
	for block, d in pairs(self.done) do
		for other in pairs(d.cut) do
			if self.partition:block(other) == b.block then
				self.done[block] = nil
			end
		end
	end
	self.first = 1
end

function Blocks:each_done()
	local list = {}
	for i = 1, self.inputs do
		if self.done[i] and self:is_same(self.done[i]) then
			list[#list + 1] = self.done[i]
		end
	end
	return list
end

-- Is there a block that has to be explored?
function Blocks:any_open()
	self.first = 1
	return self:next_open() ~= nil
end

function Blocks:replay()
	local list = self:each_done()
	if #list < 2 or self:any_open() then
		return
	end
	self:fresh()
	for _, b in ipairs(list) do
		for _, run in ipairs(b.runs) do
			if run.learned < self.learned and not self.session:over() then
				self.session:run(self:values(b.block, run.values, run.context, run.fixed), nil, "flows")
				run.learned = self.learned
				if self.decided ~= run.decided[1] then
					run.decided[#run.decided + 1] = self.decided
				end
			end
		end
	end
end

function Blocks:stable()
	local list = self:each_done()
	for _, b in ipairs(#list > 1 and list or {}) do
		for _, run in ipairs(b.runs) do
			if run.learned < self.learned then
				return false
			end
		end
	end
	return not self:any_open()
end

-- Did inputs of given blocks flow into one decision?
function Blocks:violated()
	return self.session.options.check_partition ~= nil and select(3, self.partition:counts()) > 0
end

blocks.values_of = values_of

arguments.check(Blocks, "partition", {
	start = "", changed = "", with = "number function", replay = "", stable = "", finish = "",
})

return blocks
