#!/bin/sh
# Functions by themselves, in any state, whatever else runs them; states of loops.
. "$ROOT/tests/lib/tap.sh"
. "$ROOT/tests/lib/judge.sh"
# may NAME: the body on standard input; no outcome of it is infeasible. must NAME LIST: exactly these are.
may() { cat >x.c; check "may be: $1" '[ -z "$(judge x.c | tr -d " ")" ] || { judge x.c; false; }'; }
must() { cat >x.c; want=$2; check "cannot be: $1" '[ "$(judge x.c)" = "$want " ] || { judge x.c; false; }'; }

must "in a comparison for qsort" "6t" <<'EOF'
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	if (x < y)
		if (y < x)
			return 7;
	return x - y;
}
int f(int n) { int a[3] = { n, 2, 1 }; qsort(a, 3, sizeof *a, compare); return a[0]; }
EOF
may "what a comparison for qsort has left behind" <<'EOF'
#include <stdlib.h>
static int calls;
static int compare(const void *a, const void *b)
{
	static int last;
	int before = last;
	last = *(const int *)a;
	if (calls++ > 0 && before == 2)
		return 1;
	return *(const int *)a - *(const int *)b;
}
int f(int n) { int a[3] = { n, 2, 1 }; qsort(a, 3, sizeof *a, compare); return a[0]; }
EOF
must "in a recursive function" "7t" <<'EOF'
static int depth(int n, int *most)
{
	int here = 0;
	if (n > 0)
		here = 1 + depth(n - 1, most);
	if (n <= 0)
		if (here != 0)
			return -1;
	if (here > *most)
		*most = here;
	return here;
}
int f(int n) { int most = 0; depth(n & 7, &most); return most; }
EOF
may "what a recursive call writes through a pointer" <<'EOF'
static void set(int n, int *p)
{
	int mine = 0;
	if (n > 0)
		set(n - 1, n & 1 ? p : &mine);
	else
		*p = 5;
	if (mine == 5)
		*p = 6;
}
int f(int n) { int a = 0; set(n & 7, &a); if (a == 5) return 1; if (a == 6) return 2; return 0; }
EOF
must "what a call that is not followed cannot know" "3t 4f 4t" <<'EOF'
static void set(int n, int *p) { if (n > 0) set(n - 1, p); *p = n; }
int f(int n) { int mine = 0, a = 0; set(n & 7, &a);
	if (mine)
		if (a == 99) return 3;
	return a; }
EOF
may "what is left from an earlier call" <<'EOF'
static int next(void) { static int seen; int old = seen; seen = 1; if (old == 1) return 2; return old; }
int f(int n) { int k = next(); if (n) k += next(); if (k == 2) return 1; return 0; }
EOF

# Calls that are not followed, here recursive ones: what they write, and whether they come back.
must "a global that no call writes" "4t" <<'EOF'
static int state, other;
static void set(int n) { if (n > 0) set(n - 1); other = n; }
int f(int n) { state = 1; set(n & 7);
	if (state != 1) return 5;
	return other; }
EOF
may "a global that a call writes through a pointer" <<'EOF'
static int state, other, *to = &other;
static void set(int n) { if (n > 0) set(n - 1); *to = n; }
int f(int n) { state = 1; if (n > 9) to = &state; set(n & 7); if (state != 1) return 5; return other; }
EOF
may "a global that a call writes by a comparison for qsort" <<'EOF'
#include <stdlib.h>
static int state;
static int compare(const void *a, const void *b) { state = 2; return *(const int *)a - *(const int *)b; }
static int order(int n) { int a[2] = { n, 2 }; if (n > 9) return order(n - 9); qsort(a, 2, sizeof *a, compare); return a[0]; }
int f(int n) { int k; state = 1; k = order(n & 31); if (state != 1) return 5; return k; }
EOF
may "a struct that a call returns" <<'EOF'
struct s { int a[9]; };
static struct s make(int n) { struct s s = { { n } }; if (n > 0) s = make(n - 1); s.a[1] = n; return s; }
int f(int n) { struct s s = { { 0 } }; s = make(n & 7); if (s.a[1] == 5) return 1; return 0; }
EOF
may "what a call's library function writes" <<'EOF'
#include <stdlib.h>
static char *end;
static long take(char *s, int n) { if (n > 0) return take(s, n - 1); return strtol(s, &end, 10); }
int f(int n) { static char s[2] = "7"; long k; end = 0; k = take(s, n & 7); if (end) return 1; return (int)k; }
EOF
must "behind a call that does not come back" "4t" <<'EOF'
#include <stdlib.h>
static void fail(int n) { if (n > 0) fail(n - 1); exit(n); }
int f(int n) { int bad = 0; if (n < 0) { bad = 1; fail(n & 7); }
	if (bad) return 3;
	return 0; }
