#!/bin/sh
# dft.sh FILE.c FUNCTION: data-flow testing out of filters: concolic testing that turns only conditions from which
# there is a way to a def-use pair that no run has exercised. No generation begins after RUNS runs (1000).
[ $# -ge 2 ] || { echo "usage: ${0##*/} FILE.c FUNCTION [-- FLAG...]" >&2; exit 2; }
file=$1 entry=$2 dir=$(mktemp -d) || exit 4
trap 'rm -rf "$dir"' EXIT
set -e && shift 2
duct instrument --pairs -o "$dir/prog" "$file" --entry "$entry" "$@"
cd "$dir"
duct defuse -e "$entry" prog | duct cutpoints -f prog >goals

duct run-trace -e -d prog >new
while cat new >>traces && runs=$(grep -c '^trace' traces) && [ "$runs" -lt "${RUNS:-1000}" ]; do
	duct credit -f prog -g goals traces >credit
	duct distance -f prog --open credit goals >distances
	duct solve --flow prog --from promised --goals distances --first $((runs + 1)) new >inputs
	grep -q '^input' inputs || break
	duct run-trace -e prog <inputs >new
done

echo "runs $runs"
duct credit -f prog -g goals traces | awk '/^total\tpairs/ { print "covered", $3, "of", $4 }'
