#!/usr/bin/env lua5.4
-- Functions of the C library that read until a terminator, or n bytes: on an array of exactly 4 bytes that may have
-- none the overrun is found, the session is closed, and each prediction comes true; on a text that ends, nothing is
-- found.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"
local folder = tap.folder("terminators")

local headers = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n"

local function session(name, code, options)
	local file = ("%s/%s.c"):format(folder, name:gsub("%W", "_"))
	tap.spit(file, headers .. code .. "\n")
	local status, out, err = tap.run(("duct concolic %s --entry f --json --quiet --time 60 %s"):format(file, options))
	local fine, r = pcall(json.decode, out)
	if status ~= 0 or not fine then return tap.ok(false, name, err) end
	return r
end

-- Of `s`, 4 bytes; or of a copy of them that is the function's own.
local function check(name, expression)
	local own = ("int f(const char s[4]) { char b[4]; memcpy(b, s, 4); return %s; }"):format(
		(expression:gsub("%f[%w%%]s%f[%W]", "b")))
	for kind, code in pairs { input = ("int f(const char *s) { return %s; }"):format(expression), own = own } do
		local r = session(name .. " " .. kind, code, "--len s=4")
		if r then
			tap.ok(#r.failures == 1 and r.failures[1].kind == "bounds" and r.mispredicted == 0 and #r.lost == 0,
				("%s, %s: the overrun is found"):format(name, kind),
				("%d failures, %d mispredicted, %d lost, ended %s"):format(#r.failures, r.mispredicted, #r.lost, r.ended))
		end
	end
	local r = session(name .. " ends", ("int f(const char *s) { return %s; }"):format(expression), "--string s=3")
	if r then
		tap.ok(#r.failures == 0 and r.mispredicted == 0, name .. ": nothing is found in a text that ends",
			("%d failures, %d mispredicted"):format(#r.failures, r.mispredicted))
	end
end

check("strlen", "strlen(s) == 2")
check("strcmp", "strcmp(s, \"abcd\") == 0")
check("strncmp", "strncmp(s, \"abcdef\", 6) == 0")
check("strcasecmp", "strcasecmp(s, \"abcd\") == 0")
check("strncasecmp", "strncasecmp(s, \"abcdef\", 5) == 0")
check("strchr", "strchr(s, 'x') != 0")
check("strrchr", "strrchr(s, 'x') != 0")
check("strspn", "strspn(s, \"ab\") == 2")
check("strcspn", "strcspn(s, \"ab\") == 2")
check("strpbrk", "strpbrk(s, \"ab\") != 0")
check("strstr", "strstr(s, \"bc\") != 0")
check("strtol", "strtol(s, 0, 10) == 12")
check("atoi", "atoi(s) == 12")
check("strcpy", "strcpy((char[16]) { 0 }, s)[1] == 'a'")
check("strcat", "strcat((char[16]) { 'x' }, s)[1] == 'a'")
check("snprintf", "snprintf((char[16]) { 0 }, 16, \"%s\", s) == 2")
check("printf", "printf(\"%s\", s) == 2")
-- Results that nobody uses: the C library alone reads the text.
check("puts", "(puts(s), 1)")
check("fputs", "(fputs(s, stderr), 1)")
check("printf without its result", "(printf(\"%5d %s\", 1, s), 1)")
check("printf of up to n bytes", "(printf(\"%.5s\", s), 1)")

-- Within its bytes a comparison may stop before any terminator: no overrun, and the session proves it.
local function safe(name, code, options)
	local r = session(name, code, options)
	if r then
		tap.ok(#r.failures == 0 and r.mispredicted == 0 and r.exhausted, name .. ": no overrun, and all paths are run",
			("%d failures, %d mispredicted, ended %s"):format(#r.failures, r.mispredicted, r.ended))
	end
end

safe("strcmp with a shorter text",
	"int f(const char s[4]) { char b[4]; memcpy(b, s, 4); return strcmp(b, \"abc\") == 0; }",
	"--len s=4 --distinct all --assume 's != 0'")
safe("strncmp within", "int f(const char s[4]) { char b[4]; memcpy(b, s, 4); return strncmp(b, \"abcdef\", 4) == 0; }",
	"--len s=4 --assume 's != 0'")

local r = session("memchr", "int f(const char *s) { return memchr(s, 'x', 5) != 0; }", "--len s=4")
tap.ok(r and #r.failures == 1 and r.failures[1].kind == "bounds" and r.mispredicted == 0,
	"memchr: the overrun is found",
	r and ("%d failures, %d mispredicted"):format(#r.failures, r.mispredicted))

-- Text that an undefined function has written: that function ends it; copies of it have to fit.
local function asks(name, code, failures)
	local one = session(name, "void name_it(char *b);\n" .. code, "--runs 200")
	local asked = false
	for _, n in ipairs(one and one.needs or {}) do
		asked = asked or n.text == "the text of name_it().1 ends within its object"
	end
	tap.ok(one and #one.failures == failures and asked == (failures == 0), name,
		one and ("%d failures, %d needs"):format(#one.failures, #one.needs))
end
asks("stub text, measured", "int f(void) { char b[8]; name_it(b); if (strlen(b) > 3) return 1; return 0; }", 0)
asks("stub text, printed", "int f(void) { char b[8]; name_it(b); if (printf(\"%s\", b) > 3) return 1; return 0; }", 0)
asks("stub text, in a loop", "int f(void) { char b[8]; int i; name_it(b); for (i = 0; b[i] == 32; i++) { } return i; }", 0)
asks("stub text, copied", "int f(void) { char b[8], d[4]; name_it(b); b[7] = 0; strcpy(d, b); return d[0]; }", 1)
asks("another text over it", "int f(char *s) { char b[8]; name_it(b); strncpy(b, s, 8); if (strlen(b) > 3) return 1; return 0; }", 1)
tap.done()
