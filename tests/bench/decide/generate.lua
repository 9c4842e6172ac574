-- generate.lua KIND SEED: a C program of the kinds that hybrid data-flow testing was measured on, drawn from a seed:
--   machine     a protocol's state machine in one loop, with locals that are not initialised and results of calls that
--               may be anything
--   driver      nested calls that set and test flags of a device, without loops
--   algorithm   loops, arrays, recursion: several small algorithms, each of whose results is tested
--   text        a utility that reads standard input
local kind, seed = arg[1], math.tointeger(tonumber(arg[2]))
assert(kind and seed, "usage: generate.lua machine|driver|algorithm|text SEED")
math.randomseed(seed, 77)
local between = math.random
local function chance(percent) return between(100) <= percent end
local function pick(list) return list[between(#list)] end
local lines, indent = {}, 0
local function put(fmt, ...) lines[#lines + 1] = ("\t"):rep(indent) .. fmt:format(...) end
local function open(fmt, ...) put(fmt .. " {", ...) indent = indent + 1 end
local function close(tail) indent = indent - 1 put("}%s", tail or "") end
local generate = {}

function generate.machine()
	local states = between(25, 35)
	local flags = { "hit", "cert", "skip", "renew", "verify", "shutdown" }
	local numbers = { "num", "length", "use" }
	local function code(s) return 8192 + 16 * (s % states) end
	put "extern int __VERIFIER_nondet_int(void);"
	open("static int accept(int initial)")
	put("int state = initial, blast = 0, ret = -1, buffered, key, tmp, last, %s;", table.concat(flags, ", "))
	put("int %s;", table.concat(numbers, ", "))
	for _, f in ipairs { "hit", "cert", "verify", "key" } do put("%s = __VERIFIER_nondet_int();", f) end
	put "skip = 0; renew = 0; num = 0; length = __VERIFIER_nondet_int(); buffered = 0;"
	open("for (;;)")
	put "last = state;"
	for s = 0, states - 1 do
		if s == 0 then open("if (state == %d)", code(s)) else indent = indent - 1 open("} else if (state == %d)", code(s)) end
		local level = s // 5
		if chance(40) then
			put "ret = __VERIFIER_nondet_int();"
			if chance(60) then put("if (blast == %d) blast = %d;", level, level + 1) end
			put "if (ret <= 0) goto end;"
		end
		local how = between(8)
		if how == 1 then put("if (%s) state = %d; else state = %d;", pick(flags), code(s + 1), code(s + 1 + between(4)))
		elseif how == 2 then open("if (key & %d)", 1 << between(0, 8)) put "skip = 1;" indent = indent - 1 open "} else"
			put("tmp = length;") put("if (tmp > %d) num = %d;", between(100), between(0, 3)) close() put("state = %d;", code(s + 1))
		elseif how == 3 then put("shutdown = %d;", between(0, 2)) put("state = %d;", code(s + 1))
		elseif how == 4 then put("if (blast == %d) blast = %d;", level, level + 1) put("state = %d;", code(s + 1))
		elseif how == 5 then put("use = num + %d;", between(3)) put("if (use == %d) renew = 1;", between(1, 6)) put("state = %d;", code(s + 1))
		elseif how == 6 then put("buffered = %d;", code(s + between(5))) put("state = %d;", code(s + 1))
		elseif how == 7 then put("if (last == %d) state = %d; else state = %d;", code(s), code(s + 1), code(s + 2))
		else put("num = 0;") put("state = %d;", code(s + 1)) end
		if s == states - 1 then put "goto end;" end
	end
	indent = indent - 1
	open "} else"
	put "goto end;"
	close()
	open("if (!skip)")
	put("if (buffered == state) { tmp = state; if (blast == %d) goto error; state = tmp; }", between(3, 5))
	close()
	put "skip = 0;"
	close()
	put "end: if (shutdown == 2) ret = num;"
	put "return ret;"
	put "error: return -blast;"
	close()
	put("int main(void) { return accept(%d); }", code(0))
end

function generate.driver()
	local flags, status = {}, { "0", "259", "-1073741823", "-1073741670", "-1073741536" }
	for i = 1, between(6, 9) do flags[i] = "flag" .. i end
	local layers, below = between(3, 5), {}
	put "extern int __VERIFIER_nondet_int(void);"
	put("static int state, pended, lowest, failed, %s;", table.concat(flags, ", "))
	put("static void error_state(void) { failed = failed + 1; }")
	local n = 0
	for layer = 1, layers do
		local now = {}
		for _ = 1, between(3, 5) do
			n = n + 1
			local name = "step" .. n
			open("static int %s(int request)", name)
			put "int status, choice = __VERIFIER_nondet_int();"
			put("if (state == %d) state = %d; else error_state();", between(0, 2), between(0, 3))
			if chance(60) then put("if (%s) { pended = 1; lowest = %s; }", pick(flags), pick(status)) end
			if chance(40) then put("if (request == %d) %s = %d;", between(0, 4), pick(flags), between(0, 1)) end
			if #below > 0 then
				open("switch (choice)")
				for c = 0, between(1, 2) do
					put("case %d: status = %s(%s); if (status < 0) %s = 1; break;", c, pick(below), pick { "request", "choice", "request + 1" }, pick(flags))
				end
				put("default: status = %s; break;", pick(status))
				close()
			else
				put("if (choice == 0) status = %s; else if (choice == 1) { status = %s; %s = 0; } else status = %s;", pick(status), pick(status), pick(flags), pick(status))
			end
			put("if (status == 259 && pended != 1) error_state();")
			if chance(50) then put("if (%s == 1 && %s == 0) %s = 1;", pick(flags), pick(flags), pick(flags)) end
			put("return status;")
			close()
			now[#now + 1] = name
		end
		below = now
	end
	open("int main(void)")
	put "int status = 0, request = __VERIFIER_nondet_int();"
	put "state = 0; pended = 0; lowest = 0; failed = 0;"
	for _, f in ipairs(flags) do put("%s = %s;", f, chance(70) and "0" or "1") end
	open("switch (request)")
	for c = 0, 3 do put("case %d: status = %s(request); break;", c, pick(below)) end
	put "default: return -1;"
	close()
	put "if (pended == 1) { if (state == 0) state = 3; else if (status != 259) failed = failed + 1; }"
	put "else if (state == 1 && status != lowest) { if (status != -1) failed = failed + 1; }"
	for _ = 1, 4 do put("if (%s && !%s) status = status - 1;", pick(flags), pick(flags)) end
	put "if (failed > 1) return failed;"
	put "return status;"
	close()
end

-- Each is a function and a call of it: { text, call }. %1 and on are numbers that are drawn.
local algorithms = {
	{ "static int odd_ones(int n)\n{\n\tint i = 0, odd = 0, flag = 0;\n\twhile (i < n) { if (i %% 2) odd++; i++; }\n\tif (odd > i) flag = 1;\n\treturn flag ? -1 : odd;\n}", "odd_ones(%s)" },
	{ "static int fill(int n, int k)\n{\n\tint a[%d], i, bad = 0;\n\tif (n > %d) n = %d;\n\tfor (i = 0; i < n; i++) a[i] = %d;\n\tif (k >= 0 && k < n && a[k] != %d) bad = 1;\n\treturn bad ? -1 : n;\n}", "fill(%s, %s)", 1 },
	{ "static int ackermann(int m, int n)\n{\n\tif (m <= 0) return n + 1;\n\tif (n <= 0) return ackermann(m - 1, 1);\n\treturn ackermann(m - 1, ackermann(m, n - 1));\n}\nstatic int use_ackermann(int m)\n{\n\tint r = ackermann(m & 1, m & 3);\n\tif (r < 0) return -1;\n\treturn r;\n}", "use_ackermann(%s)" },
	{ "static int mccarthy(int n) { if (n > 100) return n - 10; return mccarthy(mccarthy(n + 11)); }\nstatic int use_mccarthy(int n)\n{\n\tint r;\n\tif (n > 120 || n < 80) return 0;\n\tr = mccarthy(n);\n\tif (n <= 100 && r != 91) return -1;\n\treturn r;\n}", "use_mccarthy(%s)" },
	{ "static int fib(int n) { if (n < 2) return n < 0 ? 0 : n; return fib(n - 1) + fib(n - 2); }\nstatic int use_fib(int n)\n{\n\tint r = fib(n & 7);\n\tif (r < 0) return -1;\n\treturn r;\n}", "use_fib(%s)" },
	{ "static int is_odd(int n);\nstatic int is_even(int n) { if (n == 0) return 1; return is_odd(n - 1); }\nstatic int is_odd(int n) { if (n == 0) return 0; return is_even(n - 1); }\nstatic int use_even(int n)\n{\n\tint e = is_even(n & 15);\n\tif (e != 0 && e != 1) return -1;\n\treturn e;\n}", "use_even(%s)" },
	{ "static int gcd(int a, int b)\n{\n\tint t, steps = 0;\n\tif (a <= 0 || b <= 0) return -1;\n\twhile (b != 0) { t = a %% b; a = b; b = t; steps++; }\n\tif (a <= 0) return -2;\n\treturn a + (steps > 100);\n}", "gcd(%s, %s)" },
	{ "static int sorted(int x, int y, int z, int w)\n{\n\tint a[4] = { x, y, z, w }, i, j, t;\n\tfor (i = 0; i < 3; i++)\n\t\tfor (j = 0; j < 3 - i; j++)\n\t\t\tif (a[j] > a[j + 1]) { t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }\n\tif (a[0] > a[1]) return -1;\n\treturn a[3] - a[0] > %d;\n}", "sorted(%s, %s, %s, %s)", 1 },
	{ "static int steps(int n)\n{\n\tint i, s = 0, even = 1;\n\tfor (i = 0; i < n && i < %d; i += %d) { s += %d; even = !even; if (s < 0) return -1; }\n\tif (i %% %d == %d && n > 0) return even;\n\treturn s > %d ? 2 : 3;\n}", "steps(%s)", 2 },
	{ "static int search(int key)\n{\n\tint a[8] = { 1, 3, 5, 7, 11, 13, 17, 19 }, low = 0, high = 7, mid, found = -1;\n\twhile (low <= high) {\n\t\tmid = (low + high) / 2;\n\t\tif (a[mid] == key) { found = mid; break; }\n\t\tif (a[mid] < key) low = mid + 1; else high = mid - 1;\n\t}\n\tif (found > 7) return -2;\n\treturn found;\n}", "search(%s)" },
	{ "static int balance(int n)\n{\n\tint x = 0, y = 0;\n\tif (n < 0 || n > 1000) return 0;\n\twhile (x + y < n) if (x < y) x++; else y++;\n\tif (x + y > n) return -1;\n\tif (x > y) return -2;\n\treturn x;\n}", "balance(%s)" },
	{ "static int digits(unsigned n)\n{\n\tint count = 0, last = -1;\n\tdo { last = n %% 10; n /= 10; count++; } while (n);\n\tif (count > 10) return -1;\n\tif (last == 0 && count > 1) return -2;\n\treturn count;\n}", "digits(%s)" },
}

function generate.algorithm()
	put "extern int __VERIFIER_nondet_int(void);"
	local calls, left = {}, { table.unpack(algorithms) }
	for _ = 1, between(3, 4) do
		local it = table.remove(left, between(#left))
		local text, a, b = it[1], between(4, 12), between(2, 9)
		if it[1]:find "fill" then text = text:format(a, a, a, b, b)
		elseif it[1]:find "sorted" then text = text:format(b)
		elseif it[3] == 2 then text = text:format(20 * a, b, b, b, between(1, b - 1), 50)
		else text = text:gsub("%%%%", "%%") end
		lines[#lines + 1] = text
		calls[#calls + 1] = it[2]:gsub("%%s", function() return pick { "x", "y", "z", "w" } end)
	end
	open("int main(void)")
	put "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int(), w = __VERIFIER_nondet_int(), r = 0;"
	for _, c in ipairs(calls) do
		put("r = %s;", c)
		put("if (r == %d) x = x + r;", between(0, 6))
	end
	put "return r + x + y + z + w;"
	close()
end

function generate.text()
	local marks = { "'#'", "'\"'", "','", "':'", "'/'", "' '", "'-'", "'='" }
	put "#include <stdio.h>"
	put "static int lines, words, fields, errors;"
	put "static int is_digit(int c) { return c >= '0' && c <= '9'; }"
	open("int main(void)")
	put("int c, in_word = 0, mode = 0, number = 0, depth = 0, last = 0;")
	open("while ((c = getchar()) != EOF)")
	put "if (c == '\\n') { lines++; if (mode == 1) mode = 0; number = 0; }"
	put "if (c == ' ' || c == '\\t' || c == '\\n') in_word = 0; else if (!in_word) { in_word = 1; words++; }"
	open("switch (mode)")
	open("case 0:")
	local a, b, d = pick(marks), pick(marks), nil
	repeat b = pick(marks) until b ~= a
	repeat d = pick(marks) until d ~= a and d ~= b
	put("if (c == %s) mode = 1; else if (c == %s) mode = 2;", a, b)
	put("else if (c == %s) { fields++; number = 0; }", d)
	put("else if (is_digit(c)) { number = number * 10 + (c - '0'); if (number > %d) { errors++; number = 0; } }", between(20, 200))
	put("if (c == '(') depth++; else if (c == ')') { if (depth == 0) errors++; else depth--; }")
	close() indent = indent + 0
	put "break;"
	put("case 1: if (last == %s && c == %s) mode = 0; break;", pick(marks), pick(marks))
	put("case 2: if (c == %s && last != '\\\\') mode = %d; break;", b, between(0, 1))
	put("default: errors = -1; break;")
	close()
	put "last = c;"
	close()
	put("if (mode == %d || depth > %d) errors++;", between(2, 3), between(1, 4))
	put "if (words < lines && errors < 0) printf(\"odd\\n\");"
	put "if (depth < 0) return 9;"
	put "printf(\"%%d %%d %%d\\n\", lines, words, fields);"
	put "return errors > 0;"
	close()
end

generate[kind]()
print(table.concat(lines, "\n"))
