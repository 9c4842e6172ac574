#!/bin/sh
# defuse, cutpoints, partition, prove: what they refuse, with which message; what a valid input gets.
# limit: 120
n=0 failed=0
ok() { n=$((n + 1)); echo "ok $n - $1"; }
bad() { n=$((n + 1)); failed=1; echo "not ok $n - $1"; echo "# $2"; }

# expect FILTER WHAT STATUS MESSAGE: with the input in ./in; what would be taken for an answer: any line, of
# partition, which writes while it reads, only the last
complete=.
expect() {
	"$LIBEXEC/$1" $flags in >out 2>err
	status=$?
	if [ "$status" = "$3" ] && ! grep -q "$complete" out && [ "$(cat err)" = "$4" ]; then ok "$1: $2"
	else bad "$1: $2" "status $status: $(cat out err | head -n 3)"; fi
}

tab() { printf '%s\n' "$@" | tr ' ' '\t'; }

valid_pairs() { defuse max.flow | sed '$d'; }
valid_goals() { defuse max.flow | cutpoints -f max.flow | sed '$d'; }
valid_flow() { echo '#flow 1 test'; tab 'unit 3fbb1c80a7d3e211 a.c 0 0 0' 'file 1 a.c'; }
valid_trace() { "$LIBEXEC/run-trace" -d "$TMPDIR/prog" 2>/dev/null | sed '$d'; }
mutation() { case $1 in                      # a record that breaks the format's own rules
	pairs) tab 'pair 8 9 2 c 0 0123456789abcdef a';;
	goals) tab 'kill 9 1 8 must';;
	flow) tab 'func 1 f 7 1 1 1 1 1 - 1 0';;
	trace) tab 'e 1 add 32 1 2 0';;
	esac; }

writes() { case $1 in                        # the end of a message about what is no such stream
	pairs) echo '; `duct defuse -e FUNCTION FILE.c` writes one';;
	goals) echo '; `duct defuse -e FUNCTION FILE.c | duct cutpoints -f FILE.c` writes one';;
	flow) echo '; `duct cfg-dump FILE.c` writes one';;
	trace) echo '; `duct instrument -o prog FILE.c --entry FUNCTION && duct run-trace -d prog` writes one';;
	esac; }

records() { grep -vc '^#' ; }
ended() { cat >body; cat body; printf 'end\t%d\n' "$(records <body)"; }

printf 'int main(void) { return 0; }\n' >a.c
"$LIBEXEC/instrument" -o "$TMPDIR/prog" a.c
printf 'int max(int a, int b) { if (a < b) a = b; return a; }\n' >max.c
"$LIBEXEC/cfg-dump" max.c >max.flow

# valid FILTER WHAT: the input in ./in is taken
valid() {
	if [ -n "$what" ]; then
		expect "$1" "$2" 4 "$1: the input is well-formed; $what is not in this version"
	elif "$LIBEXEC/$1" $flags in >out 2>err && tail -n 1 out | grep -q '^end' && [ ! -s err ]; then ok "$1: $2"
	else bad "$1: $2" "$(cat err)"; fi
}

