# Running of the tools and counting, for tests/real/run; in the folder of the sources.

# One command, as anyone would type it; it ends when its time is over, or the CPU seconds of all its processes. A folder
# with its tests in C: $WORK/duct.d
with_duct() {
	rm -rf "$WORK/duct.d"
	"$REAL/measure" -l "$budget" duct concolic "$here/$name/harness.c" $sources ${stdin:+--stdin "$stdin"} \
		--corpus "$WORK/seeds" --keep new --timeout 1 --time "$budget" --json --out "$WORK/duct.d" \
		${search:+--search "$search"} $DUCT_OPTIONS -- -w $flags -lm >"$WORK/duct.json" 2>"$WORK/duct.log"
	[ -f "$WORK/duct.d/Makefile" ] && return
	cat "$WORK/duct.log" >&2
	return 4
}

# fuzz SECONDS FOLDER: AFL++; its queue, crashes and hangs as files in FOLDER.
fuzz() {
	rm -rf "$WORK/afl.out" "$2"
	export AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_QUIET=1
	afl-clang-fast -O2 -w $flags -o "$WORK/afl.program" "$here/$name/harness.c" $sources -lm >"$WORK/afl.log" 2>&1 &&
		"$REAL/measure" -l "$1" afl-fuzz -i "$WORK/seeds" -o "$WORK/afl.out" -s 1 ${stdin:+-G "$stdin"} -- \
			"$WORK/afl.program" >>"$WORK/afl.log" 2>&1 </dev/null
	mkdir -p "$2.part"
	for kind in queue crashes hangs; do
		for file in "$WORK"/afl.out/default/$kind/id*; do
			[ -f "$file" ] && cp "$file" "$2.part/$kind-$(basename "$file" | cut -d , -f 1 | tr : -)"
		done
	done
	[ -f "$WORK/afl.out/default/fuzzer_stats" ] && mv "$2.part" "$2" && return
	cat "$WORK/afl.log" >&2
	return 4
}

# $WORK/afl.d; first, when a union is asked for, $WORK/long.d, which is kept for other times.
with_afl() {
	[ -z "$long" ] || [ -d "$WORK/long.d" ] || fuzz "$long" "$WORK/long.d" || return 4
	fuzz "$budget" "$WORK/afl.d"
}

# outcomes FOLDER: the branches of the package's files that its counters tell of, a line each: the name, the same in each
# folder with the same flags; 1 if it was taken; how often its function was called.
outcomes() {
	(cd "$1" && gcov -b -c -t ./*.gcda 2>/dev/null) | awk -F: -v root="$WORK/src/" '
		$3 == "Source" {
			counts = substr($4, 1, 1) != "/" || index($4, root) == 1
			file = $4
			sub(".*/", "", file)
			times[file]++
			n = 0
		}
		/^function /{ split($0, field, " "); called = field[4] }
		counts && /^branch /{
			split($0, field, " ")
			print file "#" times[file] ":" ++n, (field[3] == "taken" && field[4] > 0), called
		}'
}

