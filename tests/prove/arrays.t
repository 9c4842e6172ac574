#!/bin/sh
# Arrays that a loop fills, and relations of counters.
# limit: 300
. "$ROOT/tests/lib/tap.sh"
. "$ROOT/tests/lib/judge.sh"
TIME=20
must() { cat >x.c; want=$2; check "cannot be: $1" '[ "$(judge x.c)" = "$want " ] || { judge x.c; false; }'; }
may() { cat >x.c; check "may be: $1" '[ -z "$(judge x.c | tr -d " ")" ] || { judge x.c; false; }'; }

must "another value than the loop wrote" "7t" <<'EOF'
int f(int n, int x, int k)
{
	int b[4], i;
	if (n > 4) n = 4;
	for (i = 0; i < n; i++) b[i] = x;
	if (k >= 0 && k < n)
		if (b[k] != x)
			return 1;
	return 0;
}
EOF
may "another value where one was written later" <<'EOF'
int f(int n, int x, int k)
{
	int b[4], i;
	if (n > 4) n = 4;
	for (i = 0; i < n; i++) b[i] = x;
	b[2] = 7;
	if (k >= 0 && k < n)
		if (b[k] != x)
			return 1;
	return 0;
}
EOF
may "another value where the loop leaves one out" <<'EOF'
int f(int n, int k)
{
	int b[4], i;
	if (n > 4) n = 4;
	for (i = 0; i < n; i++) if (i != 3) b[i] = 5;
	if (k >= 0 && k < n)
		if (b[k] != 5)
			return 1;
	return 0;
}
EOF
must "more odd numbers than numbers" "5t 6t" <<'EOF'
int f(int n)
{
	int i = 0, odd = 0, flag = 0;
	while (i < n) { if (i % 2) odd++; i++; }
	if (odd > i) flag = 1;
	if (flag) return 1;
	return 0;
}
EOF
finish
