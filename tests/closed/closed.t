#!/bin/sh
# limit: 900
exec "$ROOT/tests/closed/run" -t 1 -l "$ROOT/tests/closed/least"
