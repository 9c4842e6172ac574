#!/bin/bash
# duct test: tests of each function by turns, in a folder with a page and the store; going on; what it does not overwrite.
# limit: 300
. "$ROOT/tests/lib/tap.sh"

cat >two.c <<'E'
#include <stdlib.h>
int sign(int x)
{
	if (x < 0)
		return -1;
	return x > 0;
}
static int only(int x)
{
	if (x == 77)
		abort();
	return x & 1 ? sign(x) : 3;
}
int main(void)
{
	return only(4) == 3 ? 0 : 1;
}
E
duct test two.c --time 12 >log 2>err </dev/null
status=$?
check "each function, main too" '[ $status = 0 ] && grep -q "^  sign  *branches [1-9]" log && grep -q "^  only  *branches [1-9]" log &&
	grep -q "^  main " log'
check "... the findings with their inputs" 'grep -q "abort at two.c:11" log && grep -q "x = 77" log'
check "... where tests and page are" 'grep -q "^tests: make -C two-duct check" log && grep -q "^page:  two-duct/html/index.html" log &&
	[ -s two-duct/html/index.html ] && [ -s two-duct/store.db ]'
duct report two-duct --html again >log 2>err
for page in again two-duct/html; do sed -n '/^"graphs"/,/^"files"/p' $page/index.html; done | grep "^\"graphs\"\|^\[" | sort | uniq -c >graphs
check "... whose control flow, of sources read once, is what report reads again" '[ $(wc -l <graphs) -ge 3 ] && ! grep -v "^ *2 " graphs'
make -C two-duct check >log 2>&1
check "the tests of all build and pass" '[ $(grep -c " 0 failed" log) = 3 ]'
mkdir far && make -C "$PWD/two-duct/sign" clean >log 2>&1 && (cd far && make -C ../two-duct/sign check >../log 2>&1)
check "... from anywhere" 'grep -q " 0 failed" log'
before=$(sqlite3 two-duct/store.db "SELECT count(*) FROM session")
duct test two.c --time 12 >log 2>err </dev/null
check "a second call goes on" '[ $(sqlite3 two-duct/store.db "SELECT count(*) FROM session") -gt $before ] &&
	[ $(sqlite3 two-duct/store.db "SELECT count(*) FROM execution WHERE session > $before AND origin = '\''replay'\''") -ge 4 ]'

duct test two.c:sign two.c:only --time 4 --out some --json >log 2>err
check "functions that are named, JSON" '[ $? = 0 ] && [ -d some/sign ] && [ -d some/only ] && [ ! -d some/main ] && grep -q "\"branches\": " log'
duct test two.c:sign two.c:only --criterion labels,mcdc --time 2 --out none >log 2>err
check "criteria that have no objectives there" '[ $(grep -c "^\(labels\|mcdc\): the code has no objective of this criterion$" log) = 2 ]'
duct dft two.c --entry sign --criterion labels --runs 1 --quiet >log 2>err
check "... of a session" 'grep -q "^labels: the code has no objective" log'
duct test two.c:sing >log 2>err
status=$?
check "a function that is not there" '[ $status = 2 ] && grep -q "no function .sing.; did you mean .sign." err && [ ! -d two-duct/sing ]'
duct test >log 2>err
status=$?
check "no file" '[ $status = 2 ] && grep -q "duct test FILE.c" err'

mkdir mine && echo all: >mine/Makefile
duct test two.c:sign --time 2 --out mine >log 2>err
status=$?
check "a folder with files of others is left alone" '[ $status = 2 ] && grep -q "mine: has files that duct did not write (Makefile)" err &&
	[ "$(cat mine/Makefile)" = all: ] && [ "$(ls mine)" = Makefile ]'
duct dft two.c --entry sign --quiet --out mine >log 2>err
status=$?
check "... by a strategy, too" '[ $status = 2 ] && grep -q "did not write" err && [ "$(ls mine)" = Makefile ]'
duct report two-duct/store.db --out mine >log 2>err
status=$?
check "... and by report" '[ $status = 2 ] && grep -q "did not write" err && [ "$(ls mine)" = Makefile ]'
echo page >mine/index.html
duct report two-duct >log 2>err
check "a folder of duct test stands for its store" '[ $? = 0 ] && grep -q ^branches: log'
duct report mine >log 2>err
check "... another folder is refused" '[ $? != 0 ] && grep -q "mine: a folder without store.db" err'
duct report two-duct/store.db --html mine >log 2>err
status=$?
check "... and its page" '[ $status = 2 ] && [ "$(cat mine/index.html)" = page ]'
mkdir site && echo all: >site/Makefile && duct report two-duct --html site >log 2>err && duct report two-duct --html site >log 2>err &&
	[ -s site/index.html ]
