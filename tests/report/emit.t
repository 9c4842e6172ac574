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

# gcov and llvm-cov count what crashed too
check bad gcc "--coverage -O0"
(cd bad && gcov -o . tests.o >/dev/null 2>&1)
[ "$(cat bad/shapes.c.gcov 2>/dev/null | grep -c '^ *[1-9][0-9]*:.*abort();')" = 1 ]
ok $? "bad: gcov counts the line that aborts"
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

# the same inputs and seed: the same text
(cd mutant && cp "$src" sub/shapes.c && duct concolic sub/shapes.c --entry count --quiet --out sub/again) >log 2>&1
diff -r -x '*.o' -x tests -x flags mutant/sub/tests mutant/sub/again >log 2>&1
ok $? "the same session twice writes the same"

# genhtml takes the tracefile
duct report --store scalars.db --lcov scalars.info && genhtml --branch-coverage -q -o html scalars.info >log 2>&1 &&
	grep -q shapes.c html/index.html html/*/index.html
ok $? "genhtml accepts the tracefile"

finish
