-- flowrun: an interpreter of flow(5), deliberately simple, that notes which def-use pairs a run exercises:
-- for each byte (each bit of a bit-field) which instruction wrote it last, in which activation. It shares
-- nothing with lib/defuse but the records.
local tables = require "tables"
local M = {}

local function operand(text)
	local sign = text:sub(1, 1)
	if sign == "&" or sign == "$" or sign == "@" then
		local name, add = text:match("^.([^+-]+)([+-]?%d*)$")
		return { kind = sign, id = tonumber(name) or name, add = tonumber(add) or 0 }
	elseif sign == "%" or sign == "^" or sign == "!" or sign == "?" then
		return { kind = sign, id = tonumber(text:sub(2)) }
	elseif sign == "~" then
		return { kind = sign, hex = text:sub(2) }
	elseif text == "-" then
		return { kind = "-" }
	elseif text:sub(1, 2) == "0x" then
		return { kind = "wide" }
	end
	local value = math.tointeger(tonumber(text))
	return value and { kind = "#", value = value } or { kind = "wide" }
end

local function access(r)
	return { var = tonumber(r[4]), how = r[5], offset = tonumber(r[9]), size = tonumber(r[10]), path = r[11],
		bit = tonumber(r[12]), bits = tonumber(r[13]) }
end