status=$?
duct dft two.c --entry sign --quiet --out site >log 2>err
check "... a page beside files of others does not make these duct's" '[ $status = 0 ] && grep -q "site: has files that duct did not write (Makefile)" err &&
	[ "$(cat site/Makefile)" = all: ]'
duct dft two.c --entry sign --quiet --out mine --force >log 2>err
status=$?
check "... unless that is asked for" '[ $status = 0 ] && [ -s mine/tests.c ]'
duct dft two.c --entry sign --quiet --out mine >log 2>err
status=$?
check "what duct wrote it writes again" '[ $status = 0 ]'

mkdir -p project/src project/include project/build && echo "#define LIMIT 12" >project/include/limit.h
printf '#include "limit.h"\nint f(int x) { if (x > LIMIT + MORE) return 1; return 0; }\n' >project/src/f.c
printf '#include "limit.h"\nint g(int x) { if (x > LIMIT - LESS) return 1; return 0; }\n' >project/src/g.c
cat >project/build/compile_commands.json <<E
[{ "directory": "$PWD/project/build", "file": "../src/f.c", "command": "cc -I../include -DMORE=5 -c ../src/f.c" },
 { "directory": "$PWD/project/build", "file": "../src/g.c", "command": "cc -I../include -DLESS=5 -c ../src/g.c" }]
E
duct test project/src/f.c project/src/g.c --time $((4 * ${SLOWER:-1})) >log 2>err </dev/null
status=$?
check "flags of each unit from the build folder" '[ $status = 0 ] && grep -q "^  f  *branches 2/2" log && grep -q "^  g  *branches 2/2" log &&
	grep -q "^flags: from .*project/build/compile_commands.json" log'
make -C f-duct check >log 2>&1
check "... and their tests build" '[ $(grep -c " 0 failed" log) = 2 ]'

mkdir -p made/src made/inc && echo "#define LIMIT (LESS + 1)" >made/inc/limit.h && cp project/src/g.c made/src/ &&
	printf 'int g(int); int main(void) { return g(3); }\n' >made/src/main.c &&
	printf 'CFLAGS = -Iinc "-DLESS=3 + 4"\nt: src/g.o src/main.o\n\t$(CC) -o $@ src/g.o src/main.o\n' >made/Makefile
make -s -C made CC="duct cc" >log 2>&1
duct test made/src/g.c --time $((2 * ${SLOWER:-1})) --out object >log 2>err </dev/null
status=$?
check "flags from the object that make had duct cc write" '[ $status = 0 ] && grep -q "^flags: from .*/made/src/g.o" log && make -s -C object check >>log 2>&1'
duct test -p made made/src/g.c --time $((2 * ${SLOWER:-1})) --out folder >log 2>err </dev/null
status=$?
check "... from any below the build folder" '[ $status = 0 ] && [ -d folder/g ]'
rm -f made/src/g.o
duct test -p made/t made/src/g.c --time $((2 * ${SLOWER:-1})) --out program >log 2>err </dev/null
status=$?
check "... from the program" '[ $status = 0 ] && [ -d program/g ]'
rm -f made/t made/src/main.o
duct test -p made made/src/g.c --time $((2 * ${SLOWER:-1})) --out nothing >log 2>err </dev/null
status=$?
check "... that there is none is told" '[ $status = 2 ] && grep -q "no compile_commands.json, nor an object of made/src/g.c from .duct cc." err'

duct test made --time $((2 * ${SLOWER:-1})) >log 2>err </dev/null
status=$?
check "... for the folder, too" '[ $status = 2 ] && grep -q "^duct: made: no C files that were compiled there are known: .cmake" err'

mkdir project/tests && printf 'int f(int);\nint main(void) { return f(3); }\n' >project/tests/try.c
for tool in a b; do
	printf 'int f(int);\nstatic int %s(int x) { return x == 3; }\nint main(int n, char **v) { (void)v; return %s(n) + f(n); }\n' \
		$tool $tool >project/src/$tool.c
