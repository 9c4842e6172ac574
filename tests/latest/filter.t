#!/bin/sh
# run-trace --abstract: a call that is answered by a record; functions whose calls cannot be abstract.
n=0
result() { n=$((n + 1)); if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; head -n 40 out err | sed 's/^/# /'; fi; }
PATH=$LIBEXEC:$PATH
cd "$TMPDIR" || exit 1

cat >a.c <<'END'
static int square(int x) { return x * x; }
static int sum(int n, ...) { return n; }
int test(int a) { if (square(a) == 50) return 1; return sum(a, a); }
END
instrument --abstract -o prog a.c --entry test
instrument -o plain a.c --entry test
tab() { printf '%s\n' "$@" | tr ' ' '\t'; }
{ echo '#inputs 1 test'; tab 'input 1' 'v duct.calls u 32 0' 'v square#1 u 32 32' run 'end 4'; } >in

run-trace --abstract square prog <in >out 2>err
result "$?" "a run with an abstract call"
grep -qx "$(tab 'result 1')" out && grep -q "^var.*square#1.u.32.32$" out
result $? "its result is the one of the record, which the function itself never gives"
run-trace prog <in >out 2>err && ! grep -q 'square#1' out
result $? "without the option the call is executed"
run-trace --abstract all prog <in 2>err | grep -v '^done' >all
run-trace --abstract square prog <in | grep -v '^done' >out
cmp -s all out
result $? "all: every function that can be"

{ echo '#inputs 1 test'; tab 'input 1' run 'end 2'; } >zero
run-trace --abstract square --execute 1 prog <zero >real 2>err && [ "$(grep '^return' real | cut -f 2-4)" = "$(tab '1 1 0')" ] &&
	grep -qE "^e.$(grep '^return' real | cut -f 5).zext.64" real
result $? "an executed one tells its result as an expression of the inputs"
for wrong in 's/^\(return.1.1\).0/\1\t7/' 's/^\(return.*\t\)[0-9]*$/\1999/'; do
	sed "$wrong" real | solve >out 2>err
	[ $? = 3 ] && grep -q "^solve: .*: result is not the expression's value$" err
	result $? "a result that is not its expression's value"
done

# refuse WHAT STATUS MESSAGE ARGUMENT...
refuse() {
	what=$1 want=$2 message=$3
	shift 3
	run-trace "$@" <in >out 2>err
	[ $? = "$want" ] && [ ! -s out ] && [ "$(cat err)" = "run-trace: --abstract: $message" ]
	result $? "$what"
}
refuse "an unknown function" 2 'unknown function `squar`' --abstract squar prog
refuse "variable arguments" 2 'calls of `sum` cannot be abstract: variable arguments' --abstract square,sum prog
refuse "the entry" 2 'calls of `test` cannot be abstract: it is the entry' --abstract test prog
refuse "no function" 2 'no function is named' --abstract '' prog
refuse "a program without" 2 'calls of `square` cannot be abstract: its unit was built without --abstract' --abstract square plain
refuse "no program" 4 'no/prog: No such file or directory' --abstract square no/prog
refuse "another program" 3 '/bin/true: not instrumented: no section .duct_flow' --abstract square /bin/true
echo "1..$n"
