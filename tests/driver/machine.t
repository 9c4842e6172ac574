#!/usr/bin/env lua5.4
-- Answers of the machine or of a library differ between machines: nothing is infeasible because of them.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

tap.spit("m.c", [[
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <fenv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
void plugin(void) __attribute__((weak));
int except(double x, double y) { volatile double q = x / y; if (fetestexcept(FE_DIVBYZERO) && q != 0) return 1; return 0; }
int rounding(int n) { if (fegetround() == FE_UPWARD) return 1; return n; }
int weak(int n) { if (plugin) return 1; return n; }
int back(void) { struct timeval a, b; gettimeofday(&a, 0); gettimeofday(&b, 0); return b.tv_sec < a.tv_sec ? 1 : 0; }
int steady(void) { struct timespec a, b; clock_gettime(CLOCK_MONOTONIC, &a); clock_gettime(CLOCK_MONOTONIC, &b);
	return b.tv_sec < a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec < a.tv_nsec) ? 1 : 0; }
int set(void) { return setenv("A", "b", 1) ? 1 : 0; }
int assembly(int n) { int v = 0; __asm__ volatile("movl $5, %0" : "=m"(v)); if (v == 5) return 1; return n; }
int writes(int n) { int v = 0, *p = &v; __asm__ volatile("movl $5, (%0)" : : "r"(p) : "memory"); if (v == 5) return 1; return n; }
int barrier(int n) { __asm__ volatile("" : : : "memory"); if (n > 3 && n < 2) return 1; return n; }
int cycles(int n) { if (__builtin_readcyclecounter() % 1000 == 7) return 1; return n; }
int rounds(int n) { if (__builtin_flt_rounds() == 2) return 1; return n; }
int processor(int n) { if (__builtin_cpu_supports("avx512f")) return 1; return n; }
int zone(int n) { if (timezone == 3600) return 1; return n; }
int options(int n) { if (optind == 3) return 1; return n; }
int name(int n) { if (program_invocation_name[0] == '#') return 1; return n; }
int comma(int n) { if (localeconv()->decimal_point[0] == ',') return 1; return n; }
int error(int n) { if (errno == EINTR) return 1; return n; }
int letter(unsigned char c) { if (c >= 128 && isalpha(c)) return 1; return 0; }
int both(int c) { if (c >= 0 && toupper(c) == 0xDD) return 1; return 0; }
int half(void) { if (atof("1,5") == 1.5) return 1; return 0; }
int point(void) { char s[9]; snprintf(s, 9, "%.1f", 0.5); return s[1] == ',' ? 1 : 0; }
int folded(const char *s) { if (!strcasecmp(s, "\xe4") && *s == '\xc4') return 1; return 0; }
int passed(int (*f)(int)) { f = f ? f : isalpha; return 0; }
int digit(unsigned char c) { if (c >= 128 && (isdigit(c) || (isxdigit)(c))) return 1; return 0; }
int whole(int n) { char s[20]; snprintf(s, 20, "%5d%%%c %s", n, 'f', "%f"); if (s[1] == ',') return 1; return printf("%.1f", 0.5), 0; }
int main(void) { setlocale(LC_ALL, ""); return nl_langinfo(CODESET)[0] == 'X'; }
int stream(FILE *f) { if (f == stdout && f == stderr) return 1; return 0; }
]])
local arch = io.popen("uname -m"):read("l")
for entry, limit in pairs { assembly = "inline assembly", writes = "inline assembly", cycles = "a register of the processor",
	rounds = "a register of the processor", processor = "the processor", zone = "timezone", options = "optind",
	name = "program_invocation_name", comma = "localeconv", letter = "isalpha", both = "toupper",
	half = "atof", point = "snprintf", folded = "strcasecmp", passed = "isalpha", error = "errno", main = "nl_langinfo", except = "fetestexcept()", rounding = "fegetround()", weak = "plugin" } do
	if arch == "x86_64" or not (entry == "assembly" or entry == "writes" or entry == "processor") then
		local _, out, err = tap.run(("duct concolic m.c --entry %s --json --quiet --runs 20"):format(entry))
		local fine, r = pcall(json.decode, out)
		r = fine and r or { branches = {}, limits = {} }
		local named = false
		for _, l in ipairs(r.limits) do named = named or l.name == limit end
		tap.ok(r.branches.infeasible == 0 and named, entry .. ": a limit", out .. err)
	end
end
for entry, outcomes in pairs { back = "2 of 2 covered", set = "2 of 2 covered", steady = "4 of 6 covered, 2 infeasible" } do
	local _, out, err = tap.run(("duct concolic m.c --entry %s --quiet --runs 30 --out %s"):format(entry, entry))
	tap.ok(out:find("branches: " .. outcomes, 1, true), entry .. ": time of day goes back, calls fail", out .. err)
	local status, made = tap.run(("make -s CC=clang-19 -C %s check 2>&1"):format(entry))
	tap.ok(status == 0, entry .. ": its tests pass", made)
end
for _, entry in ipairs { "barrier", "stream", "digit", "whole" } do
	local _, out, err = tap.run(("duct concolic m.c --entry %s --json --quiet --runs 20"):format(entry))
	tap.ok(not out:find('"kind": ?"concrete"') and not out:find('"kind": ?"locale"'),
		entry .. ": no limit", out .. err)
end
-- A program that calls no setlocale() has the locale of C.
for set, limit in pairs { [""] = false, ["setlocale(LC_CTYPE, v[0]);"] = true, ['uselocale(newlocale(LC_ALL_MASK, "de_DE", 0));'] = true } do
	tap.spit("p.c", "#define _GNU_SOURCE\n#include <ctype.h>\n#include <locale.h>\n#include <stdio.h>\nint main(int n, char **v) {\n" ..
		set .. " int c = getchar();\nif (c >= 128 && isalpha(c)) return 1;\nreturn n > 0 && v ? 0 : 1; }\n")
	local _, out, err = tap.run("duct concolic p.c --entry main --json --quiet --stdin 1 --args 1")
	local fine, r = pcall(json.decode, out)
	local named = false
	for _, l in ipairs(fine and r.limits or {}) do named = named or l.name == "isalpha" end
	tap.ok(fine and named == limit, "main: " .. (set == "" and "no locale is set" or set), out .. err)
end
tap.done()
