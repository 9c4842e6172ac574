#!/bin/sh
# ippc.sh FILE.c FUNCTION: concolic testing with partial path constraints out of filters: as concolic.sh, but a query is
# the turned condition and what its answers broke so far. At most RUNS runs (1000).
solve='duct solve -p'
. "${0%/*}/concolic.sh"
