#!/bin/sh
# flowtest.sh FILE.c FUNCTION: FlowTest out of filters: the inputs of one block at a time vary, the others keep the
# first run's values; blocks that meet in a run become one, which is explored anew. At most RUNS runs of a block (1000).
[ $# = 2 ] || { echo "usage: ${0##*/} FILE.c FUNCTION" >&2; exit 2; }
dir=$(mktemp -d) || exit 4
trap 'rm -rf "$dir"' EXIT
set -e
duct instrument --flows -o "$dir/prog" "$1" --entry "$2"
cd "$dir"
duct defuse -e "$2" prog | duct cutpoints -b -f prog >goals

# explore NAME,...: all paths of one block
explore() {
	awk -v OFS='\t' -v names="$1" 'BEGIN { print "#inputs 1 flowtest.sh"; print "input", 1; n = split(names, v, ",") }
		/^var/ { print "v", $3, $4, $5, $6 } /^done/ { exit }
		END { printf "vary"; for (i = 1; i <= n; i++) printf "\t%s", v[i]; print "\nrun" }' first | end >inputs
	: >block
	while cat inputs >>all && duct run-trace -e prog <inputs >new && cat new >>block && paths=$(grep -c '^trace' block) &&
	    [ "$paths" -lt "${RUNS:-1000}" ]; do
		duct solve --flow prog --from promised --vary "$1" --first $((paths + 1)) new >inputs
		grep -q '^input' inputs || break
	done
	cat block >>traces
	echo "block $1: $paths paths"
}
end() { awk '{ print } !/^#/ { n++ } END { print "end\t" n }'; }
blocks() { duct partition -f "$@" | awk '$1 == "input" { b[$2] = b[$2] (b[$2] ? "," : "") $3; n = $2 } END { for (i = 1; i <= n; i++) print b[i] }'; }

duct run-trace -e -d prog | tee first >traces
: >done
while blocks traces >now && grep -vxFf done now >open; do
	read -r names <open
	explore "$names"
	echo "$names" >>done
	duct run-trace -e prog <all >>traces                # flows are learned over the runs of one process
done
echo "blocks $(grep -c . now)"
duct credit -b -f prog -g goals traces | awk '/^total\toutcomes/ { print "covered", $3, "of", $4 }'
