#!/bin/bash
# Error messages use the words of those who use duct: what happened, and what to do next.
# limit: 200
. "$ROOT/tests/lib/tap.sh"
printf 'int f(int x) { return x; }\nint g(int x) { return x; }\n' >a.c
: >empty.c
echo 'class A {};' >foo.cc
mkdir dir.c
printf '#include <zlib.h>\nint h(int x) { return crc32(0, 0, x) > 5; }\n' >z.c
printf 'int miss(int);\nint h(int x) { return miss(x) > 5; }\n' >miss.c

# refused STATUS TEXT COMMAND...
refused() {
	local want=$1 text=$2 got
	shift 2
	timeout 60 "$@" >log 2>err </dev/null
	got=$?
	cat log >>err
	[ $got = "$want" ] && grep -qF -e "$text" err && ! grep -q 'Scrt1\|ld returned\|libexec' err
	ok $? "$*: $text"
}
refused 2 "no main in a.c; choose an entry with --entry: f, g" duct dft a.c
refused 2 "instrument: no main in a.c; choose an entry with --entry: f, g" instrument a.c
refused 2 "no main in a.c, miss.c; choose an entry with --entry: f, g, h" instrument a.c miss.c
refused 2 "empty.c: no function is defined there" duct dft empty.c
refused 2 "empty.c: no function that could be tested" duct test empty.c
refused 2 "no function 'ff'; did you mean 'f'; there are: f, g" duct dft a.c --entry ff
refused 2 "no function 'ff'; did you mean 'f'; there are: f, g" duct test a.c:ff
for command in "duct test a.c" "duct dft a.c --entry f"; do
	refused 2 "--fail-on is \`finding\` or \`unknown\`" $command --fail-on bug
	refused 2 "--fail-under is a percentage, from 0 to 100" $command --fail-under 200
done
for flag in -I. -DX=1 -O2 -std=c99; do
	refused 2 "$flag is a flag of the compiler: these come last, after --" duct dft a.c $flag --entry f
done
refused 2 "-O2 is a flag of the compiler: these come last, after --" duct -O2 test a.c
refused 2 "foo.cc: duct reads C; C++ is not supported" duct dft foo.cc --entry f
refused 2 "foo.cc: duct reads C; C++ is not supported" duct test foo.cc
refused 2 "dir.c is a folder: name its C files" duct dft dir.c
refused 2 ".: no C files that were compiled there are known" duct test .
refused 2 "names of files must not have tabs or newlines" duct dft 'x
y.c'
refused 2 "cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON" duct dft a.c -p . --entry f
refused 2 "report: unknown option --bogus; report --help lists all" duct report --bogus
refused 2 "report: unknown option --findngs: did you mean --findings?" duct report s.db --findngs
refused 2 "report: --html needs a value" duct report s.db --html
refused 2 "cover: unknown option --stroe: did you mean --store?" duct cover --stroe=s.db -- true
refused 2 "report: unknown format \`untiy\`: did you mean unity; there are gcc, and with --out" duct report s.db --format untiy
refused 2 "report: --format unity is a format of tests: --out DIR --format unity" duct report s.db --format unity
refused 2 "duct: unknown option -entry: did you mean --entry?" duct dft a.c -entry f
refused 2 "duct: --bogus must follow a command" duct --bogus
refused 2 "report: no store: duct report STORE" duct report
refused 2 "report: only one store can be given" duct report a.db b.db
refused 2 "--out a.c: is a file: name a folder" duct test a.c --out a.c
refused 4 "a.c: not a store of duct" duct dft a.c --entry f --store a.c
# said once, before the first turn
refused 2 "unknown format \`bogus\`: there are assert" duct test a.c --format bogus
check "a bad format is told once, and nothing is written" '[ $(wc -l <err) = 1 ] && [ ! -e a-duct ]'
refused 4 "missing/s.db: unable to open database file" duct test a.c --store missing/s.db
check "so is a store that cannot be opened" '[ $(wc -l <err) = 1 ]'
refused 2 "duct cfg-dump a.c | duct defuse" duct defuse a.c
refused 2 "duct run-trace --default ./program | duct solve" duct solve a.c
refused 2 "defuse reads no C" duct defuse a.c
refused 0 "usage: duct cc" duct cc --help
for option in $(sed -n 's/^usage: duct cc \(.*\) COMPILER.*/\1/p' err | grep -o -e '--[a-z]*'); do
	list= && [ $option = --pairs ] || list=all
	[ $option != --criterion ] || list=mutants
	duct cc $option $list -c a.c 2>err
	check "duct cc takes the $option that its help tells of" "[ $? = 0 ] && [ ! -s err ]"
