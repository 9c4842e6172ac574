#!/bin/bash
# instrument --objects: the code of a unit is shared by the programs of all entries, and each does what a program of its
# own does: statics, callbacks, targets of pointers, switches, and what nothing defines.
. "$ROOT/tests/lib/tap.sh"

cat >one.c <<'E'
#include <string.h>
struct node { int key; struct node *next; };
typedef int (*compare)(const struct node *, const struct node *);
static int limit = 7, seen;
static struct node first = { 3, 0 };
static const char *const words[] = { "one", "two" };
extern int outside(int);
extern int setting;
int other(int x);
__asm__(".globl own_symbol\nown_symbol: .quad 1\n");
static int clamp(int x) { return x > limit ? limit : x; }
static int by_key(const struct node *a, const struct node *b) { return a->key - b->key; }
int find(struct node *n, int key, compare c)
{
	struct node wanted = { key, 0 };
	for (; n; n = n->next) {
		seen++;
		if (n == &first)
			return 2;
		if ((c ? c : by_key)(n, &wanted) == 0)
			return clamp(key) == key;
	}
	return 0;
}
static int counted(int x)
{
	if (seen > 3)
		return 1;
	if (outside(x) > 10)
		return setting == 4 ? 2 : 3;
	return other(x) > 2 && !strcmp(words[x & 1], "two");
}
void set(int x) { limit = x; }
int choose(int x, int *p)
{
	switch (x) {
	case 3: return limit;
	case 8:
	case 9: return x == 9 && *p == 4;
	default: return *p > 7 ? 1 : 5;
	}
}
int strlcat(char *a, int n) { return n > 2 && a && a[1] == 'q'; }
int main(void) { return counted(3); }
E
cat >two.c <<'E'
static int limit = 2, counted;
static int clamp(int x) { return x < limit ? limit : x; }
int other(int x) { if (x > 100) counted++; return clamp(x) == 2 || counted > 1; }
E
# what a session of 30 runs finds out
results() { duct dft "./$1" --runs 30 --time 20 2>&1 | grep "^branches\|^pairs\|runs)$"; }
same=
for entry in find counted choose strlcat; do
	duct instrument --objects kept --quick --pairs -o $entry.shared -e $entry one.c two.c 2>>told.shared
	duct instrument --quick --pairs -o $entry.own -e $entry one.c two.c 2>>told.own
	results $entry.shared >shared && results $entry.own >own && [ $(wc -l <own) -ge 2 ] && cmp -s shared own && same="$same $entry"
done
check "programs with shared code find out what those without do" '[ "$same" = " find counted choose strlcat" ]'
check "... and miss the same names" '[ -s told.own ] && cmp -s told.own told.shared'
check "harnesses use the statics of that code" 'nm find.shared | grep -q "duct.shared.*[.]by_key" &&
	nm counted.shared | grep -q "duct.shared.*[.]words"'
check "... but not where the entry has the name of a library function" '! nm strlcat.shared | grep -q "duct.shared.*[.]by_key"'
cat >three.c <<'E'
__attribute__((used)) static int hidden(int x) { return x > 5; }
__asm__(".data\n.globl held\nheld: .quad hidden\n.text\n");
extern int (*held)(int);
int pick(int x) { return x > 2 ? held(x) : 0; }
E
duct instrument --objects kept --quick --pairs -o pick.shared -e pick three.c two.c 2>told.shared
duct instrument --quick --pairs -o pick.own -e pick three.c two.c 2>told.own
results pick.shared >shared && results pick.own >own
check "nor where assembly names a static" '[ -s own ] && cmp -s shared own && cmp -s told.own told.shared && ! grep -q hidden told.shared'
ls -i kept >before
duct instrument --objects kept --quick --pairs -o again -e set one.c two.c 2>/dev/null && ls -i kept >after
check "no code is made again for another entry" '[ -s again ] && cmp -s before after'
# A process that has parsed the file makes the same programs; where it cannot, it gives no answer.
cat >ask.lua <<'E'
local core = require "duct.core"
local words = {}
for word in io.lines("words") do
	words[#words + 1] = word
end
local status, text = core.request("socket", words)
io.open("answer", "w"):write(tostring(status), "\n", text or ""):close()
return function() end
E
cat >four.c <<'E'
int undeclared(int x, const char *s) { return x > 3 ? atoi(s) : isdigit(x) || absent(x); }
E
# ENTRY FILE...: asks for the program
ask() {
	printf '%s\n' --objects kept --quick --pairs -o $1.served -e "$@" >words
	rm -f answer && duct ./ask.lua one.c --entry find --time 1 >/dev/null 2>&1
}
# FILE: begins to serve
serve() {
	rm -f socket
	duct instrument --serve socket --objects kept --quick --pairs $1 2>/dev/null &
	for i in $(seq 600); do [ -e socket ] && return; sleep 0.05; done
}
same=
serve one.c
for entry in find counted choose; do
	ask $entry one.c two.c && cmp -s $entry.served $entry.shared && [ "$(head -1 answer)" = 0 ] && same="$same $entry"
done
check "a process that has parsed the file makes the same programs" '[ "$same" = " find counted choose" ]'
check "... and says what they miss" 'grep -q "^instrument: outside: nothing defines it" answer'
ask strlcat one.c two.c
check "... and has no answer where the code cannot be shared" '[ "$(cat answer)" = nil ] && [ ! -e strlcat.served ]'
kill $!
rm -r kept
serve four.c
ask undeclared four.c
duct instrument --objects kept --quick --pairs -o undeclared.shared -e undeclared four.c 2>/dev/null
check "... also of a file without declarations" 'cmp -s undeclared.served undeclared.shared && [ "$(head -1 answer)" = 0 ]'
kill $!
check "what nothing defines is known before the program is linked" '[ -s undeclared.shared ] && nm undeclared.shared | grep -q " [TW] absent" &&
	! ls kept | grep -q undefined'
# duct test: results that a function without a return statement does not give; a file that includes itself
cat >self.c <<'E'
#ifndef EACH
int old(x) int x; { if (x > 3) x = 2; }
int half(int x) { if (x > 3) return 5; }
int used(int x) { return half(x) == 7; }
#define EACH(name, value) int name(int x) { return x == value ? 1 : 0; }
#include "self.c"
int main(void) { old(1); return used(2); }
#else
EACH(one, 1)
EACH(two, 2)
#endif
E
duct test self.c --time 6 -- -w >out 2>err
check "functions of a file that includes itself are tested" \
	'grep -q "^  one .*branches 2/2" out && ! grep -q "could not be tested" out'
check "what a function without a return statement gives is not compared" \
	'make -s -C self-duct check >made 2>&1 && grep -q "5); *.* observed" self-duct/half/tests.c'
finish
