#!/usr/bin/env lua5.4
-- waits
-- Inputs that grow, without an option, under every strategy, with several workers, continued from a store, and with the filters
-- as co-processes: the same outcomes are covered, and the same ones are limited.
-- limit: 400
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("g.c", [[
#include <string.h>
struct node { int v; struct node *next; };
int find(struct node *l, int v, int **out)
{
	for (; l; l = l->next) {
		if (l->v == v) {
			if (out)
				*out = &l->v;
			return 1;
		}
	}
	return 0;
}
int count(const struct node *p)
{
	int n = 0;
	for (; p; p = p->next)
		n++;
	if (n > 5)
		return 1;
	return 0;
}
int word(const char *s)
{
	if (strlen(s) < 9)
		return 0;
	if (s[8] == 'x')
		return 1;
	return 2;
}
int sum(const int *a, int n)
{
	int s = 0;
	if (n > 20)
		return -1;
	for (int i = 0; i < n; i++)
		s += a[i] == 3;
	if (s == 2)
		return 1;
	return 0;
}
]])

local function covered(command)
	local status, out, err = tap.run(command)
	local fine, r = pcall(json.decode, out)
	return fine and r or { branches = {}, failures = { {} }, mispredicted = -1 }, ("%s: %d %s%s"):format(command, status, out:sub(1, 600), err)
end

for _, entry in ipairs { "find", "count", "word", "sum" } do
	for _, strategy in ipairs { "concolic", "dft", "ippc", "latest", "late-aliases", "concolic --pipes",
		"concolic --jobs 2", "dft --prove" } do
		local r, said = covered(("duct %s g.c --entry %s --runs 600 --time 60 --json --quiet"):format(strategy, entry))
		tap.ok(r.branches.total and r.branches.covered == r.branches.total and r.branches.infeasible == 0
			and r.mispredicted <= r.cut and #r.failures == 0, ("%s: %s covers all"):format(entry, strategy), said)
	end
	local first = covered(("duct concolic g.c --entry %s --runs 3 --json --quiet --store %s.db"):format(entry, entry))
	local again, said = covered(("duct concolic g.c --entry %s --runs 600 --time 60 --resume --json --quiet --store %s.db"):format(entry, entry))
	tap.ok(first.runs == 3 and again.branches.covered == again.branches.total and again.mispredicted == 0,
		entry .. ": --resume goes on", said)
end

-- Lines that fill a buffer, and texts that are longer than a number of the program's.
tap.spit("lines.c", [[
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	char b[300];
	int full = 0;
	while (fgets(b, sizeof b, stdin))
		full += strlen(b) == sizeof b - 1 && !strchr(b, '\n');
	if (full > 1)
		puts("long");
	if (argc > 1 && strlen(argv[1]) > 150)
		puts("argument");
	return 0;
}
int path(const char *folder, const char *file)
{
	char b[200];
	if (snprintf(b, sizeof b, "%s/%s", folder, file) >= (int)sizeof b)
		return -1;
	return 0;
}
]])
tap.spit("base.c", [[
#include <string.h>
void *malloc(unsigned long);
char *base(const char *path)
{
	static char *name;
	static unsigned long room;
	const char *end, *start;
	int n;
	if (!room) {
		if (!(name = malloc(64)))
			return NULL;
		room = 64;
	}
	if (!path || !*path)
		return strcpy(name, ".");
	end = path + strlen(path) - 1;
	while (end > path && *end == '/')
		end--;
	for (start = end; start > path && start[-1] != '/';)
		start--;
	n = end - start + 1;
	if (n + 1 > room)
		return NULL;
	strncpy(name, start, n);
	name[n] = 0;
	return name;
}
]])
for entry, file in pairs { main = "lines", path = "lines", base = "base" } do
	local r, said = covered(("duct concolic %s.c --entry %s --runs 250 --time 60 --json --quiet"):format(file, entry))
	tap.ok(r.branches.total and r.branches.covered == r.branches.total and #r.failures == 0, entry .. ": long texts", said)
end

-- Programs that count what they read: lines, and elements of an array with its length in another parameter.
tap.spit("items.c", [[
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	char line[64];
	int lines = 0;
	while (fgets(line, sizeof line, stdin))
		if (atoi(line) > 0)
			lines++;
	if (lines == 100)
		puts("hundred");
	if (lines > 300)
		puts("many");
	return 0;
}
int elements(const short *a, int n)
{
	int k = 0;
	for (int i = 0; i < n; i++)
		if (a[i] > 3)
			k++;
	return k == 200 ? 1 : 0;
}
]])
for entry, options in pairs { main = "", elements = "", ["elements "] = "--len a=n" } do
	local r, said = covered(("duct concolic items.c --entry %s %s --runs 4000 --time 60 --json --quiet"):format(entry, options))
	tap.ok(r.branches.total and r.branches.covered == r.branches.total and #r.failures == 0,
		("%s %s: what counts its input"):format(entry, options), said)
