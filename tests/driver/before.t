#!/usr/bin/env lua5.4
-- What lies before the element that a pointer of the caller's points to: a header in front of a text, the element before a
-- cursor, a block that is freed from its begin, or would be moved if memory were not short. Objects grow there, too, and the tests that are written set it up.
-- limit: 200
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("b.c", [[
#include <stdlib.h>
#include <string.h>
struct header { unsigned short length, room; };
#define HEADER(s) ((struct header *)((s) - sizeof(struct header)))
static unsigned length(const char *s) { return (unsigned char)s[-1] & 1 ? (unsigned char)s[-1] >> 1 : 99; }
int text(const char *s)
{
	unsigned n = length(s);

	return n == 3 ? s[0] == 'x' ? 2 : 3 : n == 99 ? 4 : 5;
}
struct reader { char *buffer; int state; };
int nested(struct reader *r)
{
	struct header *h = HEADER(r->buffer);

	if (h->length > h->room)
		return -1;
	h->length++;
	return h->length == 7 && r->buffer[1] == 'y';
}
void destroy(char *s, int all)
{
	if (!s)
		return;
	if (HEADER(s)->length == 5 && all)
		s[0] = 0;
	free(HEADER(s));
}
char *append(char *s, char c)
{
	unsigned n = HEADER(s)->length;
	struct header *h = realloc(HEADER(s), sizeof *h + n + 2);

	if (!h)
		return NULL;
	s = (char *)(h + 1);
	s[n] = c;
	s[n + 1] = 0;
	h->length = n + 1;
	return s;
}
int back(const int *end)
{
	int n = 0;

	while (*--end > 0)
		n++;
	return n > 3;
}
int both(const short *p, const short *q) { if (p[-1] == 7) return q == p + 1 ? 1 : 2; return 3; }
int trailing(char *s)
{
	size_t n = strlen(s);

	if (s[n - 1] == '\n')
		s[n - 1] = 0;
	return n > 2;
}
int stays(char **p, size_t n)
{
	void *t;

	if (!*p)
		return 2;
	if (!(t = realloc(*p, n << 40 | 1)))
		return -1;
	*p = t;
	return 1;
}
]])

for _, entry in ipairs { "text", "nested", "destroy", "append", "back", "both", "trailing", "stays" } do
	local _, out, err = tap.run(("duct concolic b.c --entry %s --json --quiet --time 15 --out %s"):format(entry, entry))
	local fine, r = pcall(json.decode, out)
	tap.ok(fine and r.branches.covered == r.branches.total and #r.failures == 0 and r.mispredicted == 0,
		entry .. ": all covered, no finding", err .. out)
	local status, check = tap.run(("ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 make -s -C %s check CFLAGS='-g -fsanitize=address' LDFLAGS=-fsanitize=address"):format(entry))
	tap.ok(status == 0 and check:find(" 0 failed", 1, true), entry .. ": the tests pass, also with AddressSanitizer", check)
end

-- What lies further before stays a limit; that callers have to have something there is a need all the same.
local _, out = tap.run("duct concolic b.c --entry text --json --quiet --time 10")
local needs = {}
for i, n in ipairs(json.decode(out).needs) do
	needs[i] = n.text
end
tap.ok(table.concat(needs, "; "):find("s points into an object, with elements before s[0]", 1, true), "the need is told", out)
_, out = tap.run("duct dft b.c --entry text --prove --json --quiet --time 20")
local r = json.decode(out)
tap.ok(r.branches.infeasible == 0 and r.branches.covered == r.branches.total, "no proof contradicts it", out)
tap.done()
