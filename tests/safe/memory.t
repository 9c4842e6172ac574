#!/bin/sh
# Filters that get too little memory: each says how much it asked for and which limit is in force, and ends with status 4.
if ldd "$LIBEXEC/duct" | grep -q libasan; then # which reserves terabytes of addresses
	echo "1..0 # SKIP the sanitizer's build"
	exit 0
fi
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && tail -n 20 out | cut -c1-200 | sed 's/^/# /'; fi; }
# refuses NAME INPUT COMMAND...: with addresses of LIMIT KiB
refuses() {
	name=$1 input=$2
	shift 2
	(ulimit -v "$LIMIT"; "$@") <"$input" >out 2>&1
	[ $? = 4 ] && grep -Eq 'out of memory: cannot get [0-9]+ bytes; addresses are limited to [0-9]+ MiB, see ulimit -v' out
	result $? "$name"
}
LIMIT=400000
# a field of 300 million bytes, which is not longer than a line may be
awk 'BEGIN { printf "#trace 1 test\nx\t"; for (i = 0; i < 3000000; i++) printf "%0100d", 0; print "" }' >long
refuses "solve: a long line" long duct solve
refuses "partition: a long line" long duct partition
sed 1s/trace/flow/ long >flow
refuses "defuse: a long line" flow duct defuse
# the same file within the limit of a line, and memory for it
(ulimit -v 4000000; duct defuse <flow) >out 2>&1
[ $? = 3 ] && grep -q 'stdin:2: ' out
result $? "with enough memory its error is told"
