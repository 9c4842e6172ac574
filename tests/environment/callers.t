#!/usr/bin/env lua5.4
-- What callers of a function may have done before, which the functions of the C library tell of, is a limit.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

tap.spit("before.c", [[
#define _GNU_SOURCE
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
int ended(void) { if (feof(stdin)) return 1; return 0; }
int position(void) { if (ftell(stdin) == 10) return 1; return 0; }
int descriptor(void) { if (lseek(0, 0, SEEK_CUR) == 7) return 1; return 0; }
int a_pipe(void) { if (lseek(0, 0, SEEK_CUR) < 0) return 1; return 0; }
int blocked(void) { sigset_t s; sigprocmask(SIG_BLOCK, NULL, &s); if (sigismember(&s, SIGUSR1)) return 1; return 0; }
int mapped(void *p) { if (munmap(p, 4096) != 0) return 1; return 0; }
int found(void) { hcreate(1); ENTRY e = { "a", 0 }; if (hsearch(e, FIND)) return 1; return 0; }
int main(void)
{
	int n = 0;
	while (!feof(stdin)) if (getchar() == 'x') n++;
	if (n > 2) return 1;
	return 0;
}
]])
local function session(entry)
	local _, out = tap.run(("duct concolic before.c --entry %s --quiet --runs 300 2>&1"):format(entry))
	return out
end
for entry, name in pairs { ended = "feof", position = "ftell", descriptor = "lseek", a_pipe = "lseek", blocked = "sigprocmask",
	mapped = "munmap", found = "hsearch" } do
	local out = session(entry)
	tap.ok(out:find(" 0 infeasible, 1 unknown (1 by limits)", 1, true) and out:find(name .. "() answers as on this machine", 1, true),
		entry .. ": a limit", out)
end
-- Nobody has read the standard input of a program whose first read this is.
local out = session "main"
tap.ok(out:find("6 of 6 covered", 1, true), "main: all is covered", out)
tap.done()
