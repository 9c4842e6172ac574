#!/bin/sh
# Woven programs do what native ones do; and in the checking build, at some levels, every
# expression has the value of its operand, whatever the inputs. Each source is woven at the default
# level and, by turns, at one of the others; LEVELS=all: at all of them, as `make bench` asks.
# limit: 900
set -e
src=$ROOT/tests/weave/src
n=0

result() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

# Random inputs x and y of 64 bits, edge values among them; a fixed seed.
inputs() {
	awk 'function word() { s = (s * 1103515245 + 12345) % 2147483648; return int(s / 65536) }
	function value(  k) {
		k = word() % 4
		if (k == 0) return edge[word() % edges + 1]
		if (k == 1) return sprintf("%x", word() % 256)
		if (k == 2) return sprintf("%x", word() * 65536 + word())
		return sprintf("%04x%04x%04x%04x", word(), word() * 2, word(), word() * 3 % 65536)
	}
	BEGIN {
		edges = split("0 1 2 7 8 1f 20 3f 40 7f 80 ff 100 7fff 8000 ffff 7fffffff 80000000 ffffffff " \
			"7fffffffffffffff 8000000000000000 ffffffffffffffff", edge, " ")
		s = 4711
		print "#inputs 1 woven.t"
		for (i = 1; i <= 60; i++)
			printf "input\t%d\nv\tx\tu\t64\t%s\nv\ty\tu\t64\t%s\nrun\n", i, value(), value()
		print "end\t240"
	}' | sed 's/\tu\t64\t0*\([0-9a-f]\)/\tu\t64\t\1/'
}

inputs >inputs
for file in "$src"/*.c; do
	name=$(basename "$file" .c)
	clang-19 -w -fwrapv -I"$ROOT" -o native "$file" "$ROOT/tests/weave/noduct.c" -lm
	status=0
	./native >want || status=$?
		# The inserted code is the same with --quick and without: level 3 has no checking build, 2 no other;
	# level 0 takes four times as long without --quick.
	turn=$(((turn + 1) % 3))
	for level in '0 --quick' 2 3 '1 --quick'; do
		case ${LEVELS:-$turn}$level in all* | ?'1 --quick' | '0'0* | 12 | 23) ;; *) continue ;; esac
		checks=
		case $level in 2 | *quick) checks=--check-shadows ;; esac
		for check in $(case $level in [013]*) echo plain ;; esac) $checks; do
			check=${check#plain}
			instrument $check -O $level -o woven "$file" -- -w -I"$ROOT" -lm
			got=0 bad=0
			./woven >out || got=$?
			[ $got = $status ] && cmp -s out want || bad=1
			result $bad "$name -O$level $check behaves as native"
		done
		[ "$checks" ] || continue
		bad=0
		run-trace ./woven <inputs >trace || bad=1
		[ "$(grep -c '^done	exit' trace)" = 60 ] || bad=1
		result $bad "$name -O$level: 60 inputs, every operand equal to its expression"
		grep -A1 '^fault' trace | head -3 | sed 's/^/# /'
	done
done
echo "1..$n"
