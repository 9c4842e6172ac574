#!/bin/sh
# Texts that a program under test, or a store, chooses: what a terminal would obey is not written to it, and a line of a report is
# a line of ours.
# limit: 60
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && cat -v out | tail -n 20 | sed 's/^/# /'; fi; }
# Control characters of ASCII but TAB and newline, and of Unicode (U+009B).
has_control() { tr -d '\t\n' <"$1" | LC_ALL=C grep -q "$(printf '[\001-\037\177]\\|\302\233')"; }
cat >words.c <<'E2'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	FILE *f = fopen("in\033[31m\nbranches: 9 of 9 covered, 0 infeasible, 0 unknown; coverage 100.0 %\r\xc2\x9b", "r");
	FILE *g = fopen("x\033[31m\nbranches: 8 of 8 covered/", "r");
	int c = getchar();

	if (c == 5) {
		fprintf(stderr, "a\n\033]0;title\007\033[2J\xc2\x9b" "31m b");
		abort();
	}
	return f && g && c == 7;
}
E2
timeout 60 duct concolic words.c -t 5 -q --runs 60 --store words.db >out 2>&1
grep -q 'abort at words.c' out && grep -q 'answers as on this machine' out && ! has_control out; result $? "the session's report"
[ "$(grep -c '^branches: ' out)" = 1 ]; result $? "a name of a file is no line of it"
sqlite3 words.db "UPDATE failure SET message = 'x' || char(27) || '[31m' || char(155, 13) || 'y'; UPDATE lost SET reason = char(27) || '[2J';
	UPDATE function SET file = char(27) || '[31m.c'; UPDATE branch SET file = char(27) || '[31m.c'" >out 2>&1
result $? "a store that somebody changed"
for form in "" --findings --branches --tests --markdown --annotate "--format gcc" --json "--json --tests" --stats; do
	duct report words.db $form >out 2>&1; status=$?
	[ $status -lt 4 ] && [ -s out ] && ! has_control out; result $? "report $form"
done
duct report words.db --findings >out 2>&1 && grep -q 'x.x1b.31m.xc2.x9b.x0dy' out; result $? "they are shown"
printf '#include <stdio.h>\n__attribute__((constructor)) static void f(void)\n{\n\tfprintf(stderr, "\\033[2J");\n\t__builtin_trap();\n}\nint main(void)\n{\n\treturn 0;\n}\n' >early.c
timeout 60 duct concolic early.c -t 5 -q >out 2>&1; [ $? = 4 ] && grep -q 'fails at start' out && ! has_control out
result $? "the message of a program that does not start"
echo "1..15"
