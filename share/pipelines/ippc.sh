#!/bin/sh
# ippc.sh FILE.c FUNCTION: concolic testing with partial path constraints out of filters: a query is the turned
# condition and what its answers broke so far. At most RUNS runs (1000).
[ $# = 2 ] || { echo "usage: ${0##*/} FILE.c FUNCTION" >&2; exit 2; }
dir=$(mktemp -d) || exit 4
trap 'rm -rf "$dir"' EXIT
set -e
duct instrument -o "$dir/prog" "$1" --entry "$2"
cd "$dir"
duct defuse -e "$2" prog | duct cutpoints -b -f prog >goals

duct run-trace -e -d prog >new
while cat new >>traces && runs=$(grep -c '^trace' traces) && [ "$runs" -lt "${RUNS:-1000}" ]; do
	duct solve -p --flow prog --from promised --first $((runs + 1)) new >inputs
	grep -q '^input' inputs || break
	duct run-trace -e prog <inputs >new
done

echo "runs $runs"
duct credit -b -f prog -g goals traces | awk '/^total\toutcomes/ { print "covered", $3, "of", $4 }'
