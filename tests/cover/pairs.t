#!/usr/bin/env lua5.4
-- Pairs that the processes of a suite cover are those that the same program tells run-trace; forks, shared
-- libraries and threads.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

tap.spit("work.c", [[
#include <stdlib.h>
#include <string.h>
struct point { int x, y; };
static int level;
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int depth(int n)
{
	int before = level, r;
	level = n;
	r = n > 2 ? depth(n - 1) + before : level;
	return r + level;
}
int work(int n)
{
	int a[4] = { 4, 3, 2, 1 }, sum = 0;
	struct point p = { n, 1 }, q = p, *at = n > 1 ? &p : &q;
	char text[16], *copy = malloc(16);
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3 - i; k++)
			if (a[k] > a[k + 1])
				swap(&a[k], &a[k + 1]);
	at->x += 2;
	if (q.x == 2)
		p.y = 7;
	strcpy(text, "abc");
	memcpy(copy, text, 4);
	switch (copy[n]) {
	case 'a': sum = 1; break;
	case 'b': sum = 2; break;
	default: sum = 3;
	}
	free(copy);
	return sum + p.x + p.y + q.x + a[0] + depth(n + 2);
}
]])
tap.spit("main.c", [[
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int work(int);
int main(int argc, char **argv)
{
	int n = argc;
	if (argc > 2 && fork() == 0) {
		printf("%d\n", work(atoi(argv[2])));
		exit(0);
	}
	wait(NULL);
	printf("%d\n", work(n > 1 ? atoi(argv[1]) : 0));
	return 0;
}
]])
local function command(line, name)
	local status, out, err = tap.run(line)
	tap.ok(status == 0, name, out .. err)
	return out
end

-- Lines of `report --pairs` as a set: what is covered; and how many pairs there are.
local function reported(store, of)
	local set, n = {}, 0
	for line in tap.run and select(2, tap.run("duct report --pairs --store " .. store)):gmatch("[^\n]+") do
		local pair, verdict = line:match("^([^#].-)\t(%l+)\t[^\t]*$")
		if pair and (not of or pair:find(of)) then
			n = n + 1
			if verdict == "covered" then set[pair] = true end
		end
	end
	return set, n
end

