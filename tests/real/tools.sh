# Running of the tools and counting, for tests/real/run; in the folder of the sources.

# A folder with a file for each test: $WORK/duct.d
with_duct() {
	rm -rf "$WORK"/duct-session-*
	duct instrument -o "$WORK/duct.program" "$here/$name/harness.c" $sources -- -w $flags -lm >"$WORK/duct.log" 2>&1 &&
		"$REAL/measure" -l "$budget" duct concolic "$WORK/duct.program" --stdin "$stdin" --corpus "$WORK/seeds" \
			--keep new --timeout 1 --time 86400 --json --out "$WORK/duct.d" ${search:+--search "$search"} $DUCT_OPTIONS \
			>"$WORK/duct.json" 2>>"$WORK/duct.log" && return
	cat "$WORK/duct.log" >&2
	return 4
}

# Its queue and crashes, likewise: $WORK/afl.d
with_afl() {
	rm -rf "$WORK"/afl.*
	export AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_QUIET=1
	afl-clang-fast -O2 -w $flags -o "$WORK/afl.program" "$here/$name/harness.c" $sources -lm >"$WORK/afl.log" 2>&1 &&
		"$REAL/measure" -l "$budget" afl-fuzz -i "$WORK/seeds" -o "$WORK/afl.out" -s 1 -G "$stdin" -- \
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

# coverage TOOL FOLDER: branches of the sources that the inputs take, counted by gcov: $WORK/TOOL.gcov
# has "taken all", $WORK/TOOL.failed how many inputs end by a signal or do not end.
coverage() {
	rm -rf "$WORK/gcov.$1" && mkdir "$WORK/gcov.$1"
	failed=0
	gcc -O0 -w --coverage -fprofile-abs-path $flags -o "$WORK/gcov.$1/program" -dumpdir "$WORK/gcov.$1/" \
		"$here/$name/harness.c" $sources -lm || return 4
	for input in "$2"/*; do
		timeout 10 "$WORK/gcov.$1/program" <"$input" >"$WORK/gcov.$1/out" 2>&1
		[ $? -ge 124 ] && failed=$((failed + 1))
	done
	echo "$failed" >"$WORK/$1.failed"
	(cd "$WORK/gcov.$1" && rm -f *harness.gc* && gcov -b -c -t *.gcda 2>/dev/null) |
		awk '/^branch /{ all++; if ($3 == "taken" && $4 > 0) taken++ } END { print taken + 0, all + 0 }' >"$WORK/$1.gcov"
}

form='%-9s %9s %8s %7s %8s %7s %9s %10s %8s %8s %9s  %s\n'
heading() {
	echo "CPU seconds for each tool: $budget; branches by gcov on the untouched program"
	printf "$form" program branches duct share AFL++ share "duct runs" "AFL++ runs" failures AFL++ lost/run ahead
}

# number KEY: of the JSON report.
number() {
	sed -n "s/.*\"$1\": *\([0-9.]*\).*/\1/p" "$WORK/duct.json"
}

row() {
	read -r duct all <"$WORK/duct.gcov"
	read -r afl _ <"$WORK/afl.gcov"
	runs=$(number runs)
	lost=$(sed -n '/"lost"/,/\]/p' "$WORK/duct.json" | grep -o '"count": *[0-9]*' | awk -F: -v runs="$runs" \
		'{ n += $2 } END { printf "%.2f", runs ? n / runs : 0 }')
	execs=$(sed -n 's/^execs_done *: //p' "$WORK/afl.out/default/fuzzer_stats")
	share() { awk -v n="$1" -v all="$all" 'BEGIN { printf "%.1f%%", 100 * n / all }'; }
	printf "$form" "$name" "$all" "$duct" "$(share "$duct")" "$afl" "$(share "$afl")" "$runs" "$execs" \
		"$(cat "$WORK/duct.failed")" "$(cat "$WORK/afl.failed")" "$lost" \
		"$([ "$duct" -gt "$afl" ] && echo duct || { [ "$duct" -eq "$afl" ] && echo equal || echo AFL++; })"
}
