#!/bin/sh
# Counterexamples of programs with main have the arguments, environment variables and standard input that their runs need: what is
# proposed for the last outcome takes it natively, and a session runs it.
# limit: 300
. "$ROOT/tests/lib/tap.sh"

# propose FILE: the values that prove gives for the last outcome of the file, as lines NAME VALUE, into `values`
propose() {
	gcc -w -o x "$1" 2>log && duct cfg-dump "$1" >x.flow 2>log && defuse -e main x.flow >p && cutpoints -b -f x.flow p >g &&
		prove -t 40 -f x.flow g >v || return
	awk -F'\t' 'FILENAME == "g" { if ($1 == "outcome") last = "o" $2; next }
		$1 == "verdict" { is = $4 == last } $1 == "value" && is { print $3, $6 }' g v >values
	cp values log
}
# text NAME: the bytes NAME[0], NAME[1] and so on, up to a 0
text() {
	printf "$(awk -v name="$1[" 'index($1, name) == 1 { if ($2 == "0") exit; print $2 }' values |
		while read -r byte; do printf '\\%03o' "0x$byte"; done)"
}
value() { printf '%d' "0x$(awk -v name="$1" '$1 == name { v = $2 } END { print v + 0 == 0 && v !~ /^[1-9a-f]/ ? 0 : v }' values)"; }
# leads NAME: the program, run on what is proposed, ends with status 1
leads() {
	printf "$(awk '$1 ~ /^stdin\[/ { print $2 }' values | while read -r byte; do printf '\\%03o' "0x$byte"; done)" >in
	set --
	i=0 args=$(value args)
	while [ $((i += 1)) -le "$args" ]; do set -- "$@" "$(text "argv[$i]")"; done
	awk '$1 ~ /^env\..*\?$/ && $2 == 1 { print substr($1, 5, length($1) - 5) }' values >set
	(while read -r name; do export "$name=$(text "env.$name")"; done <set; ./x "$@" <in >out)
	[ $? = 1 ]
}
# program NAME: standard input is its source
program() {
	cat >p.c
	propose p.c
	check "$1" leads
}
program "bytes of arguments" <<'END'
int main(int argc, char **argv)
{
	if (argc < 3 || argv[1][0] != '-' || argv[1][1] != 'x') return 9;
	if (argv[2][0] != 'q') return 0;
	return 1;
}
END
program "arguments in a loop" <<'END'
int main(int argc, char **argv)
{
	int i, n = 0;
	for (i = 1; i < argc; i++)
		n += argv[i][0] == '-' && argv[i][1] == 'v';
	if (n != 2) return 0;
	return 1;
}
END
program "a pointer that moves over an argument" <<'END'
int main(int argc, char **argv)
{
	char *p;
	int n = 0;
	if (argc < 2) return 2;
	for (p = argv[1]; *p; p++) n = n * 3 + (*p == 'a');
	if (n != 13) return 0;
	return 1;
}
END
program "options and numbers" <<'END'
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	int i, all = 0, s = 0;
	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-s") == 0) { s = 1; continue; }
		all += atoi(argv[i]);
	}
	if (!s) return 2;
	if (all != 815) return 0;
	return 1;
}
END
program "environment variables" <<'END'
#include <stdlib.h>
#include <string.h>
int main(void)
{
	const char *mode = getenv("MODE"), *level = getenv("LEVEL");
	char *end;
	long n;
	if (!mode || !level) return 3;
	n = strtol(level, &end, 10);
	if (*end) return 4;
	if (n != 42) return 5;
	if (strncmp(mode, "fast", 4) != 0) return 0;
	return 1;
}
END
program "lines of standard input" <<'END'
#include <stdio.h>
#include <string.h>
int main(void)
{
	char line[80];
	int n = 0;
	while (fgets(line, sizeof line, stdin)) {
		if (line[0] == '#') continue;
		if (strchr(line, '=')) n++;
	}
	if (n != 2) return 0;
	return 1;
}
END
program "numbers of standard input" <<'END'
#include <stdio.h>
int main(void)
{
	int v, sum = 0, n = 0;
	while (scanf("%d", &v) == 1) {
		sum += v;
		if (++n > 3) break;
	}
	if (sum != -4711) return 0;
	return 1;
}
END
program "a block of standard input" <<'END'
#include <unistd.h>
int main(void)
{
	char b[10];
	long n = read(0, b, sizeof b);
	if (n < 3) return 2;
	if (b[0] != 'E' || b[2] != 'F') return 0;
	return 1;
}
END
program "an option, and standard input" <<'END'
#include <ctype.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	int c, n = 0;
	if (argc != 2 || argv[1][0] != '-' || argv[1][1] != 'u') return 3;
	while ((c = getchar()) != EOF) n += isupper(c) != 0;
	if (n != 3) return 0;
	return 1;
}
END

# what has none of it is proposed as before; what no input reaches is proved
cat >q.c <<'END'
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	const char *e = getenv("E");
	int n = 0, i;
	for (i = 1; i < argc; i++) if (strcmp(argv[i], "-n") == 0) n = 5;
	if (n == 5 && e && e[0] == 'x') return 1;
	if (n == 7) return 2;
	if (argc == 2 && strlen(argv[1]) > 40) return 3;
	return 0;
}
END
duct cfg-dump q.c >x.flow && defuse -e main x.flow >p && cutpoints -b -f x.flow p >g && prove -t 20 -f x.flow g >v
cp v log
check "what no arguments lead to is infeasible, and nothing else" '[ "$(grep -c "^verdict.*	infeasible	" v)" -ge 1 ] &&
	awk -F"\t" "FILENAME == \"x.flow\" { next } \$1 == \"outcome\" { n++ } \$1 == \"verdict\" && \$4 ~ /^o/ && \$5 == \"infeasible\" { bad++ }
		END { exit bad != 1 }" g v'
check "arguments longer than those that are proposed are not" 'grep -q "^verdict.*	unknown	.*a run to try" v'

# a session runs what is proposed
cat >s.c <<'END'
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	const char *e = getenv("LEVEL");
	if (argc == 3 && strcmp(argv[1], "--go") == 0 && argv[2][0] == '7' && e && strcmp(e, "high") == 0)
		return 1;
	return 0;
}
END
duct dft s.c --prove --search random -t 20 --quiet --store s.db >log 2>err
check "a session runs it: all is covered" 'grep -q "^branches: 10 of 10 covered" log'
check "... by a test that a proof proposed" '[ "$(sqlite3 s.db "SELECT count(*) FROM test WHERE origin LIKE \"%pro%\"")" -ge 1 ] ||
	{ sqlite3 s.db "SELECT number, origin FROM test" >log; false; }'
finish
