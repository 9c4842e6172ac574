-- small: a C program from a seed, whose function `test` has few inputs, so that all of them, or all paths, can be run;
-- free of undefined behaviour under -fwrapv. What it is made of may fool a prover: loops, arrays at indices that depend on the input, pointers
-- that lead to one of several variables, parameters that may be the same variable, calls that write globals,
-- recursion, arithmetic that wraps; and conditions on small numbers that exclude one another.
--   lua5.4 small.lua SEED           one input of 8 bits
--   lua5.4 small.lua SEED wide      two of 32 bits
math.randomseed(assert(math.tointeger(arg[1]), "usage: small.lua SEED"), 8)
local between = math.random
local wide = arg[2] == "wide"
local function chance(percent) return between(100) <= percent end
local function pick(list) return list[between(#list)] end

local lines, indent = {}, 0
local function put(fmt, ...)
	lines[#lines + 1] = ("\t"):rep(indent) .. fmt:format(...)
end
local function block(head, body, tail)
	put("%s {", head)
	indent = indent + 1
	body()
	indent = indent - 1
	put(tail or "}")
end

local locals, loops                              -- of the function at work
local callable = {}                              -- functions that are there already
local globals = { "g0", "g1", "u0" }

local function scalar() return chance(30) and pick(globals) or pick(locals) end
local function target()
	local how = between(10)
	if how <= 6 then return scalar() end
	if how <= 8 then return ("arr[%s & 3]"):format(scalar()) end
	return "*p"
end
local function value()
	local how = between(12)
	if how <= 4 then return tostring(between(0, 9)) end
	if how <= 8 then return scalar() end
	if how == 9 then return ("arr[%s & 3]"):format(scalar()) end
	if how == 10 then return "*p" end
	return ("(%s %s %s)"):format(scalar(), pick { "+", "-", "^", "&", "|", wide and "+" or "*" }, chance(50) and scalar() or between(1, 9))
end
-- Values stay small, as often as they wrap.
local function assigned()
	local v = value()
	return chance(60) and v or chance(50) and ("(unsigned char)(%s + %s)"):format(v, value()) or ("(int)((unsigned)%s * 3u) & 63"):format(v)
end
local function condition()
	local how = between(10)
	local one = ("%s %s %d"):format(chance(75) and scalar() or target(), pick { "<", ">", "==", "!=", "<=", ">=" }, between(0, 12))
	if how <= 7 then return one end
	return ("%s %s %s < %s"):format(one, pick { "&&", "||" }, scalar(), chance(50) and scalar() or between(1, 9))
end

local function argument() return "&" .. (chance(40) and pick(globals) or pick(locals)) end
local statements

local function call()
	local f = callable[between(#callable)]
	if f.recursive then
		put("%s = %s(%s & 3, %s);", scalar(), f.name, value(), argument())
	else
		local first = argument()
		put("%s = %s(%s, %s, %s);", scalar(), f.name, value(), first, chance(35) and first or argument())
	end
end

-- Floating-point numbers, what seems to be so of them, and what is.
local function real()
	local set, bound = ("%s = %d;"):format(pick(locals), between(0, 9)), between(0, 24) / 4
	local kind, s = pick { "float", "double" }, scalar()
	local how = between(6)
	if how == 1 then
		local factor = pick { 0.5, 0.25, 3, 0.1, 1e-3 }
		put("{ %s d = %s * %s; if (d / %s != %s) %s if (d > %s && d < %s) %s }", kind, s, factor, factor, s, set, bound, bound + 0.25, set)
	elseif how == 2 then
		put("{ %s d = %s / (%s)%s; if (d != d) %s else if (__builtin_fabs(d) > 1e30) %s }", kind, pick { "0.0", "1.0" , s }, kind, scalar(), set,
			("%s = %d;"):format(pick(locals), between(0, 9)))
	elseif how == 3 then
		put("{ %s t = 0; int k; for (k = 0; k < (%s & 3) + 1; k++) t += %s; if (t %s k) %s }", kind, s, pick { "0.25", "0.1f", "1.0", "1.1" },
			pick { ">", "<", ">=" }, set)
	elseif how == 4 then
		put("{ %s d = (%s & 255) * %s; int k = (int)d; if (k > d) %s if (%s(d) %s k) %s }", kind, s, pick { "0.75", "-0.5f", "1.5" }, set,
			pick { "__builtin_floor", "__builtin_ceil", "__builtin_trunc", "__builtin_rint", "__builtin_round" }, pick { "!=", "<", ">" }, set)
	elseif how == 5 then
		put("{ %s d = %s; if (__builtin_isnan(d) || __builtin_isinf(d)) %s d = __builtin_copysign(d, %s - 3.0); if (d < -%s) %s }", kind, s, set,
			scalar(), bound, set)
	else
		put("{ %s d = %s + 0.5f, e = d * d - 1; if (e < -1) %s if (-e > %s) %s if ((unsigned char)(d < 200 && d > 0 ? d : 7) == %d) %s }", kind, s, set,
			bound, set, between(0, 20), set)
	end
end

-- Idioms of programs that invariants, elements of arrays and summaries decide; and code that only looks like them.
local function idiom()
	local n, twist = ("(%s & 3) + %d"):format(scalar(), between(0, 1)), chance(40)
	local how = between(#callable > 0 and callable.deep and 4 or 3)
	local set = ("%s = %d;"):format(pick(locals), between(0, 9))
	if how == 1 then
		local first, by = between(0, 5), between(1, 4)
		put("{ int s = %d, k; for (k = 0; k < %s; k++) s += %s; if (s != %d * k + %d) %s }", first, n,
			twist and ("k == %d ? 0 : %d"):format(between(2, 5), by) or by, by, first, set)
	elseif how == 2 then
		local v = between(0, 9)
		put("{ int k; for (k = 0; k < %s; k++) arr[k & 3] = %d; %s if (arr[%s & 3] != %d && k > 3) %s }", n, v,
			twist and ("arr[%d] = %d;"):format(between(0, 3), between(0, 9)) or "", scalar(), v, set)
	elseif how == 3 then
		put("{ int m = arr[0], k; for (k = 1; k < 4%s; k++) if (arr[k] < m) m = arr[k]; if (arr[%s & 3] < m) %s }",
			twist and " - 1" or "", scalar(), set)
	else
		local d, at = callable.deep, chance(50) and scalar() or "c"
		put("{ int k = %s, r = %s(k & 127); if ((k & 127) <= %d) if (r != %d) %s if (r < %d) %s }", at, d.name, d.border,
			d.below + (twist and 1 or 0), set, d.least, set)
	end
end

local function loop(depth)
	local i = "i" .. #loops
	loops[#loops + 1] = i
	block(("for (%s = %d; %s < %s; %s++)"):format(i, between(0, 2), i, chance(50) and between(1, 5) or ("(%s & 3) + %d"):format(scalar(),
		between(0, 2)), i), function()
		statements(between(1, 3), depth + 1)
		if chance(25) then put("if (%s) break;", condition()) end
	end)
end

function statements(n, depth)
	for _ = 1, n do
		local how = between(20)
		if how <= 9 or depth > 3 then
			put("%s = %s;", target(), assigned())
		elseif how <= 14 then
			block(("if (%s)"):format(condition()), function() statements(between(1, 2), depth + 1) end, chance(40) and "} else {" or "}")
			if lines[#lines]:find("else") then
				indent = indent + 1
				statements(between(1, 2), depth + 1)
				indent = indent - 1
				put("}")
			end
		elseif how <= 15 and #loops < 4 then
			loop(depth)
		elseif how == 16 then
			put("p = %s ? %s : %s;", condition(), argument(), argument())
		elseif how == 17 then
			if not wide and chance(40) then real() else idiom() end
		elseif how == 18 then
			block(("switch (%s & 3)"):format(scalar()), function()
				for c = 0, between(1, 2) do
					put("case %d: %s = %s;%s", c, target(), assigned(), chance(70) and " break;" or "")
				end
				if chance(50) then put("default: %s = %s;", target(), assigned()) end
			end)
		elseif #callable > 0 then
			call()
		else
			put("%s += %d;", scalar(), between(1, 3))
		end
	end
end

local function body(names, n, result)
	local at = #lines + 1
	locals, loops = names, {}
	statements(n, 1)
	put("return %s;", result())
	table.insert(lines, at, ("\tint %s*p = &%s, arr[4] = { %d, 0, 1, %d };"):format(#loops > 0
		and table.concat(loops, " = 0, ") .. " = 0, " or "", pick { "g0", "g1" }, between(0, 3), between(0, 9)))
	table.insert(lines, at + 1, "\tarr[0] += 0 * *p;")
end

put("static int g0 = %d, g1;", between(0, 4))
put("static int u0;")
for k = 1, between(1, 3) do
	local recursive = chance(35)
	local f = { name = "f" .. k, recursive = recursive }
	put("static int %s(int n, int *a%s)", f.name, recursive and "" or ", int *b")
	put("{")
	indent = 1
	put("int x = *a, y = n & 15;")
	if recursive then
		put("if (n > 0) { *a = (*a + %d) & 31; x = %s(n - 1, %s); }", between(1, 4), f.name, pick { "a", "&x", "&g1" })
	else
		put("*a = y%s;", pick { "", " + 1", " ^ 3" })
		put("if (*b %s *a) x = *b & 15;", pick { "==", "<", "!=" })
		put("*b = (x + y) & 31;")
	end
	body({ "x", "y" }, between(1, 4), function() return pick { "x & 63", "y", "*a & 63" } end)
	indent = 0
	put("}")
	callable[#callable + 1] = f
end
-- McCarthy's function with other numbers: border + 1 - less below and at the border. It ends, as less < more.
local less, more = between(1, 6), nil
more = less + between(1, 5)
callable.deep = { name = "deep", border = between(90, 110) }
put("static int deep(int n) { if (n > %d) return n - %d; return deep(deep(n + %d)); }", callable.deep.border, less, more)
callable.deep.below = callable.deep.border + 1 - less
callable.deep.least = callable.deep.below - (chance(30) and -1 or 0)
put(wide and "int test(int c, int d)" or "int test(unsigned char c)")
put("{")
indent = 1
put("int x = %s, y = %s, z = %d;", wide and "c" or "c & 15", wide and "d" or "c >> 4", between(0, 9))
put("g0 = %d, g1 = 0, u0 = y;", between(0, 4))
body({ "x", "y", "z" }, wide and between(3, 6) or between(6, 12), function() return "x + y + z" end)
indent = 0
put("}")
print(table.concat(lines, "\n"))
