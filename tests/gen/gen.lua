-- gen: a small C program from a seed, free of undefined behaviour under -fwrapv, whose
-- function `test` takes inputs and returns a digest of all that it computed.
--   lua5.4 gen.lua SEED        prints the program
--   lua5.4 gen.lua SEED names  prints one line an input: name, type
-- With -DMAIN the program has a main that takes the inputs as arguments, in that order, prints
-- the result and exits with its low bits. The first line of test resets all static data.
--
-- Behaviour stays defined: shift counts are masked, divisors are made non-zero and never -1,
-- indices are masked to the size of a power of two, every variable is initialised, calls
-- stand alone (operands have no side effects), loops and recursion have fuel; floats become integers
-- by `whole` only.
local seed = assert(math.tointeger(arg[1]), "usage: gen.lua SEED [names]")
math.randomseed(seed, 20)

local function pick(list) return list[math.random(#list)] end
local function chance(percent) return math.random(100) <= percent end
local function between(a, b) return math.random(a, b) end

local lines, indent = {}, 0
local function put(fmt, ...)
	lines[#lines + 1] = ("\t"):rep(indent) .. (select("#", ...) > 0 and fmt:format(...) or fmt)
end

-- Types: C name, bits, signed.
local types = {
	{ "_Bool", 1, false }, { "char", 8, true }, { "signed char", 8, true }, { "unsigned char", 8, false },
	{ "short", 16, true }, { "unsigned short", 16, false }, { "int", 32, true }, { "int", 32, true },
	{ "unsigned", 32, false }, { "long", 64, true }, { "unsigned long", 64, false }, { "long long", 64, true },
}
local function any_type() return pick(types) end

-- Names in scope: names of scalars (readable, and those that may be written), and so on.
local scope
local function new_scope(parent)
	return setmetatable({ read = {}, write = {}, arrays = {}, structs = {}, pointers = {}, floats = {}, parent = parent }, nil)
end

local structs, functions, globals = {}, {}, {}
local counter = 0
local function name(prefix)
	counter = counter + 1
	return prefix .. counter
end

local function constant()
	local kind = between(1, 10)
	if kind <= 5 then return tostring(between(0, 12)) end
	if kind <= 7 then return "(" .. tostring(-between(1, 130)) .. ")" end
	if kind == 8 then return pick { "127", "128", "255", "256", "32767", "65535", "0x7fffffff", "0x80000000u", "'a'", "'0'" } end
	if kind == 9 then return tostring(between(100, 100000)) end
	return pick { "0x100000000l", "0x7fffffffffffffffl", "0xffffffffu", "1ul", "0xff00ff00u" }
end

local expression
local features = {}

-- ---- floating-point numbers: what no compiler may compute otherwise. Bits of what is no number
-- are not looked at.
local real_types = { "float", "double", "double", "long double" }

local function real_constant()
	return pick { "0.0", "1.0", "-1.5", "0.1", "2.5f", "1e10", "-3e-5", "0.25L", "1e300", "7.0f", "-0.0" }
end

local function real(depth)
	local known = scope.floats
	if depth <= 0 or chance(20) then
		return #known > 0 and chance(70) and pick(known) or real_constant()
	end
	local a = function() return real(depth - 1) end
	local n = between(1, 12)
	if n <= 3 then return ("(%s %s %s)"):format(a(), pick { "+", "-" }, a()) end
	if n <= 5 then return ("(%s %s %s)"):format(a(), pick { "*", "/" }, a()) end
	if n == 6 then return ("((%s)(%s))"):format(pick(real_types), expression(depth - 1)) end
	if n == 7 then return ("((%s)%s)"):format(pick(real_types), a()) end
	if n == 8 then return ("(-(%s))"):format(a()) end
	if n == 9 then return ("(%s < %s ? %s : %s)"):format(a(), real_constant(), a(), a()) end
	if n == 10 then return ("%s(%s)"):format(pick { "fabs", "floor", "ceil", "trunc", "rint", "fabsf", "floorl" }, a()) end
	if n == 11 then return ("sqrt(fabs(%s))"):format(a()) end
	return a()
end

local comparisons = { "<", "<=", ">", ">=", "==", "!=" }

local function from_real(depth)
	local n = between(1, 6)
	if n <= 3 then return ("(%s %s %s)"):format(real(depth), pick(comparisons), real(depth)) end
	if n == 4 then return ("!%s"):format(real(depth)) end
	if n == 5 then return ("isnan(%s)"):format(real(depth)) end
	return ("whole((double)%s)"):format(real(depth))
end

-- A structure as an lvalue: an element of an array of them has an index.
local function structure(s, depth)
	if not s.count then return s.name end
	local index = depth > 0 and chance(60) and expression(depth - 1) or tostring(between(0, s.count - 1))
	return ("%s[(%s) & %d]"):format(s.name, index, s.count - 1)
end

-- A readable scalar lvalue.
local function variable(depth)
	local n = between(1, 10)
	if n <= 2 and #scope.arrays > 0 then
		local a = pick(scope.arrays)
		local index = {}
		for _, size in ipairs(a.sizes) do
			local e = (depth > 0 and chance(45)) and expression(depth - 1) or tostring(between(0, size - 1))
			index[#index + 1] = ("[(%s) & %d]"):format(e, size - 1)
		end
		return a.name .. table.concat(index)
	end
	if n == 3 and #scope.structs > 0 then
		local s = pick(scope.structs)
		return structure(s, depth) .. pick(s.fields)
	end
	if n == 4 and #scope.pointers > 0 then return "(*" .. pick(scope.pointers).name .. ")" end
	if #scope.read == 0 then return constant() end
	return pick(scope.read)
end

local function condition(depth)
	local n = between(1, 12)
	if features.floats and chance(15) then return from_real(1) end
	if depth > 0 and n <= 2 then return ("(%s && %s)"):format(condition(depth - 1), condition(depth - 1)) end
	if depth > 0 and n <= 4 then return ("(%s || %s)"):format(condition(depth - 1), condition(depth - 1)) end
	if depth > 0 and n == 5 then return "!" .. condition(depth - 1) end
	if n == 6 then return ("(%s)"):format(expression(depth)) end
	if n == 7 then return ("((%s) & %d)"):format(expression(depth), 1 << between(0, 6)) end
	return ("(%s %s %s)"):format(expression(depth), pick(comparisons), chance(60) and constant() or expression(depth))
end

function expression(depth)
	if depth <= 0 then return chance(70) and variable(0) or constant() end
	local a = function() return expression(depth - 1) end
	local n = between(1, 22)
	if features.floats and chance(8) then return from_real(depth - 1) end
	if n <= 4 then return ("(%s %s %s)"):format(a(), pick { "+", "-" }, a()) end
	if n <= 6 then return ("(%s %s %s)"):format(a(), pick { "&", "|", "^" }, a()) end
	if n == 7 then return ("((%s)%s << ((%s) & %d))"):format(pick { "int", "unsigned" }, a(), a(), 31) end
	if n == 8 then return ("((%s)%s >> ((%s) & %d))"):format(pick { "long", "unsigned long" }, a(), chance(50) and a() or constant(), 63) end
	if n == 9 then return ("((%s)%s %s ((%s & 7) + 1))"):format(pick { "int", "unsigned", "short", "signed char" }, a(), pick { "/", "%" }, a()) end
	if n == 10 then return ("(%s %s (-(int)(%s & 3) - 2))"):format(a(), pick { "/", "%" }, a()) end
	if n == 11 then return ("((unsigned char)%s * (unsigned char)%s)"):format(a(), a()) end
	if n == 12 then return ("(%s * %d)"):format(a(), between(-9, 9)) end
	if n <= 15 then return ("((%s)%s)"):format(any_type()[1], a()) end
	if n == 16 then return ("(%s%s)"):format(pick { "-", "~", "!" }, a()) end
	if n == 17 then return ("(%s ? %s : %s)"):format(condition(depth - 1), a(), a()) end
	if n == 18 then return condition(depth - 1) end
	if n == 19 then return ("((unsigned)%s %s %du)"):format(a(), pick { "/", "%" }, between(2, 11)) end
	if n == 20 and chance(25) then return ("(long)((__int128)%s * %s >> %d)"):format(a(), a(), between(1, 40)) end
	return variable(depth)
end

local statement

local function block(fuel, depth)
	local outer = scope
	scope = {}
	for k, v in pairs(outer) do scope[k] = type(v) == "table" and { table.unpack(v) } or v end
	indent = indent + 1
	for _ = 1, between(1, 2) do statement(fuel, depth) end
	indent = indent - 1
	scope = outer
end

local function declare()
	local t, v = any_type(), name "v"
	put("%s %s = %s;", t[1], v, expression(2))
	scope.read[#scope.read + 1] = v
	scope.write[#scope.write + 1] = v
end

local function declare_array()
	local t, v, size = any_type(), name "a", 1 << between(1, 3)
	local init = {}
	for i = 1, size do init[i] = chance(30) and expression(1) or constant() end
	put("%s %s[%d] = { %s };", t[1], v, size, table.concat(init, ", "))
	scope.arrays[#scope.arrays + 1] = { name = v, sizes = { size }, type = t }
end

local function declare_matrix()
	local t, v = any_type(), name "m"
	put("%s %s[2][4] = { { %s, %s }, { %s, %s } };", t[1], v, constant(), constant(), constant(), constant())
	scope.arrays[#scope.arrays + 1] = { name = v, sizes = { 2, 4 } }
end

local function declare_struct()
	if #structs == 0 then return declare() end
	local s, v = pick(structs), name "s"
	if #scope.structs > 0 and chance(40) then
		local from = pick(scope.structs)
		if from.struct == s then
			put("%s %s = %s;", s.name, v, structure(from, 1))
			scope.structs[#scope.structs + 1] = { name = v, struct = s, fields = s.fields }
			return
		end
	end
	put("%s %s;", s.name, v)
	put("memset(&%s, %d, sizeof %s);", v, chance(70) and 0 or 1, v)
	for _, f in ipairs(s.fields) do
		if chance(60) then put("%s%s = %s;", v, f, expression(1)) end
	end
	scope.structs[#scope.structs + 1] = { name = v, struct = s, fields = s.fields }
end

local function declare_pointer()
	local one = {}
	for _, a in ipairs(scope.arrays) do if a.type and #a.sizes == 1 then one[#one + 1] = a end end
	if #one == 0 then return declare_array() end
	local a, p = pick(one), name "p"
	put("%s *%s = &%s[(%s) & %d];", a.type[1], p, a.name, expression(1), a.sizes[1] - 1)
	scope.pointers[#scope.pointers + 1] = { name = p, array = a }
	if chance(40) then
		local v = name "v"
		put("long %s = %s - %s;", v, p, a.name)
		scope.read[#scope.read + 1] = v
	end
	if chance(30) then put("if (%s %s &%s[%d]) %s = %s;", p, pick(comparisons), a.name, between(0, a.sizes[1] - 1), p, a.name) end
end

-- An lvalue to write.
local function target()
	local n = between(1, 10)
	if n <= 3 and #scope.arrays > 0 then
		local a = pick(scope.arrays)
		if not a.constant then
			local index = {}
			for _, size in ipairs(a.sizes) do
				index[#index + 1] = ("[(%s) & %d]"):format(chance(50) and expression(1) or tostring(between(0, size - 1)), size - 1)
			end
			return a.name .. table.concat(index)
		end
	end
	if n <= 5 and #scope.structs > 0 then
		local s = pick(scope.structs)
		return structure(s, 1) .. pick(s.fields)
	end
	if n == 6 and #scope.pointers > 0 then return "*" .. pick(scope.pointers).name end
	if #scope.write == 0 then return nil end
	return pick(scope.write)
end

local function assign()
	local t = target()
	if not t then return declare() end
	local n = between(1, 10)
	if n <= 6 then put("%s = %s;", t, expression(between(1, 3)))
	elseif n <= 8 then put("%s %s= %s;", t, pick { "+", "-", "^", "|", "&" }, expression(2))
	else put("(%s)%s;", t, pick { "++", "--" }) end
end

local function call()
	if #functions == 0 then return assign() end
	local f = pick(functions)
	local args = {}
	for i, p in ipairs(f.params) do
		if p == "depth" then args[i] = tostring(between(1, 3))
		elseif p == "struct" then
			local fit
			for _, s in ipairs(scope.structs) do if s.struct == f.struct then fit = s end end
			if not fit then return declare_struct() end
			args[i] = (f.by_pointer and "&" or "") .. structure(fit, 1)
		elseif p:find("^%(") then args[i] = p .. expression(1)
		else args[i] = expression(1) end
	end
	local v = name "v"
	if f.through then
		put("%s %s = %s[(%s) & %d](%s);", f.type[1], v, f.through, chance(30) and expression(1) or tostring(between(0, f.count - 1)), f.count - 1, table.concat(args, ", "))
	elseif f.returns then
		put("%s %s = %s(%s);", f.returns.name, v, f.name, table.concat(args, ", "))
		scope.structs[#scope.structs + 1] = { name = v, struct = f.returns, fields = f.returns.fields }
		return
	else
		put("%s %s = %s(%s);", f.type[1], v, f.name, table.concat(args, ", "))
	end
	scope.read[#scope.read + 1] = v
	scope.write[#scope.write + 1] = v
end

local function if_statement(fuel, depth)
	put("if (%s) {", condition(2))
	block(fuel, depth - 1)
	if chance(50) then
		put("} else {")
		block(fuel, depth - 1)
	end
	put("}")
end

local function loop(fuel, depth)
	local i, n = name "i", between(1, 4)
	local form = between(1, 3)
	if form == 1 then
		put("for (int %s = 0; %s < %d; %s++) {", i, i, n, i)
		scope.read[#scope.read + 1] = i
		block(fuel, depth - 1)
		if chance(25) then put("\tif (%s) %s;", condition(1), pick { "break", "continue" }) end
		put("}")
		table.remove(scope.read)
	elseif form == 2 then
		put("int %s = 0;", i)
		put("while (%s && %s++ < %d) {", condition(1), i, n)
		block(fuel, depth - 1)
		put("}")
	else
		put("int %s = 0;", i)
		put("do {")
		block(fuel, depth - 1)
		put("} while (%s && ++%s < %d);", condition(1), i, n)
	end
end

local function switch(fuel, depth)
	local t = chance(30) and any_type()[1] or nil
	local e = expression(1)
	put("switch (%s) {", t and t ~= "_Bool" and ("(%s)%s"):format(t, e) or ("(%s) & %d"):format(e, chance(50) and 7 or 3))
	local value = between(-1, 1)
	for _ = 1, between(1, 4) do
		put("case %d: ;", value)
		block(fuel, depth - 1)
		if chance(70) then put("\tbreak;") end
		value = value + between(1, 3)
	end
	if chance(60) then
		put("default: ;")
		block(fuel, depth - 1)
	else
		put("\t;")
	end
	put("}")
end

local function forward_goto(fuel, depth)
	local label = name "L"
	put("if (%s) goto %s;", condition(1), label)
	block(fuel, depth - 1)
	put("%s: ;", label)
end

local function backward_goto()
	local label, n = name "L", name "n"
	put("int %s = 0;", n)
	put("%s: ;", label)
	assign()
	put("if (%s && %s++ < %d) goto %s;", condition(1), n, between(1, 3), label)
end

local function strings()
	local b, v = name "b", name "v"
	put("char %s[8] = %s;", b, pick { '"abc"', '"12x"', '"xyzw"', '""' })
	for _ = 1, between(1, 3) do put("%s[%d] = (char)%s;", b, between(0, 6), expression(1)) end
	put("%s[7] = 0;", b)
	local n = between(1, 9)
	if n == 1 then put("long %s = (long)strlen(%s);", v, b)
	elseif n == 2 then put("long %s = strcmp(%s, %s) < 0;", v, b, pick { '"abd"', '"b"', '"12"' })
	elseif n == 3 then put("long %s = strncmp(%s, %s, 2) == 0;", v, b, pick { '"abd"', '"b"', '"12"' })
	elseif n == 4 then put("long %s = strchr(%s, %s) ? strchr(%s, %s) - %s : -1;", v, b, "'b'", b, "'b'", b)
	elseif n == 5 then put("long %s = memcmp(%s, \"abc\", 3) > 0;", v, b)
	elseif n == 6 then
		local c = name "b"
		put("char %s[8]; memcpy(%s, %s, 8); memset(%s + 2, %s, 2);", c, c, b, c, chance(50) and constant() or expression(1))
		put("long %s = %s[1] + %s[2];", v, c, c)
	elseif n == 7 then put("long %s = isdigit((unsigned char)%s[0]) != 0;", v, b)
	elseif n == 8 then put("long %s = toupper((unsigned char)%s[1]);", v, b)
	else put("long %s = atoi(%s);", v, b) end
	scope.read[#scope.read + 1] = v
	scope.write[#scope.write + 1] = v
	scope.arrays[#scope.arrays + 1] = { name = b, sizes = { 8 } }
end

-- ---- what is rarer: library calls, arrays of structures, pointers to pointers, floats

local function keep(v)
	scope.read[#scope.read + 1] = v
	scope.write[#scope.write + 1] = v
end

local function printed()
	local b, v = name "b", name "v"
	put("char %s[32];", b)
	put("long %s = snprintf(%s, sizeof %s, \"%s\", (int)%s, (unsigned)%s & 0xff);", v, b, b,
		pick { "%d,%u", "%3d|%x", "%c%02x", "%.2d%-4u" }, expression(1), expression(1))
	keep(v)
	scope.arrays[#scope.arrays + 1] = { name = b, sizes = { 4 } }
end

local function number()
	local b, v = name "b", name "v"
	put("char %s[6] = \"%s\";", b, pick { "12", "-7x", "0x1f", " 4" })
	put("%s[%d] = (char)%s;", b, between(0, 3), expression(1))
	put("long %s = %s;", v, pick { ("strtol(%s, 0, 0)"):format(b), ("(long)strtoul(%s, 0, 16)"):format(b),
		("strtol(%s, 0, 10) + (int)strlen(%s)"):format(b, b) })
	keep(v)
end

local function scanned()
	local b, v = name "b", name "v"
	put("char %s[8] = \"%s\";", b, pick { "12,3", "7 -1", "a=44" })
	put("%s[%d] = (char)%s;", b, between(0, 3), expression(1))
	put("int %s = 3, %sy = 5;", v, v)
	put("%s += 100 * sscanf(%s, \"%s\", &%s, &%sy);", v, b, pick { "%d,%d", "%d %d", "a=%d%d" }, v, v)
	keep(v)
	keep(v .. "y")
end

local function sorted()
	local a = name "a"
	put("int %s[4] = { (int)%s, (int)%s, %d, (int)%s };", a, expression(1), expression(0), between(-9, 9), expression(0))
	put("qsort(%s, 4, sizeof(int), by_value);", a)
	scope.arrays[#scope.arrays + 1] = { name = a, sizes = { 4 }, type = types[7] }
end

local function allocated()
	local t, p = any_type(), name "h"
	put("%s *%s = malloc(4 * sizeof *%s);", t[1], p, p)
	put("if (!%s) abort();", p)
	put("for (int i = 0; i < 4; i++) %s[i] = (%s)(%s + i);", p, t[1], expression(1))
	scope.arrays[#scope.arrays + 1] = { name = p, sizes = { 4 }, type = t }
end

local function declare_structs()
	if #structs == 0 then return declare() end
	local s, v = pick(structs), name "t"
	put("%s %s[4];", s.name, v)
	put("memset(%s, %d, sizeof %s);", v, chance(70) and 0 or 1, v)
	scope.structs[#scope.structs + 1] = { name = v, struct = s, fields = s.fields, count = 4 }
end

local function point_at_struct()
	if #scope.structs == 0 then return declare_structs() end
	local s, v = pick(scope.structs), name "p"
	put("%s *%s = &%s;", s.struct.name, v, structure(s, 1))
	scope.structs[#scope.structs + 1] = { name = "(*" .. v .. ")", struct = s.struct, fields = s.fields }
end

local function pointer_to_pointer()
	if #scope.pointers == 0 then return declare_pointer() end
	local p, v = pick(scope.pointers), name "pp"
	if p.name:find("%*") then return assign() end
	put("%s **%s = &%s;", p.array.type[1], v, p.name)
	scope.pointers[#scope.pointers + 1] = { name = "*" .. v, array = p.array }
end

local function overlapping()
	local b = name "b"
	put("unsigned char %s[8] = { 1, 2, 3 };", b)
	put("%s[%d] = (unsigned char)%s;", b, between(0, 4), expression(1))
	put("memmove(%s + %d, %s + %d, %d);", b, between(0, 3), b, between(0, 3), between(1, 5))
	scope.arrays[#scope.arrays + 1] = { name = b, sizes = { 8 } }
end

local function declare_real()
	local v = name "d"
	put("%s %s = %s;", pick(real_types), v, real(2))
	scope.floats[#scope.floats + 1] = v
end

local function assign_real()
	if #scope.floats == 0 then return declare_real() end
	put("%s %s %s;", pick(scope.floats), pick { "=", "+=", "-=", "*=", "/=" }, real(1))
end

local rare = { declare_structs, point_at_struct, pointer_to_pointer, allocated, overlapping, sorted, printed, number, scanned }

function statement(fuel, depth)
	if features.floats and chance(20) then return (chance(60) and declare_real or assign_real)() end
	if features.rare and chance(12) then return pick(rare)() end
	local n = between(1, 100)
	if n <= 18 then return declare() end
	if n <= 44 then return assign() end
	if n <= 52 and #functions > 0 then return call() end
	if n <= 56 then return declare_array() end
	if n <= 60 then return declare_struct() end
	if n <= 64 then return declare_pointer() end
	if n <= 66 then return declare_matrix() end
	if n <= 69 and features.strings then return strings() end
	if depth <= 0 then return assign() end
	if n <= 82 then return if_statement(fuel, depth) end
	if n <= 88 then return loop(fuel, depth) end
	if n <= 93 then return switch(fuel, depth) end
	if n <= 96 then return forward_goto(fuel, depth) end
	if n <= 98 then return backward_goto() end
	return assign()
end

-- ---- the program's parts

local function make_struct()
	local s, fields = name "S", {}
	local kind = between(1, 4)
	if kind == 1 then
		put("typedef union { unsigned w; unsigned char b[4]; short h[2]; } %s;", s)
		fields = { ".w", ".b[0]", ".b[3]", ".h[1]" }
	elseif kind == 2 then
		put("typedef struct { unsigned x : %d; int y : %d; unsigned long z : %d; char c; } %s;", between(1, 9), between(2, 12), between(3, 33), s)
		fields = { ".x", ".y", ".z", ".c" }
	else
		local members = {}
		for _, f in ipairs { "f", "g", "h" } do
			members[#members + 1] = ("%s %s;"):format(any_type()[1], f)
			fields[#fields + 1] = "." .. f
		end
		local t = any_type()[1]
		put("typedef struct { %s %s q[4]; struct { short i; long j; } n; } %s;", table.concat(members, " "), t, s)
		for _, f in ipairs { ".q[1]", ".q[3]", ".n.i", ".n.j" } do fields[#fields + 1] = f end
	end
	structs[#structs + 1] = { name = s, fields = fields }
end

local function make_global()
	local t = any_type()
	if chance(30) then
		local size = 1 << between(1, 3)
		local g, init = name "G", {}
		for i = 1, size do init[i] = constant() end
		local const = chance(30)
		put("static %s%s %s[%d] = { %s };", const and "const " or "", t[1], g, size, table.concat(init, ", "))
		globals[#globals + 1] = { name = g, size = size, type = t, constant = const, init = init }
	else
		local g = name "g"
		put("static %s %s;", t[1], g)
		globals[#globals + 1] = { name = g, type = t, init = { constant() } }
	end
end

local function global_scope()
	scope = new_scope()
	for _, g in ipairs(globals) do
		if g.size then
			scope.arrays[#scope.arrays + 1] = { name = g.name, sizes = { g.size }, type = not g.constant and g.type or nil, constant = g.constant }
		else
			scope.read[#scope.read + 1] = g.name
			scope.write[#scope.write + 1] = g.name
		end
	end
end

local function add(list, ...)
	for _, v in ipairs { ... } do list[#list + 1] = v end
end

local function make_function()
	global_scope()
	local f = { name = name "f", type = any_type(), params = {} }
	local text = {}
	for i = 1, between(1, 3) do
		local p = name "x"
		f.params[i] = "scalar"
		text[i] = any_type()[1] .. " " .. p
		add(scope.read, p)
		add(scope.write, p)
	end
	local recursive = chance(20)
	if recursive then
		f.params[#f.params + 1] = "depth"
		add(text, "int depth")
	elseif #structs > 0 and chance(35) then
		f.struct, f.by_pointer = pick(structs), chance(50)
		f.params[#f.params + 1] = "struct"
		local p = name "s"
		add(text, ("%s %s%s"):format(f.struct.name, f.by_pointer and "*" or "", p))
		add(scope.structs, { name = f.by_pointer and "(*" .. p .. ")" or p, struct = f.struct, fields = f.struct.fields })
	end
	put("static %s %s(%s)", f.type[1], f.name, table.concat(text, ", "))
	put("{")
	indent = 1
	if recursive then put("if (depth <= 0) return %s;", expression(1)) end
	for _ = 1, between(1, 3) do statement(1, 1) end
	if recursive then
		local args = {}
		for i = 1, #f.params - 1 do args[i] = expression(1) end
		args[#args + 1] = "depth - 1"
		local v = name "v"
		put("%s %s = %s(%s);", f.type[1], v, f.name, table.concat(args, ", "))
		add(scope.read, v)
	end
	put("return %s;", expression(2))
	indent = 0
	put("}")
	put("")
	functions[#functions + 1] = f
end

-- A function with variable arguments, structures by value among them.
local function make_variadic()
	local f = { name = name "f", type = types[10], params = {} }
	local body = {}
	for _ = 1, between(2, 8) do
		local t = pick { "int", "long", "unsigned", "unsigned long" }
		f.params[#f.params + 1] = ("(%s)"):format(t)
		body[#body + 1] = ("\tt = t * 31 + (long)va_arg(list, %s);"):format(t)
	end
	f.params[1] = "(int)"
	table.remove(body, 1)
	if #structs > 0 and chance(50) then
		f.struct = pick(structs)
		f.params[#f.params + 1] = "struct"
		body[#body + 1] = ("\tt ^= (long)va_arg(list, %s)%s;"):format(f.struct.name, pick(f.struct.fields))
	end
	put("static long %s(int first, ...)", f.name)
	put("{")
	put("\tva_list list;")
	put("\tlong t = first;")
	put("\tva_start(list, first);")
	for _, line in ipairs(body) do put("%s", line) end
	put("\tva_end(list);")
	put("\treturn t;")
	put("}")
	put("")
	functions[#functions + 1] = f
end

-- A function that returns a structure.
local function make_maker()
	local s = pick(structs)
	local f = { name = name "f", returns = s, params = { "scalar", "scalar" } }
	global_scope()
	add(scope.read, "a", "b")
	put("static %s %s(int a, long b)", s.name, f.name)
	put("{")
	put("\t%s s;", s.name)
	put("\tmemset(&s, 0, sizeof s);")
	for _, field in ipairs(s.fields) do put("\ts%s = %s;", field, expression(1)) end
	put("\treturn s;")
	put("}")
	put("")
	functions[#functions + 1] = f
end

-- Two or four functions of one type behind pointers.
local function make_table()
	local t, count, g = any_type(), chance(50) and 2 or 4, name "T"
	local names = {}
	for i = 1, count do
		global_scope()
		local f, a, b = name "f", name "x", name "x"
		add(scope.read, a, b)
		put("static %s %s(int %s, long %s) { return %s; }", t[1], f, a, b, expression(2))
		names[i] = f
	end
	put("static %s (*const %s[%d])(int, long) = { %s };", t[1], g, count, table.concat(names, ", "))
	put("")
	functions[#functions + 1] = { through = g, count = count, type = t, params = { "scalar", "scalar" } }
end

local inputs = {}
local function make_test()
	global_scope()
	local text = {}
	for _ = 1, between(1, 4) do
		local t, p = any_type(), name "in"
		add(text, t[1] .. " " .. p)
		add(inputs, { p, t[1] })
		add(scope.read, p)
		add(scope.write, p)
	end
	if features.floats then
		local t, p = pick(real_types), name "in"
		add(text, t .. " " .. p)
		add(inputs, { p, t, real = true })
		add(scope.floats, p)
	end
	if chance(40) then
		local t, p = any_type(), name "p"
		add(text, t[1] .. " *" .. p)
		for i = 0, 3 do add(inputs, { ("%s[%d]"):format(p, i), t[1], array = p, element = t[1] }) end
		add(scope.arrays, { name = p, sizes = { 4 }, type = t })
		inputs.len = p .. "=4"
	end
	put("long test(%s)", table.concat(text, ", "))
	put("{")
	indent = 1
	for _, g in ipairs(globals) do
		if not g.constant then
			if g.size then
				for i, v in ipairs(g.init) do put("%s[%d] = (%s)%s;", g.name, i - 1, g.type[1], v) end
			else
				put("%s = (%s)%s;", g.name, g.type[1], g.init[1])
			end
		end
	end
	for _ = 1, between(4, 8) do statement(2, 2) end
	put("unsigned long digest = 5381;")
	local function digest(e) put("digest = digest * 33 + (unsigned long)%s;", e) end
	for _, v in ipairs(scope.read) do digest(v) end
	for _, a in ipairs(scope.arrays) do
		local index = {}
		for _, size in ipairs(a.sizes) do index[#index + 1] = ("[%d]"):format(between(0, size - 1)) end
		digest(a.name .. table.concat(index))
	end
	for _, s in ipairs(scope.structs) do
		for _, f in ipairs(s.fields) do digest(s.name .. (s.count and ("[%d]"):format(between(0, s.count - 1)) or "") .. f) end
	end
	for _, d in ipairs(scope.floats) do digest(("bits((double)%s)"):format(d)) end
	put("return (long)(digest ^ digest >> 29);")
	indent = 0
	put("}")
end

local function make_main()
	put("")
	put("#ifdef MAIN")
	if features.floats then
		put("/* Digits, or the bits of a float, double or long double after f, d or l. */")
		put("static long double real(const char *s)")
		put("{")
		put("\tunion { float f; double d; long double l; struct { unsigned long low; unsigned short high; } i; } u = { 0 };")
		put("\tif (*s < 'a') return strtod(s, 0);")
		put("\tu.i.low = strtoul(s + 1, 0, 16);")
		put("\tif (*s == 'l') u.i.high = (unsigned short)strtoul(strchr(s, ':') + 1, 0, 16);")
		put("\treturn *s == 'f' ? u.f : *s == 'd' ? u.d : u.l;")
		put("}")
	end
	put("int main(int argc, char **argv)")
	put("{")
	indent = 1
	put("long in[%d] = { 0 };", #inputs)
	put("for (int i = 1; i < argc && i <= %d; i++) in[i - 1] = strtol(argv[i], 0, 0);", #inputs)
	local args, done = {}, {}
	for i, input in ipairs(inputs) do
		if input.array then
			if not done[input.array] then
				done[input.array] = true
				put("%s %s[4] = { in[%d], in[%d], in[%d], in[%d] };", input.element, input.array, i - 1, i, i + 1, i + 2)
				add(args, input.array)
			end
		else
			local value = input.real and ("real(%d < argc ? argv[%d] : \"0\")"):format(i, i) or ("in[%d]"):format(i - 1)
			add(args, ("(%s)%s"):format(input[2], value))
		end
	end
	put("long result = test(%s);", table.concat(args, ", "))
	put('printf("%ld\\n", result);')
	put("return (int)(result & 63);")
	indent = 0
	put("}")
	put("#endif")
end

features.strings, features.rare, features.floats = chance(35), chance(60), chance(30)
put("/* generated from seed %d; compile with -fwrapv -fno-strict-aliasing */", seed)
put("#include <ctype.h>")
put("#include <math.h>")
put("#include <stdarg.h>")
put("#include <stdio.h>")
put("#include <stdlib.h>")
put("#include <string.h>")
put("")
put("static int by_value(const void *a, const void *b)")
put("{")
put("\tint x = *(const int *)a, y = *(const int *)b;")
put("\treturn x < y ? -1 : x > y;")
put("}")
put("static unsigned long bits(double d) { unsigned long i = 7; if (d == d) memcpy(&i, &d, sizeof i); return i; }")
put("static int whole(double d) { return d > -1e9 && d < 1e9 ? (int)d : d > 0 ? 7 : -7; }")
put("")
for _ = 1, between(0, 2) do make_struct() end
for _ = 1, between(0, 3) do make_global() end
put("")
for _ = 1, between(0, 2) do make_function() end
if chance(25) then make_table() end
if features.rare and chance(40) then make_variadic() end
if features.rare and #structs > 0 and chance(50) then make_maker() end
if inputs.len then put("") end
make_test()
make_main()

if arg[2] == "names" then
	for _, i in ipairs(inputs) do print(i[1], i[2]) end
	if inputs.len then print("--len", inputs.len) end
else
	print(table.concat(lines, "\n"))
end
