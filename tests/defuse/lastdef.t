#!/usr/bin/env lua5.4
-- Last definitions where memory is reused, copied, shared by bits, left by longjmp, written by the library: for each
-- program which pairs its run covers, and which it must not. `A B name`: from the line marked A to that marked B.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local quote = tap.quote

tap.spit("covered.lua", [[
local core = require "duct.core"
return function(session)
	for _, scope in ipairs { "intra", "inter" } do
		local runner, d, hit = core.runner { program = "./prog" }, core.defuse("prog", { scope = scope }), {}
		local trace <close> = runner:run(1)
		for _, i in ipairs(d:covered(trace)) do hit[i] = true end
		for i = 1, d:count() do
			local p = d:pair(i)
			print(table.concat({ scope, p.def.line, p.use.line, p.name, hit[i] and "covered" or "open" }, "\t"))
		end
		print("lost", #trace:unpaired(), (trace:ended()))
	end
	for _ in session:start() do end
end
]])

-- expect: scope -> { covered = { "A B name", ... }, open = ..., none = ... (no such pair) }
local function check(name, code, expect, lost)
	tap.spit("prog.c", code)
	local status, _, err = tap.run("duct instrument --pairs -o prog prog.c -- -w")
	if status ~= 0 then return tap.ok(false, name, err) end
	local line, n = {}, 0
	for text in code:gmatch("([^\n]*)\n") do
		n = n + 1
		for mark in text:gmatch("/%*(%u)%*/") do line[mark] = n end
	end
	local out
	status, out, err = tap.run(("duct ./covered.lua %s/share/examples/is_sorted.c --entry isSorted --runs 1 --quiet"):format(quote(tap.root)))
	if status ~= 0 then return tap.ok(false, name, err) end
	local verdict, wrong = {}, {}
	for scope, def, use, variable, v in out:gmatch("(%l+)\t(%d+)\t(%d+)\t([^\t\n]+)\t(%l+)") do
		local key = ("%s %s %s %s"):format(scope, def, use, variable)
		if verdict[key] ~= "covered" then verdict[key] = v end
	end
	for scope, lists in pairs(expect) do
		for v, list in pairs(lists) do
			for _, w in ipairs(list) do
				local def, use, variable = w:match("(%u) (%u) (.+)")
				local got = verdict[("%s %d %d %s"):format(scope, line[def], line[use], variable)] or "none"
				if got ~= v then wrong[#wrong + 1] = ("%s: %s: %s, not %s"):format(scope, w, got, v) end
			end
		end
	end
	if tonumber(out:match("lost\t(%d+)")) ~= (lost or 0) then wrong[#wrong + 1] = "lost: " .. out:match("lost[^\n]*") end
	if not out:find("\texit\n") then wrong[#wrong + 1] = "the run did not end by itself" end
	tap.ok(#wrong == 0, name, table.concat(wrong, "\n") .. "\n" .. out:gsub("\t", " "))
end

check("an array element, and a pointer that overwrites it", [[
int main(void) {
	int a[3];
	int *p = &a[1];
	a[0] = 1; /*A*/
	a[1] = 2; /*B*/
	*p = 3; /*C*/
	return a[1] + a[0] - 4; /*U*/
}
]], { intra = { covered = { "A U a[0]", "C U a[1]" }, open = {} } })

check("recursion: each activation has its own variables", [[
static int down(int n, int *out) {
	int x = 0; /*A*/
	if (n == 0) { *out = 7; return 0; } /*B*/
	down(n - 1, &x);
	return x; /*U*/
}
int main(void) { int r = 1; return down(1, &r) - 7; }
]], { intra = { open = { "A U x" } }, inter = { covered = { "B U x" }, open = { "A U x" } } })

check("stack memory that is used again", [[
static int first(int n) {
	int a[4];
	int *p = a;
	p[n] = 5; /*A*/
	return p[n] - 5; /*V*/
}
static int copy(const int *p, int n) { int b[4]; __builtin_memcpy(b, p, sizeof b); return b[n]; } /*U*/
static int second(int n) { int a[4]; a[n] = 0; /*B*/ return copy(a, n); }
int main(void) { return first(1) + second(2); }
]], { intra = { covered = { "A V p[*]" } }, inter = { covered = { "A V p[*]" }, none = { "A U p[*]" } } })

check("heap memory that is used again", [[
#include <stdlib.h>
int main(void) {
	int *p = malloc(8), *q, sum = 0;
	p[0] = 1; /*A*/
	sum += p[0]; /*V*/
	free(p);
	q = calloc(1, 8);
	sum += q[0]; /*U*/
	free(q);
	return sum - 1;
}
]], { intra = { covered = { "A V *p" } }, inter = { covered = { "A V *p" }, none = { "A U *q" } } })

check("bit-fields that share a byte", [[
struct s { unsigned a : 3, b : 5; };
static struct s g;
int main(void) {
	g.a = 1; /*A*/
	g.b = 2; /*B*/
	return g.a + g.b - 3; /*U*/
}
]], { intra = { covered = { "A U g.a", "B U g.b" } } })

check("a copy of a structure defines all of it, and uses its parts", [[
struct s { int x, y; };
int main(void) {
	struct s a, b;
	a.x = 1; /*A*/
	a.y = 2; /*B*/
	b = a; /*C*/
	b.y = 3; /*D*/
	return b.x + b.y - 4; /*U*/
}
]], { intra = { covered = { "A C a.x", "B C a.y", "C U b.x", "D U b.y" }, none = { "C U b.y" } } })

check("a structure that a call returns", [[
struct s { long x, y, z; };
static struct s make(long v) { struct s r; r.x = v; r.y = v; r.z = v; return r; }
int main(void) {
	struct s a = make(1); /*A*/
	a.y = 2; /*B*/
	return a.x + a.y - 3; /*U*/
}
]], { intra = { covered = { "A U a.x", "B U a.y" } } })

check("what a longjmp leaves behind", [[
#include <setjmp.h>
static jmp_buf env;
static void deep(volatile int *p, int n) {
	int a[8];
	a[n & 7] = n; /*A*/
	if (n) deep(p, n - 1);
	*p = a[n & 7] + 5; /*B*/
	longjmp(env, 1);
}
int main(void) {
	volatile int v = 1; /*C*/
	if (setjmp(env)) return v - 5; /*U*/
	deep(&v, 2);
	return 1;
}
]], { inter = { covered = { "B U v" }, open = { "C U v" } }, intra = { open = { "C U v" } } })

check("the library writes and reads", [[
#include <stdio.h>
#include <string.h>
int main(void) {
	char a[16], b[16];
	int n = 0;
	a[0] = 'x'; /*A*/
	memset(a + 1, 0, 15); /*B*/
	strcpy(b, a); /*C*/
	b[1] = 'y'; /*D*/
	sscanf("12", "%d", &n); /*E*/
	return b[0] + b[1] + n - 'x' - 'y' - 12; /*U*/
}
]], { intra = { covered = { "A C a[0]", "C U b[0]", "D U b[1]", "E U n" } } })

check("code that calls back and is not followed is said", [[
#include <stdlib.h>
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
	int a[2];
	a[0] = 2; /*A*/
	a[1] = 1; /*B*/
	qsort(a, 2, sizeof *a, order); /*C*/
	return a[0] - 1; /*U*/
}
]], { intra = { open = { "A U a[0]" } } }, 1)

check("assembly writes: what is not followed is said, and credits nothing", [[
static int global, other;
int main(void) {
	int v = 0, w = 0, *p = &v;
	v = 5; /*A*/
	w = 6; /*B*/
	__asm__("movl $7, %0" : "=m"(v)); /*C*/
	int r = *p + w; /*U*/
	other = 1; /*D*/
	__asm__ volatile("" ::: "memory");
	r += other; /*E*/
	global = 2; /*F*/
	__asm__ volatile("nop" ::: "memory");
	r += global; /*G*/
	global = 3; /*H*/
	return r + global - 19; /*I*/
}
]], { intra = { open = { "A U v", "F G global" }, covered = { "B U w", "D E other", "H I global" } } }, 2)

check("memory that the kernel gives once more", [[
#define _GNU_SOURCE
#include <sys/mman.h>
static char *get(void) { return mmap((void *)0x5500000000, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); }
int main(void) {
	char *p = get(), *q;
	p[0] = 'x'; /*A*/
	munmap(p, 4096);
	q = get();
	q[1] = 'y'; /*B*/
	int r = q[0] + q[1]; /*U*/
	q[2] = 'z'; /*C*/
	q = get();
	return r + q[2] - 'y'; /*V*/
}
]], { intra = { open = { "A U *q", "C V q[2]" }, covered = { "B U q[1]" } } })

check("activations that cannot be told apart any more credit nothing, and it is said", [[
extern unsigned duct_serial;
static int global;
static void set(int to) { global = to; /*A*/
	}
int main(void) {
	set(1);
	int r = global; /*U*/
	duct_serial = 0x7fffffff;
	set(2);
	r += global; /*V*/
	for (int i = 0; i < 3; i++) { duct_serial = 0xffffffff; set(i); }
	return r + global - 5; /*W*/
}
]], { inter = { covered = { "A U global" }, open = { "A V global", "A W global" } } }, 1)

check("arguments and results cross calls", [[
static int twice(int x) {
	return 2 * x; /*R*/
}
static int third(int x) { if (x > 5) return 1; /*S*/
	return 2; } /*T*/
int main(void) {
	int a = twice(2); /*A*/
	int b = twice(a); /*B*/
	return third(b) - 1; /*C*/
}
]], { inter = { covered = { "R A twice()", "R B twice()", "S C third()", "A R x", "B R x" }, open = { "T C third()" } } })
check("memory of alloca() at the beginning of a function", [[
#include <alloca.h>
int main(int argc, char **argv) {
	char *p = alloca(4);
	p[1] = (char)argc; /*A*/
	if (argc > 5)
		p[1] = 2; /*B*/
	return p[1] - 1; /*C*/
}
]], { inter = { covered = { "A C p[1]" }, open = { "B C p[1]" } } })
tap.done()
