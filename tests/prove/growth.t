#!/bin/sh
# Goals that are reached only when a counter has overflown: no path is that short, which proves nothing infeasible.
# limit: 300
. "$ROOT/tests/lib/tap.sh"

# far FILE: lines of the outcomes that are not reached before a counter comes near its limit, and the number of proofs
far() {
	duct cfg-dump "$1" >x.flow && defuse -e main x.flow >p && cutpoints -b -f x.flow p >g && prove -c entry -s simplify,query,states,facts,growth -f x.flow g >v ||
		{ echo failed; return; }
	awk -F'\t' 'FILENAME == "x.flow" && $1 == "branch" { line[$6] = $8 "t"; line[$6 + 1] = $8 "f" }
		FILENAME == "g" && $1 == "outcome" { of["o" $2] = line[$5] }
		$1 == "verdict" && $5 == "unknown" && $6 ~ /^a counter reaches its limit first; no path within [0-9]+ steps$/ && $4 in of {
			printf "%s ", of[$4] }' x.flow g v
	awk -F'\t' '$1 == "verdict" && $4 ~ /^o/ && $5 == "infeasible"' v | grep -c .
}
it() { cat >x.c; want=$2; check "$1" '[ "$(far x.c)" = "$want" ] || { far x.c; cat v; false; }'; }

it "a count below zero needs that it overflows" "6t 0" <<'EOF'
#include <stdio.h>
int main(void)
{
	int c, lines = 0, other = 0;
	while ((c = getchar()) != EOF) if (c == '\n') lines++; else other += 2;
	if (lines < 0) return 1;
	return other > 4;
}
EOF
it "not where it is a byte" "0" <<'EOF'
#include <stdio.h>
int main(void)
{
	int c;
	signed char lines = 0;
	while ((c = getchar()) != EOF) if (c == '\n') lines++;
	if (lines < 0) return 1;
	return 0;
}
EOF
it "nor where it begins near its limit" "0" <<'EOF'
#include <stdio.h>
int main(void)
{
	int c, lines = 2147483600;
	while ((c = getchar()) != EOF) if (c == '\n') lines++;
	if (lines < 0) return 1;
	return 0;
}
EOF
it "nor where one step moves it far" "0" <<'EOF'
#include <stdio.h>
int main(void)
{
	int c, sum = 0;
	while ((c = getchar()) != EOF) sum += c * 100000;
	if (sum < 0) return 1;
	return 0;
}
EOF
cat >lines.c <<'EOF'
#include <stdio.h>
int main(void)
{
	int c, lines = 0;
	while ((c = getchar()) != EOF) if (c == '\n') lines++;
	if (lines < 0) return 1;
	return 0;
}
EOF
duct dft lines.c --prove -t 60 --quiet --store lines.db >out 2>err
grep -q '^ended: out of reach' out && grep -q 'a counter would have to reach its limit first; no path within [0-9]* steps' out
ok $? "a session ends when nothing else is open" || cat out err
finish
