#!/bin/sh
# limit: 900
# Tests for entries of every shape are written, compiled by both compilers without a warning,
# and run; a mutant fails; crashes keep their coverage; the same session twice is the same text.
src=$ROOT/tests/report/src/shapes.c
strict="-O1 -Wall -Wextra -Werror -Wno-unused-function -Wno-unused-parameter"
. "$ROOT/tests/lib/tap.sh"

# session NAME SOURCE ARGUMENTS...: a session whose tests go to the folder NAME
session() {
	name=$1 source=$2
	shift 2
	duct concolic "$source" --time 20 --quiet --store "$name.db" --out "$name" "$@" >"$name.txt" 2>log
	ok $? "$name: a session and its tests"
}

# check NAME COMPILER FLAGS: status of make check; the closing line in $last
check() {
	make -C "$1" check CC="$2" CFLAGS="$3" >log 2>&1
	status=$?
	last=$(grep ' tests: ' log | tail -n 1)
}

passes() {
	for cc in gcc clang-19; do
		check "$1" $cc "$strict"
		case $last in *" 0 failed"*) ;; *) status=1 ;; esac
		ok $status "$1: $cc has no warning, all is as observed"
	done
}

# covers NAME N: so many branches are covered, none is unknown
covers() {
	duct report --store "$1.db" --branches | awk -F '\t' -v want="$2" '
		{ n[$6]++ } END { if (n["covered"] != want || n["unknown"]) { print n["covered"] + 0, n["unknown"] + 0; exit 1 } }' >log
	ok $? "$1: $2 branches covered, none unknown"
}

session scalars "$src" --entry scalars; passes scalars; covers scalars 22
session tree "$src" --entry tree --pointer-depth 1 --search bfs --runs 400; passes tree
session wide "$src" --entry wide; passes wide; covers wide 2
session floats "$src" --entry floats; passes floats; covers floats 2
session pointer "$src" --entry pointer --len raw=3; passes pointer; covers pointer 6
session same "$src" --entry same --may-alias p,q; passes same; covers same 2
session globals "$src" --entry globals --global table --global chosen; passes globals; covers globals 4
session byvalue "$src" --entry byvalue --pointer-depth 1 --search bfs --runs 200; passes byvalue
session count "$src" --entry count; passes count; covers count 2
session bad "$src" --entry bad; passes bad; covers bad 8
session program "$src"; passes program
session environment "$ROOT/tests/report/src/environment.c" --stdin 1 --file data=1 --arg 1=1 --env MODE=1 \
	--argument a --argument given
passes environment

# values of enumerations have their names, where they have one
session enums "$ROOT/tests/report/src/enums.c" --entry next --global door; passes enums
named() {
	grep -q "$1" enums/tests.c || { sed -n '/^static void/,$p' enums/tests.c >log; false; }
	ok $? "enums: $1"
}
named 'enum colour c = RED;'
named 'enum colour c = BLUE;'
named 'enum colour c = (enum colour)8;'
named 'level l = HIGH;'
named 'level l = (level)0;'
named '.i = { .*OUT }'
named '	door = OPEN;'
named 'enum masked m = (enum masked)0;'
named 'DUCT_EQUAL(next(.*), DARK);'
named 'DUCT_EQUAL(next(.*), (enum colour)77);'
named 'DUCT_EQUAL(next(.*), (enum colour)1);'
named 'DUCT_EQUAL(s1.c, BLUE);'
named 'DUCT_EQUAL(s1.l, (level)9);'
named 'DUCT_EQUAL(last, BLUE);'
! grep -q ' \(MASKED\|AZURE\|GREEN\)\(;\|);\)' enums/tests.c
ok $? "enums: no name that is hidden, the first of two"
grep -q '	DARK$' enums/OBSERVED && sed 's/	DARK$/	GREEN/' enums/OBSERVED >enums/CONFIRMED &&
	duct report --store enums.db --out enums >log 2>&1 && grep -q 'GREEN);  /\* confirmed; DARK was observed' enums/tests.c
ok $? "enums: a person confirms by name"

