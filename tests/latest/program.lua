-- program: a small C program from a seed, whose function `test` calls others that return, write what pointers point
-- to, write globals, and call each other. Conditions of `test` stand one on a line.
--   lua5.4 program.lua SEED [heap]      heap: functions also return new blocks, and fill them
-- With -DORACLE it has a main that runs test on all of its inputs that differ and prints each line and outcome
-- that was taken.
math.randomseed(assert(math.tointeger(arg[1]), "usage: program.lua SEED"), 5)

local between, lines = math.random, {}
local function put(...) lines[#lines + 1] = string.format(...) end
local function pick(list) return list[between(#list)] end
local function chance(percent) return between(100) <= percent end

local globals = { "g0", "g1", "s.a", "s.b", "t[0]", "t[1]" }

local function leaf(names)
	return chance(70) and pick(names) or tostring(between(0, 9))
end

local function expression(names, depth)
	if depth == 0 or chance(40) then return leaf(names) end
	local how = between(6)
	if how == 6 then return ("t[%s & 3]"):format(leaf(names)) end
	return ("(%s %s %s)"):format(expression(names, depth - 1), pick { "+", "-", "^", "&", "*" }, expression(names, depth - 1))
end

local function condition(names, one)
	local c = ("%s %s %s"):format(expression(names, 1), pick { "==", "!=", "<", ">", "==", "<=" }, leaf(names))
	return not one and chance(20) and ("%s %s %s"):format(c, pick { "&&", "||" }, pick(names)) or c
end

local helpers, heap = {}, arg[2] == "heap"
local kinds = heap and { "value", "made", "made", "fill", "pointer" } or { "value", "value", "pointer", "global", "struct" }

-- A call that stands alone, its result in `to`.
local function call(h, names, to)
	local a, b = leaf(names), leaf(names)
	if h.kind == "value" then return ("%s = %s(%s, %s);"):format(to, h.name, a, b) end
	if h.kind == "pointer" then return ("%s(&%s, %s);"):format(h.name, to, a) end
	if h.kind == "struct" then return ("p = %s(%s, %s); %s = p.b;"):format(h.name, a, b, to) end
	if h.kind == "made" then
		put("\tq = %s(%s, %s);", h.name, a, b)
		put("\tif (q)")
		return ("\t{ %s = q->b; q->a %s= %s; %s ^= q->a; }"):format(to, pick { "+", "" }, leaf(names), to)
	end
	if h.kind == "fill" then
		put("\tq = malloc(2 * sizeof *q);\n\tif (!q)\n\t\texit(1);")
		return ("%s(q, %s); %s = q->%s; free(q);"):format(h.name, a, to, pick { "a", "b" })
	end
	return ("%s(%s); %s = %s;"):format(h.name, a, to, pick(globals))
end

local function statements(names, writable, n, depth, mine)
	for _ = 1, n do
		local how = between(10)
		if how <= (mine == helpers and 5 or 3) and depth > 0 then
			put("\tif (%s)", condition(names, mine == helpers))
			put("\t{")
			statements(names, writable, between(2), depth - 1, mine)
			if chance(50) then
				put("\t} else {")
				statements(names, writable, between(2), depth - 1, mine)
			end
			put("\t}")
		elseif how <= 6 and #mine > 0 then
			put("\t%s", call(pick(mine), names, pick(writable)))
		elseif how == 7 and depth > 0 and writable.loop then
			put("\tfor (i = 0; i < (%s & 3); i++)", leaf(names))
			put("\t\t%s += %s;", pick(writable), expression(names, 1))
		elseif how == 8 and chance(60) then
			put("\t%s = %s;", pick(globals), expression(names, 1))
		else
			put("\t%s = %s;", pick(writable), expression(names, 2))
		end
	end
end

local function helper(i)
	local h = { name = "h" .. i, kind = pick(kinds) }
	local names = { "x", "x", "g0", "s.a", "t[1]", "r" }
	local head = { value = "static int %s(int x, int y)", pointer = "static void %s(int *q, int x)",
		made = "static struct pair *%s(int x, int y)", fill = "static void %s(struct pair *q, int x)",
		global = "static void %s(int x)", struct = "static struct pair %s(int x, int y)" }
	if h.kind == "value" or h.kind == "struct" or h.kind == "made" then names[#names + 1] = "y" end
	if h.kind == "pointer" then names[#names + 1] = "*q" end
	put(head[h.kind], h.name)
	put("{")
	put("\tint r = 0, i;")
	put("\tstruct pair p = { 0, 0 }%s;", heap and h.kind ~= "pointer" and h.kind ~= "fill" and ", *q = 0" or "")
	put("\t(void)i, (void)p;")
	local writable = h.kind == "global" and { "r", pick(globals), loop = true } or { "r", "x", loop = true }
	local mine = {}
	local q_is_taken = h.kind == "pointer" or h.kind == "fill"
	for _, other in ipairs(helpers) do
		local fits = not (q_is_taken and (other.kind == "made" or other.kind == "fill"))
		mine[#mine + 1] = chance(40) and fits and other or nil
	end
	statements(names, writable, between(2, 4), 2, mine)
	if h.kind == "made" then
		if chance(50) then put("\tif (%s)\n\t\treturn %s;", condition(names, true), pick { "0", "&s" }) end
		put("\tq = malloc(sizeof *q);\n\tif (!q)\n\t\texit(1);\n\tq->a = x;\n\tq->b = r;\n\treturn q;")
	end
	if h.kind == "fill" then put("\tq->a = x;\n\tq->b = r;") end
	if h.kind == "value" then put("\treturn r;") end
	if h.kind == "struct" then put("\tp.a = x;\n\tp.b = r;\n\treturn p;") end
	if h.kind == "pointer" then put("\t*q = r;") end
	if h.kind == "global" then put("\t%s = r;", pick(globals)) end
	put("}")
	helpers[#helpers + 1] = h
end

if heap then put("#include <stdlib.h>") end
put("#ifdef ORACLE")
put("#include <stdio.h>")
put("static char taken[10000][2];")
put("#define if(c) if (taken[__LINE__][(c) ? 1 : 0] = 1, (c))")
put("#endif")
put("struct pair { int a, b; };")
put("static int g0, g1, t[4];")
put("static struct pair s;")
for i = 1, between(2, 4) do helper(i) end
put("int test(unsigned char a, unsigned char b, unsigned char c)")
put("{")
put("\tint x = a & 7, y = b & 7, z = c & 7, u = 0, v = 0, i;")
put("\tstruct pair p = { 0, 0 }%s;", heap and ", *q = 0" or "")
put("\t(void)i, (void)p;")
put("\tg0 = g1 = s.a = s.b = t[0] = t[1] = t[2] = t[3] = 0;")
local from = #lines + 1
for _, to in ipairs { "u", "v" } do put("\t%s", call(pick(helpers), { "x", "y", "z" }, to)) end
statements({ "x", "y", "z", "u", "v", "u", "v", "g0", "s.b", "t[1]" }, { "u", "v", "x", loop = true }, between(4, 7), 2, helpers)
put("\treturn u + v;")
put("}")
put("#ifdef ORACLE")
put("#undef if")
put("int main(void)")
put("{")
put("\tfor (int k = 0; k < 512; k++)")
put("\t\ttest((unsigned char)(k & 7), (unsigned char)(k >> 3 & 7), (unsigned char)(k >> 6));")
put("\tfor (int line = %d; line < 10000; line++)", from)
put("\t\tfor (int o = 1; o >= 0; o--)")
put("\t\t\tif (taken[line][o])")
put('\t\t\t\tprintf("%%d %%s\\n", line, o ? "true" : "false");')
put("\treturn 0;")
put("}")
put("#endif")
print(table.concat(lines, "\n"))
