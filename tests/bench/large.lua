-- large: a C file of 20,000 lines with one function of 3,000, to measure analyses with.
--   lua5.4 large.lua [LINES [LONGEST]] >large.c
local lines, longest = tonumber(arg[1]) or 20000, tonumber(arg[2]) or 3000
math.randomseed(5, 5)
local count = 0
local function put(fmt, ...)
	print(fmt:format(...))
	count = count + 1
end
local function pick(list) return list[math.random(#list)] end

put "struct item { int key, value; struct item *next; short tag[4]; };"
put "static int (*hook)(struct item *, int);"

local locals, module = {}, 0
-- Every dozen functions share globals, as a module of a program would.
local function open_module()
	module = module + 1
	put("static int g%d[16], mode%d, level%d, total%d; static struct item items%d[8], *first%d = &items%d[0];", module, module,
		module, module, module, module, module)
end
local function own(name) return (name:gsub("#", module)) end
local function scalar()
	local n = math.random(12)
	if n <= 6 then return pick(locals) end
	if n == 7 then return own(pick { "mode#", "level#", "total#" }) end
	if n == 8 then return ("g%d[%d]"):format(module, math.random(0, 15)) end
	if n == 9 then return ("g%d[%s & 15]"):format(module, pick(locals)) end
	if n == 10 then return own(pick { "p->key", "p->value", "q->value", "first#->key" }) end
	if n == 11 then return ("items%d[%d].%s"):format(module, math.random(0, 7), pick { "key", "value", "tag[1]" }) end
	return ("items%d[%s & 7].value"):format(module, pick(locals))
end

local function simple(indent, callees)
	local n = math.random(14)
	if n <= 9 then put("%s%s = %s %s %s;", indent, scalar(), scalar(), pick { "+", "-", "*", "&", "^" }, scalar())
	elseif n == 10 then put("%sp = &items%d[%s & 7];", indent, module, pick(locals))
	elseif n == 11 then put("%sq = %s;", indent, own(pick { "p", "p->next", "first#", "q->next ? q->next : p" }))
	elseif n == 12 then put("%s*p = *q;", indent)
	elseif #callees > 0 then put("%s%s += %s(%s, %s);", indent, pick(locals), pick(callees), own(pick { "p", "q", "&items#[3]" }), scalar())
	else put("%s%s++;", indent, pick(locals)) end
end

local function body(left, callees)
	while left > 0 do
		local n = math.random(8)
		if n <= 4 or left < 6 then
			simple("\t", callees)
			left = left - 1
		elseif n <= 6 then
			put("\tif (%s %s %s) {", scalar(), pick { "<", "==", ">" }, scalar())
			simple("\t\t", callees)
			put "\t} else {"
			simple("\t\t", callees)
			put "\t}"
			left = left - 5
		elseif n == 7 then
			put("\tfor (%s = 0; %s < %d; %s++) {", locals[1], locals[1], math.random(2, 9), locals[1])
			simple("\t\t", callees)
			simple("\t\t", callees)
			put "\t}"
			left = left - 4
		else
			put("\tswitch (%s & 3) {", pick(locals))
			put("\tcase 1: %s = %s; break;", scalar(), scalar())
			put("\tcase 2: %s = %s; /* fall through */", scalar(), scalar())
			put("\tdefault: %s = %s;", pick(locals), scalar())
			put "\t}"
			left = left - 5
		end
	end
end

local names = {}
local function func(size)
	local name, callees, variables = "f" .. #names + 1, {}, math.max(6, size // 40)
	if #names % 12 == 0 then open_module() end
	for k = math.max(1, #names - #names % 12), #names do callees[#callees + 1] = names[k] end
	put("%sint %s(struct item *p, int n)", math.random(3) == 1 and "" or "static ", name)
	put "{"
	locals = { "i" }
	put "\tint i = 0, r = n;"
	put "\tstruct item *q = p;"
	for k = 1, variables do
		locals[#locals + 1] = "v" .. k
		put("\tint v%d = n + %d;", k, k)
	end
	body(size - variables - 6, callees)
	put "\thook = n ? hook : 0;"
	put "\treturn r + i;"
	put "}"
	names[#names + 1] = name
end
while count < lines // 2 do func(math.random(15, 90)) end
func(longest)
while count < lines - 60 do func(math.random(15, 90)) end
put("int main(void) { hook = %s; return hook(first1, level1) + %s(&items1[1], 2); }", names[1], names[#names])
