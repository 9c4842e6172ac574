#!/bin/sh
# What the fuzzers begin with: each target has seeds, a channel that a program under test left, a program and a store.
fuzz=$ROOT/tests/fuzz
if sh "$fuzz/seeds" corpus >out 2>&1; then echo "ok - seeds are made"; else echo "not ok - seeds are made"; sed 's/^/# /' out; fi
for target in "$fuzz"/*.c; do
	target=${target##*/} && target=${target%.c}
	if [ -n "$(find "corpus/$target" -type f -size +0)" ]; then echo "ok - $target"; else echo "not ok - $target"; fi
done
if [ -s corpus/base.prog ] && [ -s corpus/base.db ]; then echo "ok - a program and a store"; else echo "not ok - a program and a store"; fi
echo "1..$(($(ls "$fuzz"/*.c | wc -l) + 2))"
