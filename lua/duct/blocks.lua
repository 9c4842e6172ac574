-- Blocks: the partition of a session's inputs, what is known of each block, and the values that inputs have
-- while another block varies.
--   blocks.new(session)            from the finest partition, --blocks, or --check-partition
--   b:start()                      the first runs, in which nothing is symbolic
--   b:changed()                    an iterator over blocks that have to be explored
--   b:with(block, explore)         explores one: a tree of its own, its inputs symbolic
--   b:replay()                     runs again what flows may be different in by now
--   b:stable(), b:finish()
-- A run that ends early because of another block's inputs shows nothing of what comes later: that block's
-- values become those of a run of its own that does not, and what was explored with the others is explored again.
local arguments = require "duct.arguments"
local core = require "duct.core"
local inputs = require "duct.inputs"

local Blocks = {}
Blocks.__index = Blocks

local blocks = {}

local function fail(status, message)
	error({ status = status, message = message }, 0)
end

function blocks.new(session)
	local o = session.options
	local self = setmetatable({
		session = session, partition = core.partition(o.check_partition ~= nil),
		queue = {}, first = 1,                        -- blocks to look at
		done = {},                                    -- block -> { size, runs, cut = blocks that cut it short }
		given = {},                                   -- name -> value
		fixed = {},                                   -- input -> { low, high } when not its usual value
		usual = {},                                   -- choice -> { low, high } that a run makes by itself, such as an object
		changes = {},                                 -- block -> how often it got other values
		merges = 0, inputs = 0, learned = 0, explored = 0,
	}, Blocks)
	local file = o.check_partition or o.blocks
	if file then
		local ok, message = self.partition:read(file)
		if not ok then
			fail(core.exists(file) and 3 or 2, message)
		end
	end
	for _, text in ipairs(o.fixed or {}) do
		local name, value = text:match("^(.-)=(%-?%w+)$")
		self.random = self.random or text == "random"
		self.given[name or ""] = name and math.tointeger(tonumber(value))
		if text ~= "random" and not (name and self.given[name]) then
			fail(2, ("--fixed: `%s` is neither random nor NAME=NUMBER"):format(text))
		end
	end
	session.blocks = self
	return self
end