check() {
	filter=$1 format=$2 what=$3
	valid_$format | ended >in
	valid "$filter" "a valid stream"
	cat in in >two && mv two in
	if [ "$filter" = cutpoints ] || [ "$filter" = prove ]; then
		expect "$filter" "two streams" 3 "$filter: in:$(($(wc -l <in) / 2 + $(grep -c '^#' in) / 2 + 1)): a second stream, whose ids would begin at 1 again"
	else
		valid "$filter" "two streams"
	fi
	lines=$(valid_$format | wc -l)

	: >in
	expect "$filter" "empty input" 3 "$filter: in:1: empty input: expected a $format stream$(writes $format)"
	valid_$format >in
	expect "$filter" "no end" 3 "$filter: in:$lines: no \`end\` line: the stream is cut short"
	{ valid_$format; printf 'end\t999\n'; } >in
	expect "$filter" "wrong count" 3 \
		"$filter: in:$((lines + 1)): end says 999 records, there are $(valid_$format | records)"
	{ valid_$format; printf 'end\t99'; } >in
	expect "$filter" "cut in its last line" 3 "$filter: in:$((lines + 1)): the last line is cut short"
	{ echo "#$format 1 test"; echo '#need rivets'; } >in
	expect "$filter" "unknown #need" 3 \
		"$filter: in:2: the stream needs \`rivets\`, which is not understood here"
	{ valid_$format; printf 'x\\q\n'; } >in
	expect "$filter" "unknown escape" 3 "$filter: in:$((lines + 1)): unknown escape: only \\t \\n \\\\ \\xHH exist"
	{ valid_$format; printf 'x\000y\n'; } >in
	expect "$filter" "NUL byte" 3 "$filter: in:$((lines + 1)): NUL byte"
	tail -c +2 "$LIBEXEC/$filter" | head -c 4096 >in
	expect "$filter" "binary rubbish" 3 "$filter: in:1: no header: expected \`#$format 1 WRITER\`$(writes $format)"
	echo '#include <stdio.h>' >in
	expect "$filter" "a C source" 3 "$filter: in:1: not a $format stream: \`#include <stdio.h>\`$(writes $format)"
	printf '#other 1 test\nend\t0\n' >in
	expect "$filter" "another format" 3 "$filter: in:1: not a $format stream: \`#other 1 test\`$(writes $format)"
	{ valid_$format; head -c 3000000 /dev/zero | tr '\0' x; echo; } | ended >in
	if [ "$format" = trace ]; then       # between traces any tag is skipped, within one too
		:
	fi
	valid "$filter" "a line of 3 MB"

	{ valid_$format; mutation $format; } | ended >in
	"$LIBEXEC/$filter" $flags in >out 2>err
	status=$?
	if [ $status = 3 ] && grep -q "^$filter: in:$((lines + 1)): " err && ! grep -q "$complete" out; then
		ok "$filter: an id used before its definition: $(sed 's/^.*: //' err)"
	else bad "$filter: an id used before its definition" "status $status: $(cat err)"; fi

	"$LIBEXEC/$filter" $flags no/such/file >out 2>err
	[ $? = 4 ] && [ "$(cat err)" = "$filter: no/such/file: No such file or directory" ] &&
		ok "$filter: no such file" || bad "$filter: no such file" "$(cat err)"
	"$LIBEXEC/$filter" --nonsense >out 2>err
	[ $? = 2 ] && grep -q "^usage: $filter " err && ok "$filter: usage" || bad "$filter: usage" "$(cat err)"
	"$LIBEXEC/$filter" --help >out 2>err && [ ! -s err ] && grep -q "^usage: $filter " out &&
		ok "$filter: --help" || bad "$filter: --help" "$(cat err)"
	"$LIBEXEC/$filter" --version >/dev/full 2>err
	[ $? = 4 ] && ok "$filter: a full disk" || bad "$filter: a full disk" "$(cat err)"
	valid_$format | ended | "$LIBEXEC/$filter" $flags - >out 2>err
	[ $? = "$([ -z "$what" ] && echo 0 || echo 4)" ] && ok "$filter: standard input" || bad "$filter: standard input" "$(cat err)"
}

check defuse flow ""
flags="-f max.flow"
check cutpoints pairs ""
flags=
flags="-f max.flow"
check prove goals ""
flags=
complete=^end
check partition trace ""
valid_trace | ended >in
blocks() { { echo '#blocks 1 test'; tab "$@"; } | ended >given; }
flags="-b given"
blocks 'block 1' 'input 2 a'
expect partition "an input of no block" 3 'partition: given:3: block is `2`, which is not a number in range'
blocks 'block 1' 'input 1 a' 'block 2' 'input 2 a'
expect partition "an input of two blocks" 3 'partition: given:5: `a` is no input, or is in two blocks'
blocks 'block 2'
expect partition "blocks that do not count from 1" 3 'partition: given:2: block is `2`, which is not a number in range'
blocks 'block 1' 'block 2' 'merge 1 2 a.c 1 1 x'
expect partition "a merge of nothing" 3 'partition: given:4: a block without inputs'
flags="-b no/such"
expect partition "no such blocks" 4 'partition: no/such: No such file or directory'
flags=-c
expect partition "--check of nothing" 2 'partition: --check needs --blocks FILE, the blocks to check'
flags=
complete=.