done
cat >project/build/compile_commands.json <<E
[{ "directory": "$PWD/project/build", "file": "../src/f.c", "command": "cc -I../include -DMORE=5 -Df_EXPORTS -c ../src/f.c" },
 { "directory": "$PWD/project/build", "file": "../tests/try.c", "command": "cc -I../include -DMORE=5 -c ../tests/try.c" },
 { "directory": "$PWD/project/build", "file": "../src/a.c", "command": "cc -I../include -DMORE=5 -c ../src/a.c" },
 { "directory": "$PWD/project/build", "file": "../src/b.c", "command": "cc -I../include -DMORE=5 -c ../src/b.c" },
 { "directory": "$PWD/project/build", "file": "../src/g.c", "command": "cc -I../include -DLESS=5 -c ../src/g.c" }]
E
(cd project && duct test build --time $((12 * ${SLOWER:-1})) >../log 2>../err </dev/null)
status=$?
check "a build folder: all that was compiled there, each command a program" '[ $status = 0 ] && [ ! -s err ] &&
	[ $(grep -c "^  [abfg] " log) = 4 ] && [ $(grep -c "^  main  *branches 2/2" log) = 2 ]'
check "... but what tries it out" 'grep -q "^left out: 1 file of tests or examples, tests/try.c; name it to test it" log'
make -C project/duct-out check >log 2>&1
check "... the tests of both commands build" '[ $(grep -c " 0 failed" log) = 6 ]'
(cd project && duct test . --time $((2 * ${SLOWER:-1})) --out ../found >../log 2>../err </dev/null)
check "... found from the folder of the project" 'grep -q "^flags: from ./build" log'
make -s -C made CC="duct cc" >log 2>&1 && rm -f made/src/*.o
duct test -p made --time $((6 * ${SLOWER:-1})) --out found >log 2>err </dev/null
status=$?
check "... what duct cc compiled, from the program alone" '[ $status = 0 ] && grep -q "^  main " log && grep -q "^  g  *branches 2/2" log'

mkdir -p folders/lib folders/src folders/odd && cd folders || exit 4
echo '#define LIMIT 5' >limit.h; echo '#define OWN 1' >src/own.h; echo '#define OWN 2' >odd/own.h
printf '#include <limit.h>\nint low(int x) { if (x < LIMIT) return 1; return 0; }\n' >lib/low.c
printf '#include <limit.h>\n#include <own.h>\nint low(int);\nint own(void) { return OWN; }\n' >src/main.c
printf 'int main(int n, char **v) { (void)v; return low(n) ? LIMIT : OWN; }\n' >>src/main.c
printf '#include <own.h>\nint odd(int x) { return x == OWN; }\n' >odd/odd.c
for file in lib/low src/main odd/odd; do
	echo "{ \"directory\": \"$PWD/${file%/*}\", \"file\": \"${file#*/}.c\", \"command\": \"cc -I. -I.. -DSAME -c ${file#*/}.c\" }"
done | sed '1s/^/[/; $!s/$/,/; $s/$/]/' >compile_commands.json
duct test . --time $((8 * ${SLOWER:-1})) --out out >../log 2>../err </dev/null
status=$?
check "automake's folders of headers, which differ, make no programs of their own" '[ $status = 0 ] && [ ! -s ../err ] &&
	grep -q "low.c" out/main/Makefile'
check "... unless one of them has another header of that name" '! grep -q "^DUCT_FLAGS.*/src " out/odd/Makefile && grep -q "^DUCT_FLAGS.*/src " out/low/Makefile'
make -C out check >../log 2>&1
check "... and their tests build" '[ $(grep -c " 0 failed" ../log) = 4 ]'
sed -i '/low.c/s/-DSAME/-DSAME -DINTERNAL -fPIC -fvisibility=hidden/; /odd.c/s/-DSAME/-DOTHER/' compile_commands.json
printf '#ifdef SAME\n#define OWN 1\n#else\n#define OWN 2\n#endif\n' >odd/own.h
duct test . --time $((4 * ${SLOWER:-1})) --out macros >../log 2>../err </dev/null
check "nor do macros of a library and how it is laid out, unless they change what a file means" '[ ! -s ../err ] &&
	grep -q "low.c" macros/main/Makefile && ! grep -q SAME macros/odd/Makefile && grep -q SAME macros/low/Makefile'
cd ..

