#!/bin/sh
# Programs whose addresses are symbolic, run to the end: what each of tests/runtime/src says of
# its session must come out, without a lost record or a missed prediction; what limits leave open counts as infeasible.
n=0
for file in "$ROOT"/tests/runtime/src/*.c; do
	n=$((n + 1))
	name=$(basename "$file")
	options=$(sed -n 's/^ \* duct: //p' "$file")
	want=$(sed -n 's/^ \* expect: \(.*\) \*\/$/\1/p' "$file")
	duct concolic $options --json "$file" >out 2>err
	got=$(lua5.4 -e '
		package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
		local r, tap = require("json").decode(io.read("a")), require("tap")
		print(("covered=%d infeasible=%d failures=%d%s%s%s"):format(r.branches.covered, r.branches.infeasible + r.branches.limited,
			#r.failures, tap.whole(r) and "" or " not exhausted", r.mispredicted > 0 and " mispredicted" or "",
			#r.lost > 0 and " lost" or ""))' <out 2>&1)
	if [ "$got" = "$want" ]; then echo "ok $n - $name"; else
		echo "not ok $n - $name"
		echo "# $got, not $want"
		sed 's/^/# /' err | head -5
	fi
done
echo "1..$n"
