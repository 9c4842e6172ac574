#!/usr/bin/env lua5.4
-- Pointers that may be the same when the session widens that limit: each prediction comes true, and no pointer counts
-- as tested for NULL because it was compared with another.
-- limit: 200
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local list = tap.scratch .. "/list.c"
tap.spit(list, [[
struct node { int v; struct node *next; };
int same(struct node *a, struct node *b) { int n = 0; for (; a; a = a->next) if (a == b) n++; return n > 1; }
struct item { void *data; struct item *next, *prev; };
struct ring { struct item *marker, *head; };
int drop(struct ring *r, struct item *i)
{
	void *data = i->data, *other = 0;
	if (r->marker == i && i->next) {
		r->marker = i->next;
		if (r->marker != r->head)
			other = r->marker->data;
	}
	if (i == r->head->next)
		r->head->next = i->next;
	if (i->prev)
		i->prev->next = i->next;
	return data != other;
}
int three(int *p, int *q, int *r) { *p = 1; *q = 2; *r = 3; if (*p == 3) return 1; if (*q == 3) return 2; return *p == 2; }
]])

for _, x in ipairs {
	{ tap.root .. "/tests/programs/alias.c", "same", "--runs 60" }, { list, "three", "" }, { list, "same", "--runs 60" },
	{ tap.root .. "/tests/closed/programs/list_double.c", "f", "--runs 60" }, { list, "drop", "--runs 300" },
	{ tap.root .. "/share/examples/testme.c", "testme", "--string s1=3 --string s2=3" },
	{ tap.root .. "/share/examples/strmat2.c", "strmat2", "--string text=3 --string pattern=2" },
	{ tap.root .. "/share/examples/strcmp2.c", "both", "--string s1=3 --string s2=3" },
} do
	local file, entry, options = table.unpack(x)
	local name = ("%s of %s"):format(entry, file:match("[^/]+$"))
	local _, out, err = tap.run(("duct concolic %s --entry %s %s --time 30 --json --quiet"):format(file, entry, options))
	local fine, r = pcall(json.decode, out)
	tap.ok(fine and r.mispredicted == 0 and #r.lost == 0 and (r.ended == "limits" or r.ended == "runs"),
		name .. ": predictions come true", fine and ("%d mispredicted, ended %s"):format(r.mispredicted, r.ended) or err)
	tap.is(fine and #r.failures, 0, name .. ": no finding")
end

-- Runs through what may be a cycle take long: none goes beyond the session's time.
local _, out = tap.run(("duct concolic %s/tests/closed/programs/list_double.c --entry f --time 3 --json --quiet"):format(tap.root))
local r = json.decode(out)
tap.ok(r.seconds < 3 * 1.1 + 0.3, "a session ends in its time", ("%.2f s of 3"):format(r.seconds))
tap.done()
