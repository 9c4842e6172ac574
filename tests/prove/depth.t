#!/bin/sh
# Recursion is followed to a depth, and what passes it may reach anything; a function as the program calls it, without
# the calls that do not lead to it, which may do whatever they can.
# limit: 120
. "$ROOT/tests/lib/tap.sh"
. "$ROOT/tests/lib/judge.sh"
may() { cat >x.c; check "may be: $1" '[ -z "$(judge x.c | tr -d " ")" ] || { judge x.c; false; }'; }
must() { cat >x.c; want=$2; check "cannot be: $1" '[ "$(judge x.c)" = "$want " ] || { judge x.c; false; }'; }

must "more than the sum of five steps" "8t" <<'EOF'
static int sum(int n) { return n > 0 ? n + sum(n - 1) : 0; }
int f(int n)
{
	int r;
	if (n > 5)
		return 0;
	r = sum(n);
	if (r > 15)
		return 1;
	return 0;
}
EOF
must "what a recursion of any depth does not return" "15t 17t" <<'EOF'
static int m91(int n) { return n > 100 ? n - 10 : m91(m91(n + 11)); }
static int is_odd(unsigned n);
static int is_even(unsigned n)
{
	if (n == 0)
		return 1;
	return is_odd(n - 1);
}
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
int f(int n, unsigned m)
{
	int r = 0, e = is_even(m);
	if (n <= 100)
		r = m91(n) - 91;
	if (r)
		return 1;
	if (e > 1)
		return 2;
	return r;
}
EOF
check "... which checks" 'prove --check v -f x.flow g >w && [ "$(grep -c "	infeasible	" w)" = "$(grep -c "	infeasible	" v)" ]'
may "what one of two functions that call each other returns" <<'EOF'
static int third(int n);
static int first(int n) { return n < 900 ? third(n + 7) : 3; }
static int third(int n) { return n == 896 ? 5 : first(n); }
int f(int n)
{
	int r = first(n);
	if (r == 5)
		return 1;
	return 0;
}
EOF
must "a value that neither of them returns" "7f 9f 9t" <<'EOF'
static int third(int n);
static int first(int n) { return n < 900 ? third(n + 7) : 3; }
static int third(int n) { return n == 896 ? 5 : first(n); }
int f(int n)
{
	int r = first(n);
	if (r == 5 || r == 3)
		return 1;
	if (r == 4)
		return 2;
	return 0;
}
EOF
may "what a long recursion comes to" <<'EOF'
static int sum(int n) { return n > 0 ? 1 + sum(n - 1) : 0; }
int f(int n)
{
	int r = sum(n);
	if (r == 3000)
		return 1;
	return 0;
}
EOF
may "what a deep activation meets" <<'EOF'
static int met;
static void down(int n, int depth)
{
	int here = 0;
	if (depth == 100)
		here = 1;
	if (here)
		met = 1;
	if (n > 0)
		down(n - 1, depth + 1);
}
int f(int n)
{
	met = 0;
	down(n, 0);
	if (met)
		return 1;
	return 0;
}
EOF
bubble() {
	cat <<'EOF'
int f(int x, int y, int z)
{
	int a[3] = { x, y, z }, i, j, t;
	for (i = 0; i < 2; i++)
		for (j = 0; j < LAST - i; j++)
			if (a[j] > a[j + 1]) {
				t = a[j];
				a[j] = a[j + 1];
				a[j + 1] = t;
			}
	if (a[0] > a[1])
		return 1;
	if (a[1] > a[2])
		return 2;
	return 0;
}
EOF
}
bubble | sed 's/LAST/2/' >sort.c
must "out of order behind a sort" "11t 13t" <sort.c
check "... as all runs end" 'grep -q "^proof	[0-9]*	bounded" v'
check "... which checks" 'prove --check v -f x.flow g >w && [ "$(grep -c "	infeasible	" w)" = "$(grep -c "	infeasible	" v)" ]'
awk -F'\t' -v OFS='\t' '$1 == "proof" && $3 == "bounded" { $4 = 1 } { print }' v >short
check "... but not for a shorter run" '! prove --check short -f x.flow g >w 2>err && grep -q "does not follow\|it is reached" err'
bubble | sed 's/LAST/(x > 0 ? 2 : 1)/' >sort.c
must "the first two of a sort that ends early, out of order" "11t" <sort.c
may "what the last iteration does" <<'EOF'
int f(int n)
{
	int i, r = 0;
	for (i = 0; i < 5; i++)
		if (i == 4 && n == 77)
			r = 1;
	if (r)
		return 1;
	return 0;
}
EOF
may "what a call has written that does not lead there" <<'EOF'
static int g;
static void set(int n) { g = n; }
static void put(int *p, int n) { *p = n; }
static int get(int n, int x)
{
	int i, r = 0;
	for (i = 0; i < n; i++)
		r += 2;
	if (g == 1)
		return 1;
	if (x == 1)
		return 3;
	return r;
}
int f(int n)
{
	int x = 0;
	g = 0;
	set(n);
	put(&x, n + 1);
	return get(n, x);
}
EOF
must "what a caller gives twice" "16t" <<'EOF'
static unsigned mix(unsigned n)
{
	unsigned c = 0;
	do
		n = n / 10 + ++c;
	while (n > 7);
	return n;
}
static int clip(int n, int k)
{
	int i, r = 0;
	if (n > 8)
		n = 8;
	for (i = 0; i < n; i++)
		r += 2;
	if (k < n)
		return 1;
	return r;
}
int f(int z, unsigned n)
{
	unsigned m = mix(n);
	return clip(z, z) + (int)m;
}
EOF
check "... is proved without the other call" 'grep -q "^model	[0-9]*	entry,part	" v && grep -q "infeasible" v'
check "... and checks" 'prove --check v -f x.flow g >w && [ "$(grep -c "	infeasible	" w)" = "$(grep -c "	infeasible	" v)" ]'
check "a part is not for -g" '! prove -g part -f x.flow g >w 2>err && grep -q "^prove: --given .part.: expected" err'
# The value that comes in through a pointer to a local of the activation before, as the last activation reads it.
cat >x.c <<'EOF'
static int f2(int n, int *a)
{
	int x = *a;
	if (n > 0) { *a = (*a + 2) & 31; x = f2(n - 1, &x); }
	return *a & 63;
}
int f(int n)
{
	int x = n & 15, z = 4;
	x = f2(3, &x);
	return x + z + f2(3, &z);
}
EOF
duct instrument -o prog x.c --entry f && defuse -s intra -e f prog >p && cutpoints -b -f prog p >g && prove -c entry -f prog g >v
check "what an earlier activation's local holds comes in" '! awk -F"\t" "\$1 == \"pair\" && \$8 == \"*a\" && \$3 == 1 { print \$2 }" p |
	while read -r n; do grep "^verdict	[0-9]*	[0-9]*	$n	infeasible" v; done | grep . && grep -q "^pair	.*	\*a$" p'
finish