done
refused 2 "duct cc: -o is the last argument: its value is missing" duct cc a.c -o
refused 2 "duct cc: -L is the last argument: its value is missing" duct cc -c a.c -L
refused 2 "duct: --file: \`a/b=3\`: files of a run are in its scratch directory: no \`/\`" duct dft a.c --file a/b=3
refused 2 "duct: --file: \`b\` is not NAME=SIZE" duct concolic a.c --file b
refused 2 "duct: --arg: \`0=3\`: arguments are numbered from 1 to 9999" duct concolic a.c --arg 0=3
refused 2 "duct: --env: \`A=-1\`: the size is not a number up to 1073741824" duct concolic a.c --env A=-1
refused 2 "duct: length 'q': expected NAME=N, NAME=LOW..HIGH or NAME=EXPRESSION" duct concolic a.c --entry f --len q
refused 2 "plan takes no --time" duct plan a.c --time 5
refused 2 "unknown command \`tset\`: did you mean \`duct test\`?" duct tset a.c
refused 2 "unknown command \`a\`: \`duct test a.c\` writes tests for a.c" duct a
refused 2 "unknown command \`nothing\`; see duct --help" duct help nothing
refused 2 "unknown command \`nothing\`; see duct --help" duct nothing --help
refused 0 "duct 0." duct version
refused 2 "a: no such file: did you mean a.c? A function is named with --entry, or duct test FILE.c:a" duct test a
refused 2 "a.c: it is named twice" duct dft a.c a.c
refused 2 "--json takes no value" duct dft a.c --json=x
refused 2 "f: no such file; a function is named with --entry, or duct test FILE.c:f" duct dft a.c f
refused 2 "a.c:f: no such file; for a function of a.c: --entry f, or duct test a.c:f" duct dft a.c:f
refused 2 "FILE.c:FUNCTION" duct test a.c::f
echo 'int k(int);' >k.h; echo all: >Makefile; mkdir -p built && echo '[]' >built/compile_commands.json; : >built/store.db
refused 2 "k.h: a header: name a C file that includes it" duct test k.h
refused 2 "Makefile: neither C source, whose name ends in .c, nor a program" duct test Makefile
refused 2 "built/compile_commands.json: name its folder: duct test built, or -p built FILE.c" duct test built/compile_commands.json
refused 2 "built has results of duct test: duct report built shows them" duct test built
refused 3 'no program model in it: CC="duct cc" builds it with one' duct test /bin/true
refused 2 "duct: --time: \`1m\` is not a number of seconds, more than 0" duct test a.c --time 1m
refused 2 "the proofs of a store are checked by duct prove --check STORE" duct prove s.db
refused 2 "unknown option --func: did you mean --entry?" duct test a.c --func f
refused 2 "--html is an option of duct report, which reads the store of a session" duct test a.c --html x
refused 2 "no strategy: duct farm STRATEGY a.c, such as dft" duct farm a.c
refused 2 "no store: duct cover --store FILE -- make check" duct cover make check
echo '#include "absent.h"' >header.c
refused 3 "duct: flags to compile with come last: -- -I DIR; or name the build folder: -p DIR" duct test header.c
refused 3 "duct: flags to compile with come last: -- -I DIR" duct dft header.c
mkdir -p project/src project/include project/win project/mac && cd project || exit 1
: >configure; : >src/config.h.in; : >src/beside.h; echo '#define two(x) ((x) + 2)' >include/two.h; : >win/os.h; : >mac/os.h
printf '#include <two.h>\n#include <beside.h>\nint f(int x) { if (two(x) > 5) return 1; return 0; }\n' >src/two.c
echo '#include "config.h"' >src/made.c
echo '#include "os.h"' >src/os.c
printf 'CFLAGS = -DPACKAGE_MOST=7\n' >Makefile
printf 'int g(int x) { return x > PACKAGE_MOST; }\n' >src/macro.c
duct test src/two.c --time 5 --out two >log 2>err </dev/null
status=$?
check "a header that one folder of the project has is found there, which is said" '[ $status = 0 ] &&
	grep -q "^duct: two.h was not found: compiled with -I.*/project/include$" err &&
	grep -q "^duct: beside.h was not found: compiled with -I.*/project/src$" err && grep -q "branches: 2 of 2 covered" log'
make -C two check >log 2>&1
check "... also by the Makefile of the tests" 'grep -q " 0 failed" log'
duct dft src/two.c --entry f --time 5 >log 2>err </dev/null
check "... and by a session of one function" 'grep -q "branches: 2 of 2 covered" log && grep -q "two.h was not found" err'
printf '#include <string.h>\nint f(const char *s) { return *strchrnul(s, 0x78) ? 1 : 0; }\nint g(const char *s) { if (strchrnul(s, 9) == s) return 1; return 0; }\n' >src/gnu.c
duct test src/gnu.c --time 5 --out gnu >log 2>err </dev/null
check "a function that a header declares with -D_GNU_SOURCE alone is declared so, which is said" \
	'grep -q "^duct: <string.h> declares strchrnul with -D_GNU_SOURCE: compiled with that$" err && grep -q "branches: 4 of 4 covered" log'