-- The model: everything by its id.
function M.load(text)
	local p = { inst = {}, block = {}, func = {}, byname = {}, var = {}, type = {}, data = {}, home = {}, branch = {},
		init = {}, reloc = {}, extern = {}, used = {}, def_inst = {}, use_inst = {} }
	local func
	for r in tables.records(text) do
		local tag, id = r[1], tonumber(r[2])
		if tag == "type" then
			p.type[id] = { kind = r[3], size = tonumber(r[4]), of = tonumber(r[5]), count = tonumber(r[6]), member = {} }
		elseif tag == "member" then
			table.insert(p.type[id].member, { type = tonumber(r[4]), offset = tonumber(r[5]) })
		elseif tag == "func" then
			func = { id = id, name = r[3], type = tonumber(r[4]), first = tonumber(r[11]), vars = {}, params = {},
				harness = r[10]:find("h", 1, true) ~= nil }
			p.func[id], p.byname[r[3]] = func, func
		elseif tag == "var" then
			local v = { id = id, func = tonumber(r[3]), kind = r[4], type = tonumber(r[5]), name = r[10] }
			p.var[id] = v
			if v.kind == "l" or v.kind == "p" then table.insert(func.vars, v) end
			if v.kind == "p" then table.insert(func.params, v) end
		elseif tag == "home" then p.home[id] = tonumber(r[3])
		elseif tag == "data" then p.data[id] = { size = tonumber(r[3]), bytes = r[4] or "" }
		elseif tag == "init" then p.init[#p.init + 1] = { operand(r[2]).kind == "&" and operand(r[2]).id or id, r[3] }
		elseif tag == "reloc" then p.reloc[#p.reloc + 1] = { operand(r[2]), tonumber(r[3]), operand(r[4]) }
		elseif tag == "block" then p.block[id] = { id = id, func = func }
		elseif tag == "branch" then p.branch[id] = { first = tonumber(r[6]), kind = r[5], cases = 0 }
		elseif tag == "case" then p.branch[id].cases = p.branch[id].cases + 1
		elseif tag == "inst" then
			local i = { id = id, block = tonumber(r[3]), op = r[4], width = tonumber(r[5]), line = tonumber(r[7]),
				defs = {}, uses = {} }
			for k = 9, #r do
				i[k - 8] = operand(r[k])
				if i[k - 8].kind == "%" then p.used[i[k - 8].id] = true end
			end
			if #i > 0 and i[#i].kind == "?" then i.branch = p.branch[i[#i].id] end
			p.inst[id] = i
			table.insert(p.block[i.block], i)
		elseif tag == "def" then
			p.def_inst[id] = tonumber(r[3])
			table.insert(p.inst[tonumber(r[3])].defs, access(r))
		elseif tag == "use" then
			p.use_inst[id] = tonumber(r[3])
			table.insert(p.inst[tonumber(r[3])].uses, access(r))
		end
	end
	return p
end

-- ---- a run

local Run = {}
Run.__index = Run
local STOP = {}                  -- there is no way to go on
local ENDED = {}                 -- the program ended itself
local UNKNOWN = {}               -- writer of what no record tells of

local function mask(v, width) return width >= 64 and v or v & ((1 << width) - 1) end
local function signed(v, width)
	if width >= 64 then return v end
	return v >> (width - 1) & 1 == 1 and v | (-1 << width) or v
end

function Run:allocate(size)
	local at = self.top
	self.top = at + (size + 15) // 16 * 16 + 64
	if self.top > 0x4000000 then error(STOP) end
	for k = at, at + size - 1 do self.mem[k] = 0 end
	return at
end

local function hex_bytes(hex) return (hex:gsub("%x%x", function(h) return string.char(tonumber(h, 16)) end)) end

function Run:put(at, bytes)
	for k = 1, #bytes do self.mem[at + k - 1] = bytes:byte(k) end
end

function Run:get(at, size)
	if at >= 0 and at < 4096 then error(ENDED) end
	local v = 0
	for k = size - 1, 0, -1 do
		local b = self.mem[at + k]
		if not b then error(STOP) end
		v = v << 8 | b
	end
	return v
end

function Run:set(at, size, v)
	if at >= 0 and at < 4096 then error(ENDED) end
	for k = 0, size - 1 do
		if not self.mem[at + k] then error(STOP) end
		self.mem[at + k] = v >> 8 * k & 255
	end
end

function Run:data_at(id)
	if not self.datum[id] then
		local d = self.p.data[id]
		self.datum[id] = self:allocate(math.max(d.size, 1))
		self:put(self.datum[id], hex_bytes(d.bytes))
	end
	return self.datum[id]
end

function Run:function_at(name)
	if not self.code[name] then
		self.code[name] = self:allocate(1)
		self.name_at[self.code[name]] = name
	end
	return self.code[name]
end

function Run:address(o, frame)
	if o.kind == "&" then return (self.static[o.id] or frame.var[o.id]) + o.add end
	if o.kind == "$" then return self:data_at(o.id) + o.add end
	return self:function_at(o.id) + o.add
end

function Run:value(o, frame)
	local kind = o.kind
	if kind == "%" then return frame.reg[o.id] or 0 end
	if kind == "#" then return o.value end
	if o.kind == "^" then return frame.arg[o.id + 1] or 0 end
	if o.kind == "&" or o.kind == "$" or o.kind == "@" then return self:address(o, frame) end
	if o.kind == "wide" then error(STOP) end
	return 0
end

local function float_of(hex, width)
	local bits = math.tointeger(tonumber("0x" .. hex)) or 0
	if width == 32 then return (string.unpack("<f", string.pack("<I4", bits & 0xffffffff))) end
	return (string.unpack("<d", string.pack("<i8", bits)))
end

function Run:float(o, frame, width)
	if o.kind == "~" then return float_of(o.hex, width) end
	return self:value(o, frame) + 0.0
end

-- ---- who wrote what

-- writer: { inst, activation, call }; bits: of a bit-field, from `bit` on.
function Run:write(at, size, writer, bit, bits)
	if not bits then
		for k = at, at + size - 1 do self.shadow[k] = writer end
		return
	end
	for b = bit, bit + bits - 1 do
		local k = at + b // 8
		local old = self.shadow[k]
		if not old or not old.each then
			local each = { each = true }
			for n = 0, 7 do each[n] = old or false end
			self.shadow[k] = each
		end
		self.shadow[k][b % 8] = writer
	end
end

-- The writers of a range, once each; false: never written.
function Run:writers(at, size, bit, bits)
	local shadow = self.shadow
	local one = shadow[at]
	if not bits and not (one and one.each) then          -- mostly, one wrote all
		local last = at + 1
		while last < at + size and shadow[last] == one do last = last + 1 end
		if last >= at + size and size > 0 then return { one or false } end
	end
	local met, list = {}, {}
	local function add(w)
		if met[w or 0] then return end
		met[w or 0] = true
		list[#list + 1] = w or false
	end
	for b = bits and bit or 0, bits and bit + bits - 1 or size * 8 - 1, bits and 1 or 8 do
		local w = self.shadow[at + b // 8]
		if w and w.each then
			for n = bits and b % 8 or 0, bits and b % 8 or 7 do add(w[n]) end
		else
			add(w)
		end
	end
	return list
end

-- Each label has its names, by outcome: a loop exercises the same again and again.
function Run:exercise(label, outcome)
	outcome = outcome or "c"
	local name = label[outcome]
	if not name then
		name = ("%s %d %s"):format(label.def, label.use, outcome)
		label[outcome] = name
	end
	self.found[name] = label
end

-- Labels of a use at `inst` of what these writers wrote, for the pairs within a function and for those across.
function Run:labels(inst, frame, writers, own_local)
	local list, known = {}, self.label
	if frame.func.harness then return list end
	local of = known[inst.id]
	if not of then
		of = {}
		known[inst.id] = of
	end
	local function add(def)
		local label = of[def]
		if not label then
			label = { def = def, use = inst.id }
			of[def] = label
		end
		list[#list + 1] = label
	end
	for _, w in ipairs(writers) do
		if self.inter then
			if not w then
				if not own_local then add("incoming " .. self.entry) end
			elseif w.inst then
				add(tostring(w.inst))
				if w.call then add("argument " .. w.call) end
			end
		elseif w and w.inst and w.activation == frame.activation then
			add(tostring(w.inst))
		elseif not own_local and (not w or w.inst and w.time < frame.time) then
			add("incoming " .. frame.func.name)
		end
	end
	return list
end

local function join(a, b)
	if not a or #a == 0 then return b end
	if not b or #b == 0 then return a end
	local list = table.move(a, 1, #a, 1, {})
	return table.move(b, 1, #b, #list + 1, list)
end

function Run:compute(labels)
	for _, l in ipairs(labels or {}) do self:exercise(l) end
end

function Run:decide(labels, branch, side)
	if not branch or branch.kind == "a" then return self:compute(labels) end
	self.taken[branch.first + side] = true
	for _, l in ipairs(labels or {}) do self:exercise(l, branch.first + side) end
end

local function is_own_local(frame, at)
	return at >= frame.low and at < frame.high
end

-- ---- operations

local arith = {
	add = function(a, b) return a + b end, sub = function(a, b) return a - b end, mul = function(a, b) return a * b end,
	["and"] = function(a, b) return a & b end, ["or"] = function(a, b) return a | b end,
	xor = function(a, b) return a ~ b end,
	shl = function(a, b) return b > 63 and 0 or a << b end, lshr = function(a, b) return b > 63 and 0 or a >> b end,
}
local function quotient(a, b)
	if b == 0 then error(ENDED) end
	if b == -1 then return -a end
	local q = a // b
	if a % b ~= 0 and (a < 0) ~= (b < 0) then q = q + 1 end
	return q
end
local function udiv(a, b)
	if b == 0 then error(ENDED) end
	if b < 0 then return math.ult(a, b) and 0 or 1 end
	if a >= 0 then return a // b end
	local q = (a >> 1) // b << 1
	if not math.ult(a - q * b, b) then q = q + 1 end
	return q
end
local compare = {
	eq = function(a, b) return a == b end, ne = function(a, b) return a ~= b end,
	ult = math.ult, ule = function(a, b) return not math.ult(b, a) end,
	ugt = function(a, b) return math.ult(b, a) end, uge = function(a, b) return not math.ult(a, b) end,
}
local scompare = {
	slt = function(a, b) return a < b end, sle = function(a, b) return a <= b end,
	sgt = function(a, b) return a > b end, sge = function(a, b) return a >= b end,
}
local farith = {
	fadd = function(a, b) return a + b end, fsub = function(a, b) return a - b end, fmul = function(a, b) return a * b end,
	fdiv = function(a, b) return a / b end,
}
local fcompare = {
	foeq = function(a, b) return a == b end, fune = function(a, b) return a ~= b end,
	fogt = function(a, b) return a > b end,
	foge = function(a, b) return a >= b end, folt = function(a, b) return a < b end,
	fole = function(a, b) return a <= b end,
}

local function is_float(v) return math.type(v) == "float" end

-- As a number of this width.
local function rounded(v, width)
	if width ~= 32 or v ~= v or v == math.huge or v == -math.huge then return v end
	return (string.unpack("<f", string.pack("<f", v)))
end

-- Towards zero; to the nearest, of two to the even one, or away from zero.
local function truncated(v) return v ~= v and v or v < 0 and math.ceil(v) + 0.0 or math.floor(v) + 0.0 end
local function near(v, even)
	local low = math.floor(v) + 0.0
	if v - low ~= 0.5 then return v - low < 0.5 and low or low + 1 end
	if even then return low % 2 == 0 and low or low + 1 end
	return v < 0 and low or low + 1
end
local to_whole = {
	["fround.down"] = function(v) return math.floor(v) + 0.0 end,
	["fround.up"] = function(v) return math.ceil(v) + 0.0 end,
	["fround.zero"] = truncated, ["fround.even"] = function(v) return near(v, true) end,
	["fround.away"] = function(v) return near(v, false) end,
}
-- Of these alone which class a number has is known without its bits.
local classes = { [3] = function(v) return v ~= v end, [516] = function(v) return v == math.huge or v == -math.huge end,
	[504] = function(v) return v == v and v ~= math.huge and v ~= -math.huge end }

-- Results of what has no effect; nil: not one of these.
function Run:pure(i, frame)
	local op, w = i.op, i.width
	if w > 64 then error(STOP) end
	local function a(n)
		local v = self:value(i[n], frame)
		if is_float(v) then error(STOP) end      -- the bits of a number
		return mask(v, w)
	end
	if arith[op] then return mask(arith[op](a(1), a(2)), w) end
	if compare[op] then return compare[op](a(1), a(2)) and 1 or 0 end
	if scompare[op] then return scompare[op](signed(a(1), w), signed(a(2), w)) and 1 or 0 end
	if op == "ashr" then
		local sign = signed(a(1), w) < 0 and ~(-1 >> math.min(a(2), 63)) or 0
		return mask(signed(a(1), w) >> math.min(a(2), 63) | sign, w)
	end
	if op == "sdiv" then return mask(quotient(signed(a(1), w), signed(a(2), w)), w) end
	if op == "srem" then
		local x, y = signed(a(1), w), signed(a(2), w)
		return mask(x - quotient(x, y) * y, w)
	end
	if op == "udiv" then return udiv(a(1), a(2)) end
	if op == "urem" then return a(1) - udiv(a(1), a(2)) * a(2) end
	if op == "zext" or op == "trunc" then return a(1) end
	if op == "sext" then
		local from = i[1].kind == "%" and self.p.inst[i[1].id]
		local n = from and (from.op:find("^[suef]") and (compare[from.op] or scompare[from.op] or fcompare[from.op])
			and 1 or from.width) or w
		return mask(signed(mask(self:value(i[1], frame), n), n), w)
	end
	if op == "addr" then
		local at = self:value(i[1], frame)
		if i[2].kind ~= "#" then error(STOP) end
		at = at + i[2].value
		for n = 3, #i, 2 do
			local from = i[n].kind == "%" and self.p.inst[i[n].id].width or 64
			at = at + signed(self:value(i[n], frame), from) * i[n + 1].value
		end
		return at
	end
	local function f(n, width) return self:float(i[n], frame, width or w) end
	if farith[op] then return rounded(farith[op](f(1), f(2)), w) end
	if to_whole[op] then
		local v = f(1)
		return (v ~= v or v - v ~= 0) and v or to_whole[op](v)
	end
	if op == "fabs" then return math.abs(f(1)) end
	if op == "fcopysign" then
		local y = f(2)
		local minus = y < 0 or y == 0 and 1 / y < 0
		if y ~= y then error(STOP) end
		return minus and -math.abs(f(1)) or math.abs(f(1))
	end
	if op == "fclass" then
		local class = classes[i[2].value] or error(STOP)
		return class(f(1)) and 1 or 0
	end
	if fcompare[op] then return fcompare[op](f(1), f(2)) and 1 or 0 end
	if op == "fneg" then return -f(1) end
	if op == "ftrunc" or op == "fext" then return rounded(f(1, op == "ftrunc" and 64 or 32), w) end
	if op == "fof.s" or op == "fof.u" then
		local n = i[1].kind == "%" and self.p.inst[i[1].id].width or 64
		return rounded(signed(self:value(i[1], frame), n) + 0.0, w)
	end
	if op == "fto.s" or op == "fto.u" then
		local x = f(1, i[1].kind == "%" and self.p.inst[i[1].id].width or 64)
		local v = x == x and x - x == 0 and math.tointeger(truncated(x))
		local low = op == "fto.s" and -(1 << w - 1) or 0
		if not v or v < low or w < 64 and v >= 1 << (op == "fto.s" and w - 1 or w) then error(STOP) end
		return mask(v, w)
	end
	return nil
end

function Run:load(i, frame)
	local at, size = self:value(i[1], frame), (i.width + 7) // 8
	if size > 8 then error(STOP) end
	local v = self:get(at, size)
	local typed = self.float_at[at]
	if typed == size then
		v = size == 4 and string.unpack("<f", string.pack("<I4", v)) or string.unpack("<d", string.pack("<i8", v))
	end
	local labels = frame.label[i[1].kind == "%" and i[1].id or 0]
	for _, u in ipairs(i.uses) do
		local w = self:writers(at, size, u.bit, u.bits)
		labels = join(labels, self:labels(i, frame, w, is_own_local(frame, at)))
	end
	return v, labels
end

function Run:writer(i, frame, extra)
	if frame.func.harness then return nil end
	local w = { inst = i.id, activation = frame.activation, time = self.time, call = extra }
	return w
end

-- Is what a store writes made of the unit that was there?
function Run:keeps_some(i)
	local from = i[1].kind == "%" and self.p.inst[i[1].id]
	local left = from and from.op == "or" and from[1].kind == "%" and self.p.inst[from[1].id] or from
	local old = left and left.op == "and" and left[1].kind == "%" and self.p.inst[left[1].id]
	return old and old.op == "load" and #old.uses == 0
end

function Run:store(i, frame)
	local at, size = self:value(i[2], frame), (i.width + 7) // 8
	local v = i[1].kind == "~" and float_of(i[1].hex, i.width) or self:value(i[1], frame)
	if size > 8 then error(STOP) end
	self.float_at[at] = is_float(v) and size or nil
	if is_float(v) then
		v = size == 4 and string.unpack("<I4", string.pack("<f", v)) or string.unpack("<i8", string.pack("<d", v))
	end
	for _, o in ipairs { i[1], i[2] } do              -- value and address are computed, whether there is memory or not
		if o.kind == "%" then self:compute(frame.label[o.id]) end
	end
	self:set(at, size, v)
	self.slot[at] = i.id
	if #i.defs == 0 then self:write(at, size, not frame.func.harness and UNKNOWN or nil) end
	for _, d in ipairs(i.defs) do
		local entry = d.how:find("e")
		local written = entry and self.p.home[d.var] and (i[2].kind ~= "&" or i[2].id ~= d.var)  -- at the entry
		local whole = not d.how:find("b") or d.bits or not self:keeps_some(i)
		if not written and whole then
			self:write(at, size, self:writer(i, frame, entry and frame.call), d.bit, d.bits)
		elseif not written then
			self:write(at, size, UNKNOWN)
		end
	end
end

function Run:copy_bytes(to, from, n)
	local bytes, float = {}, {}
	for k = 0, n - 1 do
		bytes[k], float[k] = self:get(from + k, 1), self.float_at[from + k]
	end
	for k = 0, n - 1 do
		self:set(to + k, 1, bytes[k])
		self.float_at[to + k] = float[k]
	end
end

function Run:copy(i, frame)
	local to, n = self:value(i[1], frame), self:value(i[3], frame)
	for k = 1, 3 do
		if i[k].kind == "%" then self:compute(frame.label[i[k].id]) end
	end
	if i.op == "copy" then
		local from = self:value(i[2], frame)
		for _, _ in ipairs(i.uses) do
			self:compute(self:labels(i, frame, self:writers(from, n), is_own_local(frame, from)))
		end
		self:copy_bytes(to, from, n)
	else
		for k = 0, n - 1 do
			self:set(to + k, 1, self:value(i[2], frame) & 255)
			self.float_at[to + k] = nil
		end
	end
	self.slot[to] = i.id
	self:write(to, n, (#i.defs > 0 or frame.func.harness) and self:writer(i, frame) or not frame.func.harness
		and UNKNOWN or nil)
end

-- The definition of a function's result: the last store to its return slot, or the return itself.
function Run:result_def(i, frame)
	local from = i[1] and i[1].kind == "%" and self.p.inst[i[1].id]
	local slot = from and from.op == "load" and from[1].kind == "%" and self.p.inst[from[1].id]
	return slot and slot.op == "alloca" and self.slot[frame.reg[slot.id]] or i.id
end

-- Library functions: name -> function(run, instruction, frame, arguments) -> result
local library = {}
local function stop() error(ENDED) end
for _, n in ipairs { "abort", "exit", "__assert_fail", "_exit" } do library[n] = stop end
local function quiet() return 0 end
for _, n in ipairs { "putchar", "free", "fputc" } do library[n] = quiet end
function library.duct_assume(_, _, _, a) if a[1] & 0xffffffff == 0 then stop() end return 0 end
function library.duct_assert(_, _, _, a) if a[1] & 0xffffffff == 0 then stop() end return 0 end
-- Inputs, as the trace tells them: { name, kind, offset, size, value }. Those of an object that a pointer P leads to
-- are named P[...; P? tells whether it is there (1: an object of its own), P.bytes how much of it was touched.
function Run:sort_inputs()
	local pointer, of = {}, {}
	for _, v in ipairs(self.inputs) do
		local name = v.kind == "n" and v.name:match("^(.*)%?$")
		if name then pointer[name] = v end
	end
	for _, v in ipairs(self.inputs) do
		local owner, at = "", #v.name
		while owner == "" and at > 0 do
			at = at - 1
			if v.name:sub(at + 1, at + 1) == "[" and pointer[v.name:sub(1, at)] then owner = v.name:sub(1, at) end
		end
		of[owner] = of[owner] or {}
		table.insert(of[owner], v)
	end
	self.pointer, self.of = pointer, of
end

function Run:give(v, at)
	if v.kind == "o" then return end
	local pointer = v.kind == "n" and v.name:match("^(.*)%?$")
	self:set(at + v.offset, pointer and 8 or v.size, pointer and self:object(pointer, v.value) or v.value)
	self.float_at[at + v.offset] = v.kind == "f" and v.size or nil
end

function Run:object(name, choice)
	if choice == 0 then return 0 end
	if choice ~= 1 then error(STOP) end      -- an earlier one
	local size, list = 64, self.of[name] or {}
	for _, v in ipairs(list) do size = math.max(size, v.offset + v.size + 64) end
	for _, v in ipairs(self.inputs) do
		if v.name == name .. ".bytes" then size = math.max(size, v.value + 64) end
	end
	local at = self:allocate(size)
	for _, v in ipairs(list) do self:give(v, at) end
	return at
end

function library.duct_rt_input(run, _, _, a)
	local base, n = run:text(a[3]), 0
	if not run.of then run:sort_inputs() end
	for _, v in ipairs(run.of[""] or {}) do
		if v.name:sub(1, #base) == base and not v.name:find("^[%w_#]", #base + 1) then
			run:give(v, a[1])
			n = n + 1
		end
	end
	if n == 0 then error(STOP) end
	return 0
end
local function nothing() return 0 end
library.duct_rt_types, library.duct_rt_rule = nothing, nothing
function library.duct_rt_calls() return 1 end
function library.duct_rt_result() return 0 end
function library.duct_rt_watch() return 0 end
function library.malloc(run, _, _, a) return run:allocate(a[1]) end
function library.calloc(run, _, _, a) return run:allocate(a[1] * a[2]) end
function library.__errno_location(run)
	run.errno = run.errno or run:allocate(4)
	return run.errno
end
function library.abs(_, _, _, a) return math.abs(signed(mask(a[1], 32), 32)) end
function library.memset(run, i, frame, a)
	for k = 0, a[3] - 1 do run:set(a[1] + k, 1, a[2] & 255) end
	run:write(a[1], a[3], run:writer(i, frame))
	return a[1]
end
function library.memcpy(run, i, frame, a)
	run:compute(run:labels(i, frame, run:writers(a[2], a[3]), is_own_local(frame, a[2])))
	run:copy_bytes(a[1], a[2], a[3])
	run:write(a[1], a[3], run:writer(i, frame))
	return a[1]
end
library.memmove = library.memcpy
function Run:text(at)
	local n = 0
	while self:get(at + n, 1) ~= 0 do n = n + 1 end
	local bytes = {}
	for k = 0, n - 1 do bytes[k + 1] = string.char(self:get(at + k, 1)) end
	return table.concat(bytes)
end
local function string_at(run, i, frame, at)
	local n = 0
	while run:get(at + n, 1) ~= 0 do n = n + 1 end
	run:compute(run:labels(i, frame, run:writers(at, n + 1), is_own_local(frame, at)))
	return n
end
function library.puts(run, i, frame, a) string_at(run, i, frame, a[1]) return 0 end
function library.printf(run, i, frame, a)
	local format, k = run:text(a[1]), 1
	string_at(run, i, frame, a[1])
	for flags, letter in format:gmatch("%%([%d.*l-]*)(%a)") do
		if flags:find("[*.]") then error(STOP) end
		k = k + 1
		if letter == "s" then string_at(run, i, frame, a[k]) end
	end
	return 0
end
-- Up to the first difference.
local function compare_bytes(run, i, frame, a, n, is_text)
	local k, d = 0, 0
	while k < n and d == 0 do
		local x = run:get(a[1] + k, 1)
		d, k = x - run:get(a[2] + k, 1), k + 1
		if is_text and x == 0 then break end
	end
	for p = 1, 2 do
		if k > 0 then run:compute(run:labels(i, frame, run:writers(a[p], k), is_own_local(frame, a[p]))) end
	end
	return d < 0 and -1 or d > 0 and 1 or 0
end
function library.strcmp(run, i, frame, a) return compare_bytes(run, i, frame, a, math.maxinteger, true) end
function library.strncmp(run, i, frame, a) return compare_bytes(run, i, frame, a, a[3], true) end
function library.memcmp(run, i, frame, a) return compare_bytes(run, i, frame, a, a[3], false) end
function library.strchr(run, i, frame, a)
	local n = 0
	while run:get(a[1] + n, 1) ~= a[2] & 255 and run:get(a[1] + n, 1) ~= 0 do n = n + 1 end
	run:compute(run:labels(i, frame, run:writers(a[1], n + 1), is_own_local(frame, a[1])))
	return run:get(a[1] + n, 1) == a[2] & 255 and a[1] + n or 0
end
function library.realloc(run, i, frame, a)
	local at, n = run:allocate(a[2]), 0
	if a[1] == 0 then return at end
	while n < a[2] and run.mem[a[1] + n] do n = n + 1 end
	run:compute(run:labels(i, frame, run:writers(a[1], n), is_own_local(frame, a[1])))
	run:copy_bytes(at, a[1], n)
	run:write(at, n, run:writer(i, frame))
	return at
end
function library.toupper(_, _, _, a) return a[1] >= 97 and a[1] <= 122 and a[1] - 32 or a[1] end
function library.tolower(_, _, _, a) return a[1] >= 65 and a[1] <= 90 and a[1] + 32 or a[1] end
function library.strlen(run, i, frame, a) return string_at(run, i, frame, a[1]) end
function library.strcpy(run, i, frame, a)
	local n = string_at(run, i, frame, a[2]) + 1
	run:copy_bytes(a[1], a[2], n)
	run:write(a[1], n, run:writer(i, frame))
	return a[1]
end
local function between(low, high)
	return function(_, _, _, a) return a[1] >= low and a[1] <= high and 1 or 0 end
end
library.isdigit, library.isupper, library.islower = between(48, 57), between(65, 90), between(97, 122)
function library.isalpha(_, _, _, a) local c = a[1] | 32 return c >= 97 and c <= 122 and 1 or 0 end
function library.isspace(_, _, _, a) return (a[1] == 32 or a[1] >= 9 and a[1] <= 13) and 1 or 0 end

function Run:call(i, frame)
	local name = i[1].kind == "@" and i[1].id or self.name_at[self:value(i[1], frame)]
	local args, labels = {}, nil
	if not name then error(STOP) end
	for k = 1, #i do
		if k > 1 then args[k - 1] = i[k].kind == "~" and float_of(i[k].hex, 64) or self:value(i[k], frame) end
		if i[k].kind == "%" then self:compute(frame.label[i[k].id]) end
	end
	for _, u in ipairs(i.uses) do
		local at = (self.static[u.var] or frame.var[u.var] or 0) + u.offset
		if u.var ~= 0 then self:compute(self:labels(i, frame, self:writers(at, u.size), is_own_local(frame, at))) end
	end
	local f, result = self.p.byname[name], 0
	if f then
		local def
		result, def = self:run(f, args, not frame.func.harness and i.id or nil)
		if def and self.inter and not frame.func.harness then labels = { { def = "result " .. def, use = i.id } } end
	elseif name:find("^llvm%.stack") then
		result = 0
	elseif library[name] then
		result = library[name](self, i, frame, args)
	else
		error(STOP)
	end
	for _, d in ipairs(i.defs) do
		if d.var ~= 0 then self:write((self.static[d.var] or frame.var[d.var]) + d.offset, d.size, self:writer(i, frame)) end
	end
	return i.width > 0 and i.width <= 64 and not is_float(result) and mask(result, i.width) or result, labels
end

function Run:step(i, frame)
	local op = i.op
	if op == "load" then return self:load(i, frame) end
	if op == "store" then return self:store(i, frame) end
	if op == "copy" or op == "fill" then return self:copy(i, frame) end
	if op == "call" then return self:call(i, frame) end
	if op == "alloca" then
		local n = math.max(self:value(i[1], frame), 1) * (i[1].kind == "#" and 1 or 16)
		local at = self:allocate(n)
		self:write(at, n, not frame.func.harness and UNKNOWN or nil)
		return at
	end
	local labels
	if op == "phi" then
		for k = 2, #i, 2 do
			if i[k].id == frame.from then
				local v = i[k - 1]
				return v.kind == "~" and float_of(v.hex, i.width) or self:value(v, frame), v.kind == "%"
					and frame.label[v.id] or nil
			end
		end
		error(STOP)
	elseif op == "select" then
		local c = self:value(i[1], frame) & 1 == 1
		local v = c and i[2] or i[3]
		local of = i[1].kind == "%" and frame.label[i[1].id] or nil
		if i.branch then self:decide(of, i.branch, c and 0 or 1) else labels = of end
		return v.kind == "~" and float_of(v.hex, i.width) or self:value(v, frame),
			join(labels, v.kind == "%" and frame.label[v.id] or nil)
	end
	local v = self:pure(i, frame)
	if v == nil then error(STOP) end
	for k = 1, #i do
		if i[k].kind == "%" then labels = join(labels, frame.label[i[k].id]) end
	end
	return v, labels
end

-- The next block, or nil and the result.
function Run:leave(i, frame)
	local labels = #i > 0 and i[1].kind == "%" and frame.label[i[1].id] or nil
	if i.op == "ret" then
		self:compute(labels)
		return nil, #i > 0 and (i[1].kind == "~" and float_of(i[1].hex, i.width) or self:value(i[1], frame)) or 0
	elseif i.op == "br" then
		if i[1].kind == "!" then return i[1].id end
		local c = self:value(i[1], frame) & 1 == 1
		self:decide(labels, i.branch, c and 0 or 1)
		return (c and i[2] or i[3]).id
	elseif i.op == "switch" then
		local width = i[1].kind == "%" and self.p.inst[i[1].id].width or 32
		local v = mask(self:value(i[1], frame), width)
		for k = 3, #i - 1, 2 do
			if i[k].kind == "#" and mask(i[k].value, width) == v then
				self:decide(labels, i.branch, (k - 3) // 2)
				return i[k + 1].id
			end
		end
		self:decide(labels, i.branch, i.branch and i.branch.cases or 0)
		return i[2].id
	end
	error(STOP)
end

local ends = { ret = true, br = true, switch = true, ["goto"] = true, unreachable = true }

-- Who wrote a parameter that is in memory already: its record stands at the first instruction.
function Run:formal(v, frame)
	local first = self.p.block[frame.func.first][1]
	for _, d in ipairs(first.defs) do
		if d.var == v.id then return self:writer(first, frame, frame.call) end
	end
	return not frame.func.harness and UNKNOWN or nil
end

function Run:enter(frame)
	local f = frame.func
	frame.low = self.top
	for _, v in ipairs(f.vars) do
		local home, size = self.p.home[v.id], self.p.type[v.type] and self.p.type[v.type].size or 8
		if home and v.kind == "l" then
			frame.var[v.id] = frame.arg[home + 1]
		else
			frame.var[v.id] = self:allocate(math.max(size, 1))
			self:write(frame.var[v.id], math.max(size, 1), not f.harness and UNKNOWN or nil)
			if home then
				self:copy_bytes(frame.var[v.id], frame.arg[home + 1], size)
				self:write(frame.var[v.id], size, self:formal(v, frame))
			end
		end
	end
	frame.high = self.top
end

-- Calls a function: its result and the instruction that gave it its value.
function Run:run(f, args, call)
	if self.depth > 150 then error(STOP) end
	self.depth = self.depth + 1
	self.activation = self.activation + 1
	self.time = self.time + 1
	local frame = { func = f, arg = args, reg = {}, label = {}, var = {}, activation = self.activation,
		call = call, time = self.time }
	self:enter(frame)
	local block = f.first
	while true do
		local next_block, result
		for _, i in ipairs(self.p.block[block]) do
			self.steps = self.steps - 1
			self.time = self.time + 1
			if self.steps < 0 then error(STOP) end
			if ends[i.op] then
				next_block, result = self:leave(i, frame)
				if not next_block then
					self.depth = self.depth - 1
					return result, #i > 0 and self:result_def(i, frame)
				end
			else
				local v, labels = self:step(i, frame)
				frame.reg[i.id], frame.label[i.id] = v, labels
				if labels and not self.p.used[i.id] then self:compute(labels) end
			end
		end
		frame.from = block
		block = next_block
	end
end

local function new(p, inter, entry)
	local run = setmetatable({ p = p, mem = {}, shadow = {}, float_at = {}, slot = {}, static = {}, datum = {},
		code = {}, name_at = {}, top = 4096, depth = 0, activation = 0, time = 0, found = {}, taken = {},
			inter = inter, entry = entry, label = {} }, Run)
	for id, v in pairs(p.var) do
		if v.kind == "g" or v.kind == "s" then
			run.static[id] = run:allocate(math.max(p.type[v.type] and p.type[v.type].size or 8, 1))
		end
	end
	for _, x in ipairs(p.init) do run:put(run.static[x[1]], hex_bytes(x[2])) end
	for _, x in ipairs(p.reloc) do run:set(run:address(x[1], {}) + x[2], 8, run:address(x[3], {})) end
	return run
end

-- An input of a type, written at `at`.
function Run:fill(type, at, random, depth)
	local t = self.p.type[type]
	if not t then return end
	if t.kind == "a" then
		for k = 0, t.count - 1 do self:fill(t.of, at + k * self.p.type[t.of].size, random, depth) end
	elseif t.kind == "s" or t.kind == "n" then
		for _, m in ipairs(t.member) do self:fill(m.type, at + m.offset, random, depth) end
	elseif t.kind == "p" then
		self:set(at, 8, self:pointer(t.of, random, depth))
	elseif t.kind == "f" then
		if t.size <= 8 then
			self:put(at, string.pack(t.size == 4 and "<f" or "<d", random(-3, 3) + 0.0))
			self.float_at[at] = t.size
		end
	elseif t.size > 0 then
		self:set(at, math.min(t.size, 8), t.size == 1 and random(0, 1) == 1 and random(32, 122) or random(-4, 9))
	end
end

function Run:pointer(of, random, depth)
	local t = self.p.type[of]
	if not t or t.kind == "e" or depth > 2 or random(0, 9) == 0 then return 0 end
	local n = math.max(t.size, 1)
	local at = self:allocate(n * 16)
	for k = 0, 15 do self:fill(of, at + k * n, random, depth + 1) end
	if t.size == 1 then self:set(at + random(0, 15), 1, 0) end
	return at
end

-- Runs `entry` on random inputs: the pairs it exercises, by "DEF USE OUTCOME"; and, as the third result, the outcomes
-- of conditions that it takes.
function M.exercise(p, entry, inter, random, steps)
	local run, f = new(p, inter, entry), p.byname[entry]
	run.steps = steps
	local args = {}
	for _, v in ipairs(f.params) do
		local t = p.type[v.type]
		local at = run:allocate(math.max(t.size, 8))
		run:fill(v.type, at, random, 0)
		if p.home[v.id] then
			args[#args + 1] = at
		elseif t.kind == "f" then
			args[#args + 1] = t.size == 4 and string.unpack("<f", string.pack("<I4", run:get(at, 4)))
				or string.unpack("<d", string.pack("<i8", run:get(at, 8)))
		else                               -- a struct in registers: eight bytes each
			for k = 0, t.size - 1, 8 do args[#args + 1] = run:get(at + k, math.min(8, t.size - k)) end
		end
	end
	for k in pairs(run.shadow) do run.shadow[k] = nil end
	local good, err = pcall(run.run, run, f, args, nil)
	if not good and err ~= STOP and err ~= ENDED then error(err, 0) end
	return run.found, good and "ended" or "stopped", run.taken
end

-- Runs what the harness calls, or main, on the inputs of a trace. `ended` when it came to the run's own end.
function M.replay(p, inter, inputs, steps)
	local main = p.byname.duct_harness or p.byname.main
	local entry = main.name
	for _, i in pairs(p.inst) do
		local to = main.harness and i.op == "call" and p.block[i.block].func == main and p.byname[i[1].id]
		if to and not to.harness then entry = to.name end
	end
	local run = new(p, inter, entry)
	run.steps, run.inputs = steps, inputs
	return run.found, run:finish(main, {}), run.taken
end

-- For layers above: a new run, whose methods are Run's; run:finish(f, args) runs a function to its end: how it ended.
M.new, M.Run = new, Run

function Run:finish(f, args)
	local good, err = pcall(self.run, self, f, args, nil)
	if not good and err ~= STOP and err ~= ENDED then error(err, 0) end
	return (good or err == ENDED) and "ended" or "stopped"
end

-- Runs `entry` on these arguments, all of them integers.
function M.call(p, entry, inter, args, steps)
	local run = new(p, inter, entry)
	run.steps = steps
	local how = run:finish(p.byname[entry], args)
	return run.found, how, run.taken
end

return M
