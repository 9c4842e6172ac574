#!/bin/sh
# limit: 300
# Tests handed to each framework are built and run by it, and a mutant makes one of them fail; results that were
# confirmed stay so; the same session writes the same.
n=0 failed=0
ok() {
	n=$((n + 1))
	[ "$1" = 0 ] && { echo "ok $n - $2"; return; }
	echo "not ok $n - $2"
	failed=1
	tail -n 15 log | sed 's/^/# /'
}

cp "$ROOT/share/examples/triangle.c" . && cp triangle.c kept.c
duct concolic triangle.c --entry triangle --quiet --store s.db --format cmocka --out cmocka >log 2>&1
ok $? "a strategy writes for a framework"
tests=$(sqlite3 s.db 'SELECT count(*) FROM test')
for f in assert cmocka unity check criterion; do
	case $f in
	cmocka) total="\[  PASSED  \] $tests test" ;;
	unity) total="$tests Tests 0 Failures" ;;
	check) total="100%: Checks: $tests, Failures: 0" ;;
	criterion) total="Tested: $tests | Passing: $tests" ;;
	*) total="$tests passed, 0 failed" ;;
	esac
	duct report --store s.db --format $f --out $f >log 2>&1 &&
		make -C $f check CC=gcc CFLAGS='-Wall -Wextra -Werror' UNITY="$ROOT/tests/report/unity" >log 2>&1 &&
		sed 's/\x1b\[[0-9;]*m//g' log | grep -q "$total"
	ok $? "$f: $tests tests pass"
	sed 's/return EQUILATERAL;/return SCALENE;/' kept.c >triangle.c
	make -C $f check CC=gcc UNITY="$ROOT/tests/report/unity" >log 2>&1
	[ $? != 0 ] && grep -q 'was observed' log
	ok $? "$f: a mutant makes a test fail"
	cp kept.c triangle.c
done

duct report --store s.db --out again >log 2>&1 && for f in tests.c INDEX OBSERVED; do cmp assert/$f again/$f || break; done >>log 2>&1
ok $? "the same again"
name=$(awk -F '\t' '$3 == 3 { print $2; exit }' assert/OBSERVED)
make -s -C assert confirm T="$name" >log 2>&1 && duct report --store s.db --out assert >>log 2>&1 &&
	[ "$(grep -c '/\* confirmed \*/' assert/tests.c)" = 1 ] && grep -q "$name" assert/CONFIRMED
ok $? "what a person confirms stays confirmed"
sed -i 's/3$/7/' assert/CONFIRMED
duct report --store s.db --out assert >log 2>&1 && grep -q '7);  /\* confirmed; 3 was observed \*/' assert/tests.c &&
	! make -C assert check >log 2>&1 && grep -q "not ok - $name" log
ok $? "a result that a person says is wrong fails"
duct report --store s.db --format tap --out none >log 2>&1
[ $? != 0 ] && grep -q 'unknown format `tap`' log
ok $? "a format that is none"
echo "1..$n"
exit $failed
