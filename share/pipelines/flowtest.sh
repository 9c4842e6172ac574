#!/bin/sh
# flowtest.sh FILE.c FUNCTION: FlowTest out of filters: the inputs of one block at a time vary, the others keep values of
# a run; blocks that meet in a run become one, which is explored anew. A block that others guard is explored once for each
# values of the guards with which a run decides about it. Runs are repeated when others wrote more under decisions than they
# knew of. No generation of a block begins after RUNS runs (1000).
[ $# -ge 2 ] || { echo "usage: ${0##*/} FILE.c FUNCTION [-- FLAG...]" >&2; exit 2; }
file=$1 entry=$2 dir=$(mktemp -d) || exit 4
trap 'rm -rf "$dir"' EXIT
set -e && shift 2
duct instrument --flows -o "$dir/prog" "$file" --entry "$entry" "$@"
cd "$dir"
duct defuse -e "$entry" prog | duct cutpoints -b -f prog >goals

# open: names of a block, and its guards' values, that are not in `done`; the run that it is explored from, as `inputs`
open() {
	duct partition -fs traces >now
	awk -F '\t' 'FILENAME == "done" { seen[$0]; next } FILENAME == "now" {
			if ($1 == "input") { all[$2] = all[$2] (all[$2] ? "," : "") $3; of[$3] = $2 } if ($1 == "guard") up[$3] = $2; next }
		/^trace/ { text = ""; n = 0; delete has; delete part } /^var/ { name[$2] = $3; has[of[$3]] = has[of[$3]] $3 "=" $6 ","
			text = text "v\t" $3 "\t" $4 "\t" $5 "\t" $6 "\n"; n++ } /^decides/ { part[of[name[$2]]] }
		/^done/ { for (b in all) { key = all[b]; for (a = up[b]; a; a = up[a]) key = key " if " has[a]
			if ((b in part || !up[b]) && !(key in seen)) { print key
				gsub(",", "\t", all[b]); printf "#inputs 1 flowtest.sh\ninput\t1\n%svary\t%s\nrun\nend\t%d\n", text, all[b], n + 3 >"inputs"
				exit } } }' done now traces
}

duct run-trace -e -d --flow-map map prog >traces
: >done >all
while open >>done && tail -n 1 done >block && [ "$(wc -l <done)" != "${n:-0}" ]; do
	n=$(wc -l <done) names=$(sed 's/ if .*//' block) paths=0 && cp map known
	while cat inputs >>all && duct run-trace -e --flow-map map prog <inputs >new && cat new >>traces &&
	    paths=$((paths + $(grep -c '^trace' new))) && [ "$paths" -lt "${RUNS:-1000}" ]; do
		duct solve --flow prog --from promised --vary "$names" --first $((paths + 1)) new >inputs
		grep -q '^input' inputs || break
	done
	echo "block $(cat block): $paths paths"
	until cmp -s map known; do cp map known && duct run-trace -e --flow-map map prog <all >>traces; done
done
echo "blocks $(grep -c '^block' now)"
duct credit -b -f prog -g goals traces | awk '/^total\toutcomes/ { print "covered", $3, "of", $4 }'
