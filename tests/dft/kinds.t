#!/bin/sh
# Programs of the kinds that real ones consist of, without an option but the number of runs: texts and numbers in them, numbers whose
# count the input says, tables, checksums in front of everything, floating-point numbers behind tables of functions.
. "$ROOT/tests/lib/tap.sh"
cp "$ROOT"/tests/dft/kinds/*.c .

# covers LEAST STRATEGY FILE OPTION...: at least so many outcomes, none infeasible, no misprediction; `out`
covers() {
	least=$1
	shift
	duct "$@" --time 60 --quiet --json >out 2>err
	jq -c "[.branches, .runs, .mispredicted]" out >log
	jq -e ".branches.covered >= $least and .branches.infeasible == 0 and .mispredicted == 0" out >err
}

check "strlen, strcmp, strchr, atoi, strtol and snprintf of two texts" 'covers 10 dft words.c --entry text --runs 1000'
check "memcpy, memcmp and memset of a length that is an input" 'covers 12 concolic words.c --entry memory --runs 200'
check "strtod and sscanf" 'covers 6 concolic words.c --entry numbers'
check "loops that skip blanks, read digits, sum up bytes" 'covers 20 concolic words.c --entry loops'
check "a text of nine to twelve digits is no path each" 'jq -e ".runs < 20000" out >err'
check "a matrix whose size is in the input" 'covers 42 dft matrix.c --runs 1000'
awk 'BEGIN {
	srand(5)
	n = split("1 3 10 60 200 700", run, " ")
	printf "static const unsigned char prop[10000] = {"
	for (i = 0; i < 10000; i++) {
		if (!left--) { left = run[1 + int(rand() * n)] - 1; kind = int(rand() * 9); kind -= kind > 7 }
		printf "%d,", kind
	}
	printf "};\nstatic const unsigned char page[1024] = {"
	for (i = 0; i < 1024; i++) printf "%d,", int(rand() * 24)
	printf "};\nstatic const unsigned char block[24][64] = {"
	for (i = 0; i < 24 * 64; i++) printf "%s%d%s", i % 64 ? "" : "{", substr("00012399", 1 + int(rand() * 8), 1), i % 64 == 63 ? "}," : ","
	print "};"
}' >tables.h
check "tables of 10,000 entries, and of two levels" 'covers 44 dft characters.c --entry measure --runs 2000'
# of the 34 outcomes, `n < 4` of the body is none, as there are nine bytes at least
check "Jenkins, Adler-32 and CRC-32 in front of a message: what is behind each" 'covers 33 concolic sums.c --runs 1500'
check "... also with pairs" 'covers 33 dft sums.c --runs 1500'
check "floating-point numbers from functions of a table" 'covers 32 concolic kernels.c --entry resample --runs 100'
check "... with pairs; no reason is that calls are not followed" 'covers 32 dft kernels.c --entry resample --runs 100 --store k.db &&
	sqlite3 k.db "SELECT evidence FROM verdict" >log && ! grep "not followed" log'

# proofs follow calls through a table that never changes, and any function may be in one that does
# infeasible NAME: how many outcomes are in f of NAME.c
infeasible() {
	duct cfg-dump "$1.c" >x.flow 2>log && defuse -e f x.flow >p && cutpoints -b -f x.flow p >g && prove -t 20 -f x.flow g >v &&
		awk -F'\t' '$1 == "verdict" && $4 ~ /^o/ && $5 == "infeasible" { n++ } END { print n + 0 }' v
}
check "a proof through a constant table of functions" '[ "$(infeasible table)" = 1 ] || { cp v log; false; }'
sed 's/static const op/op/' table.c >changed.c
check "... not through one that the program changes" '[ "$(infeasible changed)" = 0 ] || { cp v log; false; }'
finish
