#!/usr/bin/env lua5.4
-- For each kind of fault: planted behind conditions on inputs, found, with a test that shows it,
-- also to a sanitizer; and a safe twin, where nothing is found.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. os.getenv("ROOT") .. "/tests/faults/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local folder = tap.folder("checks")

local faults = require "planted"

local function session(name, text, kinds, more)
	local source = ("%s/%s.c"):format(folder, name)
	tap.spit(source, text)
	local status, out, err = tap.run(("duct concolic %s --entry f --faults 0 --quiet --json %s %s"):format(
		source, kinds and "--check " .. kinds or "", more or ""))
	local good, r = pcall(json.decode, out)
	return good and status == 0 and r or { failures = {}, checks = {}, message = out .. err }
end

-- Was every path run, within limits at least? Then a place is safe, or limits keep it open.
local function whole(r)
	return r.exhausted or r.ended == "limits"
end

-- The verdict of gcc's sanitizer on the tests.
local function sanitized(tests, what)
	local _, out = tap.run(([[
		make -s -C %s CC=gcc CFLAGS="-g -fsanitize=%s" DUCT_CFLAGS=-I. LDFLAGS="-fsanitize=%s" tests 2>&1
		%s/tests -v 2>&1]]):format(tests, what, what, tests))
	return out:find("runtime error", 1, true) or out:find("Sanitizer:", 1, true), out
end

local function show(list)
	local lines = {}
	for kind, x in pairs(list) do
		local line = { tostring(kind) }
		for k, v in pairs(type(x) == "table" and x or { x }) do
			line[#line + 1] = k .. "=" .. tostring(v)
		end
		lines[#lines + 1] = table.concat(line, " ")
	end
	return table.concat(lines, "\n")
end

for i, fault in ipairs(faults) do
	local name = ("%s-%d"):format(fault.kind, i)
	local tests = folder .. "/tests-" .. i
	local r = session("bad-" .. i, fault.bad, fault.kind, "--out " .. tests)
	local x, totals = r.failures[1], r.checks[fault.kind] or {}
	tap.ok(x and #r.failures == 1 and x.kind == (fault.failure or fault.kind) and x.line == fault.line
		and x["function"] == "f" and x.test > 0, name .. " is found where it is", r.message or show(r.failures))
	tap.ok((whole(r) or fault.open) and totals.found == 1
		and totals.places == totals.found + totals.safe + totals.unknown, name .. ": totals", r.message or show(r.checks))
	if fault.trap then
		local shown, out = sanitized(tests, fault.trap)
		tap.ok(shown, name .. ": a sanitizer sees it in the tests", out)
	end
	r = session("safe-" .. i, fault.safe, fault.kind)
	totals = r.checks[fault.kind] or {}
	tap.ok(whole(r) and #r.failures == 0 and totals.found == 0 and (totals.unknown == 0 or not r.exhausted),
		name .. ": nothing in a safe program", r.message or show(r.lost) .. "\n" .. show(r.failures) .. "\n"
			.. show(r.checks))
end

-- A pointer to before a block of the heap, from where an index leads into it: that is no use of the block before, and
-- it is said that nothing is known.
local before = session("before", [[
#include <stdlib.h>
struct big { int cell[20]; };
int f(int n)
{
	struct big *before = malloc(sizeof *before), *stack = calloc(2, sizeof *stack), *top = stack - 1;
	before->cell[0] = 1;
	if (n > 7)
		free(before);
	int r = top[1].cell[1] + (n == 9 ? top[3].cell[1] : 0);
	if (n <= 7)
		free(before);
	free(stack);
	return r;
}]], "bounds")
tap.ok(#before.failures == 1 and before.failures[1].line == 9 and not before.exhausted and before.lost[1]
	and before.lost[1].reason == "an access leaves the heap block of its pointer", "a pointer to before a block",
	before.message or show(before.failures) .. "\n" .. show(before.lost))

-- Unasked, too: what a run reads outside of its objects is not what its test finds there, and such runs have no end.
local tests = folder .. "/outside"
local outside = session("outside", [[
int f(const int *a, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += a[i];
	return s > 10;
}]], nil, "--len a=3 --out " .. tests)
tap.ok(outside.exhausted and #outside.failures == 1 and outside.failures[1].kind == "bounds"
	and outside.failures[1].line == 5,
	"a length that is no length of the object, with the default checks", outside.message or show(outside.failures))
local status, out = tap.run(("make -s -C %s check"):format(tests))
tap.ok(status == 0 and out:find(" 0 failed, 1 not failing here", 1, true),
	"what it observed is what its tests find", out)

tap.done()
