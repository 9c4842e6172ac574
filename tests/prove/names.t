#!/bin/sh
# Functions and variables by several names, and definitions for which others may stand: followed where it is certain
# which is meant, else nothing is proved of them.
. "$ROOT/tests/lib/tap.sh"
. "$ROOT/tests/lib/judge.sh"
cat >names.c <<'EOF'
static int hidden = 1, value = 3;
static int work(int n) { hidden = n; return n + 1; }
int strong(int n) __attribute__((alias("work")));
int weak(int n) __attribute__((weak, alias("work")));
extern int other __attribute__((alias("value")));
int get(void) { return hidden; }
int get_value(void) { return value; }
EOF
cat >user.c <<'EOF'
int strong(int n), weak(int n), get(void), get_value(void);
extern int other;
int f(int n)
{
	if (get() != 1)
		return 1;
	strong(5);
	if (get() != 5)
		return 2;
	other = 7;
	if (get_value() != 7)
		return 3;
	weak(6);
	if (get() != 6)
		return 4;
	return 0;
}
EOF
GIVEN=state
check "other names are followed, weak ones not" '[ "$(judge names.c user.c)" = "11t 5t 8t " ]'
check "... and what they call is judged" 'judge names.c user.c >out; grep -q "^func.*	work$" p && [ "$(grep -c "^pair.*	hidden$" p)" = 2 ]'
echo 'static int value; int weak(int n) { return value += n; }' >mine.c
check "a strong definition goes before a weak name" '[ "$(judge names.c user.c mine.c | wc -w)" = 4 ]'

GIVEN=
cat >may.c <<'EOF'
__attribute__((weak)) int value = 3;
__attribute__((weak)) int hook(int n) { return 0; }
extern int nowhere __attribute__((weak));
int f(int n)
{
	if (value == 4)
		return 1;
	if (hook(n))
		return 2;
	if (&nowhere)
		return 3;
	return 0;
}
EOF
echo 'int value = 5; int hook(int n) { return n; }' >is.c
check "nothing is said of what other code may define" '[ -z "$(judge may.c)" ]'
echo 'int main(void) { return 0; }' >main.c
check "... but when it is there, and no other code is" '[ "$(judge may.c is.c main.c)" = "6t " ]'
cc -c is.c -o is.o && duct dft may.c is.o --entry f -t 5 --prove --quiet >out
check "objects without a model define it too" 'grep -q "branches:.* 0 infeasible" out && grep -q "value == 4.*: reached" out'

cat >weak.c <<'EOF'
int value = 3;
extern int other __attribute__((weak, alias("value")));
int f(int n) { value = 1; other = n; if (value == n) return 1; return 0; }
EOF
check "a variable with a weak second name is not modelled" '[ -z "$(judge weak.c)" ] &&
	grep -q "^verdict.*weak second name" v && ! grep "^verdict" v | grep -qv "weak second name"'
finish
