#!/usr/bin/env lua5.4
-- Behaviour that the standard leaves to the compiler is found where it matters, and nowhere else: a line that ends in `//! KIND`
-- has a limit record of that kind, all others have none. One of a kind is told in each function, of arguments one a line.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local folder = tap.folder("differ")

-- { [line] = kinds } of limit records.
local function told(output)
	local list = {}
	for kind, line in output:gmatch("\nlimit\t%d+\t(%l+)\t%d+\t(%d+)\t") do
		list[#list + 1] = line .. " " .. kind
	end
	table.sort(list)
	return table.concat(list, ", ")
end

local function marked(text)
	local list, number = {}, 0
	for line in text:gmatch("([^\n]*)\n") do
		number = number + 1
		for kind in (line:match("//! (.*)$") or ""):gmatch("%l+") do
			list[#list + 1] = number .. " " .. kind
		end
	end
	table.sort(list)
	return table.concat(list, ", ")
end

local function check(name, text)
	local file = ("%s/%s.c"):format(folder, name:gsub("%W", "_"))
	tap.spit(file, text)
	local status, out, err = tap.run("cfg-dump " .. file)
	tap.is(status, 0, name .. ": compiles", err)
	tap.is(told(out), marked(text), name)
end

check("calls that write what the other reads", [[
#include <stdio.h>
int g, h, table[8];
static int next(void) { return ++g; }
static int set(int v) { g = v; return v; }
static int deep(void) { return next(); }
static int other(void) { return ++h; }
static int pure(int x) { return x * g; }
static int two(int a, int b) { return a - b; }
int a(void) { return next() - next(); } //! order
int b(void) { return g + set(5); } //! order
void c(void) { table[g & 7] = set(2); } //! order
int d(void) { return two(next(), g); } //! arguments
int e(void) { return deep() * pure(2); } //! order
int f(void) { int l[2] = { next(), next() }; return l[0]; } //! order
int i(FILE *s) { return getc(s) | getc(s) << 8; } //! order
int j(void) { return next() && next(); }
int k(void) { return next() ? next() : 0; }
int l(void) { return (next(), next()); }
int m(void) { return pure(1) + pure(2); }
int n(void) { return next() + other(); }
int o(void) { int x = next(); return x + next(); }
int p(void) { g = next() + 1; return g; }
int q(int x) { return two(x, next()); }
int r(const char *s) { int n = 0; while (*s) n = 10 * n + *s++ - '0'; return n; }
]])
check("operators that write what the other reads", [[
int a(int i) { int t[4] = { 0 }; t[i & 3] = i++; return t[0]; } //! order
int b(int i) { i = i++ + 1; return i; } //! order
int c(int i) { return i + (i = 5); } //! order
void d(char *t, const char *s) { while ((*t++ = *s++)) ; }
int e(int i, int k) { return i++ + k++; }
int f(int *p, int i) { p[i] = p[i + 1] = 0; return i; }
int g(int *p, int i) { return p[i++] + p[i++]; } //! order
int h(int i) { i = i + 1; i += i; return i; }
void i(int *p, long *q) { *p = (int)(*q = 3); }
static void put(int *p) { *p = 3; }
static int get(int *p) { *p += 1; return *p; }
int k(void) { int x = 1; put(&x); return x; }
int l(void) { int x = 1; return x + get(&x); } //! order
struct s { int a, b; };
static int up(struct s *p) { return ++p->a; }
int m(struct s *p, struct s *q) { return up(p) + q->a; } //! order
int n(struct s *p, struct s *q) { return up(p) + q->b; }
int o(int (*x)(void), int (*y)(void)) { return x() - y(); } //! order
]])
check("macros of compilers", [[
#ifdef __clang__
#define WHO 1
#define UNUSED __attribute__((unused))
#else
#define WHO 2
#define UNUSED
#endif
#if defined(__GNUC__)
#define likely(x) __builtin_expect(!!(x), 1)
#else
#define likely(x) (x)
#endif
static const int who = WHO; //! compiler
int a(void) { return WHO; } //! compiler
int b(int x UNUSED) { return likely(x); }
int c(void) { return who; }
int d(int x)
{
#ifdef __OPTIMIZE__ //! compiler
	return x;
#else
	return x + 1;
#endif
}
int e(int x)
{
#ifdef __linux__
	return x;
#endif
}
#if __GNUC__ > 4 //! compiler
int f(int x) { return x; }
#else
int f(int x) { return -x; }
#endif
#if !defined __GNUC__
int g(int x) { return x; }
#else
int g(int x) { return -x; }
#endif
]])
check("addresses", [[
#include <stdint.h>
#include <string.h>
int first, second, many[9];
int a(void) { return &first < &second; } //! address
int b(void) { int x, y, *p = &x, *q = &y; return p >= q; } //! address
int c(void) { const char *s = "abc"; return s == "abc"; } //! address
int d(const void *p) { return ((uintptr_t)p & 7) != 0; } //! address
int e(const int *p, const int *end) { int n = 0; while (p < end) n += *p++; return n; }
int f(int *p) { return p == &first; }
int g(void) { return &many[1] < &many[4]; }
int h(const char *s) { return s == NULL || !strcmp(s, "abc"); }
int i(const int *p) { return (uintptr_t)p != 0; }
long j(const char *p, const char *q) { return (long)((uintptr_t)p - (uintptr_t)q); }
]])
check("what compilers compute", [[
#include <math.h>
struct s { unsigned long wide : 40, narrow : 20; unsigned long whole; };
int isdigit(int);
int a(struct s *p) { return p->wide << 24 == 0; } //! compiler
int b(struct s *p) { return (p->narrow << 20) + p->whole == 0; }
int c(struct s *p) { unsigned long v = p->wide; return v == 3; }
int d(int x) { return isdigit(x); } //! compiler
int e(int x) { return isdigit(x) ? 1 : !isdigit(x + 1); }
int f(int x) { if (isdigit(x) != 0 && isdigit(x)) return 1; return 0; }
int g(double x, double y) { return signbit(x / y); } //! compiler
int h(int x) { return __builtin_constant_p(x); } //! compiler
inline int here(int x) { return x + 1; }
int i(int x) { return here(x); } //! compiler
static inline int mine(int x) { return x + 1; }
int j(int x) { return mine(x); }
]])

tap.spit(folder .. "/swapped.c",
	"struct s { int a; } __attribute__((scalar_storage_order(\"big-endian\")));\nint f(struct s *p) { return p->a == 1; }\n")
local status, _, err = tap.run("cfg-dump " .. folder .. "/swapped.c")
tap.ok(status == 3 and err:find("swapped.c:1:", 1, true) and err:find("scalar_storage_order", 1, true),
	"an attribute that Clang ignores is refused", status .. ": " .. err)
tap.done()
