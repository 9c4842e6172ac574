#!/bin/sh
# limit: 900
# waits
# One at a time: tests/run has other jobs beside it, and a session that shares its core covers less in its time.
export JOBS=1
# The seconds of a session, longer where programs are slower.
seconds=$(awk "BEGIN { print 0.35 * ${SLOWER:-1} }") more=$((2 * ${SLOWER:-1}))
# judge FILES OPTION...: programs whose names the file lists
judge() {
	files=$1
	shift
	[ ! -s "$files" ] || KEEP=$PWD/natives xargs "$ROOT/tests/closed/run" -q "$@" <"$files"
}
figures() { lua5.4 "$ROOT/tests/closed/figures.lua" first "$ROOT/tests/closed/least" >figures; }
# Every eighth program; of half of these without the session of concolic. `make bench` judges all (group closed).
touch both dft
ls "$ROOT"/tests/closed/programs/*.c | awk 'NR % 8 == 1 { sub(".*/", "/"); print >(n++ % 2 ? "both" : "dft") }'
{ judge both -t "$seconds"; judge dft -t "$seconds" -d; } | grep -v '^# [0-9]' >first
figures
# Where only coverage falls short, the machine was busy: sessions get more time, those first that missed most.
: >done
while grep -q '^not ok' figures && ! grep -q '^not ok' first; do
	awk 'NR == FNR { done[$1] = 1; next }
		/^# figures/ && !done["/" $6 ".c"] { gap = $3 - $5 + ($4 == "-" ? 0 : $3 - $4); if (gap > 0) print gap, $4, "/" $6 ".c" }' \
		done first | sort -rn | head -n 8 >missed
	[ -s missed ] || break
	: >both
	: >dft
	awk '{ print $3 >($2 == "-" ? "dft" : "both"); print $3 >>"done" }' missed
	{ judge both -a -t "$more"; judge dft -a -t "$more" -d; } | grep -v '^# [0-9]' >again
	awk '{ sub("^/", "", $3); sub("[.]c$", "", $3); print " " $3 "$" }' missed | grep -v -f - first >kept
	cat again >>kept
	[ "$(grep -c '^# figures' kept)" = "$(grep -c '^# figures' first)" ] || echo "not ok - the programs are judged again" >>kept
	mv kept first
	figures
done
cat first figures
"$ROOT/tests/closed/run" -q -t "$seconds" -g 2 >generated
cat generated
! grep -q '^not ok' first figures generated
