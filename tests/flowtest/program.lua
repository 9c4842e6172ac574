-- A program from a seed for theorem.lua: `test` takes four inputs, of which the low two bits count, and goes
-- through statements that read and write variables, cells of arrays, what pointers point to, and call functions;
-- at places it asserts. With -DORACLE its main runs all inputs, with -DTESTED those that it reads, four hexadecimal
-- numbers each, and prints the lines of assertions that fail.
--   lua5.4 program.lua SEED
local seed = assert(math.tointeger(arg[1]), "usage: program.lua SEED")
math.randomseed(seed, 7)

local function pick(list) return list[math.random(#list)] end
local function chance(percent) return math.random(100) <= percent end
local out, indent = {}, 0
local function put(fmt, ...) out[#out + 1] = ("\t"):rep(indent) .. fmt:format(...) end

-- The variables that a seed may use: the fewer, the more blocks there are.
local names = { "a", "b", "c", "d" }
local places = { "x", "y", "z", "w", "cell[0]", "cell[1]", "cell[2]", "cell[3]", "*p", "s.u", "s.v", "heap[1]" }
local few = chance(70)
local scope = {}
local function place()
	return pick(#scope > 0 and few and chance(70) and scope or places)
end
local function value()
	local kind = math.random(10)
	return kind <= 4 and pick(names) or kind <= 7 and place() or kind == 8 and not few and "cell[" .. pick(names) .. "]"
		or tostring(math.random(0, 3))
end
local function condition()
	return ("%s %s %d"):format(value(), pick { "==", "!=", "<", ">" }, math.random(0, 3))
end

local function statement(depth, inside)
	local kind = math.random(24)
	local function body(n)
		indent = indent + 1
		for _ = 1, math.random(n) do statement(depth - 1, inside) end
		indent = indent - 1
	end
	if kind <= 6 and depth > 0 then
		put("if (%s) {", condition())
		body(2)
		if chance(40) then
			put("} else {")
			body(2)
		end
		put("}")
	elseif kind == 7 and depth > 0 then
		put("for (i%d = 0; i%d < %d; i%d++) {", depth, depth, math.random(1, 3), depth)
		body(2)
		put("}")
	elseif kind == 8 and depth > 0 then
		put("switch (%s) {", value())
		put("case %d:", math.random(0, 3))
		body(1)
		put("\tbreak;")
		put("default:")
		body(1)
		put("}")
	elseif kind == 9 then
		put("%s = pass(%s);", place(), value())
	elseif kind == 10 then
		put("set(&%s, %s);", pick { "x", "y", "cell[1]", "cell[2]", "s.v" }, value())
	elseif kind == 11 then
		put("p = %s;", pick { "&x", "&cell[3]", "&s.u", few and "&y" or "&cell[" .. pick(names) .. "]" })
	elseif kind == 12 then
		put("memcpy(%s, cell, 2 * sizeof *cell);", pick { "heap", "cell + 2" })
	elseif kind == 13 then
		put("%s = %s && %s;", place(), condition(), condition())
	elseif kind == 14 then
		put("%s = %s ? %s : %d;", place(), condition(), value(), math.random(0, 3))
	elseif kind == 15 and not few then
		put("cell[%s] = %s;", pick(names), value())
	elseif kind == 16 and inside == "test" and chance(30) then
		put("if (%s) return;", condition())
	elseif kind == 17 and inside == "test" then
		put("if (helper(%s)) %s = %d;", value(), place(), math.random(0, 3))
	elseif kind == 18 then
		put("CHECK(%s);", condition())
	else
		put("%s = %s & 3;", place(), chance(70) and value() or value() .. " + " .. value())
	end
end

put("#include <stdlib.h>")
put("#include <string.h>")
put("static unsigned cell[4], *heap, x, y, *p;")
put("static struct { unsigned u, v; } s;")
put("#if defined ORACLE || defined TESTED")
put("#include <setjmp.h>")
put("#include <stdio.h>")
put("static jmp_buf end;")
put("static char failed[1000];")
put("#define CHECK(c) do { if (!(c)) { failed[__LINE__] = 1; longjmp(end, 1); } } while (0)")
put("#else")
put("#define CHECK(c) do { if (!(c)) abort(); } while (0)")
put("#endif")
put("static unsigned pass(unsigned v) { if (v == 2) return 1; return v; }")
put("static void set(unsigned *to, unsigned v) { if (v) *to = v & 3; }")
put("static int helper(unsigned v) { x = v & 3; return y == v; }")
local bytes = seed % 2 == 1                       -- inputs that runs meet when they read them
for i, name in ipairs(bytes and names or {}) do
	put("#define %s (in[%d] & 3u)", name, i - 1)
end
put(bytes and "void test(const unsigned char *in)" or "void test(unsigned a, unsigned b, unsigned c, unsigned d)")
put("{")
indent = 1
put("unsigned z = %d, w = %d, i1, i2, i3;", math.random(0, 3), math.random(0, 3))
if not bytes then
	put("a &= 3; b &= 3; c &= 3; d &= 3;")
end
put("(void)z; (void)w; (void)i1; (void)i2; (void)i3;")
put("x = %d; y = %d; p = &x; s.u = %d; s.v = 0;", math.random(0, 3), math.random(0, 3), math.random(0, 3))
put("cell[0] = 1; cell[1] = %d; cell[2] = 0; cell[3] = %d;", math.random(0, 3), math.random(0, 3))
put("heap = calloc(4, sizeof *heap);")
if chance(40) then                                -- what guards the rest
	names = { "a" }
	put("if (%s) return;", condition())
	names = { "a", "b", "c", "d" }
end
for part = 1, 4 do
	scope = { places[part], places[part + 4], places[part + 8] }
	local all = names
	if few then names = { all[part] } end
	for _ = 1, math.random(1, 4) do statement(3, "test") end
	if chance(60) then
		put("if (%s)", condition())
		put("\tCHECK(%s);", condition())
	end
	names = all
end
if chance(50) then put("CHECK(%s);", condition()) end
indent = 0
put("}")
put("#if defined ORACLE || defined TESTED")
for _, name in ipairs(bytes and { "a", "b", "c", "d" } or {}) do
	put("#undef %s", name)
end
put("int main(void)")
put("{")
put("#ifdef ORACLE")
put("\tfor (volatile unsigned n = 0; n < 256; n++)")
put("\t\tif (!setjmp(end))")
put("\t\t\ttest(%s n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6 %s);", bytes and "(unsigned char[]){" or "", bytes and "}" or "")
put("#else")
put("\tunsigned long a, b, c, d;")
put("\twhile (scanf(\"%%lx %%lx %%lx %%lx\", &a, &b, &c, &d) == 4)")
put("\t\tif (!setjmp(end))")
put("\t\t\ttest(%s a, b, c, d %s);", bytes and "(unsigned char[]){" or "", bytes and "}" or "")
put("#endif")
put("\tfor (int i = 0; i < 1000; i++)")
put("\t\tif (failed[i])")
put("\t\t\tprintf(\"%%d\\n\", i);")
put("}")
put("#endif")
print(table.concat(out, "\n"))
