#!/usr/bin/env lua5.4
-- A pointer that only duct passes as NULL, dereferenced by a library function, with a model or without one: what the
-- function asks of its callers, and no finding. Where the program tests the pointer, it is one.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"
local folder = tap.folder("nulls")

local headers = [[
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
static int by(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
]]

local function session(name, code, options)
	local file = ("%s/%s.c"):format(folder, name:gsub("%W", "_"))
	tap.spit(file, headers .. code .. "\n")
	local status, out, err = tap.run(("duct concolic %s --entry f --json --quiet --runs 60 --time 20 %s"):format(file, options or ""))
	local fine, r = pcall(json.decode, out)
	if status ~= 0 or not fine then
		tap.ok(false, name, err)
		return { failures = {}, needs = {} }
	end
	return r
end

local function asks(r, text)
	for _, n in ipairs(r.needs) do
		if n.text == text then return true end
	end
	return false
end

for _, call in ipairs {
	"strlen(p)", "strcmp(p, \"ab\")", "strcmp(\"ab\", p)", "strncmp(p, \"ab\", 2)", "strcasecmp(p, \"a\")",
		"strchr(p, 'a') != 0",
	"strcpy(p, \"a\") != 0", "strcpy(b, p) != 0", "strcat(b, p) != 0", "strncpy(b, p, 3) != 0", "strstr(p, \"a\") != 0",
	"strspn(p, \"a\")", "strdup(p) != 0", "memcpy(b, p, 3) != 0", "memset(p, 1, 3) != 0",
	"memcmp(p, b, 3)", "memchr(p, 'a', 3) != 0", "memmove(p, b, 3) != 0", "strtol(p, 0, 10)", "atoi(p)",
		"strtod(p, 0) > 1",
	"sprintf(p, \"%d\", 1)", "snprintf(p, 4, \"%d\", 1)", "sscanf(p, \"%d\", &n)", "puts(p)",
	"fputs(p, stdout)", "(qsort(p, 3, 1, by), 1)", "strverscmp(p, \"a\")",
	"strxfrm(b, p, 4)", "strcoll(p, \"a\")", "ffs(p[0])", "strlen(p + 4)",
} do
	local r = session(call, ("int f(char *p) { char b[64] = \"\"; int n = 0; (void)by; return %s + n + b[0]; }"):format(call))
	tap.ok(#r.failures == 0 and asks(r, "p != NULL"), call .. ": p != NULL is needed",
		("%d failures (%s), %d needs"):format(#r.failures, r.failures[1] and r.failures[1].kind, #r.needs))
end

for _, call in ipairs {
	"fputc('x', p)", "putc('x', p)", "fputs(\"a\", p)", "fprintf(p, \"a\")", "fwrite(\"a\", 1, 1, p) == 1",
	"fgetc(p)", "fclose(p)", "feof(p)", "fileno(p)", "setvbuf(p, 0, 2, 0)",
} do
	local r = session(call, ("int f(FILE *p) { (void)by; return %s; }"):format(call))
	tap.ok(#r.failures == 0 and asks(r, "p != NULL"), call .. ": p != NULL is needed",
		("%d failures (%s), %d needs"):format(#r.failures, r.failures[1] and r.failures[1].kind, #r.needs))
end

local r = session("tested", "int f(char *p) { int n = p == NULL ? 3 : 4; return n + (int)strlen(p); }")
tap.ok(#r.failures == 1 and r.failures[1].kind == "null", "a pointer that is tested elsewhere is a finding",
	("%d failures, %d needs"):format(#r.failures, #r.needs))
r = session("ordered", "int f(int *p, int n) { int *q = &p[n & 3]; if (q <= &p[1]) q = p; return *q; }")
tap.ok(#r.failures == 0 and asks(r, "p != NULL"), "comparing where two pointers lie is no test for NULL",
	("%d failures, %d needs"):format(#r.failures, #r.needs))
r = session("equal", "int f(const char *p, const char *q) { if (p == q) return 1; return p[0] == q[0]; }")
tap.ok(#r.failures == 0 and asks(r, "p != NULL"), "nor is comparing whether they are the same",
	("%d failures, %d needs, the first %s"):format(#r.failures, #r.needs, r.needs[1] and r.needs[1].text))
r = session("first", "int f(char *p) { char *k, *t = strtok_r(p, \",\", &k); int n = 0; while (t && n < 3) { n++; t = strtok_r(NULL, \";\", &k); } return n; }")
tap.ok(#r.failures == 0 and asks(r, "p != NULL"), "strtok_r, first call: p != NULL is needed",
	("%d failures, %d needs"):format(#r.failures, #r.needs))
r = session("next", "int f(char *p) { char b[4] = \"a\", *k = b; if (strtok_r(p, \",\", &k) == b) return 1; return 0; }")
tap.ok(#r.failures == 0 and #r.needs == 0 and r.branches.covered == 2, "strtok_r, later call: NULL goes on",
	("%d failures, %d needs"):format(#r.failures, #r.needs))
tap.done()
