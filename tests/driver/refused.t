#!/usr/bin/env lua5.4
-- Memory that only a run's own limit refuses: the run ends there, a limit. NULL is covered where a test can make the call fail; not
-- NULL is never infeasible. What every machine refuses is NULL.
-- limit: 120
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

tap.spit("big.c", [[
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#define LARGE ((size_t)3 << 30)
int by_malloc(void) { char *p = malloc(LARGE); if (!p) return 1; free(p); return 0; }
int by_calloc(void) { char *p = calloc(3, (size_t)1 << 30); if (!p) return 1; free(p); return 0; }
int by_realloc(void) { char *p = malloc(9), *q = realloc(p, LARGE); if (!q) { free(p); return 1; } free(q); return 0; }
int by_memalign(void) { void *p; if (posix_memalign(&p, 64, LARGE)) return 1; free(p); return 0; }
int by_aligned(void) { void *p = aligned_alloc(64, LARGE); if (!p) return 1; free(p); return 0; }
int by_mmap(void)
{
	void *p = mmap(0, LARGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); if (p == MAP_FAILED) return 1;
	return 0;
}
int by_nobody(void) { void *p = malloc((size_t)-1 / 2 + 9); if (!p) return 1; free(p); return 0; }
]])
for _, how in ipairs { "malloc", "calloc", "realloc", "memalign", "aligned", "mmap", "nobody" } do
	local status, said, err = tap.run(([[duct dft big.c --entry by_%s --time 10 --prove --quiet --store %s.db --out %s.d >said &&
		make -s -C %s.d check CC=gcc && duct report %s.db --branches]]):format(how, how, how, how, how))
	tap.ok(status == 0 and said:find(" 0 failed", 1, true), how .. ": its tests pass", said .. err)
	tap.ok(not said:find("infeasible", 1, true) and said:find("p:true\tcovered", 1, true), how .. ": NULL is one of two", said)
end
tap.done()
