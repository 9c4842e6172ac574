#!/bin/sh
# Locals without an initialiser: any value, which may differ at each read, but only in runs where nothing was written.
. "$ROOT/tests/lib/tap.sh"
. "$ROOT/tests/lib/judge.sh"
TIME=10
must() { cat >x.c; want=$2; check "cannot be: $1" '[ "$(judge x.c)" = "$want " ] || { judge x.c; false; }'; }
may() { cat >x.c; check "may be: $1" '[ -z "$(judge x.c | tr -d " ")" ] || { judge x.c; false; }'; }

must "another value than was written, where some runs write none" "6f" <<'EOF'
int f(int n)
{
	int x;
	if (n > 3) x = 2;
	if (n > 5)
		if (x == 2) return 1;
	return x;
}
EOF
must "the same behind a loop" "6f" <<'EOF'
int f(int n)
{
	int x, i;
	for (i = 0; i < n; i++) x = 2;
	if (n > 0)
		if (x == 2) return 1;
	return x;
}
EOF
may "two values of a variable that was not written" <<'EOF'
int f(int n)
{
	int x;
	if (n > 3) x = 2;
	if (x == 5)
		if (x == 6) return 1;
	return 0;
}
EOF
may "a value of an earlier call" <<'EOF'
static int g(int n) { int x; if (n) x = 2; if (x == 3) return 1; return 0; }
int f(int n) { return g(1) + g(n); }
EOF
may "a value of an earlier iteration, of a variable of the loop" <<'EOF'
int f(int n)
{
	int i;
	for (i = 0; i < n; i++) {
		int x;
		if (i == 0) x = 2;
		if (x == 3) return 1;
	}
	return 0;
}
EOF
STAGES=simplify,states
must "what a state has only while a local is not written" "8t" <<'EOF'
extern int more(void);
int f(void)
{
	int state = 1, seen = 0, stop;
	for (;;) {
		if (state == 1) state = 2;
		else if (state == 2) state = stop ? 3 : 4;
		else if (state == 3) { if (seen) return 1; state = 4; }
		else if (state == 4) { stop = 0; seen = 1; state = more() ? 1 : 5; }
		else return seen + stop;
	}
}
EOF
may "the same where what is written leads there, too" <<'EOF'
extern int more(void);
int f(void)
{
	int state = 1, seen = 0, stop;
	for (;;) {
		if (state == 1) state = 2;
		else if (state == 2) state = stop ? 3 : 4;
		else if (state == 3) { if (seen) return 1; state = 4; }
		else if (state == 4) { stop = 2; seen = 1; state = more() ? 1 : 5; }
		else return seen + stop;
	}
}
EOF
finish
