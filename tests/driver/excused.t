#!/usr/bin/env lua5.4
-- Failures that are needs because a second run without their cause passes the place: a static variable that nothing set up, a
-- stub that returned. Where the second run fails, too, or does not come there, they are findings.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("e.c", [[
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf back;
void throws(int n)
{
	if (n > 10)
		longjmp(back, n);
}
int catches(int n)
{
	int r = setjmp(back);
	if (r)
		return r > 12;
	throws(n);
	return 0;
}
int peek(void);
void oom(void);
void note(const char *s);

int handled(int n)
{
	int *p = malloc(sizeof *p), r;
	if (p == NULL)
		oom();
	*p = n;
	r = *p > 4;
	free(p);
	return r;
}
int unchecked(int n)
{
	int *p = malloc(sizeof *p), r;
	note("allocated");
	*p = n;
	r = *p > 4;
	free(p);
	return r;
}
static int *table, data[4], *broken;
int on = 1;
void start(void) { table = data; }
void stop(void) { table = NULL; }
void off(void) { on = 0; }
int look(int i)
{
	if (i < 0 || i > 3)
		return -1;
	return table[i] + 1;
}
int wrong(int i)
{
	if (on && i == 7)
		return *broken;
	return i;
}
static const char *at;
int read_text(const char *text, int *errors)
{
	at = text;
	*errors = 0;
	return peek();
}
int peek(void) { return *at == 'x'; }
static int size;
void set_size(int n)
{
	int *p = n == 5 ? NULL : &size;
	*p = n;
}
int entry(int n)
{
	if (size == 3)
		return 1;
	set_size(2);
	return n;
}
static const char *title, *none;
static void set_title(const char *s) { title = s; none = NULL; }
int titled(void) { return title[1] == 'x'; }
int titled_none(void) { return none[1] == 'x'; }
extern int (*hook)(int);
int hooked(int n) { return hook(n) == 4; }
]])
tap.spit("main.c", [[
int (*hook)(int);
int hooked(int n);
static int twice(int n) { return 2 * n; }
int main(int argc, char **argv) { (void)argv; hook = twice; return hooked(argc); }
]])

local function session(entry, options)
	local _, out, err = tap.run(("duct concolic e.c --entry %s --json --quiet --runs 300 --time 20 %s"):format(entry, options or ""))
	local r = json.decode(out)
	local found, needs = {}, {}
	for _, f in ipairs(r.failures) do
		found[#found + 1] = ("%s at %s"):format(f.kind, f.line)
	end
	for _, n in ipairs(r.needs) do
		needs[#needs + 1] = n.text
	end
	return table.concat(found, "; "), table.concat(needs, "; "), out .. err
end

local function is(name, entry, options, found, need)
	local f, n, all = session(entry, options)
	tap.ok(f == found and (not need or n:find(need, 1, true)), name, f .. " / " .. n .. "\n" .. all)
end

is("a stub returned that is called when memory is short", "handled", "--faults 1", "", "oom() does not return")
is("a stub that is called in any case excuses nothing", "unchecked", "--faults 1", "null at 35")
is("a table that start() sets up", "look", nil, "", "start() was called before")
is("one that a function with parameters sets up", "peek", nil, "", "read_text() was called before")
is("one that only a function sets up which is not called", "titled", nil, "", "set_title() was called before")
is("one that main() of another file sets up", "hooked", "main.c", "", "main() was called before")
is("one that nothing sets", "titled_none", nil, "null at 81")
is("a function that keeps the run from coming to the place excuses nothing", "wrong", nil, "null at 54")
is("a jump to where nothing called setjmp()", "throws", nil, "", "setjmp() was called before")
is("a jump", "catches", nil, "")
is("a call before the entry that fails is none of the entry", "entry", nil, "")
tap.done()
