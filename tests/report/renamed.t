#!/bin/sh
# limit: 120
# Tests for a harness of a command whose main has another name: -Dmain=NAME, which the harness undoes.
. "$ROOT/tests/lib/tap.sh"

cat >tool.c <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	return argc == 2 && argv[1][0] == '-' && getchar() == 'q' ? 7 : 0;
}
END
cat >harness.c <<'END'
#undef main
int tool_main(int argc, char **argv);
int main(void)
{
	static char name[] = "tool", option[] = "-x";
	char *argv[] = { name, option, 0 };
	return tool_main(2, argv);
}
END
duct concolic harness.c tool.c --time 20 --quiet --out suite -- -Dmain=tool_main >text 2>log
ok $? "a session"
make -C suite check CC=gcc CFLAGS="-Wall -Werror" >log 2>&1
grep -q '^2 tests: 2 passed, 0 failed' log
ok $? "its tests compile and pass"
grep -q '"exit", 7,' suite/tests.c
ok $? "one of them is the letter"
finish