# Rules of the tables themselves.
broken() {
	{ valid_$2; tab "$3"; } | ended >in
	expect "$1" "$3" 3 "$1: in:$(($(valid_$2 | wc -l) + 1)): $4"
}
flags="-f max.flow"
broken cutpoints pairs 'unit 3 3fbb1c80a7d3e211 x' 'unit 3 where 2 is next: ids count from 1'
broken cutpoints pairs 'unit 2 3fbb1c80a7d3e21 x' 'key is `3fbb1c80a7d3e21`: expected 16 hexadecimal digits'
broken cutpoints pairs 'unit 2' '`unit` has no field 2 (key)'
broken cutpoints pairs 'use 5 1 10 d max.c 4 9 a' '`d` is not one of access|library|incoming|argument|result'
broken cutpoints pairs 'use 5 1 -1 access max.c 4 9 a' 'number is `-1`, which is not a number in range'
broken cutpoints pairs 'pair 8 0 1 c 0 0123456789abcdef a' 'id is `0`, which is not a number in range'
broken cutpoints pairs 'pair 8 1 1 q 0 0123456789abcdef a' \
	'kind is `q`, expected c, p:true, p:false, p:case VALUE or p:default'
{ valid_pairs; tab 'pair 8 1 1 c 0 0123456789abcdef a'; } | ended >in
cutpoints -f max.flow in >out 2>err      # the goals before it are out already, but no end
[ $? = 3 ] && grep -q '^cutpoints: pair 8 is not in the flow, or was made with other options$' err &&
	! grep -q '^end' out && ok "cutpoints: a pair of another flow" || bad "cutpoints: a pair of another flow" "$(cat err)"
flags=
flags=
expect prove "no flow" 2 'prove: --flow is missing: the flow(5) or program that the goals belong to; the proofs of a store are checked by duct prove --check STORE'
flags="-f max.flow -s magic"
expect prove "no such stage" 2 'prove: --stages `magic`: expected simplify, query, runs, bmc, short, states, induction, facts, growth, bounded or pdr'
flags="-f max.flow -c some"
expect prove "no such context" 2 'prove: --context `some`: expected any, call or entry'
flags="-f max.flow -t 0"
expect prove "no time" 2 'prove: --time `0`: expected seconds'
flags=
expect cutpoints "no flow" 2 'cutpoints: --flow is missing: the flow(5) or program that the pairs are of'
flags="-f max.flow"
broken prove goals 'kill 1 2 8 must' 'unit 2 is used before its definition'
broken prove goals 'point 99 1 1 8 cut' "point 99 where $(($(valid_goals | grep -c ^point) + 1)) is next: ids count from 1"
broken prove goals 'kill 1 1 8 perhaps' '`perhaps` is not one of must|may'
broken prove goals 'condition 1 1 5 sometimes' '`sometimes` is no kind of condition'
broken prove goals 'condition 1 2 5 below' 'unit 2 is used before its definition'
broken prove goals 'blocks 1 1 2;3' '`2;3` is not a list of numbers separated by commas'
broken prove goals 'blocks one 1 2' 'number is `one`, which is not a number in range'
broken prove goals 'evaluation 1 1 ' '`` is not a list of numbers separated by commas'
broken prove goals 'evaluation 1 1' '`evaluation` has no field 3 (text)'
broken prove goals 'outcome 1 1 2 x' 'number is `x`, which is not a number in range'

echo "1..$n"
exit $failed