# a unit in C of 1989 has tests in it
session weigh "$ROOT/tests/report/src/c89.c" --entry weigh --pointer-depth 1 --init set_up --stub read_sensor -- -std=c89
session prints "$ROOT/tests/report/src/c89_main.c" --stdin 1 -- -std=c89
modern=$strict strict="-std=c89 -pedantic-errors -Wall -Wextra -Werror"
passes weigh
passes prints
strict=$modern
grep -q 'float f = 1\.1[0-9]*f;' weigh/tests.c && grep -q 'double d = -[0-9.]*e-3[0-9]*;' weigh/tests.c
ok $? "weigh: decimal fractions"

# gcov and llvm-cov count what crashed too
check bad gcc "--coverage -O0"
(cd bad && gcov -o . tests.o >/dev/null 2>&1)
[ "$(cat bad/shapes.c.gcov 2>/dev/null | grep -c '^ *[1-9][0-9]*:.*abort();')" = 1 ]
ok $? "bad: gcov counts the line that aborts"
[ -f bad/tests.gcno ] && [ ! -f bad/duct_test.gcno ]
ok $? "bad: ... and nothing of the runner"
LLVM_PROFILE_FILE=$PWD/bad-%p.profraw
export LLVM_PROFILE_FILE
check bad clang-19 "-fprofile-instr-generate -fcoverage-mapping -O0"
llvm-profdata-19 merge -o bad.prof bad-*.profraw 2>>log && llvm-cov-19 show bad/tests -instr-profile bad.prof >bad.cov 2>>log
grep -q '| *[1-9][0-9]*|.*abort();' bad.cov
ok $? "bad: llvm-cov counts it too"

# a mutant fails, and says where
mkdir -p mutant/sub && cp "$src" mutant/sub/shapes.c
(cd mutant && duct concolic sub/shapes.c --entry count --quiet --out sub/tests) >log 2>&1
grep -q '#include "../shapes.c"' mutant/sub/tests/tests.c
ok $? "the source is included by a relative path"
sed 's/count > 9 ? count/count > 9 ? count + 1/' "$src" >mutant/sub/shapes.c
check mutant/sub/tests gcc -O1
[ $status != 0 ] && grep -q 'not ok - count_.*is .* was observed' log
ok $? "a mutant makes a test fail"

# what a call leaves in memory is compared, a mutant that leaves something else fails, and a person confirms it
cp "$ROOT/tests/report/src/outputs.c" mutant/sub/outputs.c
session outputs mutant/sub/outputs.c --entry fill --global total --string text=3; passes outputs
# wrote PATTERN N: so many tests compare this
wrote() {
	[ "$(grep -c "$1" outputs/tests.c)" "$2" "$3" ] || { grep -n DUCT_ outputs/tests.c >log; false; }
	ok $? "outputs: $1"
}
wrote 'DUCT_EQUAL(total, ' -ge 2
wrote 'DUCT_EQUAL(freed\[0\], 8);' -ge 1
wrote 'DUCT_EQUAL(record1.y, 7);' -ge 1
wrote 'DUCT_EQUAL(record1.x' -eq 0
wrote 'DUCT_EQUAL(same' -eq 0
wrote 'DUCT_SAME(record1.f, 1.5f);' -ge 1
wrote 'DUCT_BYTES((const char \*)&record1 + 12, "\\005", 1)' -ge 1
wrote 'DUCT_BYTES((const char \*)&record1 + 16, "M", 1)' -ge 1
wrote 'DUCT_BYTES((const char \*)record1.name + 1, "\*/", 2)' -ge 1
wrote 'DUCT_BYTES(text, "B' -ge 1
awk '/^static void/ { n = 0 } /int a = 7;/ { n = 1 } /DUCT_EQUAL\(freed/ && n { print; bad = 1 } END { exit bad }' outputs/tests.c >log
ok $? "outputs: freed memory is not looked at"
for change in 's/a - 1/a - 2/' 's/1.5f/1.25f/' "s/'B'/'C'/" 's/total += a/total += 1 + a/' 's/u.i = 77/u.i = 78/'; do
	sed "$change" "$ROOT/tests/report/src/outputs.c" >mutant/sub/outputs.c
	check outputs gcc -O1
	[ $status != 0 ] && grep -q 'not ok - fill_' log
	ok $? "outputs: a mutant fails: $change"