-- What a run tells: new inputs, and blocks that became one, are to be explored.
function Blocks:learn(trace)
	local merges, count, learned = self.partition:learn(trace)
	if count > self.inputs then
		self:add(count, trace)
	end
	for i = self.merges + 1, merges do
		self.queue[#self.queue + 1] = self.partition:block((self.partition:merge(i)))
	end
	self.merges, self.inputs, self.learned = merges, count, math.max(learned, self.learned)
end

function Blocks:add(count, trace)
	local met = {}
	for _, v in ipairs(trace:inputs()) do
		met[v.name] = v.kind == "n" and v.value or nil
	end
	for i = self.inputs + 1, count do
		self.queue[#self.queue + 1] = i
		local choice = met[(self.partition:input(i))]
		self.usual[i] = choice and { choice, 0 }
		self:fix(i)
	end
end

-- The value that a new input keeps while another block varies: what --fixed says, or its usual one, mostly 0.
function Blocks:fix(i)
	local name, kind, width = self.partition:input(i)
	if self.given[name] then
		self.fixed[i] = { self.given[name], self.given[name] < 0 and -1 or 0 }
	elseif self.random then
		self.fixed[i] = { inputs.value(self.session.random, kind, width), 0 }
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

-- The values that a run begins with, in the session's space; of the inputs of a block all are told.
function Blocks:values(block, changed)
	local model = self.session.space:model()
	local function set(i, value)
		local name, kind, width = self.partition:input(i)
		if width > 0 then
			model:set(name, kind, width, value[1], value[2])
		end
	end
	for i, value in pairs(self.fixed) do
		set(i, value)
	end
	for _, i in ipairs(block and self.partition:members(block) or {}) do
		set(i, (changed or self.fixed)[i] or self.usual[i] or zero)
	end
	return model
end

-- Of an input that a search made: what does not vary gets its value.
function Blocks:hold(model)
	for i = 1, self.inputs do
		local name, kind, width = self.partition:input(i)
		if width > 0 and not self.current.names[i] then
			local value = self.fixed[i] or self.usual[i] or zero
			model:set(name, kind, width, value[1], value[2])
		end
	end
end

-- Is a block still what it was?
function Blocks:is_same(block, size)
	local now, members = self.partition:block(block)
	return now == block and members == size
end

-- Has the one that is varied become another?
function Blocks:is_over()
	local b = self.current
	return b ~= nil and not self:is_same(b.block, b.size)
end

-- What the inputs of a block were in a run, where its model says it.
local function values_of(model, names)
	local list = {}
	for i, name in pairs(names) do
		local low, high = model:get(name)
		list[i] = low and { low, high }
	end
	return list
end

-- A tree of its own from now on. Of runs in the one before, their values are kept.
function Blocks:fresh()
	for _, run in ipairs(self.last and self.last.runs or {}) do
		run.values = run.values or values_of(run.model, self.last.names)
		run.model = nil
	end
	self.last = nil
	self.session:fresh()
end

-- After each run of the session: what is remembered of it.
function Blocks:ran(trace, model, path)
	self:learn(trace)
	local b, cut, place = self.current, self:cut(trace)
	if not b or self:is_over() then
		return
	end
	local run = { learned = self.learned, model = model }
	b.runs[#b.runs + 1] = run
	if cut == b.block then
		b.early = b.early or #b.runs == 1
		b.place = b.place or place
		b.several = b.several or b.place ~= place     -- where its own runs end
	else
		b.passes = b.passes or values_of(model, b.names)
	end
	if cut and cut ~= b.block then
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

function Blocks:changed()
	return function()
		while self.first <= #self.queue and not self.session:over() do
			local block = self.queue[self.first]
			self.first = self.first + 1
			local d = self.done[block]
			if self.partition:block(block) == block and select(3, self.partition:input(block)) > 0
				and not (d and self:is_same(block, d.size)) then
				return block
			end
		end
	end
end

function Blocks:with(block, explore)
	local members = self.partition:members(block)
	local b = { block = block, names = {}, size = #members, runs = {}, cut = {}, paths = 0 }
	for _, i in ipairs(members) do
		b.names[i] = self.partition:input(i)
	end
	self:fresh()
	self.current, self.last, self.explored = b, b, self.explored + 1
	explore(self.session)
	self.current = nil
	if self:is_done(b) then
		self.done[block] = b
		self:pass(b)
	end
end

function Blocks:is_done(b)
	local c = self.session.space:counts()
	b.complete = c.pending == 0 and c.unknown == 0 and c.contradicted == 0
	return not self.session:over() and self:is_same(b.block, b.size)
end

local most_changes = 16

-- A block whose values ended runs of others early gets others, and those are to be explored again.
function Blocks:pass(b)
	local changes = self.changes[b.block] or 0
	if not b.early or not b.passes or changes == most_changes then
		return
	end
	self.changes[b.block] = changes + 1
	for i in pairs(b.names) do
		self.fixed[i] = b.passes[i]
	end
	for block, d in pairs(self.done) do
		for other in pairs(d.cut) do
			if self.partition:block(other) == b.block then
				self.done[block] = nil
			end
		end
	end
	for i = 1, self.inputs do
		if self.partition:block(i) == i and not self.done[i] then
			self.queue[#self.queue + 1] = i
		end
	end
end

function Blocks:each_done()
	local list = {}
	for i = 1, self.inputs do
		if self.done[i] and self:is_same(i, self.done[i].size) then
			list[#list + 1] = self.done[i]
		end
	end
	return list
end

function Blocks:replay()
	local list = self:each_done()
	if #list < 2 or self.first <= #self.queue then
		return
	end
	self:fresh()
	for _, b in ipairs(list) do
		for _, run in ipairs(b.runs) do
			if run.learned < self.learned and not self.session:over() then
				self.session:run(self:values(b.block, run.values), nil, "flows")
				run.learned = self.learned
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
	return self.first > #self.queue
end

local function quoted(s)
	return '"' .. s:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

local function names_of(self, members)
	local list = {}
	for k, i in ipairs(members) do
		list[k] = quoted((self.partition:input(i)))
	end
	return "[" .. table.concat(list, ", ") .. "]"
end

local function merge_text(self, i)
	local _, _, a, b, file, line, col = self.partition:merge(i)
	return ('{"inputs": [%s, %s], "file": %s, "line": %d, "column": %d}'):format(quoted(a), quoted(b),
		quoted(file), line, col)
end

-- Does every run of a block end in one place, which nothing comes behind, whatever the others' values?
function Blocks:always_ends(b)
	return b and b.complete and not b.passes and not b.several and not next(b.cut)
end

-- Why an assertion that plain concolic testing violates may have been missed; nil: it was not.
function Blocks:doubt()
	local session, list, _, count = self.session, self:each_done(), self.partition:counts()
	if session.options.strategy == "latest" then
		return "calls are abstract: flows are followed in real runs only"
	elseif session.options.check_partition and self.merges > 0 then
		return "the given blocks meet"
	elseif session.ended then
		return "the session ended before its time: " .. session.ended
	elseif session.cut > 0 or session.mispredicted > 0 or session.store:counts().lost > 0 then
		return "runs were cut short, mispredicted or lost precision"
	end
	for _, b in ipairs(list) do
		for other in pairs(b.cut) do
			if not self:always_ends(self.done[self.partition:block(other)]) then
				return "runs ended because of another block's inputs"
			end
		end
		if not b.complete then
			return "a block was not explored to its end"
		end
	end
	if not (#list == count and self:stable()) then
		return "not all blocks were explored"
	end
	return session.options.strategy == "dft" and count > 1 and "a pair may need the inputs of two blocks" or nil
end

function Blocks:finish()
	local session, texts, paths, met = self.session, {}, {}, {}
	local total, count, merges = self.partition:counts()
	for i = 1, total do
		if self.partition:block(i) == i then
			texts[#texts + 1] = names_of(self, self.partition:members(i))
			paths[#paths + 1] = self.done[i] and self.done[i].paths or 0
		end
	end
	for i = 1, merges do
		met[i] = merge_text(self, i)
	end
	if count > 1 then
		session.judged = false
	end
	self.why = self:doubt()
	session.extra = ('"blocks": [%s],\n "partition": {"complete": %s, "doubt": %s, "paths": [%s], "explored": %d,\n'
		.. '  "%s": [%s]}'):format(
		table.concat(texts, ", "), not self.why, self.why and quoted(self.why) or "null", table.concat(paths, ", "),
		self.explored, session.options.check_partition and "violations" or "merges", table.concat(met, ",\n   "))
end

local most_lines = 20

-- For people.
function Blocks:text()
	local total, count, merges = self.partition:counts()
	local check = self.session.options.check_partition
	local function lines(n, line)
		for i = 1, math.min(n, most_lines) do
			io.write("  ", line(i), "\n")
		end
		if n > most_lines then
			io.write(("  and %d more\n"):format(n - most_lines))
		end
	end
	local roots = {}
	for i = 1, total do
		roots[#roots + 1] = self.partition:block(i) == i and i or nil
	end
	io.write(("blocks of inputs: %d, %s\n"):format(count, self.why or "each explored to its end"))
	lines(#roots, function(i)
		local list = {}
		for k, input in ipairs(self.partition:members(roots[i])) do
			list[k] = self.partition:input(input)
		end
		return ("%s: %d paths"):format(table.concat(list, " "), self.done[roots[i]] and self.done[roots[i]].paths or 0)
	end)
	io.write(merges > 0 and (check and "violations:\n" or "merged:\n") or "")
	lines(merges, function(i)
		local _, _, a, b, file, line, col = self.partition:merge(i)
		return line > 0 and ("%s:%d:%d: %s and %s"):format(file, line, col, a, b) or ("%s and %s: %s"):format(a, b, file)
	end)
end

-- Did given blocks meet?
function Blocks:violated()
	return self.session.options.check_partition ~= nil and self.merges > 0
end

arguments.check(Blocks, "partition", {
	start = "", changed = "", with = "number function", replay = "", stable = "", finish = "",
})

return blocks