mkdir parts && cd parts || exit 4
printf 'extern int limit;\nint setting;\nint wider(int);\nvoid set(int x) { setting = wider(x); }\n' >a.c
printf 'int f(int x) { if (x > limit) return setting > 2; return 0; }\n' >>a.c
printf 'int limit = 5;\n' >b.c
printf 'int wider(int x) { return x > 7 ? 7 : x; }\n' >c.c
printf 'int f(int);\nint alone(int x) { return x == 77; }\nint calls(int x) { return f(x); }\n' >d.c
printf 'int alone(int);\nstatic int twice(int x) { return 2 * x; }\nint main(int n, char **v) { (void)v; return twice(alone(n)); }\n' >e.c
duct test a.c b.c c.c d.c e.c --time $((14 * ${SLOWER:-1})) --out out >../log 2>../err </dev/null
status=$?
# sources FUNC: the files that the tests of the function are built from
sources() { sed -n 's/^[a-z0-9]*\.o:.* \.\.\/\.\.\/\([a-e]\)\.c$/\1/p' out/$1/Makefile | sort | tr -d '\n'; }
check "a program has the files that its entry may need: their functions, variables, what setters call" '[ $status = 0 ] && [ ! -s ../err ] &&
	[ "$(sources f)" = abc ] && [ "$(sources wider)" = c ] && [ "$(sources calls)" = abd ] && [ "$(sources main)" = de ]'
check "... all where main is in one of these" '[ "$(sources twice)" = abcde ]'
make -C out check >../log 2>&1
check "... and their tests build" '[ $(grep -c " 0 failed" ../log) = 7 ]'
duct instrument --objects kept -e f -o one a.c b.c c.c 2>../log && ls -i kept | grep "[.]o$" >first &&
	duct instrument --objects kept -e wider -o two a.c b.c c.c 2>>../log && ls -i kept | grep "[.]o$" >second &&
	duct cfg-dump two | grep -v "^#meta\|^unit" >kept.flow && duct instrument -e wider -o two a.c b.c c.c &&
	duct cfg-dump two | grep -v "^#meta\|^unit" >new.flow
check "objects without a harness are kept for the next entry, and make the same program" '[ $(wc -l <first) = 6 ] &&
	cmp -s first second && cmp -s kept.flow new.flow'
cd ..

mkdir -p whole/src whole/inc && echo "#define LIMIT 12" >whole/inc/limit.h && cp project/src/f.c whole/src/f.c
printf 'int sensor(void);\nint g(int x) { if (x > 3) return x < 2; if (sensor() > 7) return 1; return 0; }\n' >whole/src/g.c
cat >whole/duct.lua <<'E'
return {
	files = { "src/*.c" }, flags = { "-Iinc", "-DMORE=5" },
	time = 6, fail_under = 100, fail_on = "finding",
	stub = "sensor",
	entries = { f = { range = { x = "..9" } } },
}
E
(cd whole && duct test >../log 2>../err </dev/null)
status=$?
check "duct.lua: duct test alone is the whole job" '[ $status = 0 ] && grep -q "^  f  *branches 1/1  pairs 1/1  2 infeasible" log && grep -q "^  g  *branches" log &&
	[ -s whole/duct-out/html/index.html ] && grep -q "x=..9 (duct.lua:5)" log'
make -C whole/duct-out check >log 2>&1
check "... and its tests build" '[ $(grep -c " 0 failed" log) = 2 ]'
grep -v "stub\|entries" whole/duct.lua >some.lua && mkdir -p alone && mv some.lua alone/duct.lua && cp -r whole/src whole/inc alone/
(cd alone && duct test src/f.c --time 2 --fail-under 1 >../log 2>../err </dev/null)
status=$?
check "... without options about inputs it is no assumption" '[ $status = 0 ] && ! grep -q "set up by\|assumed" log'
(cd whole/src && duct test --time $((5 * ${SLOWER:-1})) --out ../other >../../log 2>../../err </dev/null)
status=$?
check "... from a folder below" '[ $status = 0 ] && [ -d whole/other/f ]'
sed -i 's/fail_under = 100/fail_under = "all"/' whole/duct.lua
(cd whole && duct test >../log 2>../err </dev/null)
status=$?
check "... what is not meant so is told with its line" '[ $status = 3 ] && grep -q "duct.lua:3: .fail_under. is a number" err'
sed -i 's/fail_under = "all"/fail_undr = 90/' whole/duct.lua
(cd whole && duct test >../log 2>../err </dev/null)
status=$?
check "... so is what it does not know" '[ $status = 3 ] && grep -q "duct.lua:3: unknown option .fail_undr.: did you mean .fail_under." err'

