#!/bin/sh
# limit: 900
# Tests of functions with pointers, without an option: they build what a caller would pass, pass on the source with both
# compilers and AddressSanitizer, reach all lines by gcov, and fail on mutants. What a main without a value returns, faults that
# do no harm, inputs that break a precondition, and flags.
src=$ROOT/tests/report/src/grown.c
strict="-O1 -Wall -Wextra -Werror -Wno-unused-function -Wno-unused-parameter"
. "$ROOT/tests/lib/tap.sh"

check() {
	make -C "$1" check CC="$2" CFLAGS="$3" >log 2>&1
	status=$?
	case $(grep ' tests: ' log | tail -n 1) in *" 0 failed"*) ;; *) status=1 ;; esac
}

cp "$src" grown.c
for entry in find reverse drop sum ask; do
	duct concolic grown.c --entry $entry --keep all --time 8 --quiet --out $entry >$entry.txt 2>log
	ok $? "$entry: a session"
	check $entry gcc "$strict -fsanitize=address"
	ok $status "$entry: gcc with AddressSanitizer"
	check $entry clang-19 "$strict"
	ok $status "$entry: clang"
	check $entry gcc "--coverage -O0"
	(cd $entry && gcov -o . tests.o >/dev/null 2>&1)
	# lines of the entry that gcov counts and no test runs
	awk -F: -v entry="$entry" '$3 ~ " [*]*" entry "\\(" { on = 1 } on && $1 ~ /#####/ { print; bad = 1 } on && $3 ~ /^}/ { on = 0 }
		END { exit bad }' $entry/grown.c.gcov >log
	ok $? "$entry: gcov sees each line"
done

# mutant ENTRY CHANGE
mutant() {
	sed "$2" "$src" >grown.c
	cmp -s "$src" grown.c && status=0 || check "$1" gcc -O1
	[ $status != 0 ] && grep -q "^not ok - $1_" log
	ok $? "$1: a mutant fails: $2"
	cp "$src" grown.c
}
mutant find 's/l->v == v/l->v != v/'
mutant find 's/\*out = &l->v/*out = NULL/'
mutant reverse 's/->next = r/->next = NULL/'
mutant reverse 's/^	\*l = r/	*l = NULL/'
mutant drop 's/n > 1/n > 2/'
mutant sum 's/== 7/== 6/'
mutant ask 's/== 12/== 13/'

has() {
	grep -q "$2" "$1/tests.c" || { sed -n '/^static/,/^}/p' "$1/tests.c" | head -n 60 >log; false; }
	ok $? "$1: $2"
}
has find 'static struct node node1 = { .v = [-0-9]*, .next = &node2 };'
has find 'DUCT_EQUAL(out\[0\] == (void \*)&node1, 1);'
has reverse 'DUCT_EQUAL(node2.next == (void \*)&node1, 1);'
has drop 'struct node \*l = duct_new(sizeof \*l);'
has ask 'static const int answers\[\] = { .*12, 0 };'
! grep -q '"need"' reverse/tests.c && grep -q '^  reverse: l != NULL at grown.c:[0-9]* (1 run)$' reverse.txt
ok $? "reverse: what breaks a precondition is no test, but told"

# a main that gives no value has no status to compare, but exit has one
main() {
	duct concolic "$1.c" --stdin 1 --time 8 --quiet --out "$1" -- "$2" >"$1.txt" 2>log &&
		check "$1" gcc -O1 && [ $status = 0 ] && check "$1" gcc -O0 && [ $status = 0 ] && check "$1" clang-19 -O1 && [ $status = 0 ]
	ok $? "main: $1 with $2"
}
cat >void.c <<'END'
#include <stdio.h>
#include <stdlib.h>
void main(void) { int c = getchar(); if (c == 'x') exit(3); if (c == 'y') { puts("y"); return; } puts("other"); }
END
cat >old.c <<'END'
#include <stdio.h>
main() { int c = getchar(); if (c == 'x') { puts("x"); return 4; } puts("other"); }
END
cat >mixed.c <<'END'
#include <stdio.h>
int main(void) { if (getchar() == 'x') { puts("x"); return; } return 2; /* return; */ }
END
cat >plain.c <<'END'
#include <stdio.h>
int main(void) { if (getchar() == 'x') { puts("return;"); return 1; } return 2; /* return; */ }
END
cat >found.c <<'END'
#include <stdio.h>
add(a, b) int a, b; { return a + b; }
main(argc, argv) char **argv; { if (getchar() == 'x') { if (atoi("7") == 7) foo(); return; } return add(1, 1); }
foo() { puts("foo"); }
END
main found -DFOUND
main void -Wno-main-return-type
main old -std=gnu89
main mixed -Wno-return-mismatch
main plain -DPLAIN
grep -q 'duct_exit(3);' void/tests.c && grep -q 'duct_exit((main)' plain/tests.c && grep -q 'DUCT_FLAGS = -Wno-return-mismatch$' mixed/Makefile
ok $? "main: only where it may give none; the flags go on"
sed 's/exit(3)/exit(4)/' void.c >other && mv other void.c
check void gcc -O1
[ $status != 0 ]
ok $? "main: the status that exit gives is compared"

# an access beyond an array does no harm without a sanitizer: one note
cat >beyond.c <<'END'
static int table[4], after[4];
int beyond(unsigned i) { return i < 6 ? table[i] + after[0] : 0; }
END
duct concolic beyond.c --entry beyond --time 8 --quiet --out beyond >beyond.txt 2>log
check beyond gcc -O0
[ $status = 0 ] && [ "$(grep -c 'do no harm in this build' log)" = 1 ] && ! grep -q 'does not fail here' log
ok $? "a fault that does no harm is a note"
check beyond gcc '-O0 -fsanitize=address'
[ $status = 0 ] && grep -q '1 fail as recorded' log
ok $? "and fails as recorded under AddressSanitizer"

finish
