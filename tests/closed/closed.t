#!/bin/sh
# limit: 900
"$ROOT/tests/closed/run" -t 0.6 -l "$ROOT/tests/closed/least"
one=$?
"$ROOT/tests/closed/run" -t 0.6 -g 20
[ $? = 0 ] && exit $one
