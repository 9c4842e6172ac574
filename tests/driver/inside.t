#!/usr/bin/env lua5.4
-- Pointers that lead into the middle of what another one leads to, as the ends of ranges; argv[0] as an input; barriers of
-- inline assembly without instructions; numbers that share a union with a pointer. Found without an option, and set up by the tests that are written.
-- limit: 200
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("a.c", [[
#include <string.h>
int range(const short *begin, const short *end)
{
	int n = 0;

	while (begin != end)
		if (*begin++ < 0)
			n++;
	return n > 2 ? 5 : 4;
}
int span(const int *first, const int *last)
{
	if (last - first > 3)
		return first[3] == 7 ? 2 : 1;
	return 0;
}
int tail(char *p, const char *end) { if (p + 3 == end && p[1] == 'x') return 1; return 0; }
int barrier(int x, int *p)
{
	__asm__ volatile("" : "+r"(x) : : "memory");
	__asm__ volatile("" : "+m"(*p));
	return x == 3 ? *p == 5 : 7;
}
struct value { enum { NUMBER, TEXT } kind; union { const char *text; long number; } u; };
int either(const struct value *v)
{
	if (v->kind == TEXT)
		return v->u.text[0] == 'x' ? 2 : 3;
	return v->u.number == 12345 ? 4 : 5;
}
struct tree { int kind; union { char *text; double number; struct { struct tree *first, *last; } list; }; };
int weigh(const struct tree *t)
{
	switch (t->kind) {
	case 0: return t->number > 4.5;
	case 1: return t->text[0] == 'x' && t->text[1] == 'y';
	case 2: return t->list.first && t->list.first->kind == 7;
	default: return -1;
	}
}
int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');

	if (argc > 1)
		return 3;
	return !strcmp(slash ? slash + 1 : argv[0], "gunzip");
}
]])
for entry, text in pairs { span = "last = first %+ %d", range = "end = begin %+ %d", tail = "end = p %+ 3;",
	main = '"/rogram"', barrier = "x = 3;", either = "%(void %*%)12345u", weigh = "%.text = " } do
	local _, out, err = tap.run(("duct concolic a.c --entry %s --json --quiet --time 20 --out %s"):format(entry, entry))
	local fine, r = pcall(json.decode, out)
	tap.ok(fine and r.branches.covered == r.branches.total and #r.failures == 0, entry .. ": all covered", err .. out)
	local tests = io.open(entry .. "/tests.c"):read("a")
	tap.ok(tests:find(text), entry .. ": the tests have it", tests)
	local status, check = tap.run(("make -s -C %s check"):format(entry))
	tap.ok(status == 0 and check:find(" 0 failed", 1, true), entry .. ": they pass", check)
	if entry == "either" then
		tap.ok(r.mispredicted == 0, "either: predictions come true", out)
	end
	if entry == "main" then
		for _, l in ipairs(r.limits) do
			tap.ok(l.kind ~= "name", "no limit says that argv[0] is one name")
		end
	end
end

-- The limit of argv[0]'s length names no option: there is none. Conditions on the number of arguments that a run has by
-- the million do not hold a session up.
io.open("b.c", "w"):write([[
int main(int argc, char **argv)
{
	int n = 0;
	for (char *p = argv[0]; *p; p++)
		n++;
	if (n == 20)
		return 1;
	return 0;
}
]]):close()
io.open("c.c", "w"):write([[
int main(int argc, char **argv)
{
	int i = argc;
	while (i != 1)
		i += 2;
	return 0;
}
]]):close()
local _, out, err = tap.run("duct concolic b.c --entry main --quiet --time 2")
tap.ok(out:find("argv[0] has at most 32 bytes here\n", 1, true), "argv[0]: the limit alone", err .. out)
_, out, err = tap.run("duct concolic c.c --entry main --quiet --time 3")
tap.ok(out:find("2 of 2 covered", 1, true) and out:find("the program has at most 3 arguments here", 1, true),
	"a session with millions of conditions ends", err .. out)
tap.done()
