#!/bin/sh
# C as it is found, without an option: definitions of before 1990, functions that nothing declares, missing returns, gets, libm,
# a configuration that the build makes. The written Makefile repeats what the build needed, so the tests pass with both compilers.
# limit: 300
. "$ROOT/tests/lib/tap.sh"

# session FILE [CALL]: duct test; `out`, `err`
session() {
	duct ${2:-test} "$1".c --time 15 >out 2>err </dev/null || { cat err >>out; mv out log; false; }
}
# passes FOLDER: its tests, with gcc and clang; none fails, and there are some
passes() {
	for cc in gcc clang-19; do
		make -C "$1" clean >/dev/null 2>&1
		make -C "$1" check CC=$cc >log 2>&1 && grep -q "^[1-9][0-9]* tests: [1-9]" log &&
			! grep " tests: " log | grep -qv " 0 failed" || return
	done
}
covered() { grep -q "^branches: \([0-9]*\) of \1 covered" out; }

cat >parts.c <<'END'
#include <stdio.h>
int total;
add(a, b)
int a, b;
{
	int r;
	r = a + b;
	if (r == 77) {
		total++;
		return r;
	}
	if (a > b)
		note(a);
}
note(n)
{
	printf("%d\n", n);
	if (n == 12345)
		return;
	return n;
}
main(argc, argv)
char **argv;
{
	int x, y;
	if (argc < 3) {
		puts("usage");
		return;
	}
	x = atoi(argv[1]);
	y = atoi(argv[2]);
	if (add(x, y) == 77)
		puts("found");
	if (strcmp(argv[1], "help") == 0)
		puts("help");
}
END
session parts
check "old definitions, calls of what nothing declares, missing returns: all outcomes" covered
check "... the compiler says what is old" 'grep -q "parts.c:3:1: warning: .*implicit int" err && grep -q "undeclared function .note" err'
check "... the tests pass with both compilers" 'passes parts-duct'
check "... though main ends with any status, which is not compared" '! grep -q "duct_exit((main)" parts-duct/main/tests.c &&
	make -C parts-duct/main check CFLAGS=-O2 >log 2>&1 && sed "s/puts(.found.);/&; exit(9);/" parts.c >other && mv other parts.c &&
	! make -C parts-duct/main check >log 2>&1 && grep -q "^not ok" log'

# what only C of before 1999 accepts
cat >older.c <<'END'
#include <stdio.h>
static char line[8];
int count(s, restrict)
char *s;
{
	int n = 0;
	while (*s)
		if (*s++ == restrict)
			n++;
	return n;
}
main()
{
	char *p;
	while ((p = gets(line)) != NULL) {
		if (count(p, 'x') == 3)
			puts("three");
		if (strcmp(p, "quit") == 0)
			exit(2);
	}
}
END
session older
check "a file that is no C of today is compiled as gnu89, which is said once" \
	'[ "$(grep -c "^duct: older.c is older C: compiled with -std=gnu89$" err)" = 1 ] && ! grep -q "^duct:.*GNU_SOURCE" err'
check "... all its outcomes, and the line that is too long" 'covered && grep -q "access outside of an object at older.c:15 in main" out'
check "... the Makefile has the flag, and the tests pass" 'grep -q "^DUCT_FLAGS = -std=gnu89" older-duct/main/Makefile && passes older-duct'
session older "dft --entry count"
check "... a session of one function, too" 'covered && grep -q "compiled with -std=gnu89" err'
duct test older.c --time 2 -- -std=c17 >out 2>err </dev/null
check "... not where a flag names another standard" '[ $? = 3 ] && ! grep -q gnu89 err && grep -q "does not compile" err'
echo 'int f( { }' >wrong.c
duct test wrong.c >out 2>err </dev/null
check "... what is no C of any year has its own errors, and no such word" '[ $? = 3 ] && ! grep -q gnu89 err && [ "$(grep -c "error:" err)" = 3 ]'

