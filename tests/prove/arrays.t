#!/bin/sh
# Arrays that a loop fills, and relations of counters.
# limit: 300
. "$ROOT/tests/lib/tap.sh"
. "$ROOT/tests/lib/judge.sh"
TIME=60
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
must "a number that a counter of every second one does not fit" "6t" <<'EOF'
int f(int n)
{
	int i = 0, odd = 0;
	while (i < n) { if (i % 2) odd++; i++; }
	if (odd == 5)
		if (n != 10 && n != 11)
			return 1;
	return 0;
}
EOF
may "each of the two numbers that it does fit" <<'EOF'
int f(int n)
{
	int i = 0, odd = 0;
	while (i < n) { if (i % 2) odd++; i++; }
	if (odd == 5 && n == 11)
		return 1;
	return 0;
}
EOF
must "an element that was not copied" "8t" <<'EOF'
int f(int n, int k, const int *p)
{
	int a[4], b[4], i;
	if (n > 4) n = 4;
	for (i = 0; i < n; i++) a[i] = p[i];
	for (i = 0; i < n; i++) b[i] = a[i];
	if (k >= 0 && k < n)
		if (a[k] != b[k])
			return 1;
	return 0;
}
EOF
may "one that was copied to another place" <<'EOF'
int f(int n, int k, const int *p)
{
	int a[4], b[4], i;
	if (n > 4) n = 4;
	for (i = 0; i < n; i++) a[i] = p[i];
	for (i = 0; i < n; i++) b[i ^ 1] = a[i];
	if (k >= 0 && k < n)
		if (a[k] != b[k])
			return 1;
	return 0;
}
EOF
must "an element below the least one" "9t" <<'EOF'
int f(int n, int k, const int *p)
{
	int a[4], i, m;
	if (n > 4 || n < 1) return 0;
	for (i = 0; i < n; i++) a[i] = p[i];
	m = a[0];
	for (i = 1; i < n; i++) if (a[i] < m) m = a[i];
	if (k >= 0 && k < n)
		if (a[k] < m)
			return 1;
	return 0;
}
EOF
may "one below the least but the last" <<'EOF'
int f(int n, int k, const int *p)
{
	int a[4], i, m;
	if (n > 4 || n < 1) return 0;
	for (i = 0; i < n; i++) a[i] = p[i];
	m = a[0];
	for (i = 1; i < n - 1; i++) if (a[i] < m) m = a[i];
	if (k >= 0 && k < n)
		if (a[k] < m)
			return 1;
	return 0;
}
EOF
must "a sum that is not on the line" "5t" <<'EOF'
int f(int n)
{
	int i, s = 4;
	for (i = 0; i < n; i++) s += 3;
	if (s != (int)(3u * (unsigned)i + 4u))
		return 1;
	return 0;
}
EOF
# Simulated runs do not come so far; the stages that find facts are over after less time than this.
TIME=5
may "one that leaves the line" <<'EOF'
int f(int n)
{
	int i, s = 4;
	for (i = 0; i < n; i++) s += i == 700 ? 2 : 3;
	if (s != (int)(3u * (unsigned)i + 4u))
		return 1;
	return 0;
}
EOF
finish