local function differences(a, b)
	local list = {}
	for k in pairs(a) do if not b[k] then list[#list + 1] = "only the first: " .. k end end
	for k in pairs(b) do if not a[k] then list[#list + 1] = "only the second: " .. k end end
	table.sort(list)
	return table.concat(list, "\n")
end

-- The pairs that a run under run-trace covers, from a script.
tap.spit("trace.lua", [[
local core = require "duct.core"
return function(session)
	local runner, d = core.runner { program = "./p" }, core.defuse("p", { scope = os.getenv("SCOPE") })
	local trace <close> = runner:run(1, session.space:model())
	local hit = {}
	for _, i in ipairs(d:covered(trace)) do hit[i] = true end
	for i = 1, d:count() do
		local p = d:pair(i)
		print(("%s\t%s\t%s:%d:%d\t%s:%d:%d\t%s\t%s\t-"):format(p.def.func, p.name, p.def.file, p.def.line, p.def.col,
			p.use.file, p.use.line, p.use.col, p.kind, hit[i] and "covered" or "unknown"))
	end
	for _ in session:start() do end
end
]])
command("duct cc --pairs -O2 -o p main.c work.c", "a program that tells pairs is built")
for _, scope in ipairs { "intra", "inter" } do
	command(("rm -f s.db*; duct cover --quiet --store s.db --scope %s -- ./p"):format(scope),
		scope .. ": the suite is recorded")
	local got, total = reported("s.db")
	local out = command(("SCOPE=%s duct ./trace.lua p --runs 1 --quiet"):format(scope), scope .. ": run-trace tells")
	local want, n = {}, 0
	for line in out:gmatch("[^\n]+") do
		local pair, verdict = line:match("^(.-)\t(%l+)\t%-$")
		if pair then
			n = n + 1
			if verdict == "covered" then want[pair] = true end
		end
	end
	local count = 0
	for _ in pairs(want) do count = count + 1 end
	local wrong = differences(got, want)
	tap.ok(wrong == "" and count > 50, ("%s: the same %d of %d pairs are covered"):format(scope, count, n), wrong)
	tap.is(total, n, scope .. ": all of them are objectives")
end

-- A process and the one that it forks cover what each does alone.
local function recorded(words, program)
	tap.run(("rm -f s.db*; duct cover --quiet --store s.db -- sh -c '%s'"):format(words))
	return reported("s.db", "^%g+\t%g+\t" .. (program or ""))
end
local both = recorded("./p 1; ./p 2")
local forked = recorded("./p 1 2", "work")
for k in pairs(both) do if not k:find("\twork%.c:") then both[k] = nil end end
tap.is(differences(both, forked), "", "a forked process tells its pairs too")
local tree = recorded("./p 1 2")
tap.run("rm -f s.db*; duct cover --quiet --per process --store s.db -- ./p 1 2")
tap.ok(select(2, tap.run("sqlite3 s.db 'SELECT min(json_array_length(pairs)) FROM test'")):match("%d+") + 0 > 45
	and next(tree), "each process for itself: both have all of their own")

-- As a shared library.
local static = recorded("./p 1", "work")
command("duct cc --pairs -O2 -fPIC -shared -o libwork.so work.c && duct cc --pairs -o p main.c -L. -lwork -Wl,-rpath,'$ORIGIN'",
	"a shared library that tells pairs is built")
tap.is(differences(static, recorded("./p 1", "work")), "", "a shared library tells the same")
command("rm -f s.db*; duct cover --quiet --store s.db -- sh -c './p 1; ./p 2; ./p 3' && duct report --store s.db --tests >tests"
	.. " && duct report --store s.db --minimal >minimal", "three tests")
tap.ok(select(2, tap.run("duct report --store s.db")):find("\npairs: %d+ of %d+ covered"), "the summary has pairs")
local shares = {}
for line in tap.slurp("tests"):gmatch("[^\n]+") do
	local number, all, new, alone = line:match("^(%d+)\t.*\t(%d+)\t(%d+)\t(%d+)$")
	if number then shares[#shares + 1] = { tonumber(all), tonumber(new), tonumber(alone) } end
end
tap.ok(#shares == 3 and shares[1][1] == shares[1][2] and shares[3][2] == shares[3][3] and shares[2][3] > 0,
	"what each test adds, and what it alone covers", tap.slurp("tests"))

-- A library that comes and goes.
tap.spit("open.c", [[
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 3; i++) {
		void *h = dlopen("./libwork.so", RTLD_NOW);
		int (*f)(int) = (int (*)(int))dlsym(h, "work");
		sum += f(1);
		dlclose(h);
	}
	printf("%d\n", sum);
	return 0;
}
]])
command("duct cc --pairs -o p open.c -ldl", "a program that loads a library")
tap.is(differences(static, recorded("./p", "work")), "", "a library that is loaded and unloaded tells the same")

tap.spit("threads.c", [[
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static long table[64];
static void *thread(void *p)
{
	long *t = malloc(64 * sizeof *t), s = (long)p;
	for (int k = 0; k < 20000; k++) {
		t[k % 64] = s + k;
		table[k % 64] += t[(k + 1) % 64] & 1;
		s += t[k % 64];
		if (k % 100 == 0) { free(t); t = calloc(64, sizeof *t); }
	}
	free(t);
	return (void *)s;
}
int main(void)
{
	pthread_t t[8];
	int first = 5, n = first + 1;
	for (long i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, thread, (void *)i);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", n);
	return 0;
}
]])
command("duct cc --pairs -O1 -o t threads.c -lpthread", "threads are built")
local status, _, err = tap.run("rm -f s.db*; duct cover --store s.db -- sh -c './t && ./t && ./t'")
local got = reported("s.db")
tap.ok(status == 0 and err:find("pairs of 3 processes with threads")
	and got["main\tfirst\tthreads.c:20:6\tthreads.c:20:21\tc"],
	"threads end the telling of pairs, which is said", err)
tap.done()
