#!/bin/sh
# State that only known functions write: proofs hold for any number of calls, whatever was called before; where
# other code may write it, or a call may be left midway, nothing is infeasible.
# limit: 120
n=0 failed=0
check() { n=$((n + 1)); if eval "$2"; then echo "ok $n - $1"; else failed=1; echo "not ok $n - $1"; fi; }
# ask FUNC: the session's report of branches in `b`; the verdict of the condition `s > 5` that is true, or of the default.
ask() {
	rm -rf out
	duct test x.c:"$1" --time $((6 * ${SLOWER:-1})) --out out >log 2>&1
	duct report out/store.db --branches >b
}
verdict() { awk -F'\t' -v c="$1" '$2 == c && ($5 == "p:true" || $5 == "p:default") { print $6 }' b; }
evidence() { awk -F'\t' -v c="$1" '$2 == c && ($5 == "p:true" || $5 == "p:default") { print $7 }' b; }

cat >x.c <<'E2'
static int s;
int step(int e)
{
	switch (s) {
	case 0: s = e > 0; break;
	case 1: s = e < 0 ? 0 : 2; break;
	case 2: if (e == 7) s = 0; break;
	default: return 9;
	}
	return s;
}
E2
ask step
check "a machine whose state only its own calls write" '[ "$(verdict s)" = infeasible ]'
check "... for any number of calls" 'evidence s | grep -q "any number of calls, the first one with initial values"'
check "... in the report's words" 'grep -q "for any earlier calls" log'
duct prove --check out/store.db >checked 2>&1
check "... and the proof is checked" '[ $? = 0 ]'

cat >x.c <<'E2'
static unsigned most, n;
void init(unsigned m) { most = m < 1 ? 1 : m > 8 ? 8 : m; n = 0; }
int get(void) { if (!n) return -1; n--; return 1; }
int put(int c) { if (n >= most) return -1; n++; if (n > 8) return -2; return c > 0; }
E2
ask put
check "other functions of the file that write it are called as well" '[ "$(verdict "n > 8")" = infeasible ]'

# Pairs whose proof needs the states that calls can leave: a first round with too little time for that is not the last word.
cat >x.c <<'E2'
enum st { OFF, INIT, RUN, FAULT, SAFE };
struct flags { unsigned over : 1, under : 1, door : 1, mode : 3; };
static enum st state = OFF;
static unsigned short timer;
int f(struct flags f, unsigned char cmd)
{
	if (timer) timer--;
	switch (state) {
	case OFF: if (cmd == 1 && !f.door) { state = INIT; timer = 5; } break;
	case INIT: if (f.over || f.under) state = FAULT; else if (!timer) state = RUN; break;
	case RUN: if (f.over && f.under) state = FAULT; else if (f.door) state = SAFE; else if (cmd == 0) state = OFF; break;
	case FAULT: if (cmd == 0xAA && f.mode == 5) state = OFF; break;
	case SAFE: if (!f.door) { state = RUN; timer = 2; } break;
	default: state = FAULT;
	}
	return state;
}
E2
rm -rf out
duct test x.c:f --time $((10 * ${SLOWER:-1})) --out out >log 2>&1
check "the time that a proof for all calls lacked at first, it gets later" 'grep -q "^pairs: 41 of 45 covered, 4 infeasible, 0 unknown" log || { cat log; false; }'

# Each of these may see another value: FUNC `f`, condition `s > 5`.
feasible() {
	cat >x.c
	ask f
	check "$1" '[ "$(verdict "s > 5" | sort -u)" != infeasible ] && [ "$(verdict "s > 5")" ]'
}
f='int f(int e) { if (s > 5) return 9; s = e > 0; return s; }'
feasible "a setter of any value" <<E2
static int s; void set(int v) { s = v; } $f
E2
feasible "a setter of a kind that the harness does not call" <<E2
struct p { int v[4]; }; static int s; void set(struct p p) { s = p.v[3]; } $f
E2
feasible "a global that other units may write" <<E2
int s; $f
E2
feasible "one whose address is given away" <<E2
static int s; int *where(void) { return &s; } $f
E2
feasible "one with a second name" <<E2
static int s; extern int other __attribute__((alias("s"))); $f
E2
feasible "a function with a second name writes it" <<E2
static int s; static void set(int v) { s = v; } void other(int v) __attribute__((alias("set"))); $f
E2
feasible "a callback writes it" <<E2
static int s; static void set(int v) { s = v; } void (*get(void))(int) { return set; } $f
E2
feasible "main writes it" <<E2
static int s; $f
int main(int c, char **v) { s = c + 8; return f(c); }
E2
feasible "a constructor writes it" <<E2
static int s; __attribute__((constructor)) static void start(void) { s = 8; } $f
E2
feasible "a call that is left midway" <<E2
#include <setjmp.h>
extern jmp_buf out; static int s;
int f(int e) { if (s > 5) return 9; s = 7; if (e == 3) longjmp(out, 1); s = e > 0; return s; }
E2
feasible "a function at the end of the program" <<E2
#include <stdlib.h>
static int s; int f(int e); static void last(void) { f(0); }
int f(int e) { if (s > 5) return 9; s = 7; if (e == 3) { atexit(last); exit(1); } s = e > 0; return s; }
E2
feasible "a run that ends midway, after which functions of atexit run" <<E2
#include <stdlib.h>
static int s;
int f(int e) { if (s > 5) return 9; s = 7; if (e == 3) exit(1); s = e > 0; return s; }
E2
feasible "undefined code that may call the entry" <<E2
void other(void); static int s;
int f(int e) { if (s > 5) return 9; s = 7; other(); s = e > 0; return s; }
E2
feasible "a pointer that an earlier call kept" <<E2
static int *p; static int s; void keep(int *q) { p = q; }
int f(int e) { s = p ? *p : 0; if (s > 5) return 9; return e; }
E2

# What --init calls is called once, before the first call: a proof about any call must not assume it.
cat >x.c <<'E2'
static int s, n;
void start(void) { s = 7; }
int f(int e) { if (n > 0 && s == 7) return 9; n = 1; s = 0; return e; }
int g(int *p) { if (s == 7) return 9; return *p; }
E2
instrument -o prog x.c --entry f --init start && cfg-dump prog >flow && defuse -e f flow >p && cutpoints -f flow p >g
prove -c call -t 10 -f prog g >v
check "a function that begins the run is not called before each call" '! grep -q "^verdict.*infeasible" v'
instrument -o prog x.c --entry g --init start && cfg-dump prog >flow && defuse -e g flow >p && cutpoints -f flow p >g
prove -c call -t 10 -f prog g >v
check "... nor before one with pointers" '! grep -q "^verdict.*infeasible" v'
echo "1..$n"
exit $failed
