#!/usr/bin/env lua5.4
-- State that other functions of the file set: a session that calls the entry several times calls them between, with inputs of
-- their own, and the tests that it writes do so, too. Not where a person says how often the entry is called.
-- limit: 240
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("s.c", [[
static int (*handler)(int);
static const char *name = "none";
static int stack[4], depth;
void set_handler(int (*h)(int)) { handler = h; }
void set_name(const char *n) { name = n; }
void push(int x) { stack[depth % 4] = x; depth = depth % 4 + 1; }
int twice(int x) { return 2 * x; }
int f(int x)
{
	if (handler && handler(x) == 9)
		return 1;
	if (name && name[0] == 'q')
		return 2;
	if (depth && stack[depth - 1] == 5)
		return 3;
	return 0;
}
int g(void)
{
	if (depth == 3)
		return 1;
	return 0;
}
]])

local function session(command)
	local status, out, err = tap.run(command .. " --json --quiet --time 30")
	local fine, r = pcall(json.decode, out)
	if not fine then
		tap.ok(false, command, ("%s %s"):format(status, err))
		return { branches = {}, failures = {}, limits = {} }, err
	end
	return r, out
end

for _, strategy in ipairs { "concolic", "dft", "ippc", "concolic --pipes" } do
	local r, out = session(("duct %s s.c --entry f"):format(strategy))
	tap.ok(r.branches.total == 12 and r.branches.unknown == 0 and r.mispredicted == 0 and #r.failures == 0,
		strategy .. ": all outcomes are covered", out)
end
local r, out = session("duct concolic s.c --entry g")
tap.ok(r.branches.covered == 2, "several calls of one", out)
r, out = session("duct concolic s.c --entry g --calls 4")
tap.ok(r.branches.covered == 1 and r.exhausted, "not where a person says how often it is called", out)

for _, entry in ipairs { "f", "g" } do
	tap.run(("duct concolic s.c --entry %s --quiet --out %s"):format(entry, entry))
	for _, cc in ipairs { "gcc -fsanitize=address", "clang-19" } do
		local status, checked, err = tap.run(("make -s -C %s check CC='%s' CFLAGS='-Wall -Wextra -Werror -Wno-unused-function -Wno-unused-parameter'")
			:format(entry, cc))
		tap.ok(status == 0 and checked:find(" 0 failed", 1, true), ("%s: tests with %s"):format(entry, cc), checked .. err)
	end
end

-- Globals that other files may write. What fails only then, or in another function, is no finding of the entry.
tap.spit("o.c", [[
#include <stdlib.h>
int mode, index_, table[4];
const char *label = "x";
struct { int a; const char *name; } config = { 3, "none" };
static int ready;
void start(int x) { if (x == 7) abort(); ready = x; }
int h(int x)
{
	if (mode == 2)
		return 1;
	if (label[0] == 'q')
		return 2;
	if (config.name[0] == 'x' && config.a == 9)
		return 3;
	if (ready == 4)
		return 4;
	if (table[index_] == x + 70)
		return 5;
	return 0;
}
]])
r, out = session("duct concolic o.c --entry h --out h")
tap.ok(r.branches.covered == r.branches.total and r.branches.total == 12 and r.mispredicted == 0 and #r.lost == 0,
	"globals that other files write: covered", out)
