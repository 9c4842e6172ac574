#!/bin/sh
# limit: 900
# Where only coverage falls short, the machine was busy: the sessions get more time.
"$ROOT/tests/closed/run" -t 0.35 -l "$ROOT/tests/closed/least" >first
grep '^not ok' first | grep -v ' covers at least ' >wrong
if [ ! -s wrong ] && grep -q '^not ok' first; then
	"$ROOT/tests/closed/run" -t 2 -l "$ROOT/tests/closed/least" >first
fi
cat first
"$ROOT/tests/closed/run" -t 0.35 -g 10 >generated
cat generated
! grep -q '^not ok' first generated
