-- paths: every path of a function, on inputs of any width: flowrun runs it, beside each value goes its term in SMT-LIB,
-- and z3 finds inputs that leave the path at each of its conditions. A second engine that shares nothing with lib/.
--   paths.explore(p, entry, inter, widths, limits) -> what some run exercises, complete, runs
-- exercised: by name, as flowrun tells it, inputs; complete: every path was run. limits: { runs, steps }
local flowrun = require "flowrun"
local tap = require "tap"
local Run = flowrun.Run
local M = {}

local Layer = setmetatable({}, { __index = Run })
Layer.__index = Layer

local function bits(v, width) return ("(_ bv%u %d)"):format(width < 64 and v & (1 << width) - 1 or v, width) end

-- A term: { name, width }; nil where a value does not depend on inputs.
function Layer:define(text, width)
	self.terms = self.terms + 1
	local name = "t" .. self.terms
	self.script[#self.script + 1] = ("(define-fun %s () (_ BitVec %d) %s)"):format(name, width, text)
	return { name = name, width = width }
end

function Layer:term(o, frame)
	return o.kind == "%" and frame.term[o.id] or o.kind == "^" and frame.argterm[o.id + 1] or nil
end

-- The operand as text of this width, whatever its term has.
function Layer:text(o, frame, width)
	local t = self:term(o, frame)
	if not t then return bits(self:value(o, frame), width) end
	if t.width == width then return t.name end
	return t.width > width and ("((_ extract %d 0) %s)"):format(width - 1, t.name)
		or ("((_ zero_extend %d) %s)"):format(width - t.width, t.name)
end

-- The choices on this path. many: of more than two.
function Layer:constrain(text, many)
	self.path[#self.path + 1] = { text = text, many = many, after = #self.script }
end

function Layer:pin(o, frame)
	local t = self:term(o, frame)
	if t then self:constrain(("(= %s %s)"):format(t.name, bits(self:value(o, frame), t.width)), true) end
end

local binary = { add = "bvadd", sub = "bvsub", mul = "bvmul", ["and"] = "bvand", ["or"] = "bvor", xor = "bvxor", shl = "bvshl",
	lshr = "bvlshr", ashr = "bvashr" }
local compare = { eq = "=", ult = "bvult", ule = "bvule", ugt = "bvugt", uge = "bvuge", slt = "bvslt", sle = "bvsle", sgt = "bvsgt",
	sge = "bvsge" }

-- The term of what an instruction computes; only when one of its operands has one.
function Layer:computed(i, frame)
	local any = false
	for _, o in ipairs(i) do any = any or self:term(o, frame) ~= nil end
	if not any then return nil end
	local function a(n, width) return self:text(i[n], frame, width or i.width) end
	if binary[i.op] then return self:define(("(%s %s %s)"):format(binary[i.op], a(1), a(2)), i.width) end
	if compare[i.op] then return self:define(("(ite (%s %s %s) #b1 #b0)"):format(compare[i.op], a(1), a(2)), 1) end
	if i.op == "ne" then return self:define(("(ite (= %s %s) #b0 #b1)"):format(a(1), a(2)), 1) end
	if i.op == "zext" or i.op == "trunc" then return self:define(a(1), i.width) end
	if i.op == "sext" then
		local t = self:term(i[1], frame)
		return self:define(("((_ sign_extend %d) %s)"):format(i.width - t.width, t.name), i.width)
	end
	if i.op == "addr" then
		local text = ("(bvadd %s %s"):format(a(1), a(2))
		for n = 3, #i, 2 do
			local t = self:term(i[n], frame)
			local index = t and (t.width < 64 and ("((_ sign_extend %d) %s)"):format(64 - t.width, t.name) or t.name) or a(n, 64)
			text = text .. (" (bvmul %s %s)"):format(index, a(n + 1))
		end
		return self:define(text .. ")", 64)
	end
	error("paths: no term for " .. i.op)
end

-- ---- memory: of each byte the term that it is part of

function Layer:set(at, size, v)
	Run.set(self, at, size, v)
	for k = at, at + size - 1 do self.part[k] = nil end
end

function Layer:loaded(at, size)
	local first, any = self.part[at], false
	local whole = first and first.term.width == size * 8
	for k = 0, size - 1 do
		local b = self.part[at + k]
		any = any or b ~= nil
		whole = whole and b and b.term == first.term and b.k == k
	end
	if not any then return nil end
	if whole then return first.term end
	local list = {}
	for k = size - 1, 0, -1 do
		local b = self.part[at + k]
		list[#list + 1] = b and ("((_ extract %d %d) %s)"):format(8 * b.k + 7, 8 * b.k, b.term.name) or bits(self:get(at + k, 1), 8)
	end
	return self:define(size == 1 and list[1] or "(concat " .. table.concat(list, " ") .. ")", size * 8)
end

function Layer:copy_bytes(to, from, n)
	local part = {}
	for k = 0, n - 1 do part[k] = self.part[from + k] end
	Run.copy_bytes(self, to, from, n)
	for k = 0, n - 1 do self.part[to + k] = part[k] end
end

-- ---- control

function Layer:enter(frame)
	frame.term, frame.argterm, self.passed = {}, self.passed or {}, nil
	Run.enter(self, frame)
end

function Layer:step(i, frame)
	local op, term = i.op, nil
	if op == "load" then
		self:pin(i[1], frame)
		term = self:loaded(self:value(i[1], frame), (i.width + 7) // 8)
		if term and term.width > i.width then term = self:define(("((_ extract %d 0) %s)"):format(i.width - 1, term.name), i.width) end
	elseif op == "store" then
		self:pin(i[2], frame)
		local t, size = self:term(i[1], frame), (i.width + 7) // 8
		if t and t.width ~= size * 8 then t = self:define(self:text(i[1], frame, size * 8), size * 8) end
		local v, labels = Run.step(self, i, frame)
		local at = self:value(i[2], frame)
		for k = 0, t and size - 1 or -1 do self.part[at + k] = { term = t, k = k } end
		return v, labels
	elseif op == "call" then
		self.passed, self.result = {}, nil
		for k = 2, #i do self.passed[k - 1] = self:term(i[k], frame) end
		local v, labels = Run.step(self, i, frame)
		frame.term[i.id] = i.width > 0 and self.result or nil
		return v, labels
	elseif op == "phi" then
		for k = 2, #i, 2 do
			if i[k].id == frame.from then term = self:term(i[k - 1], frame) end
		end
	elseif op == "select" then
		local c = self:value(i[1], frame) & 1
		if self:term(i[1], frame) then self:constrain(("(= %s %s)"):format(self:text(i[1], frame, 1), bits(c, 1))) end
		term = self:term(i[c == 1 and 2 or 3], frame)
	elseif op == "copy" or op == "fill" then
		for k = 1, #i do self:pin(i[k], frame) end
	elseif op ~= "alloca" then
		term = self:computed(i, frame)
	end
	local v, labels = Run.step(self, i, frame)
	frame.term[i.id] = term
	return v, labels
end

function Layer:leave(i, frame)
	local t = #i > 0 and self:term(i[1], frame)
	if i.op == "ret" then
		self.result = t or nil
	elseif t and i.op == "br" and i[1].kind ~= "!" then
		self:constrain(("(= %s %s)"):format(self:text(i[1], frame, 1), bits(self:value(i[1], frame) & 1, 1)))
	elseif t and i.op == "switch" then
		local v, others = self:value(i[1], frame), {}
		for k = 3, #i - 1, 2 do
			local one = ("(= %s %s)"):format(t.name, bits(i[k].value, t.width))
			if bits(i[k].value, t.width) == bits(v, t.width) then others = { one } break end
			others[#others + 1] = ("(not %s)"):format(one)
		end
		self:constrain("(and true " .. table.concat(others, " ") .. ")", true)
	end
	return Run.leave(self, i, frame)
end

-- ---- all paths

local function run_once(p, entry, inter, widths, values, steps)
	local run = setmetatable(flowrun.new(p, inter, entry), Layer)
	run.script, run.path, run.part, run.terms, run.steps, run.passed = {}, {}, {}, 0, steps, {}
	for k, w in ipairs(widths) do run.passed[k] = { name = "a" .. k, width = w } end
	local how = run:finish(p.byname[entry], values)
	return run, how == "ended"
end

-- Inputs that follow the path up to a condition and leave it there, by its number; false: there are none.
local function leaving(run, from, excluded, widths)
	local text, first = {}, from
	for k, w in ipairs(widths) do text[k] = ("(declare-const a%d (_ BitVec %d))"):format(k, w) end
	local said = 0
	for k, c in ipairs(run.path) do
		table.move(run.script, said + 1, c.after, #text + 1, text)
		said = c.after
		if k >= first then
			text[#text + 1] = ("(push)%s(assert (not %s))(check-sat)"):format(k == first and excluded or "", c.text)
			for n in ipairs(widths) do text[#text + 1] = ("(eval a%d :completion true)"):format(n) end
			text[#text + 1] = "(pop)"
		end
		text[#text + 1] = ("(assert %s)"):format(c.text)
	end
	tap.spit(tap.scratch .. "/paths.smt2", table.concat(text, "\n"))
	local _, out = tap.run("z3 -T:60 " .. tap.scratch .. "/paths.smt2")
	local found, k, whole = {}, first - 1, not out:find("unknown") and not out:find("timeout")
	for line in out:gmatch("[^\n]+") do
		if line == "sat" or line == "unsat" then
			k = k + 1
			found[k] = line == "sat" and {}
		elseif line:find("^#[xb]") and found[k] then
			table.insert(found[k], tonumber(line:sub(3), line:sub(2, 2) == "x" and 16 or 2))
		end
	end
	return found, whole and k == math.max(#run.path, first - 1)
end

-- A run whose inputs were found to follow a path up to a condition and to leave it there, must.
local function check(run, item)
	for k = 1, item.left - 1 do assert(run.path[k] and run.path[k].text == item.path[k].text, "paths: left too early") end
	local c = run.path[item.left]
	assert(item.left == 0 or c and not item.others:find(c.text, 1, true), "paths: not left")
end

function M.explore(p, entry, inter, widths, limits)
	local zeros, seen, complete, runs = {}, {}, true, 0
	for k in ipairs(widths) do zeros[k] = 0 end
	local work = { { values = zeros, left = 0, from = 1, excluded = "" } }
	while #work > 0 and runs < limits.runs do
		local item = table.remove(work)
		local run, ended = run_once(p, entry, inter, widths, item.values, limits.steps)
		check(run, item)
		runs, complete = runs + 1, complete and ended
		for key in pairs(run.found) do seen[key] = seen[key] or table.concat(item.values, " ") end
		for n in pairs(run.taken) do seen["outcome " .. n] = seen["outcome " .. n] or table.concat(item.values, " ") end
		local found, whole = leaving(run, item.from, item.excluded, widths)
		complete = complete and whole
		for k = item.from, #run.path do
			local c, before = run.path[k], k == item.from and item.excluded or ""
			local others = ("%s(assert (not %s))"):format(before, c.text)
			if found[k] then
				work[#work + 1] = { values = found[k], left = k, path = run.path, others = others,
					from = c.many and k or k + 1, excluded = c.many and others or "" }
			end
		end
	end
	return seen, complete and #work == 0, runs
end

return M