make -C gnu check >log 2>&1
check "... also by the Makefile of the tests" 'grep -q " 0 failed" log'
printf '#include <string.h>\nint f(const char *s) { return *strgnu(s) ? 1 : 0; }\n' >src/none.c
duct test src/none.c --time 5 >log 2>err </dev/null
check "... of one that no header declares nothing is said" '[ $? = 3 ] && ! grep -q GNU_SOURCE err'
refused 3 "the project's build makes config.h: configure and build it with make CC=\"duct cc\"" duct test src/made.c
refused 3 "/project/mac or -- -I$PWD/win" duct test src/os.c
refused 3 "Makefile defines PACKAGE_MOST: build the project with make CC=\"duct cc\"" duct test src/macro.c
cd .. || exit 1
refused 3 "duct: there is no library for -labsent; where it is: -- -L DIR -labsent" duct test a.c --time 2 --out linked -- -labsent
check "... once, not for each function" '[ $(grep -c "no library" err) = 1 ]'
refused 2 "unknown command \`frobnicate\`; see duct --help" duct frobnicate
refused 2 "diff takes no --search" duct diff a.db b.db --search dfs
refused 2 "doctor takes no --store" duct doctor --store x
refused 2 "prove --check takes no --search" duct prove --check s.db --search dfs
refused 2 "test takes no --jobs" duct test a.c --jobs 2
refused 2 "dft takes no --session" duct dft a.c --session 3
refused 2 "empty.c: no function is defined there" duct plan empty.c
refused 1 'build it with make CC="duct cc --pairs"' duct cover --store s.db -- true
printf '#include <sqlite3.h>\nint own(int);\nint h(int x) { if (x > sqlite3_threadsafe()) return own(x); return 0; }\nint i(int x) { return own(x); }\n' >z.c
duct test z.c --time 4 >log 2>err </dev/null
status=$?
check "what nothing defines gets a stub, which is said once; a library that has it is named" '[ $status = 0 ] &&
	[ $(grep -c "nothing defines it" err) = 2 ] && grep -q "^duct: own: nothing defines it: a stub, whose results .* are inputs$" err &&
	grep -q "^duct: sqlite3_threadsafe: nothing defines it: .*; a library has it: -- -lsqlite3$" err'
printf 'int sqlite3_threadsafe(void);\nint k(int x) { return x > sqlite3_threadsafe(); }\n' >o.c
printf 'int _Zgetc(int);\nint names(int x) { return _Zgetc(x) > 3 ? 1 : 2; }\n' >zg.c
duct test zg.c --time 2 >log 2>err
check "... by its own name, also where C++ would have another one" '[ $? = 0 ] && grep -q "^duct: _Zgetc: nothing defines it: a stub" err'
check "... but not for a function of the same name that the program declares itself" 'duct test o.c --time 2 2>&1 | grep "nothing defines it" >err &&
	grep -q "sqlite3_threadsafe.* are inputs$" err'
duct test z.c:h --time 3 --out z2 -- -lsqlite3 >log 2>err </dev/null
status=$?
check "... and used when it is given, without another word" '[ $status = 0 ] && [ $(wc -l <err) = 1 ] && make -s -C z2 check >log 2>&1'
mkdir near && printf 'int own(int);\nint h(int x) { return own(x) > 3 ? 1 : 0; }\n' >near/h.c && printf 'int own(int x)\n{\n\treturn x;\n}\n' >near/own.c &&
	echo 'int h(int); int g(int x) { return h(x); }' >near/g.c && duct dft near/h.c --entry h --time 3 --runs 3 >log 2>err
check "... and files beside it that define some" 'grep -q "^duct: near/own.c defines some of these: name it as well to run that instead of stubs$" err || { cat err; false; }'
duct plan a.c --json >log
check "plan --json: an object a line" '[ $(grep -c "^{\"function\": .*}$" log) = 2 ] && grep -q "\"inputs\": \[\"x: signed, 4 bytes\"\]" log'
printf 'int miss(int);\nvoid duct_assume(int);\nint any(int n, ...) { duct_assume(n < 9); return miss(n); }\n' >any.c
check "... limits and assumptions as sentences" 'duct plan any.c --json --assume "n > 0" >log && grep -q "\"assumptions\": \[\"n > 0\"\], \"limits\": \[\"no variable arguments are passed to any() here\"\]" log &&
	grep -q "\"absent\": \[\"miss\"\]" log'
mkdir -p project/build project/src && printf '#if MORE\nint more(int x) { return x; }\n#endif\n' >project/src/m.c
echo "[{ \"directory\": \"$PWD/project/build\", \"file\": \"../src/m.c\", \"command\": \"cc -DMORE=1 -c ../src/m.c\" }]" >project/build/compile_commands.json
check "plan: flags from the build folder" 'duct plan project/src/m.c >log && grep -q "^more " log && duct plan -p project/build project/src/m.c >log && grep -q "^more " log'
finish