# what gcc accepts, and clang does not
cat >late.c <<'END'
#include <stdio.h>
main(argc, argv)
char **argv;
{
	if (argc > 1)
		twice(argc);
	usage();
	return 0;
}
void twice(n) { if (n == 3) puts("three"); }
void usage() { puts("usage"); }
END
session late
check "functions that are void, but called before" 'covered && grep -q "^late.c: called before they are defined as void, which gcc accepts: twice, usage$" err'
check "... their tests pass with gcc" 'make -C late-duct check CC=gcc >log 2>&1 && grep -q "tests: [1-9][0-9]* passed, 0 failed" log'
printf 'f(x) { if (x) g(); return 0; }\nchar *g() { return 0; }\n' >char.c
duct test char.c >out 2>err </dev/null
check "... not those that give a pointer, which no compiler accepts" '[ $? = 3 ] && grep -q "char.c:2:7: error: conflicting types" err'

# gets alone, which compilers take for a function that returns an int
cat >taken.c <<'END'
#include <stdio.h>
char buf[100];
main()
{
	char *p;
	p = gets(buf);
	if (p == NULL) return 3;
	if (p[0] == 'a' && p[1] == 'b') { gets(buf); if (buf[0] == '7') return 5; }
	return feof(stdin) ? 1 : 0;
}
END
session taken
check "gets() is declared, as in gnu89: it reads lines" 'covered && grep -q "taken.c is older C" err && passes taken-duct'

# libm, without -lm
cat >roots.c <<'END'
#include <math.h>
double roots(double x, int n)
{
	if (n == 3) return lgamma(x) + erf(x);
	if (sqrt(x) == 12) return cbrt(x);
	return floor(x);
}
END
session roots
check "libm is found, models or not" 'covered && ! grep -q "undefined\|nothing defines" err out'
check "... also by the Makefile" 'grep -q "^DUCT_LIBS =.* -lm" roots-duct/roots/Makefile && passes roots-duct'
cat >user.c <<'END'
double weigh(double), sqrt(double);
int user(double x) { if (sqrt(x) > 3) return weigh(x) > 2 ? 1 : 2; return 0; }
END
duct test user.c --time 4 >out 2>err </dev/null
check "... beside a function that nothing defines, which gets a stub" 'grep -q "^duct: weigh: nothing defines it" err && ! grep -q "^duct: sqrt" err'

# config.h and feature macros, from the build
mkdir project && cd project || exit 1
cat >configure <<'END'
printf '#define LIMIT 37\n' >config.h
END
cat >Makefile <<'END'
CFLAGS = -O2 -D_GNU_SOURCE -DHAVE_CONFIG_H -DSTEP=5 -I.
prog: prog.o
	$(CC) -o prog prog.o
END
cat >prog.c <<'END'
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <string.h>
int look(const char *s, int n)
{
	if (*strchrnul(s, ':') == ':' && n == LIMIT) return 1;
	return n > 3 * STEP + LIMIT;
}
int main(int argc, char **argv) { return look(argc > 1 ? argv[1] : "", argc); }
END
: >config.h.in
duct test prog.c >out 2>err </dev/null
check "without a build: what to do" '[ $? = 3 ] && grep -q "^duct: .*/Makefile defines STEP: build the project with make CC=\"duct cc\", then" err'
sed '/STEP/d' prog.c >header.c && sh configure && duct test header.c >out 2>err </dev/null
check "... a macro of config.h" '[ $? = 3 ] && grep -q "^duct: .*/config.h defines LIMIT: build the project with make CC=\"duct cc\", then ask again$" err'
rm header.c
make -s CC="duct cc" >log 2>&1
session prog
check "after it: config.h and the macros of the Makefile" 'covered && grep -q "^flags: from .*/prog.o$" out'
check "... the tests have them, too" 'grep -q -- "-DSTEP=5" prog-duct/look/Makefile && passes prog-duct'
cd .. || exit 1
finish
