#!/bin/sh
# limit: 300
# Tests of functions whose inputs are structures: lists, trees, shared and cyclic ones, matrices, callbacks and streams. They
# build them as readable C and pass on the untouched source with both compilers.
src=$ROOT/tests/report/src/structures.c
strict="-O1 -Wall -Wextra -Werror -Wno-unused-function -Wno-unused-parameter"
. "$ROOT/tests/lib/tap.sh"

# entry NAME OPTIONS...
entry() {
	name=$1
	shift
	duct concolic structures.c --entry $name --runs 400 --time 60 --quiet --out $name "$@" >$name.txt 2>log
	ok $? "$name: a session"
	for cc in gcc clang-19; do
		make -s -C $name check CC=$cc CFLAGS="$strict" >log 2>&1 && grep -q ' tests: .* 0 failed' log
		ok $? "$name: $cc"
	done
	grep -q '^branches: \([0-9]*\) of \1 covered' $name.txt || { head -n 20 $name.txt >log; false; }
	ok $? "$name: all outcomes"
}

# has NAME PATTERN: a line of the tests
has() {
	grep -q -e "$2" $1/tests.c || { sed -n '/^static/,/^}/p' $1/tests.c | head -n 80 >log; false; }
	ok $? "$1: $2"
}

cp "$src" structures.c
entry length
has length 'static struct node node[0-9]* = { .v = [-0-9]*, .next = &node[0-9]* };'
entry height
has height 'static struct tree tree[0-9]* = { .*\.left = &tree[0-9]*.*\.right = &tree[0-9]*'
entry same
has same 'struct node \*b = &node1;'
entry ring
has ring 'node[0-9]*\.next = &node[0-9]*;'
entry trace
has trace 'static int \*m\[2\] = { m_0, m_1 };'
entry told
entry apply
has apply 'static const int answers\[\] = {'
entry marks --distinct all
has marks 'static void \*p\['
entry keeps --faults 0
entry lines
has lines 'struct _IO_FILE \*in = duct_stream("\\n\\n", 2);'
finish
