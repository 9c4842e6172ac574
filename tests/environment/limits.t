#!/bin/sh
# A trace names the limits of the environment that its run touched, and the calls whose answers stay concrete.
# limit: 300
. "$ROOT/tests/lib/tap.sh"

# program NAME <SOURCE
program() { cat >"$1.c"; instrument -o "$1" "$1.c" $2 2>log; ok $? "$1 is built"; }

# tells NAME INPUT PATTERN...: the trace of an input, `v` lines with blanks, has a line that begins with each pattern; !P: none.
tells() {
	name=$1 input=$2
	shift 2
	printf '#inputs 1 t\ninput 1\n%srun\nend %s\n' "$input" "$(printf '%s' "$input" | grep -c .)" |
		awk '/^end/ { $2 = $2 + 2 } { print }' | tr ' ' '\t' | sed '1s/\t/ /g' |
		run-trace -e "./$name" >trace 2>log
	for pattern in "$@"; do
		case $pattern in
		!*) ! grep -q "^$(printf '%s' "${pattern#!}" | tr ' ' '\t')" trace ;;
		*) grep -q "^$(printf '%s' "$pattern" | tr ' ' '\t')" trace ;;
		esac
		ok $? "$name: $pattern"
	done
}

program many <<'C'
int main(int argc, char **argv) { (void)argv; if (argc > 40) return 1; return 0; }
C
tells many '' 'var 1 args u 32 0' 'limit args'
tells many 'v args u 32 3
' 'limit args'

program some <<'C'
int main(int argc, char **argv) { (void)argv; if (argc > 3) return 1; if (argc > 40) return 2; return argc == 2; }
C
tells some '' '!limit'
tells some 'v args u 32 3
' 'result 1' '!limit'

program few <<'C'
int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'a'; }
C
tells few '' '!limit'
tells few 'v args u 32 1
v argv[1][0] c 8 61
' '!limit' 'result 1'

program walk <<'C'
int main(int argc, char **argv) { int n = 0; (void)argc; while (*++argv) n++; return n; }
C
tells walk 'v args u 32 2
' 'result 2' '!limit'
tells walk 'v args u 32 3
' 'result 3' 'limit args'

# A number in a text is one expression: no condition for a digit, and the limit counts whatever the text is.
program number <<'C'
#include <stdlib.h>
int main(int argc, char **argv) { return argc > 1 && atoi(argv[1]) == 12; }
C
tells number 'v args u 32 1
v argv[1][0] c 8 31
v argv[1][1] c 8 32
' 'result 1' 'limit arg 1'
[ "$(grep -c '^model' trace)" -eq 1 ] # that there is an argument
ok $? "number: nothing is decided of its characters"

# So is the result of a comparison, which does not depend on where a longer text ends.
program word <<'C'
#include <string.h>
int main(int argc, char **argv) { return argc > 1 && !strcmp(argv[1], "stop"); }
C
tells word 'v args u 32 1
v argv[1][0] c 8 73
' 'result 0' '!limit arg'
[ "$(grep -c '^model' trace)" -le 1 ]
ok $? "word: nothing is decided of its characters"

program text <<'C'
#include <string.h>
int main(int argc, char **argv) { return argc > 1 && strlen(argv[1]) > 30; }
C
tells text 'v args u 32 1
v argv[1][0] c 8 61
' '!limit'
tells text "v args u 32 1
$(for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do echo "v argv[1][$i] c 8 61"; done)
" 'limit arg 1 16'

program input <<'C'
#include <stdio.h>
int main(void) { int n = 0; while (getchar() != EOF) n++; return n; }
C
tells input 'v stdin.len u 32 2
' 'result 2' '!limit'
tells input 'v stdin.len u 32 10
' 'result 16' 'limit stdin  16'

# What ends a stream may be an error: feof() is false then.
program ended <<'C'
#include <stdio.h>
int main(void) { char b[4]; return fread(b, 1, 4, stdin) < 4 && feof(stdin); }
C
tells ended '' 'result 1' 'limit concrete feof() 0'

program ignored <<'C'
#include <stdio.h>
int main(void) { char b[4]; if (fread(b, 1, 4, stdin) < 4) (void)feof(stdin); return 0; }
C
tells ignored '' 'result 0' '!limit concrete feof'

program unused <<'C'
int main(int argc, char **argv) { (void)argc; (void)argv; return 0; }
C
tells unused '' '!var' '!e ' '!limit'

program outside <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern char **environ;
int main(void)
{
	FILE *f = fopen("/etc/passwd", "r"), *g = fopen("/dev/null", "w");
	getlogin();
	return f && g && environ[0] ? 1 : 2;
}
C
tells outside '' 'limit concrete fopen("/etc/passwd") 0' 'limit concrete getlogin() 0' 'limit environ  3' \
	'!limit concrete fopen("/dev'

program located <<'C'
#include <locale.h>
int main(void) { return setlocale(LC_ALL, 0)[0] == 'C'; }
C
tells located '' 'limit concrete setlocale() 0'

program losses <<'C'
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>
int main(void)
{
	char c = 0, b[8];
	int s;
	if (fork() == 0)
		_exit(getchar() == 'x');
	wait(&s);
	syscall(SYS_read, 0, &c, 1);
	fmemopen(b, sizeof b, "w");
	return getwchar() == L'y' ? 1 : s;
}
C
tells losses '' 'lost 1 [0-9]* what.a.child' 'lost 1 [0-9]* what.a.system.call' 'lost 1 [0-9]* input.of.fmemopen' \
	'lost 1 [0-9]* input.of.getwchar'

program ahead <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void) { char c; int first = getchar(); return first == 'a' ? (int)read(0, &c, 1) : 9; }
C
tells ahead 'v stdin.len u 32 5
v stdin[0] c 8 61
' 'result 0' 'limit stdin'

program own <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	char c = 0;
	FILE *f = fopen("/proc/self/fd/0", "r"), *g = fopen("/dev/stdin", "r");
	(void)!read(0, &c, 1);
	return c == 'a' && getc(f) == 'a' && getc(g) == 'a';
}
C
tells own 'v stdin.len u 32 1
v stdin[0] c 8 61
' 'result 1' '!lost'

# Without --environment a program meets what there is.
run-trace -d ./few >trace 2>log && ! grep -q '^var' trace
ok $? 'plain run-trace: no inputs'
run-trace -d ./few a >trace 2>log && grep -q '^result	1' trace
ok $? 'plain run-trace: the arguments that were given'
run-trace -ed ./few a >trace 2>log && grep -q '^result	1' trace && ! grep -q '^var' trace
ok $? 'arguments that were given are these and no others'
finish
