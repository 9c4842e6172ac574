#!/usr/bin/env lua5.4
-- waits
-- Failures of the machine and of processes that sessions start: each is reported and survived, and no stored result is
-- lost.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local folder = tap.folder("trouble")
local function file(name, text)
	tap.spit(folder .. "/" .. name, text)
	return folder .. "/" .. name
end
local long = file("long.c", "int f(int *a) { int n = 0; for (int i = 0; i < 60; i++) if (a[i] > 5) n++; return n; }\n")
local session = ("duct concolic %s --entry f --len a=60 --quiet "):format(long)

local function whole(store)
	local _, out = tap.run(("sqlite3 %s 'PRAGMA integrity_check'"):format(store))
	return out == "ok\n"
end

-- The disk is full: a small file system of our own, where that is allowed. There is room again, and it goes on.
local mount = ("unshare -rm sh -c 'mount -t tmpfs -o size=300k none %s/full && "):format(folder)
tap.folder("trouble/full")
if tap.run(mount .. "true'") == 0 then
	local status, _, err = tap.run(mount .. ([[
		cd %s/full; %s --time 20 --store full.db; status=$?; sqlite3 full.db "PRAGMA integrity_check" >../check
		mount -o remount,size=64m . && %s --runs 40 --json --resume --store full.db >../again
		exit $status']]):format(folder, session, session))
	tap.ok(status == 4 and err:find("/full/full.db: database or disk is full", 1, true),
		"disk full: said, with the file", err)
	local fine, again = pcall(json.decode, tap.slurp(folder .. "/again") or "")
	tap.ok(tap.slurp(folder .. "/check") == "ok\n" and fine and again.runs == 40, "what was kept is whole, and goes on")
else
	print("ok - disk full # SKIP: no file systems of our own here")
end

-- The store is in use: two sessions share it; one that nobody lets in says so.
local store = folder .. "/store"
tap.run(session .. "--runs 20 --store " .. store)
local status, _, err = tap.run(([[
	%s --runs 60 --store %s >%s/one & %s --runs 60 --seed 2 --store %s >%s/two; two=$?; wait $!; exit $(($? + two))]]):format(
	session, store, folder, session, store, folder))
tap.ok(status == 0 and whole(store), "two sessions at once in one store", err)
status, _, err = tap.run(([[
	cd %s && mkfifo lock && { sqlite3 store <lock & } && exec 9>lock && echo 'BEGIN IMMEDIATE;' >&9
	while sqlite3 store 'BEGIN IMMEDIATE; ROLLBACK;' 2>held; do sleep 0.1; done
	%s --runs 5 --resume --store %s; status=$?
	exec 9>&-; wait; exit $status]]):format(folder, session, store))
tap.ok(status == 4 and err:find(store .. ": in use by another process for 10 seconds", 1, true),
	"a store that stays locked", err)

-- The clock jumps by a day with each look at it: limits do not care.
file("jump.c", [[
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long jump(void) { static long n; return ++n % 2 ? 86400 : -86400 * n; }
int clock_gettime(clockid_t c, struct timespec *t)
{
	int r = syscall(SYS_clock_gettime, c, t);
	if (c == CLOCK_REALTIME || c == CLOCK_REALTIME_COARSE) t->tv_sec += jump();
	return r;
}
int gettimeofday(struct timeval *restrict t, void *restrict z)
{
	struct timespec s;
	(void)z;
	clock_gettime(CLOCK_REALTIME, &s);
	t->tv_sec = s.tv_sec, t->tv_usec = s.tv_nsec / 1000;
	return 0;
}
time_t time(time_t *p)
{
	struct timespec s;
	clock_gettime(CLOCK_REALTIME, &s);
	return p ? *p = s.tv_sec : s.tv_sec;
}
]])
local out
tap.run(("gcc -shared -fPIC -o %s/jump.so %s/jump.c"):format(folder, folder))
status, out, err = tap.run(("ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=%s/jump.so %s --search dfs --time 2 --json"):format(folder, session))
local fine, r = pcall(json.decode, out)
tap.ok(fine and status == 0 and r.ended == "time" and r.seconds >= 1.9 and r.seconds < 60 and r.runs >= 1
	and #r.failures == 0 and r.mispredicted == 0, "the clock jumps", out .. err)

-- The model checker dies, or hangs: no proof, and the reason is told.
file("count.c", "int f(unsigned n){unsigned i=0,r=0;while(i<3000&&i<n)i+=3;if(i%3)r=1;if(i>3000)r=2;return r;}\n")
tap.run(("cd %s && duct cfg-dump count.c >flow && defuse -e f flow >pairs && cutpoints -f flow pairs >goals && mkdir bin"):format(folder))
local function checker(text, seconds)
	file("bin/berkeley-abc", "#!/bin/sh\n" .. text .. "\n")
	return tap.run(("cd %s && chmod +x bin/berkeley-abc && PATH=$PWD/bin:$PATH timeout 200 duct prove -s simplify,pdr -t %d -f flow goals")
		:format(folder, seconds))
end
status, out = checker("kill -9 $$", 5)
tap.ok(status <= 1 and out:find("\tunknown\tberkeley-abc was ended by signal 9", 1, true)
	and not out:find("\tinfeasible\tpdr"), "ABC killed", out)
status, out = checker("trap '' TERM INT; while :; do sleep 0.1; done", 2)
tap.ok(status <= 1 and out:find("\tunknown\t[^\n]*time limit reached") and not out:find("\tinfeasible\tpdr"),
	"ABC hangs", out)
status, out = checker("echo 'Properties: All = 1. Proved = 1.'", 5)
tap.ok(status <= 1 and not out:find("\tinfeasible\tpdr"), "ABC talks rubbish", out)

-- The process that holds Z3 dies, again and again, or stops: an unknown with its reason, never a verdict.
local hard = file("hard.c", [[
int f(unsigned *a) { int n = 0; for (int i = 0; i < 14; i++) if (a[i] * a[i + 1] % 1000003u == 7u * i + 11) n++; return n; }
]])
local function disturbed(signal)
	status, out, err = tap.run(([[
		duct concolic %s --entry f --len a=15 --quiet --engines z3 --layers none --runs 6 --query-timeout 0.15 --time 60 >%s/z3 & p=$!
		while kill -0 $p 2>/dev/null; do
			s=$(tr -d ' ' </proc/$p/task/$p/children 2>/dev/null)
			for c in $(cat /proc/$s/task/$s/children 2>/dev/null); do
				[ "$(cat /proc/$c/comm 2>/dev/null)" = duct-z3 ] && kill -%s $c
			done
			sleep 0.1
		done
		wait $p]]):format(hard, folder, signal))
	return tap.slurp(folder .. "/z3")
end
out = disturbed("KILL")
tap.ok(status == 0 and out:find("no answer to a query: z3 ") and out:find(" 0 infeasible"), "Z3 killed", out .. err)
out = disturbed("STOP")
tap.ok(status == 0 and out:find("no answer to a query: time limit") and out:find(" 0 infeasible"), "Z3 stops",
	out .. err)

tap.done()
