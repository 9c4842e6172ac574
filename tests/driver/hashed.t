#!/usr/bin/env lua5.4
-- A hash table of 2048 words with symbolic keys and contents: a query does not become a case distinction over all of
-- them, and a run of many steps is judged in time.
-- limit: 120
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

tap.spit("hash.c", [[
#include <stdint.h>
enum { SIZE = 2048, FREE = 0xfffff };
struct table { uint32_t slot[SIZE]; };
static unsigned slot_of(uint32_t key) { return (key >> 12 ^ key) % SIZE; }
int find(const struct table *t, uint32_t key)
{
	unsigned at = slot_of(key);
	while (t->slot[at] >> 12 != FREE) {
		if (t->slot[at] >> 12 == key)
			return (int)(t->slot[at] & 0xfff);
		at = (at + 1) % SIZE;
	}
	return -1;
}
int put(struct table *t, uint32_t key, unsigned value)
{
	unsigned at = slot_of(key), last = (at + SIZE - 3) % SIZE;
	while (t->slot[at] >> 12 != FREE && at != last)
		at = (at + 1) % SIZE;
	if (at == last)
		return 0;
	t->slot[at] = key << 12 | value;
	if (t->slot[slot_of(key)] >> 12 != key)
		return 2;                       /* it lies behind another one */
	return 1;
}
]])
local function session(entry, options)
	local status, out, err = tap.run(("duct dft hash.c --entry %s -q %s"):format(entry, options))
	tap.ok(status < 2, entry .. ": the session ends", err)
	return out
end
local found = session("find", "-t 8")
tap.ok(found:find("branches: 4 of 4 covered", 1, true), "find: all outcomes are covered", found)
local put = session("put", "-t 10")
tap.ok(put:find("0 infeasible", 1, true) and put:find("branches: 8 of 8 covered", 1, true), "put: and so they are where the table is written",
	put)
-- What the layer answers is what an engine answers without it.
local crossed = session("put", "-t 4 --cross")
tap.ok(not crossed:find("disagree", 1, true), "no answer differs from that of an engine", crossed)
tap.done()
