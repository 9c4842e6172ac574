#!/bin/sh
# Each record of lost precision has a place in the program: also in library models, for questions without an answer, in helpers
# of --jobs, and for wrong verdicts. Failing inputs are shown whole, or their first ten values and how to see the others.
# limit: 300
. "$ROOT/tests/lib/tap.sh"

# lost STORE: its records, as REASON|FILE|LINE
lost() { sqlite3 "$1" "SELECT DISTINCT reason, ifnull(file, ''), line FROM lost ORDER BY 1, 3"; }
# at LINE REASON: one of them; none has no place
at() {
	lost s.db >log
	grep -q "^$2.*|$file|$1\$" log && ! grep -Eq '\|\|[0-9]+$|\|0$' log
}
# session FILE OPTION...: concolic
session() {
	file=$1
	shift
	rm -f s.db
	duct concolic "$file" --store s.db --quiet "$@" >out 2>err </dev/null
}

cat >models.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

int dates(time_t t)
{
	char b[40];
	strftime(b, sizeof b, "%c",
		gmtime(&t));
	return b[0] == 'S';
}
int texts(const char *s)
{
	double d = strtod(s, NULL);
	return d > 2;
}
int prints(double d)
{
	char b[40];
	snprintf(b, sizeof b, "%g", d);
	return b[0] == '7';
}
int wide(void)
{
	return getwchar() == L'x' ? 1 : 2;
}
int through(char **p, int i)
{
	return strlen(p[i] + i) > 3 ? 1 : 2;
}
int shuts(int fd)
{
	return close(fd) ? 1 : 2;
}
END
session models.c --entry dates --time 5
check "strftime" 'at 11 "symbolic value into strftime"'
session models.c --entry prints --time 5
check "printf" 'at 23 "printf of a symbolic floating-point number"'
session models.c --entry wide --time 5
check "getwchar" 'at 28 "input of getwchar"'
session models.c --entry shuts --time 5
check "close" 'at 36 "symbolic value into close"'
duct test models.c --time 6 >out 2>err </dev/null
check "the summary of many functions has the place of one" 'grep -q "^precision lost: such as .* at models.c:[1-3][0-9]*; [0-9]* in all$" out'

# targets of a pointer that only the model of the library function reads through
cat >numbers.c <<'END'
#include <stdlib.h>
#include <string.h>
static char *all[300];
int many(unsigned i, unsigned k)
{
	static char text[300][40];
	int n;
	for (n = 0; n < 300; n++)
		all[n] = text[n] + n % 7;
	n = strcmp(all[i % 300],
		"abc");
	return n == 0 ? 1 : strlen(all[k % 300]) == 2;
}
END
session numbers.c --entry many --time 6
check "an address in a library model" 'lost s.db >log; [ "$(grep -c "|numbers.c|1[0-2]$" log)" -ge 1 ] && ! grep -v "|numbers.c|[1-9]" log'

# questions that solvers have no time for
cat >hard.c <<'END'
#include <stdint.h>
static uint64_t mixed(uint64_t h, uint64_t a)
{
	for (int i = 0; i < 8; i++)
		h = (h * h + a) ^ h >> 17;
	return h;
}
int hard(uint64_t a, uint64_t b)
{
	if (a > 3
	    && mixed(a, b) == 0x1234567890abcdef)
		return 1;
	if (mixed(b, a)
	    == a * b + 17)
		return 2;
	return 0;
}
END
session hard.c --entry hard --time 4 --query-timeout 0.05
check "a question without an answer" 'lost s.db >log; grep -q "^no answer to a query.*|hard.c|11$" log && ! grep -v "|hard.c|1[0-4]$" log'
check "... in the report" 'grep -q "no answer to a query.* at hard.c:1[1-4]" out'
cat >blocks.c <<'END'
#include <stdint.h>
static uint64_t mixed(uint64_t h, uint64_t a)
{
	for (int i = 0; i < 8; i++)
		h = (h * h + a) ^ h >> 17;
	return h;
}
int blocks(uint64_t a, uint64_t b, uint64_t x, uint64_t y)
{
	int n = 0;
	if (mixed(a, b) == 0x1234567890abcdef)
		n++;
	if (mixed(x, y) == 0x1234567890abcdef)
		n += 2;
	return n;
}
END
rm -f s.db
duct flowtest blocks.c --entry blocks --jobs 2 --time 6 --query-timeout 0.05 --store s.db --quiet >out 2>err </dev/null
check "... in processes of --jobs" 'lost s.db >log; grep -q "^no answer to a query" log && ! grep -v "|blocks.c|1[13]$" log'

# what a library function may do, depending on its arguments
cat >ends.c <<'END'
#include <unistd.h>
int main(int argc, char **argv)
{
	if (argc > 1)
		execlp(argv[1], argv[1], (char *)0);
	return argc;
}
END
session ends.c --time 4
check "a call that may end the run" 'at 5 "symbolic value into exec"'

# failing inputs
cat >values.c <<'END'
struct row { int a[12]; };
int whole(int a, int b, int c)
{
	if (a == 7 && b == 8)
		return 100 / (c - 9);
	return 0;
}
int most(struct row *r, int n)
{
	int i, k = 0;
	for (i = 0; i < 12; i++)
		k += r->a[i] == i + 100;
	if (k == 12)
		return 100 / (n - 5);
	return k;
}
END
duct concolic values.c --entry whole --time 5 --quiet >out 2>err
check "an input of three values is whole" 'grep -q "^    test [0-9]*: a = 7, b = 8, c = 9$" out'
duct concolic values.c --entry most --time 10 --quiet --store v.db >out 2>err
check "of one of more the first ten, and a command that shows the others" \
	'grep -q "^    test [0-9]*: .*, and [1-9][0-9]* more: duct report v.db --findings$" out &&
	[ "$(grep "^    test .* more: " out | sed "s/, and .*//" | tr -cd = | wc -c)" = 10 ]'
more=$(sed -n 's/^    test .*, and [0-9]* more: //p' out)
check "... which does" '$more >log && grep -q "n = 5.*r\[0\].a\[0\] = 100.*r\[0\].a\[11\] = 111" log'
check "... and so does --json" 'duct report v.db --findings --json | jq -e ".inputs | test(\"a.11. = 111\")" >log'
duct concolic values.c --entry most --time 10 --quiet >out 2>err
check "... without a store, --json" 'grep -q "^    test .*, and [1-9][0-9]* more: --json$" out &&
	duct concolic values.c --entry most --time 10 --quiet --json >log && jq -e ".failures[0].inputs | test(\"a.11. = 111\")" log >out'
duct test values.c --time 12 >out 2>err </dev/null
check "... in the summary of duct test, too" 'grep -q "^    test .*, and [1-9][0-9]* more: duct report values-duct/store.db --findings$" out'
finish
