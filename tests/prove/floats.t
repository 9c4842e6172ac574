#!/bin/sh
# Floating-point numbers: bit for bit, rounding, NaN and infinities included, loops too.
# limit: 300
. "$ROOT/tests/lib/tap.sh"
. "$ROOT/tests/lib/judge.sh"
TIME=20
must() { cat >x.c; want=$2; check "cannot be: $1" '[ "$(judge x.c)" = "$want " ] || { judge x.c; false; }'; }
may() { cat >x.c; check "may be: $1" '[ -z "$(judge x.c | tr -d " ")" ] || { judge x.c; false; }'; }

must "twice a number that is not its sum with itself" "4t" <<'EOF'
int f(int n)
{
	double d = n;
	if (d * 2 != d + d) return 1;
	return 0;
}
EOF
may "an integer that a float does not hold; a sum of tenths that is not a whole" <<'EOF'
int f(int n, double x)
{
	float g = n;
	if ((double)g != n) return 1;
	if (x + 0.1 + 0.2 != x + 0.3) return 2;
	return 0;
}
EOF
must "a number between two that are in the other order; a magnitude below 0" "3t 4t" <<'EOF'
int f(double v)
{
	if (v > 3.5 && v < 3.25) return 1;
	if (__builtin_fabs(v) < 0) return 2;
	return 0;
}
EOF
may "a number that is neither less nor not less" <<'EOF'
int f(double v)
{
	if (!(v < 1) && !(v >= 1)) return 2;
	return 0;
}
EOF
must "NaN behind a test for it" "4t" <<'EOF'
int f(float v)
{
	if (__builtin_isnan(v)) return 1;
	if (v != v) return 2;
	return 0;
}
EOF
may "one sum or the other by the order of its parts; an infinite product of finite numbers" <<'EOF'
int f(float a, float b, float c)
{
	if (!__builtin_isfinite(a) || !__builtin_isfinite(b) || !__builtin_isfinite(c)) return 0;
	if ((a + b) + c != a + (b + c)) return 1;
	if (__builtin_isinf(a * b)) return 2;
	return 0;
}
EOF
must "sums and products in a loop beyond their bounds" "6t 7t 8t" <<'EOF'
int f(int n)
{
	double t = 10;
	float u = 1;
	for (int i = 0; i < n; i++) { if (t > 1) t -= 0.25; if (u < 100) u *= 1.5f; }
	if (t > 10) return 1;
	if (t < 0.5) return 2;
	if (u < 1) return 3;
	return 0;
}
EOF
may "anything where the direction of rounding is changed" <<'EOF'
extern int fesetround(int);
int f(int n)
{
	double d = n;
	fesetround(0x400);
	if (d * 2 != d + d) return 1;
	return 0;
}
EOF
may "a conversion that does not fit; bits of NaN" <<'EOF'
int f(double v, double w)
{
	int i = (int)v;
	union { double d; unsigned long u; } x = { v / w };
	if (i < 0 && v > 0) return 1;
	if (v == 0 && w == 0 && x.u >> 63) return 2;
	return 0;
}
EOF
cat >y.c <<'EOF'
int f(int n)
{
	double t = 10;
	for (int i = 0; i < n; i++) if (t > 1) t -= 0.25;
	if (t > 10) return 1;
	return 0;
}
EOF
check "proofs of numbers are checked again" '
	duct cfg-dump y.c >y.flow && defuse -e f y.flow >y.p && cutpoints -b -f y.flow y.p >y.g &&
	prove -t 20 -f y.flow y.g >y.v && prove -k y.v -f y.flow y.g >y.k &&
	[ "$(grep -c "infeasible" y.v)" -gt 0 ] && [ "$(grep -c infeasible y.k)" = "$(grep -c infeasible y.v)" ]'
finish
