#!/bin/sh
# waits
# One project built by make, cmake, meson and autotools through `duct cc`: several directories, a static and a
# shared library, GNU C, inline assembly, a thread; its suite recorded, and its compilation database used.
# limit: 300
. "$ROOT/tests/lib/tap.sh"

project() {
	cp -r "$ROOT/tests/builds/project" "$1" && cd "$1" || exit 4
}
missing() {
	command -v "$1" >/dev/null && return 1
	echo "# $1 is not installed: not tried"
}

# Are more branches covered in the summary LOG than in FIGURES?
more() {
	awk '/^branches:/ { n[FILENAME] = $2 } END { exit !(n[ARGV[1]] > n[ARGV[2]]) }' "$1" "$2"
}

# The suite covers the same, whichever build system built it: measured NAME [REPORT-OPTION...]
measured() {
	name=$1
	shift
	duct report --store s.db "$@" >out 2>err
	check "$name: three tests" 'grep -q "^3 tests, 3 processes" out'
	grep "^branches:\|^pairs:" out >../"$name.figures"
	duct report --store s.db "$@" --pairs >out 2>err
	check "$name: pairs of the libraries" 'grep -q "^scale	.*	covered	" out && grep -q "^clamp	.*	covered	" out'
	cd .. || exit 4
	[ "$name" = make ] || check "$name: it covers what it covers when make builds it" 'cmp make.figures "$name.figures" 2>log'
}

project make
make -s CC="duct cc --pairs" app/app >log 2>&1 && duct cover --quiet --store s.db -- make -s check >>log 2>&1
ok $? "make: built, and its suite passes"
measured make

if ! missing cmake; then
	project cmake
	CC="duct cc --pairs" cmake -S . -B made -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >log 2>&1 && make -s -C made >>log 2>&1 &&
		duct cover --quiet --store s.db -- make -s -C made test >>log 2>&1
	ok $? "cmake: built, and its suite passes"
	duct dft -p made lib/scale.c --entry scale --store s.db --out t --quiet >log 2>&1 && make -s -C t check >>log 2>&1
	ok $? "cmake: tests are added with the flags of compile_commands.json"
	check "cmake: inline assembly ran, and is said to be lost" 'grep -q "assembl" log'
	duct concolic -p lib lib/scale.c --entry scale >log 2>&1
	check "cmake: without a database that is said" '[ $? = 2 ] && grep -q "there is no compile_commands.json" log'
	duct report --store s.db --all >log 2>&1
	check "cmake: with the tests that were added more is covered" 'more log ../make.figures'
	measured cmake --session 1
fi
if ! missing meson; then
	project meson
	CC="duct cc --pairs" meson setup made >log 2>&1 && ninja -C made >>log 2>&1 &&
		duct cover --quiet --store s.db -- meson test -C made >>log 2>&1
	ok $? "meson: built, and its suite passes"
	duct concolic -p made/compile_commands.json plugin/clamp.c --entry clamp --json >log 2>&1
	check "meson: its compile_commands.json serves" 'grep -qE "\"ended\": \"(exhausted|limits)\"" log'
	measured meson
fi
if ! missing automake; then
	project autotools
	autoreconf -i >log 2>&1 && ./configure CC="duct cc --pairs" >>log 2>&1 && make -s >>log 2>&1 &&
		duct cover --quiet --store s.db -- make -s check >>log 2>&1
	ok $? "autotools: built, and its suite passes"
	measured autotools
fi
echo 'double fmod(double, double), sin(double); int main(int n, char **v) { return fmod(sin(n), 2) > 3; }' >m.c
check "a configure that is content with the models of some functions of libm has all of them" 'duct cc -o m m.c 2>log && ./m'
finish