# counted INPUTS COUNTERS OUTCOMES: runs the files of a folder on the untouched program.
counted() {
	rm -rf "$2" && mkdir -p "$2/scratch"
	gcc -O0 -w --coverage -fprofile-abs-path $flags -o "$2/program" -dumpdir "$2/" \
		"$here/$name/harness.c" $sources -lm || return 4
	for input in "$1"/*; do
		(cd "$2/scratch" && timeout 10 "$2/program" <"$input" >"$2/out" 2>&1)
	done 2>/dev/null
	rm -f "$2"/*harness.gc*
	outcomes "$2" >"$3"
}

# Those that duct's tests take of the untouched program, and those that AFL++'s inputs take: $WORK/TOOL.gcov
count_duct() {
	make -s -C "$WORK/duct.d" check CC=gcc CFLAGS="-O0 -w --coverage" >"$WORK/duct.check" 2>&1
	rm -f "$WORK"/duct.d/tests.gc* "$WORK"/duct.d/duct_*.gc*
	outcomes "$WORK/duct.d" >"$WORK/duct.gcov"
}

count_afl() { counted "$WORK/afl.d" "$WORK/gcov" "$WORK/afl.gcov"; }

# The same for the longer run and for the package's own tests, if the set-up has a function `suite`, which is called in
# the folder of the sources: $WORK/long.gcov, $WORK/suite-*.gcov
count_union() {
	rm -rf "$WORK"/suite*
	mkdir "$WORK/suite.d"
	counted "$WORK/long.d" "$WORK/gcov" "$WORK/long.gcov" || return 4
	command -v suite >/dev/null || return 0
	suites=0
	suite || return 4
	[ "$suites" -eq 0 ] || counted "$WORK/suite.d" "$WORK/gcov" "$WORK/suite-inputs.gcov"
}

# suite_input BEGIN FILE: an input of the package's tests, after the bytes that the harness wants first.
suite_input() {
	suites=$((suites + 1))
	{ printf -- "$1" && cat "$2"; } >"$WORK/suite.d/$suites"
}

# suite_program FILE...: one of its test programs.
suite_program() {
	into=$WORK/suite-$(basename "$1" .c)
	rm -rf "$into" && mkdir -p "$into"
	gcc -O0 -w --coverage -fprofile-abs-path $flags -o "$into/program" -dumpdir "$into/" "$@" $sources -lm || return 4
	timeout 60 "$into/program" >"$into/out" 2>&1 </dev/null
	for file in "$@"; do
		rm -f "$into"/*"$(basename "$file" .c)".gc*
	done
	outcomes "$into" >"$into.gcov"
}

# What any of them takes. Of what only the package's tests take, the functions count that another one calls: the harness
# does not have the rest.
union() {
	cat "$WORK"/suite-*.gcov "$WORK/duct.gcov" "$WORK/afl.gcov" "$WORK/long.gcov" 2>/dev/null | awk '
		$2 { taken[$1] = 1 }
		END { for (name in taken) print name }' >"$WORK/taken"
	awk 'FILENAME == taken { any[$1] = 1; next }
		any[$1] && ($2 || $3) && !($1 in seen) { seen[$1]; n++ }
		END { print n + 0 }' taken="$WORK/taken" "$WORK/taken" "$WORK/duct.gcov" "$WORK/afl.gcov" "$WORK/long.gcov"
}

form='%-9s %9s %8s %7s %8s %7s %9s %10s %9s  %-6s%s\n'
form_union='%6s %6s %9s'
heading() {
	echo "CPU seconds for each tool: $budget; branches by gcov on the untouched program"
	[ -z "$long" ] ||
		echo "union: with AFL++ in $long CPU seconds (long) and the package's own tests; of union: duct's share of it"
	printf "$form" program branches duct share AFL++ share "duct runs" "AFL++ runs" lost/run ahead \
		"${long:+$(printf "$form_union" long union "of union")}" | sed 's/ *$//'
}

# number KEY: of the JSON report.
number() {
	sed -n "s/.*\"$1\": *\([0-9.]*\).*/\1/p" "$WORK/duct.json" | head -n 1
}

# figures FILE: branches that are taken, and all.
figures() { awk '{ n += $2 } END { print n + 0, NR }' "$1"; }

row() {
	set -- $(figures "$WORK/duct.gcov") $(figures "$WORK/afl.gcov")
	duct=$1 all=$2 afl=$3
	[ "$all" = "$4" ] || echo "# $name: $all branches in duct's tests, $4 in the harness"
	runs=$(number runs)
	lost=$(sed -n '/"lost"/,/\]/p' "$WORK/duct.json" | grep -o '"count": *[0-9]*' | awk -F: -v runs="$runs" \
		'{ n += $2 } END { printf "%.2f", runs ? n / runs : 0 }')
	execs=$(sed -n 's/^execs_done *: //p' "$WORK/afl.out/default/fuzzer_stats")
	share() { awk -v n="$1" -v all="$2" 'BEGIN { printf "%.1f%%", 100 * n / all }'; }
	more=
	if [ -n "$long" ]; then
		set -- $(figures "$WORK/long.gcov") "$(union)"
		more=$(printf "$form_union" "$1" "$3" "$(share "$duct" "$3")")
	fi
	printf "$form" "$name" "$all" "$duct" "$(share "$duct" "$all")" "$afl" "$(share "$afl" "$all")" "$runs" "$execs" \
		"$lost" \
		"$([ "$duct" -gt "$afl" ] && echo duct || { [ "$duct" -eq "$afl" ] && echo equal || echo AFL++; })" "$more" | sed 's/ *$//'
}
