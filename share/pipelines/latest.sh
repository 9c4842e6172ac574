#!/bin/sh
# latest.sh FILE.c FUNCTION: LATEST out of filters: calls are abstract at first; a path found so is made real call by
# call, by a search in the next call. Refuses calls that cannot stay abstract. No search begins after RUNS runs (1000).
[ $# -ge 2 ] || { echo "usage: ${0##*/} FILE.c FUNCTION [-- FLAG...]" >&2; exit 2; }
file=$1 entry=$2 dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT || exit 4
set -e && shift 2
duct instrument --abstract -o "$dir/prog" "$file" --entry "$entry" "$@"
cd "$dir"
duct defuse -e "$entry" prog | duct cutpoints -b -f prog >goals
run() { duct run-trace -e --abstract all --execute "$1" prog | tee -a all; }
# keep RUN NEW: writes NEW to RUN.cut, up to where they leave the path of RUN, and each that keeps to it to a file
keep() {
	awk -F '\t' -v run="$1" 'function put(f, s) { printf "#trace 1 latest.sh\n%s", s >f; print "end\t" gsub(/\n/, "", s) >f }
		/^#|^end/ { next } /^trace/ { old = FILENAME == run; call = inside = at = left = calls = 0; text = cut = "" }
		!left || !/^(branch|switch|assume|assume-branch|assert|model|bounds|address|check)\t/ { cut = cut $0 "\n" }
		{ text = text $0 "\n" } /^return/ { inside -= inside > 0 } /^asked/ && call { inside += $4 != 1 }
		/^asked/ && !call && old && $4 == 1 { call = 1; first = at; level = calls }
		/^asked/ && !call && $4 == 0 && calls++ == level && !old && of { call = inside = 1; left = left || at != first }
		/^(branch|switch|taken)\t/ && !inside && ++at { key = $2 " " $3 " " ($1 == "taken" ? $4 : $5); if (old) path[at] = key }
		/^(branch|switch|taken)\t/ && !inside && !old && of { left = left || path[at] != key }
		/^done/ && old { of = call ? at + 1 : 0 } /^done/ && !old { all = all cut }
		/^done/ && !old && !left && (!of || call && at + 1 == of) && $2 != "rejected" { put(f = run "." ++n, text); print f }
		END { put(run ".cut", all); exit all == "" }' "$1" "$2"
}
# real RUN LEVEL: finds a real run that keeps to the path of RUN, which executes LEVEL - 1 calls
real() (
	[ "$2" = 0 ] || grep -q '^asked.*	1$' "$1" || ! echo >>paths || exit 0
	awk -F '\t' -v OFS='\t' 'BEGIN { print "#inputs 1 latest.sh" } /^trace/ { print "input", n = 1 } /^done/ { print "run" }
		/^var/ { print "v", $3, $4, $5, $6; n++ } END { print "end", n + 1 }' "$1" | run "$2" >"$1.new"
	from=$(awk '/^asked.*\t1$/ { exit } /^(branch|switch|assume|assume-branch|assert|model)\t/ { n++ } END { print n + 1 }' "$1")
	while kept=$(keep "$1" "$1.new") && [ "$(grep -c '^trace' all)" -lt "${RUNS:-1000}" ]; do
		for t in $kept; do ! real "$t" $(($2 + 1)) || [ "$2" = 0 ] || exit 0; done
		duct solve --flow prog --from "$from" "$1.cut" | run "$2" >"$1.new" && from=promised
	done && exit 1
)
printf 'trace\t1\ndone\texit\n' >root
real root 0 || ! grep '^limit.*abstract: ' all >&2 && [ -e paths ] && awk 'END { print "paths", NR }' paths || exit
awk '!/^(#|end)/ { t = t $0 "\n"; n++ } /^asked.*\t1$/ { n = -1e9 }
	/^done/ { if (n > 0 && $2 != "rejected") printf "#trace 1 latest.sh\n%send\t%d\n", t, n; t = ""; n = 0 }' all |
	duct credit -b -f prog -g goals | awk '/^total\toutcomes/ { print "covered", $3, "of", $4 }'
