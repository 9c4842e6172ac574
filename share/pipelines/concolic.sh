#!/bin/sh
# concolic.sh FILE.c FUNCTION: concolic testing out of filters, in generations: of each new run the conditions behind
# those that its input promised are turned, so that no path is run twice. No generation begins after RUNS runs (1000).
[ $# -ge 2 ] || { echo "usage: ${0##*/} FILE.c FUNCTION [-- FLAG...]" >&2; exit 2; }
file=$1 entry=$2 dir=$(mktemp -d) || exit 4
trap 'rm -rf "$dir"' EXIT
set -e && shift 2
duct instrument -o "$dir/prog" "$file" --entry "$entry" "$@"
cd "$dir"
duct defuse -e "$entry" prog | duct cutpoints -b -f prog >goals

duct run-trace -e -d prog >new
while cat new >>traces && runs=$(grep -c '^trace' traces) && [ "$runs" -lt "${RUNS:-1000}" ]; do
	${solve:-duct solve} --flow prog --from promised --first $((runs + 1)) new >inputs
	grep -q '^input' inputs || break
	duct run-trace -e prog <inputs >new
done

echo "runs $runs"
duct credit -b -f prog -g goals traces | awk '/^total\toutcomes/ { print "covered", $3, "of", $4 }'