tap.is(#r.failures, 0, "no finding")
local asks
for _, n in ipairs(r.needs or {}) do
	asks = asks or n.text == "0 <= index_ <= 3"
end
tap.ok(asks, "but a need", out)
local h_status, h_checked = tap.run("make -s -C h check")
tap.ok(h_status == 0 and h_checked:find(" 0 failed", 1, true), "and tests", h_checked)
local text = tap.slurp("f/tests.c") or ""
for _, call in ipairs { "push%(5%);", "set_name%(%a", "set_handler%(%a" } do
	tap.ok(text:find(call), "a test has the call " .. call, text)
end
local _, calls = (tap.slurp("g/tests.c") or ""):gsub("push%(", "")
tap.ok(calls >= 3, "and several where several are needed", tap.slurp("g/tests.c"))
-- Globals that main or another function sets, which takes what duct does not pass: inputs where the session widens. They have the
-- program's own constants, if it sets them to nothing else, or their first values, which need not be values of inputs. What fails
-- because of another value is no finding; tests set them.
tap.spit("m.c", [[
#include <stdlib.h>
enum mode { PLAIN, QUOTED, HEX };
static enum mode mode;
static int verbose, width = 80, pos, quiet;
static const char *separator = ",";
static char *name, text[8] = "abc";
static struct { int depth; char *of; } opt = { 8, "x" };
static int f(int x)
{
	if (quiet && mode == HEX)
		return 100 / x;
	if (verbose > 1)
		return 1;
	if (x > width && width > 100)
		return 2;
	if (separator[0] == ';')
		return 3;
	if (name && name[0] == 'n')
		return 4;
	if (text[1] == 'b' && opt.depth == 8 && x == 7)
		return 5;
	if (pos > 40 && width / (pos - 77) == 3)
		return 6;
	if (mode == 5)
		return 7;
	return opt.of[0] == 'z';
}
int main(int argc, char **argv)
{
	verbose++;
	quiet = 1;
	width = atoi(argv[1]);
	pos = argc;
	separator = argv[2];
	name = argv[3];
	text[0] = *argv[4];
	opt.depth = argc;
	opt.of = argv[5];
	if (argc == 2)
		mode = QUOTED;
	if (argc == 3)
		mode = HEX;
	return f(argc);
}
]])
for _, strategy in ipairs { "concolic", "dft --prove" } do
	r, out = session(("duct %s m.c --entry f --runs 400 --out m --force"):format(strategy))
	tap.ok(r.branches.total == 28 and r.branches.covered == 27 and r.mispredicted == 0,
		strategy .. ": what main sets is an input, but no other value than the program's constants", out)
	local kinds, such = {}, false
	for _, n in ipairs(r.needs) do
		such = such or n.text == "nothing sets pos to such a value"
	end
	for _, f in ipairs(r.failures) do
		kinds[#kinds + 1] = f.kind .. f.line
	end
	tap.ok(table.concat(kinds, " ") == "division11" and such, strategy .. ": a fault through such a value is a need", out)
	local ran, checked = tap.run("make -s -C m check")
	local tests = tap.slurp("m/tests.c") or ""
	tap.ok(ran == 0 and checked:find(" 0 failed", 1, true) and tests:find("mode = HEX;", 1, true)
		and tests:find "separator = separator", strategy .. ": tests set it", checked .. tests)
end

-- Before limits widen, too, a pointer that main sets may lead to anything: no proof relies on its first value.
tap.spit("p.c", [[
static const char *separator = ",";
int f(int x)
{
	if (separator[0] == ';')
		return 7;
	return x;
}
int main(int argc, char **argv)
{
	separator = argv[1];
	return f(argc);
}
]])
r, out = session("duct dft p.c --entry f --prove --runs 4")
tap.ok(r.pairs.total == 5 and r.pairs.infeasible == 0, "a pointer that main sets: pairs of what it leads to", out)

-- A program that calls what nothing defines is not all there: other files may write its variables, though it has a main.
tap.spit("m.c", [[
void other(void);
int level = 3;
int g(void)
{
	if (level == 77)
		return 3;
	return 0;
}
int main(void)
{
	other();
	return g();
}
]])
r, out = session("duct dft m.c --entry g --prove")
tap.ok(r.branches.covered == 2, "code that is not there may write a variable", out)

-- A proof knows what the program sets a variable to; a run that gives it something else does not refute it.
tap.spit("h.c", [[
static int (*hook)(int);
int twice(int x) { return 2 * x; }
int thrice(int x) { return 3 * x; }
int f(void)
{
	if (hook && hook(3) != 6)
		return 1;
	return 0;
}
int main(int argc, char **argv)
{
	if (argc > 1)
		hook = twice;
	return f() + thrice(argc);
}
]])
r, out = session("duct dft h.c --entry f --prove")
tap.ok(r.branches.total == 4 and r.branches.covered >= 3 and not out:find("wrong", 1, true),
	"a function that the program never sets", out)

-- What functions hand out by its address, callers may change; callbacks may call functions of the file, and the entry. Their faults
-- are the caller's.
tap.spit("c.c", [[
#include <assert.h>
int *level(void) { static int x; return &x; }
char *text(void) { static char buffer[8] = "no"; return buffer; }
static int busy, depth;
void set_busy(int x) { assert(x != 77); busy = x; }
int escape(void)
{
	if (*level() == 5)
		return 1;
	if (text()[1] == 'y')
		return 2;
	return 0;
}
int calls(void (*cb)(void), int n)
{
	int r = 0;

	if (depth > 1)
		return 1;
	busy = 0;
	depth++;
	cb();
	if (busy == n && n > 5)
		r = 2;
	if (depth != 1)
		r = 3;
	depth--;
	return r;
}
]])
for _, entry in ipairs { "escape", "calls" } do
	r, out = session(("duct concolic c.c --entry %s --out c-%s"):format(entry, entry))
	tap.ok(r.branches.total > 3 and r.branches.covered == r.branches.total and r.mispredicted == 0 and #r.failures == 0,
		entry .. ": covered, and no finding", out)
	local status, checked, err = tap.run(("make -s -C c-%s check CFLAGS='-Wall -Wextra -Werror'"):format(entry))
	tap.ok(status == 0 and checked:find(" 0 failed", 1, true), entry .. ": tests", checked .. err)
end
tap.done()
