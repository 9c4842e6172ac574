#!/bin/sh
# Filters that get too little memory: each says how much it asked for and which limit is in force, and ends with status 4.
# Stores whose texts ask for too much: they are refused before any memory is asked for.
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

cat >f.c <<'E2'
struct s { char name[16]; int n; };
int f(struct s *p)
{
	if (p->n > 3 && p->name[0] == 'a')
		return 1;
	return 0;
}
E2
command -v sqlite3 >/dev/null || exit 0
duct concolic f.c --entry f -t 20 -q --store f.db >out 2>&1 && duct report f.db --out good >>out 2>&1
result $? "a store is reported"
# asks NAME FROM TO: the shape in the store's plan is changed
asks() {
	cp f.db g.db
	sqlite3 g.db "UPDATE session SET plan = replace(plan, '$2', '$3') WHERE instr(plan, '$2')" || exit 4
	(ulimit -t 20; duct report g.db --html page) >out 2>&1 && ! duct report g.db --out "$1" >>out 2>&1 &&
		grep -q 'malformed plan' out
	result $? "$1"
}
asks 'an array of 2^64-1 characters' '16*1:c1' '18446744073709551615*1:c1'
asks 'one of ten million million' '16*1:c1' '9999999999999*1:c1'
asks 'bytes of a union, 2^64-1' '16.n=i4' '16.n=18446744073709551615*1:U1'
asks 'a number of 99 bytes' '16.n=i4' '16.n=f99'
cat >g.c <<'E2'
int g(char *s, int n)
{
	if (n > 3 && s[n] == 'a')
		s[0] = 'b';
	return s[1] == 'c';
}
E2
duct concolic g.c --entry g -t 20 -q --store g.db >out 2>&1 || exit 4
sqlite3 g.db "UPDATE test SET inputs = replace(inputs, '\"s.bytes\",\"o\",64,\"2\"', '\"s.bytes\",\"o\",64,\"ffffffffffffffff\"')"
sqlite3 g.db "SELECT inputs FROM test" | grep -q ffffffffffffffff || exit 4
(ulimit -t 5; duct report g.db --html object) >out 2>&1 # it may be stopped, as it would take minutes
case $? in 134 | 139) false ;; esac
result $? "an object of 2^64-1 bytes"