done
cp "$ROOT/tests/report/src/outputs.c" mutant/sub/outputs.c
awk -F '\t' '$3 == "freed[0] = 8" && !n++ { sub(/8$/, "9"); print }' outputs/OBSERVED >outputs/CONFIRMED
duct report --store outputs.db --out outputs >log 2>&1 && grep -q 'DUCT_EQUAL(freed\[0\], 9);  /\* confirmed; 8 was observed' outputs/tests.c
ok $? "outputs: what a person confirmed is expected"
check outputs gcc -O1
[ $status != 0 ]
ok $? "outputs: and is missed"

# so is what it leaves in globals that are no inputs, of its own file and of others
left=$ROOT/tests/report/src/left.c
cp "$left" mutant/sub/left.c && { echo '#define OTHER'; cat "$left"; } >mutant/sub/other.c
session left mutant/sub/left.c mutant/sub/other.c --entry leave; passes left
has() {
	sed -n "/$2/,/^}/p" left/tests.c | grep -o 'DUCT_[A-Z]*([^l].*); ' | grep -v leave >got
	printf '%s\n' "$3" | diff - got >log
	ok $? "left: $1"
}
has "a structure, not its pointer; an address is none" when_a_eq_3 'DUCT_EQUAL(state.n, 7); 
DUCT_SAME(state.d, 1.5); 
DUCT_BYTES((const char *)&state + 16, "\005", 1); 
DUCT_BYTES((const char *)state.name + 1, "x", 1); 
DUCT_BYTES((const char *)state.name + 5, "z", 1); '
has "numbers, an array, and what another file defines" when_a_gt_limit 'DUCT_EQUAL(shared, 6); 
DUCT_EQUAL(total, 6); 
DUCT_EQUAL(table[2], 9); '
sed -n 's/^ \*   \([a-z]* (.*)\).*/\1/p' left/tests.c >got
printf '%s\n' "big (too large)" "n (static in count)" "apart (of mutant/sub/other.c)" | diff - got >log
ok $? "left: what is not looked at is named"
for change in 's/+= a + total_of/+= a + 1/' 's/= 1.5/= 1.25/' "s/'z'/'y'/" 's/table.2. = 9/table[2] = 8/'; do
	sed "$change" "$left" >mutant/sub/left.c
	check left gcc -O1
	[ $status != 0 ] && grep -q 'not ok - leave_' log
	ok $? "left: a mutant fails: $change"
done
cp "$left" mutant/sub/left.c
session hidden mutant/sub/left.c mutant/sub/other.c --entry hide; passes hidden
grep -q '^ \*   total (a parameter hides it)' hidden/tests.c
ok $? "left: a parameter hides a global"
cat >mutant/sub/names.c <<'EOC'
int limit;
static int is_limit(int *q) { return q == &limit; }
int same(int *q, int limit, int (*is_limit)(int *));
int own(int *q) { return *q == 5; }
int names(int limit, int *q, int (*own)(int *))
{
	if (is_limit(q))
		return 2;
	return own(q) == 1 && *q == 5 && limit == 3;
}
EOC
session names mutant/sub/names.c --entry names; passes names
grep -q 'duct_hidden_limit;' names/tests.c
ok $? "what a pointer leads to: a parameter has its name"
session when mutant/sub/left.c mutant/sub/other.c --entry when; passes when
[ "$(grep -c 'DUCT_FAILS(when(a))\|DUCT_EQUAL(when(a), 0)' when/tests.c) $(grep -c '(total' when/tests.c)" = "2 0" ]
ok $? "left: nothing that depends on the time is compared"

# the same inputs and seed: the same text
(cd mutant && cp "$src" sub/shapes.c && duct concolic sub/shapes.c --entry count --quiet --out sub/again) >log 2>&1
diff -r -x '*.o' -x tests -x flags mutant/sub/tests mutant/sub/again >log 2>&1
ok $? "the same session twice writes the same"

# genhtml takes the tracefile
duct report --store scalars.db --lcov scalars.info && genhtml --branch-coverage -q -o html scalars.info >log 2>&1 &&
	grep -q shapes.c html/index.html html/*/index.html
ok $? "genhtml accepts the tracefile"

finish