end

-- Inputs that covered something are there to make others of after limits were widened.
tap.spit("after.lua", [[
return function(session)
	for _ in session:start() do end
	for _, s in ipairs { "3", "-" } do
		local input = session.space:model()
		input:set("stdin.len", "c", 64, 16)
		for i = 0, 15 do
			input:set(("stdin[%d]"):format(i), "u", 8, i == 0 and s:byte() or 49)
		end
		session:run(input)
	end
	local before = #session.kept
	assert(session:widen())
	for _ in session:start() do end
	io.stderr:write(("before %d after %d\n"):format(before, #session.kept))
end
]])
local _, _, err = tap.run("duct ./after.lua items.c --time 60 --quiet")
local before, after = err:match("before (%d+) after (%d+)")
tap.ok(tonumber(before) and tonumber(before) > 1 and tonumber(after) >= tonumber(before), "inputs to mutate, after widening", err)

-- A failure is not lost when a session ends soon after globals have become inputs.
tap.spit("soon.c", [[
#include <stdlib.h>
int mode;
static int level;
int f(int x)
{
	if (x == 7)
		abort();
	return mode > 2 || level == 5 ? 1 : 0;
}
int main(int argc, char **argv)
{
	if (argc > 1)
		mode = atoi(argv[1]);
	level = argc;
	return f(argc);
}
]])
local lost = {}
for runs = 2, 6 do
	local r = covered(("duct concolic soon.c --entry f --runs %d --json --quiet"):format(runs))
	lost[#lost + 1] = #r.failures ~= 1 and tostring(runs) or nil
end
tap.is(table.concat(lost, " "), "", "a failure is kept")

-- Where the length of a copy is only known in the run, pairs ask whether there is one.
tap.spit("cut.c", [[
#include <string.h>
struct list { unsigned long count, size; char *items; };
void cut(struct list *l, unsigned long at)
{
	if (at < l->count) {
		memmove(l->items + at * l->size, l->items + (at + 1) * l->size, (l->count - (at + 1)) * l->size);
		l->count--;
	}
}
]])
local r, said = covered("duct dft cut.c --entry cut --runs 200 --time 60 --json --quiet")
tap.ok(r.pairs and r.pairs.total > 0 and r.pairs.covered == r.pairs.total and #r.failures == 0, "a copy of some bytes", said)

-- A function that clears a large buffer of its caller first: no run comes anywhere within the first limits. With six inputs
-- there are many ways to get no further; they do not hold up longer buffers.
tap.spit("code.c", [[
#include <string.h>
int code(const unsigned char *in, unsigned long n, unsigned char *out, unsigned long *size, unsigned char *hint, void *work)
{
	memset(work, 0, 4096);
	*size = 0;
	if (n > 2 && in[0] == 'x')
		out[(*size)++] = hint[1];
	return in[1] == 7;
}
]])
r, said = covered("duct concolic code.c --entry code --runs 700 --time 60 --json --quiet")
tap.is(r.branches and r.branches.covered, 4, "a buffer that is cleared first grows soon", said)
tap.done()
