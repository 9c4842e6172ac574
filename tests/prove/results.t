#!/bin/sh
# Facts about results of calls: few values, bounds, and bounds by arguments.
# limit: 300
. "$ROOT/tests/lib/tap.sh"
. "$ROOT/tests/lib/judge.sh"
TIME=60
must() { cat >x.c; want=$2; check "cannot be: $1" '[ "$(judge x.c)" = "$want " ] || { judge x.c; false; }'; }
may() { cat >x.c; check "may be: $1" '[ -z "$(judge x.c | tr -d " ")" ] || { judge x.c; false; }'; }

must "a code that is not returned; more than were asked for" "12t 13t 14t 15t" <<'EOF'
extern int more(void);
static int code(int x) { if (x < 0) return -22; if (x == 5) return -5; return 0; }
static int odd(const int *a, int n) { int i, c = 0; for (i = 0; i < n; i++) if (a[i] & 1) c++; return c; }
static int hash(int n) { unsigned h = 1; int i; for (i = 0; i < n; i++) h = h * 16777619u ^ (unsigned)i; return h & 63; }
int f(const int *a, int n)
{
	int r, c, g = 0;
	while (more()) {
		r = code(more());
		c = odd(a, n);
		g = hash(more());
		if (r == -3) g = 1;
		if (c < 0) g = 2;
		if (n >= 0 && c > n) g = 3;
		if (g > 64) g = 4;
	}
	return g;
}
EOF
must "less than was counted, but not failure" "8t" <<'EOF'
extern int more(void);
static int name(int n) { if (n < 10 || n > 20) return -1; return 10 * n; }
int f(int n)
{
	int g = 0;
	while (more()) {
		int r = name(more());
		if (r == 7) g = 1;
		if (r == -1 || r == 120) g = 2;
	}
	return g;
}
EOF
may "codes that are returned, also by the callee's callee" <<'EOF'
extern int more(void);
static int inner(int x) { if (x < 0) return -22; return x & 3; }
static int code(int x) { return x == 77 ? 40 : inner(x); }
int f(int n)
{
	int r = code(n), g = 0;
	while (more()) {
		if (r == 40) g = 1;
		if (r == 3) g = 2;
		if (r < 0) g = 3;
	}
	return g;
}
EOF
may "a result that a variable decides, which others write" <<'EOF'
extern int more(void);
int limit = 5;
static int clip(int x) { return x > limit ? limit : x < 0 ? 0 : x; }
int f(int n)
{
	int g = 0;
	while (more()) {
		if (clip(n) > 5) g = 1;
		if (clip(n) < 0) g = 2;
	}
	return g;
}
EOF
must "counts of loops that divide and shift" "8t 9t 9t" <<'EOF'
extern int more(void);
static int digits(unsigned n) { int c = 0; do { n /= 10; c++; } while (n); return c; }
static int bits(unsigned n) { int c; for (c = 0; n; n >>= 1) c++; return c; }
int f(unsigned n)
{
	int g = 0, d = digits(n), b = bits(more());
	if (d == 1 || d == 10 || b == 0 || b == 32) g = 1;
	if (d == 0) g = 2;
	if (d > 10 || b > 32) g = 3;
	return g;
}
EOF
TIME=5
may "counts that begin, or shrink, elsewhere" <<'EOF'
extern int more(void);
static int digits(unsigned n, int c) { do { n /= 10; c++; } while (n); return c; }
static int bits(unsigned n, unsigned by) { int c; for (c = 0; n; n >>= by) if (c++ > 40) return -1; return c; }
static int thirds(int n) { int c = 0; while (n) { n /= 3; if (n == 5) n += 100; c++; } return c; }
int f(unsigned n, int k)
{
	if (digits(n, k & 3) > 11) return 1;
	if (bits(n, k & 1) < 0) return 2;
	return thirds(k) > 25;
}
EOF
finish