EOF
sed 's/exit(n)/if (n) exit(n)/' x.c >y.c
may "behind one that may" <y.c
may "behind one that jumps" <<'EOF'
#include <setjmp.h>
static jmp_buf at;
static void back(int n) { if (n > 0) back(n - 1); longjmp(at, 1); }
int f(int n) { volatile int tries = 0; if (setjmp(at) && tries == 1) return 7; tries++; if (n > 3) back(n & 7); return 0; }
EOF
must "... but behind the call" "5f 5t" <<'EOF'
#include <setjmp.h>
static jmp_buf at;
static void back(int n) { if (n > 0) back(n - 1); longjmp(at, 1); }
int f(int n) { int bad = 0; if (n < 0) { bad = 1; if (setjmp(at)) return 2; back(n & 7);
	if (bad) return 3; }
	return 0; }
EOF

machine() {
	cat <<EOF
int f(unsigned n)
{
	int state = 0;
	for (; n; n >>= 1)
		switch (state) {
		case 0: if (n & 1) state = 2; break;
		case 2: if (!(n & 1)) state = 4; break;
		case 4: state = $1; break;
		case 1: state = 0; break;
		}
	if (state == 3)
		return 1;
	return state;
}
EOF
}
ends_in_3() { machine "$1" >x.c; case $(judge x.c) in *11t*) return 1 ;; failed) return 2 ;; esac; }
ends_in_3 0
check "states that a loop never has" '[ $? = 1 ] && awk -F"\t" "/^verdict/ && /infeasible/" v | grep -q "states: "'
duct prove -k v -f x.flow g >w 2>err
check "... are checked by another solver" '[ ! -s err ] && grep -q "checked: boolector" w && ! grep -q "	unknown	" w'
check "one more that it has" 'ends_in_3 "n == 9 ? 1 : 0"; [ $? = 1 ]'
check "the one that is looked for" 'ends_in_3 "n == 9 ? 3 : 0"'
# Ten states: what the others hold in each, and in which of them a definition is the last one.
cat >x.c <<'EOF'
int f(unsigned n, int stop)
{
	int state = 0, key = 1;
	for (; state < 9; n = n * 5 + 1) {
		if (state == 2)
			stop = 0;
		if (state == 4 && n & 8)
			key = 2;
		if (state == 6)
			key = 3;
		if (state == 7 && stop)
			return key;
		if (state == 8 && n & 16)
			return key;
		state = state == 0 ? 1 : state == 1 ? 2 : state == 2 ? 3 : state == 3 ? 4 : state == 4 ? 5
		    : state == 5 ? 6 : state == 6 ? 7 : state == 7 ? 8 : state == 8 && n & 2 ? 0 : 9;
	}
	return 0;
}
EOF
duct cfg-dump x.c >x.flow && duct defuse -e f x.flow | duct cutpoints -b -f x.flow >g
duct prove -s states -f x.flow g >v
infeasible() { awk -F"\t" '$1 == "verdict" && $5 == "infeasible" && $6 ~ /^states: /' v | grep -c .; }
check "states that tell others apart" '[ "$(infeasible)" -ge 40 ] || { cat v; false; }'
duct prove -k v -f x.flow g >w 2>err
check "... are checked by another solver" '[ ! -s err ] && grep -q "checked: boolector" w && ! grep -q "	unknown	" w'
may "one of many states" <<'EOF'
int f(unsigned n) { int s = 0; for (; n; n >>= 1) s = (s + (n & 1)) % 9; if (s == 8) return 1; return 0; }
EOF
finish
