#!/bin/sh
# Calls of an entry other than main: what nobody stated of them is a limit, and nothing is infeasible within limits.
. "$ROOT/tests/lib/tap.sh"
. "$ROOT/tests/lib/judge.sh"
# may NAME [LIMIT...]: the body on standard input; no outcome is infeasible, and one is not reached within these limits.
may() {
	cat >x.c
	check "may be: $1" '[ -z "$(judge x.c | tr -d " ")" ] || { judge x.c; false; }'
	shift
	for limit; do
		check "... within a limit: $limit" 'cut -f 6 v | grep "^limits: [^;]*$limit.*; proved within them by" >out || { cat v; false; }'
	done
}
must() { cat >x.c; want=$2; check "cannot be: $1" '[ "$(judge x.c)" = "$want " ] || { judge x.c; false; }'; }

may "two pointers that are one" <<'EOF'
int f(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) return 1; return 0; }
EOF
may "a pointer to a variable" "calls g" "alias p" <<'EOF'
int g;
int f(int *p) { g = 1; *p = 2; if (g == 2) return 1; return 0; }
EOF
may "a pointer into a table" "alias p" <<'EOF'
int table[3] = { 1, 2, 3 };
int f(int *p, int n) { table[1] = 5; p[n] = 7; if (table[1] != 5) return 1; return 0; }
EOF
may "a pointer that the function gave before" <<'EOF'
static int g;
int *f(int *p) { g = 1; if (p) *p = 2; if (g == 2) return 0; return &g; }
EOF
may "a variable that an earlier call has left" "calls count" <<'EOF'
static int count;
int f(void) { count++; if (count == 3) return 1; return 0; }
EOF
may "a static local" "calls last" <<'EOF'
int f(int n) { static int last = 4; int before = last; last = n; if (before == 7) return 1; return 0; }
EOF
may "what another call keeps" <<'EOF'
static int *kept, mine = 1;
int f(int *p, int n) { if (n) { kept = p; return 0; } mine = 1; if (p) *p = 2; if (kept && *kept == 3) return 1; return mine; }
EOF
must "what nobody writes" "2t" <<'EOF'
static int limit = 5;
int f(int n) { if (limit != 5) return 1; return n; }
EOF
must "what holds in any state" "4t 5t" <<'EOF'
static int g;
int f(int *p, int n) {
	g = n;
	if (g != n) return 1;
	if (n > 3 && n < 4) return 2;
	*p = 1;
	return 0;
}
EOF
must "two of distinct members" "5t" <<'EOF'
struct s { int a, b; };
int f(struct s *p) {
	int x = 1, *q = &x;
	p->a = 2;
	if (x == 2) return 1;
	return *q;
}
EOF

# with a harness, which makes the objects
ask() { prove "$@" -f prog g >v; awk -F'\t' '$1 == "verdict" && $4 == "o1" { print $5 ": " $6 }' v; }
build() {
	cat >x.c
	duct instrument -o prog x.c --entry f "$@" && duct cfg-dump prog >flow && defuse -e f flow >p && cutpoints -b -f flow p >g
}
build <<'EOF'
int f(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) return 1; return 0; }
EOF
check "two objects of the harness are a limit" 'ask | grep -qx "unknown: limits: size p, null p, size q, null q, alias q; proved .*"'
check "... unless that is given" 'ask -g sizes,distinct | grep -q "^infeasible: " && prove -k v -f prog g >/dev/null'
build --len p=4 <<'EOF'
int f(int *p, int n) { p[1] = 3; p[n & 3] = n & 1; if (p[1] == 2) return 1; return 0; }
EOF
check "the size that the harness gives is a limit" 'ask | grep -qx "unknown: limits: size p, null p; proved .*"'
check "... unless that is given, and then one object is alone" 'ask -g sizes | grep -q "^infeasible: " && prove -k v -f prog g >/dev/null'
build --assume "n > 3" <<'EOF'
int f(int *p, int n) { *p = n; if (n == 2) return 1; return 0; }
EOF
check "what is assumed is no limit" 'ask | grep -q "^infeasible: " && grep -q "^model.*	call	" v && prove -k v -f prog g >/dev/null'
# what one call leaves and the next one finds
leaves() {
	cat >x.c && duct instrument -o prog x.c --entry f && duct cfg-dump prog >flow && defuse -s inter -e f flow >p &&
		cutpoints -b -f flow p >g && prove "$@" -f prog g >v || { echo failed; return; }
	awk -F'\t' 'FILENAME == "p" && $1 == "pair" { kind[$2] = $5 } $1 == "verdict" && $4 in kind { print kind[$4] ": " $5 }' p v
}
state() { echo "$kind; int f(int n) { int r = 0; if (${kind##* } == 3) r = 1; ${kind##* } = n; return r; }"; }
for kind in "static int left" "int left" "extern int optind"; do
	state | leaves >out
	check "a pair through two calls: $kind" 'grep -q "^p:true: " out && ! grep -q infeasible out'
	state | leaves -g state >out
	check "... and through several from the first state" 'grep -q "^p:true: " out && ! grep -q infeasible out'
	state | leaves -g state,once >out
	check "... but not where there is one" 'grep -q "^p:true: infeasible" out'
done
cat >m.c <<'EOF'
static int g = 1;
int main(int argc, char **argv) { if (g != 1) return 1; g = argc; return argv[0] != 0; }
EOF
check "main begins" 'duct cfg-dump m.c >flow && defuse flow >p && cutpoints -b -f flow p >g && prove -f flow g | grep -q "o1	infeasible"'
prove -g nonsense -f flow g 2>err
check "what is not known is refused" '[ $? = 2 ] && grep -q "expected sizes, distinct, state or once" err'
finish
