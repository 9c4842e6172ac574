#!/usr/bin/env lua5.4
-- va_arg beyond what was passed is a finding; up to there it is none.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"
local folder = tap.folder("variadic")

local function failures(name, code)
	local file = ("%s/%s.c"):format(folder, name:gsub("%W", "_"))
	tap.spit(file, "#include <stdarg.h>\n" .. code)
	local status, out, err = tap.run(("duct concolic %s --entry f --json --quiet --time 30"):format(file))
	local fine, r = pcall(json.decode, out)
	if status ~= 0 or not fine then
		tap.ok(false, name, err)
		return {}
	end
	tap.ok(r.mispredicted == 0 and #r.lost == 0, name .. ": nothing is lost",
		("%d mispredicted, %s"):format(r.mispredicted,
		r.lost[1] and r.lost[1].reason or "-"))
	return r.failures
end

local function check(name, code, line)
	local list = failures(name, code)
	if line then
		tap.ok(#list == 1 and list[1].kind == "bounds" and list[1].line == line, name .. ": is found",
			("%d failures, the first in line %s"):format(#list, list[1] and list[1].line))
	else
		tap.is(#list, 0, name .. ": nothing is found")
	end
end

-- TYPE is read N times; what is passed follows.
local function reader(type, use)
	return ([[
static double sum(int n, ...)
{
	va_list list;
	double v = 0;
	va_start(list, n);
	for (int i = 0; i < n; i++)
		v += va_arg(list, %s)%s;
	va_end(list);
	return v;
}
]]):format(type, use or "")
end

-- What the harness does not pass is the caller's affair.
local status, out, err = tap.run(("printf '%%s' '%s' >%s/own.c && duct concolic %s/own.c --entry own --json --quiet --time 10"):format(
	"#include <stdarg.h>\nint own(int n, ...) { va_list l; va_start(l, n); int v = n > 0 ? va_arg(l, int) : 0; va_end(l); return v; }",
	folder, folder))
local r = json.decode(out)
tap.ok(status == 0 and #r.failures == 0 and r.needs[1] and r.needs[1].text == "own() is passed all arguments that it reads",
	"arguments that callers pass are a need", out .. err)

check("registers", reader("int") .. "int f(int n) { return n > 0 && n < 4 ? sum(n, 1, 2) > 2 : 0; }", 8)
check("as many as there are", reader("int") .. "int f(int n) { return n > 0 && n < 3 ? sum(n, 1, 2) > 2 : 0; }")
check("the stack", reader("int") .. "int f(int n) { return n > 0 && n < 9 ? sum(n, 1, 2, 3, 4, 5, 6, 7) > 2 : 0; }", 8)
check("all of the stack", reader("int")
	.. "int f(int n) { return n > 0 && n < 8 ? sum(n, 1, 2, 3, 4, 5, 6, 7) > 2 : 0; }")
check("numbers", reader("double") .. "int f(int n) { return n > 0 && n < 4 ? sum(n, 1., 2.) > 2 : 0; }", 8)
check("all numbers", reader("double") .. "int f(int n) { return n > 0 && n < 3 ? sum(n, 1., 2.) > 2 : 0; }")
check("structures", [[
struct big { long a[3]; };
static long sum(int n, ...)
{
	va_list list;
	long v = 0;
	va_start(list, n);
	for (int i = 0; i < n; i++)
		v += va_arg(list, struct big).a[1];
	va_end(list);
	return v;
}
int f(int n) { struct big b = { { 1, 2, 3 } }; return n > 0 && n < 4 ? sum(n, b, b) > 2 : 0; }
]], 9)
check("a list that is handed on", [[
static int last(int n, va_list list)
{
	int v = 0;
	while (n--)
		v = va_arg(list, int);
	return v;
}
static int all(int n, ...)
{
	va_list list;
	int v;
	va_start(list, n);
	v = last(n, list);
	va_end(list);
	return v;
}
int f(int n) { return n == 3 ? all(n, 1, 2) : n == 2 ? all(n, 1, 2) : 0; }
]], 6)
check("through a pointer", [[
static int one(int n, ...)
{
	va_list list;
	int v;
	va_start(list, n);
	v = va_arg(list, int);
	va_end(list);
	return v;
}
int (*volatile call)(int, ...) = one;
int f(int n) { return n == 7 ? call(n) : call(n, 4); }
]], 7)
-- a parameter of type va_list, whose element type C has no name for
tap.spit(folder .. "/list.c", [[
#include <stdarg.h>
long list(int n, va_list from) { return n > 0 ? va_arg(from, int) : 0; }
]])
tap.run(("duct concolic %s/list.c --entry list --quiet --time 3 --out %s/list"):format(folder, folder))
for _, compiler in ipairs { "gcc", "clang-19" } do
	local status, _, err = tap.run(("make -C %s/list -B tests CC=%s"):format(folder, compiler))
	tap.ok(status == 0 and not err:find("error"), "tests that pass a va_list compile with " .. compiler, err)
end
-- compilers differ about places in it that no register has
tap.spit(folder .. "/two.c", [[
#include <stdarg.h>
int two(const char *how, va_list from)
{
	if (*how == 'd') return va_arg(from, int) == 5;
	if (*how == 'f' && va_arg(from, double) > 2.5) return 2;
	return 3;
}
]])
tap.run(("duct concolic %s/two.c --entry two --quiet --runs 200 --keep all --out %s/two"):format(folder, folder))
for _, compiler in ipairs { "gcc", "clang-19" } do
	local status, out, err = tap.run(("make -C %s/two -B check CC=%s"):format(folder, compiler))
	tap.ok(status == 0, "they pass with " .. compiler, out .. err)
end

tap.done()
