#!/usr/bin/env lua5.4
-- Library calls that failed define nothing, and calls whose failure does not tell that make no claim; what a call cannot reach
-- is no pair of it.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

tap.spit("failed.c", [[
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
long of_stat(void) { struct stat st;
	st.st_size = 5;
	stat("/dev/null/x", &st);
	return st.st_size; }
long of_fstat(void) { struct stat st;
	st.st_size = 5;
	fstat(1, &st);
	return st.st_size; }
int of_waitpid(void) { int status;
	status = 7;
	waitpid(-1, &status, WNOHANG);
	return status; }
int of_inet_aton(void) { struct in_addr a;
	a.s_addr = 3;
	inet_aton("x", &a);
	return a.s_addr == 3; }
int of_localtime(void) { struct tm tm; time_t t = (time_t)1 << 62;
	tm.tm_year = 5;
	localtime_r(&t, &tm);
	return tm.tm_year; }
int of_getline(void) { char *line; size_t n; FILE *f = fopen("/dev/null", "r");
	line = NULL, n = 0;
	getline(&line, &n, f);
	return line == NULL; }
struct part { int before; char name[8]; int after; };
int of_read(struct part *p) { int n = p->before;
	p->after = n;
	n = (int)read(0, p->name, 8);
	return p->after + p->before + p->name[0] + n; }
int main(void)
{
	struct part p = { 0 };
	of_stat(), of_fstat(), of_waitpid(), of_inet_aton(), of_localtime(), of_getline();
	return of_read(&p) > 1000;
}
]])
local status, out, err = tap.run("duct dft failed.c --entry main --time 20 --store s.db --quiet </dev/null >/dev/null && duct report s.db --pairs")
tap.ok(status == 0, "a session", err)
-- verdict[FUNCTION][NAME DEF USE]
local verdict = {}
for line in out:gmatch("[^\n]+") do
	local func, name, def, use, _, v = line:match("^(%S+)\t([^\t]+)\tfailed.c:(%d+):%d+\tfailed.c:(%d+):%d+\t([^\t]+)\t(%a+)")
	if func then verdict[("%s %s %d %d"):format(func, name, def, use)] = v end
end
local function is(func, name, def, use, want)
	local v = verdict[("%s %s %d %d"):format(func, name, def, use)]
	tap.ok(v == want, ("%s: %s from line %d at line %d: %s"):format(func, name, def, use, want or "no pair"), v or "no pair")
end
is("of_stat", "st.st_size", 10, 12, "covered")
is("of_stat", "st.st_size", 11, 12, "unknown")
is("of_fstat", "st.st_size", 14, 16, "unknown")
is("of_fstat", "st.st_size", 15, 16, "covered")
is("of_waitpid", "status", 18, 20, "covered")
is("of_waitpid", "status", 19, 20, "unknown")
is("of_inet_aton", "a.s_addr", 22, 24, "covered")
is("of_inet_aton", "a.s_addr", 23, 24, "unknown")
is("of_localtime", "tm.tm_year", 26, 28, "covered")
is("of_localtime", "tm.tm_year", 27, 28, "unknown")
is("of_getline", "line", 30, 32, "unknown")
is("of_getline", "line", 31, 32, "unknown")
is("of_read", "p->before", 36, 37, nil)
is("of_read", "p->after", 36, 37, nil)
is("of_read", "p->name[0]", 36, 37, "covered")
tap.done()