{
	for i in $(seq 150); do echo "int f$i(int x) { return x > $i ? 1 : x * $i < 7 ? 2 : 3; }"; done
	echo "int most(int x) { return f1(x) + f2(x) + f3(x) > 5 ? f4(x) : f5(x); }"
} >many.c
for seconds in 2 8 32; do                # more where the machine is so busy that none had a turn
	rm -rf many
	duct test many.c --time $seconds --out many >log 2>err </dev/null
	status=$?
	sqlite3 many/store.db "SELECT DISTINCT entry FROM session" >first
	[ -s first ] && break
done
check "the result of many functions fits on a screen" '[ $(wc -l <log) -le 40 ] && head -n 1 log | grep -q "^branches: " &&
	[ $(grep -c "^  [a-z0-9]*  *branches " log) -le 8 ] && grep -q "^all of it: duct report many/store.db$" log'
check "too many functions for the time: that is said" '[ $status = 0 ] && grep -q "^  [0-9]* had no turn: no time was left" log &&
	grep -q "^more: " log && [ $(wc -l <first) -lt 151 ]'
check "... and that the figures lack what only these reach" 'grep -q "^not counted: what is reached only from [^,]*, [^,]*, .* and [0-9]* more" log'
duct test many.c --time 0.1 --out many --json >log 2>err </dev/null
check "... in JSON, too: those without a session are the others of the 151" \
	'[ "$(sed -n "s/^ \"not_counted\": //p" log | grep -o "\"[a-z0-9]*\"" | sort -u | wc -l)" = $((151 - $(sqlite3 many/store.db "SELECT count(DISTINCT entry) FROM session"))) ]'
check "... the one that reaches most comes first" '[ "$(head -n 1 first)" = most ]'
for seconds in 2 8 32; do
	duct test many.c --time $seconds --out many >log 2>err </dev/null
	sqlite3 many/store.db "SELECT entry FROM session
		WHERE id > (SELECT max(id) FROM session WHERE entry = '$(tail -n 1 first)')" >second
	[ -s second ] && break
done
check "... and the same call goes on with those that had none" '[ -s second ] && ! grep -qxFf first second'

printf 'int old(int x) { if (x > 3) return 1; return 0; }\n' >old.c
duct test old.c --time 5 -- -std=c89 -Wall -Wextra -pedantic -Wdeclaration-after-statement >log 2>err </dev/null
status=$?
check "flags that warn warn of the user's text only" '[ $status = 0 ] && ! grep -q warning err log'

cat >unnamed.c <<'E'
int taken(union { int i; char b[4]; } u) { if (u.b[1] == 7) return 1; return 0; }
int fine(int x) { if (x > 3) return 1; return 0; }
E
duct test unnamed.c --time 10 >log 2>err -- -w </dev/null
check "a parameter whose type no caller can name" '! grep -q error: err && grep -q "^branches: 2 of 2 covered" log &&
	grep -q "^not an entry: taken: no caller can name the type of .u.$" log'

cat >long.c <<'E'
int f(unsigned long a, unsigned long b, unsigned long c)     /* Fermat */
{
	if (!a || !b || a > 1600000 || b > 1600000 || c > 2000000)
		return 0;
	return a * a * a + b * b * b == c * c * c ? 1 : 2;
}
E
duct test long.c --time 60 >log 2>err </dev/null & pid=$!
for i in $(seq 100); do
	[ "$(sqlite3 long-duct/store.db "SELECT count(*) FROM execution" 2>/dev/null || echo 0)" -gt 0 ] && break
	sleep 0.1
done
sleep 1
kill -TERM $pid
wait $pid
status=$?
check "an end from outside keeps everything, writes tests and page, and ends with 130" '[ $status = 130 ] && [ -s long-duct/html/index.html ] &&
	[ -s long-duct/f/tests.c ] && grep -q "continues where this one stopped" log'

# Nothing to cover, but something to call: one test does.
printf 'int plain(void) { return 42; }\nint other(int x) { return x + 1; }\n' >plain.c
duct test plain.c >log 2>err
check "a function without conditions and pairs has a test" 'make -s -C plain-duct check >check && [ "$(grep -c "^1 tests: 1 passed" check)" = 2 ] &&
	grep -q "plain(), 42" plain-duct/plain/tests.c'
finish
