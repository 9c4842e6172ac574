#!/usr/bin/env lua5.4
-- Undefined functions that another file than the entry's declares, with types that only that file has a name for.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

tap.spit("entry.c", "int inner(int a);\nint outer(int b) { return inner(b) ? b > 4 : b < 3; }\n")
tap.spit("inner.c", [[
typedef struct { int x; } chunk;
typedef enum { A, B } kind;
typedef void (*callback)(chunk *);
int measure(chunk *c);
kind judge(kind k, callback f, const chunk *const *p);
chunk *make(unsigned long n, char *s);
int inner(int a)
{
	chunk c = { a };
	return measure(&c) > c.x && judge(A, 0, 0) == A && make(3, "x") != &c;
}
]])
local _, out, err = tap.run("duct concolic entry.c inner.c --entry outer --time 5 --out tests")
tap.ok(out:find("concolic of outer", 1, true) and not (out .. err):find("error:", 1, true), "the harness compiles", out .. err)
local status, checked = tap.run("make -s -C tests check")
tap.ok(status == 0 and checked:find(" 0 failed", 1, true), "and so do the tests, which pass", checked)
tap.done()
