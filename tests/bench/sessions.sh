# Read by the commands of tests/bench that have duct run a strategy of theirs, which writes lines with tabs to stderr.

# Runs duct with these arguments; its lines go to $lines, each behind the name of the program, $name.
session() {
	duct "$@" >/dev/null 2>"$lines.err"
	if [ $? -le 1 ] && grep -aq "	" "$lines.err"; then
		grep -a "	" "$lines.err" | sed "s/^/$name	/" >>"$lines"
		return
	fi
	echo "$name: failed" >&2
	tail -n 3 "$lines.err" >&2
}

# Measures a program of tests/real, in its folder of sources.
real() (
	here=$ROOT/tests/real WORK=$REAL/$1
	[ -f "$here/$1/setup" ] || { echo "${0##*/}: no program $1" >&2; exit 2; }
	mkdir -p "$WORK"
	sources= flags= stdin=32
	. "$here/lib.sh"
	. "$here/$1/setup"
	cd "$WORK/src" && measure "$here/$1/harness.c" $sources --stdin $stdin -- -w $flags -lm
)
