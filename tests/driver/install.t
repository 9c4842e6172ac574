#!/bin/sh
# `make install` puts a toolkit that works below any folder, and `make uninstall` takes it away.
cd "$ROOT" || exit 4
prefix=/opt/duct
place=$(mktemp -d) || exit 4
trap 'rm -rf "$place"' EXIT
ok() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; sed 's/^/# /' "$place/log"; fi; }

make -s --no-print-directory install BUILD="$BUILD" DESTDIR="$place/root" PREFIX=$prefix >"$place/log" 2>&1
ok $? "it installs"
duct=$place/root$prefix/bin/duct
unset DUCT_BUILD
cd "$place" || exit 4
cp "$ROOT/share/examples/is_sorted.c" . &&
	"$duct" concolic is_sorted.c --entry isSorted --out tests >log 2>&1 && grep -q '^branches: 6 of 6' log
ok $? "a session runs with what is installed"
make -C tests check >log 2>&1
ok $? "its tests pass"
"$duct" instrument -o sorted is_sorted.c --entry isSorted 2>log && "$duct" run-trace --default ./sorted >trace 2>>log &&
	"$duct" solve trace >>log
ok $? "filters run with what is installed"
ls "root$prefix/lib/duct/lua/duct/completion.luac" >log 2>&1 && "$duct" completion bash >>log 2>&1 &&
	echo 'return function() print "changed" return 0 end' >"root$prefix/share/duct/lua/duct/completion.lua" &&
	test "$("$duct" completion bash)" = changed 2>>log
ok $? "a module that was changed counts, not what was compiled of it"
echo 'return nothing.here' >"root$prefix/share/duct/lua/duct/completion.lua"
! "$duct" completion bash >log 2>&1 && grep -q 'completion.lua was changed after duct was built: run make' log
ok $? "an error says that it may come from such a module"
mandoc -T lint -W error root$prefix/share/man/man?/* >log 2>&1 || ! command -v mandoc >/dev/null
ok $? "its pages are well-formed"
find root -type f | grep -v '/duct[/.-]\|/_*duct$' >log
test ! -s log
ok $? "every file is named for duct"
make -s --no-print-directory -C "$ROOT" uninstall BUILD="$BUILD" DESTDIR="$place/root" PREFIX=$prefix >log 2>&1 &&
	find root ! -type d >>log && test ! -s log
ok $? "nothing stays behind"
