#!/bin/sh
# Counterexamples with bytes of standard input: what is proposed takes the outcome natively; a session runs it, though it
# is longer than the limit that it begins with.
. "$ROOT/tests/lib/tap.sh"

# propose FILE: the bytes that prove gives for the last outcome of the file, into `in`
propose() {
	duct cfg-dump "$1" >x.flow && defuse -e main x.flow >p && cutpoints -b -f x.flow p >g && prove -t 20 -f x.flow g >v || return
	printf "$(awk -F'\t' 'FILENAME == "g" { if ($1 == "outcome") last = "o" $2; next }
		$1 == "verdict" { is = $4 == last } $1 == "value" && is && $3 ~ /^stdin\[/ { print $6 }' g v |
		while read -r byte; do printf '\\%03o' "0x$byte"; done)" >in
}
for get in 'getc(stdin)' 'fgetc(stdin)' 'getchar()'; do
	cat >x.c <<EOF
#include <stdio.h>
int main(void)
{
	int c, n = 0;
	while ((c = $get) != EOF)
		n = c == "abc"[n % 3] ? n + 1 : 0;
	if (n != 20) return 0;
	return 1;
}
EOF
	gcc -w -o x x.c && propose x.c
	check "$get: the bytes lead there" './x <in; [ $? = 1 ] || { od -c in; false; }'
done
cat >y.c <<'EOF'
#include <stdio.h>
int main(int argc, char **argv)
{
	int c, n = 0;
	FILE *f = fopen(argv[argc - 1], "r");
	if (!f) return 2;
	while ((c = fgetc(f)) != EOF) n += c == 'a';
	return n;
}
EOF
duct cfg-dump y.c >y.flow && defuse -e main y.flow >p && cutpoints -b -f y.flow p >g && prove -t 5 -f y.flow g >v
check "another stream is no standard input" '! grep -q stdin v'
cat >z.c <<'EOF'
int main(int count, char **argv) { (void)argv; if (count == 4) return 1; return 0; }
EOF
propose z.c
check "the number of arguments is the input of runs, which count them without argv[0]" \
	'awk "\$1 == \"value\" && \$3 == \"args\" && \$6 == 3 { n++ } END { exit !n }" v'
duct dft x.c --prove --search random -t 20 --quiet --json >out 2>err
check "a session runs them" 'jq -e ".pairs.unknown == 0 and .branches.unknown == 0" out || jq -c ".pairs, .branches, .limits" out'
finish
