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

# Its queue and crashes, likewise: $WORK/afl.d
with_afl() {
	rm -rf "$WORK"/afl.*
	export AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_QUIET=1
	afl-clang-fast -O2 -w $flags -o "$WORK/afl.program" "$here/$name/harness.c" $sources -lm >"$WORK/afl.log" 2>&1 &&
		"$REAL/measure" -l "$budget" afl-fuzz -i "$WORK/seeds" -o "$WORK/afl.out" -s 1 ${stdin:+-G "$stdin"} -- \
			"$WORK/afl.program" >>"$WORK/afl.log" 2>&1 </dev/null
	mkdir -p "$WORK/afl.d"
	for kind in queue crashes hangs; do
		for file in "$WORK"/afl.out/default/$kind/id*; do
			[ -f "$file" ] && cp "$file" "$WORK/afl.d/$kind-$(basename "$file" | cut -d , -f 1 | tr : -)"
		done
	done
	[ -f "$WORK/afl.out/default/fuzzer_stats" ] && return
	cat "$WORK/afl.log" >&2
	return 4
}

# taken FOLDER: branches of the package's files that its counters tell of: "taken all"
taken() {
	(cd "$1" && gcov -b -c -t ./*.gcda 2>/dev/null) | awk -F: -v root="$WORK/src/" '
		$3 == "Source" { counts = substr($4, 1, 1) != "/" || index($4, root) == 1 }
		counts && /^branch /{ split($0, field, " "); all++; taken += field[3] == "taken" && field[4] > 0 }
		END { print taken + 0, all + 0 }'
}

# Those that duct's tests take of the untouched program, and those that AFL++'s inputs take: $WORK/TOOL.gcov
count_duct() {
	make -s -C "$WORK/duct.d" check CC=gcc CFLAGS="-O0 -w --coverage" >"$WORK/duct.check" 2>&1
	rm -f "$WORK"/duct.d/tests.gc* "$WORK"/duct.d/duct_*.gc*
	taken "$WORK/duct.d" >"$WORK/duct.gcov"
}

count_afl() {
	rm -rf "$WORK/gcov" && mkdir -p "$WORK/gcov/scratch"
	gcc -O0 -w --coverage -fprofile-abs-path $flags -o "$WORK/gcov/program" -dumpdir "$WORK/gcov/" \
		"$here/$name/harness.c" $sources -lm || return 4
	for input in "$WORK"/afl.d/*; do
		(cd "$WORK/gcov/scratch" && timeout 10 "$WORK/gcov/program" <"$input" >"$WORK/gcov/out" 2>&1)
	done 2>/dev/null
	rm -f "$WORK"/gcov/*harness.gc*
	taken "$WORK/gcov" >"$WORK/afl.gcov"
}

form='%-9s %9s %8s %7s %8s %7s %9s %10s %9s  %s\n'
heading() {
	echo "CPU seconds for each tool: $budget; branches by gcov on the untouched program"
	printf "$form" program branches duct share AFL++ share "duct runs" "AFL++ runs" lost/run ahead
}

# number KEY: of the JSON report.
number() {
	sed -n "s/.*\"$1\": *\([0-9.]*\).*/\1/p" "$WORK/duct.json" | head -n 1
}

row() {
	read -r duct all <"$WORK/duct.gcov"
	read -r afl others <"$WORK/afl.gcov"
	[ "$all" = "$others" ] || echo "# $name: $all branches in duct's tests, $others in the harness"
	runs=$(number runs)
	lost=$(sed -n '/"lost"/,/\]/p' "$WORK/duct.json" | grep -o '"count": *[0-9]*' | awk -F: -v runs="$runs" \
		'{ n += $2 } END { printf "%.2f", runs ? n / runs : 0 }')
	execs=$(sed -n 's/^execs_done *: //p' "$WORK/afl.out/default/fuzzer_stats")
	share() { awk -v n="$1" -v all="$all" 'BEGIN { printf "%.1f%%", 100 * n / all }'; }
	printf "$form" "$name" "$all" "$duct" "$(share "$duct")" "$afl" "$(share "$afl")" "$runs" "$execs" \
		"$lost" \
		"$([ "$duct" -gt "$afl" ] && echo duct || { [ "$duct" -eq "$afl" ] && echo equal || echo AFL++; })"
}
