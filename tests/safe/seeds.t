#!/bin/sh
# The initial corpora of the fuzzers: each target has seeds, a channel that a program under test left, a program and a
# store. And that the share of each target (ten minutes, or an hour for readers of foreign bytes) may be made of several runs:
# two stand-ins for fuzzers, one of which has had its share.
fuzz=$ROOT/tests/fuzz
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; sed 's/^/# /' out; fi; }
mkdir -p own/fuzz corpus && ln -s "$BUILD/libexec" own/libexec
printf '#!/bin/sh\necho "$@" >&2\necho "stat::number_of_executed_units: 5"\n' >own/fuzz/quote
chmod +x own/fuzz/quote && cp own/fuzz/quote own/fuzz/flow
printf 'quote 500 7 0\nquote 100 7 0\nflow 3550 7 1\n' >corpus/times
(unset FUZZ_TIME; BUILD=$PWD/own FUZZ_CORPUS=corpus LONG=1 "$fuzz/run" quote flow) >out 2>&1; result $? "seeds are made"
for target in "$fuzz"/*.c; do
	target=${target##*/} && target=${target%.c}
	[ -n "$(find "corpus/$target" -type f -size +0)" ]; result $? "$target"
done
[ -s corpus/base.prog ] && [ -s corpus/base.db ]; result $? "a program and a store"
grep -q '^quote: has had its share' out && grep -q '^flow: 5 runs, nothing found' out; result $? "a target that has had its share, one that has had less"
grep -q 'max_total_time=50 ' own/fuzz/flow.log; result $? "one that has a part of it"
BUILD=$PWD/own FUZZ_CORPUS=corpus "$fuzz/run" --times >out 2>&1
[ "$(awk '{ print $1, $3, $4 }' out)" = "$(printf 'flow 12 1\nquote 14 0')" ]; result $? "the sums"
echo "1..$(($(ls "$fuzz"/*.c | wc -l) + 5))"
