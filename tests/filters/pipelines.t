#!/bin/sh
# share/pipelines: strategies out of filters give the figures of the strategies; what these filters refuse.
# limit: 300
n=0
result() { n=$((n + 1)); if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; head -n 20 out err | sed 's/^/# /'; fi; }
PATH=$LIBEXEC:$PATH
cd "$TMPDIR" || exit 1
examples=$ROOT/share/examples

# figures KIND: "runs P covered N of M", a run each path, of a session's JSON
figures() {
	tr -d '\n' <json | sed "s/.*\"paths\": \([0-9]*\).*\"$1\": {\"total\": \([0-9]*\), \"covered\": \([0-9]*\).*/runs \1 covered \3 of \2/"
}
# same STRATEGY KIND FILE FUNCTION
same() {
	case $3 in
	/*) file=$3;;
	*) file=$examples/$3;;
	esac
	"$ROOT/share/pipelines/$1.sh" "$file" "$4" >out 2>err
	status=$?
	search='--search dfs'
	[ "$1" = latest ] && search=           # it has an order of its own
	duct "$1" "$file" --entry "$4" --calls 1 $search --json --quiet >json 2>>err
	want=$(figures "$2")
	case $1 in
	concolic | ippc) [ "$status $(echo $(cat out))" = "0 $want" ];;
	latest) [ "$status $(echo $(cat out))" = "0 paths ${want#runs }" ];;
	*) [ "$status $(tail -n 1 out)" = "0 covered ${want#*covered }" ];;
	esac
	result $? "$1.sh: ${3##*/}: $want"
}
same concolic branches is_sorted.c isSorted
same concolic branches tcas.c advise
same ippc branches triangle.c triangle
same ippc branches max3als.c max3Als
same dft pairs is_sorted.c isSorted
same dft pairs triangle.c triangle
cat >switch.c <<'END'
int f(int op, int a)
{
	switch (op) {
	case 1: return a > 5;
	case 2: if (a == 7) return 3; break;
	case 9: return 4;
	}
	if (a + op == 9)
		return a == 0 ? 5 : 6;
	return 0;
}
END
same concolic branches "$PWD/switch.c" f
same ippc branches "$PWD/switch.c" f
same dft pairs "$PWD/switch.c" f
cat >calls.c <<'END'
static int count(const int *a, int n)
{
	int c = 0;
	for (int i = 0; i < n; i++)
		if (a[i] > 3)
			c++;
	return c;
}
static int pick(int x)
{
	switch (x) {
	case 4: return 10;
	case 5: return 20;
	}
	return 30;
}
int f(int a, int b, int k)
{
	int v[2] = { a, b }, c = count(v, 2);
	if (c == 2 && pick(k) == 20)
		return 1;
	if (c == 0)
		return pick(k) > 30;
	if (c == 3)
		return 9;
	if (a < b && pick(a) == 10)
		return 4;
	return 2;
}
END
same latest branches "$PWD/calls.c" f
same latest branches global_foo.c test
cat >pointer.c <<'END'
static int *choose(int *a, int i) { return i > 1 ? a + 1 : a; }
int f(int a, int b) { int v[2] = { a, b }; if (*choose(v, a) > 10) return 1; return 0; }
END
! "$ROOT/share/pipelines/latest.sh" pointer.c f >out 2>err && grep -q 'abstract: choose' err && [ ! -s out ]
result $? "latest.sh: a call that cannot stay abstract is refused by name"
! "$ROOT/share/pipelines/latest.sh" switch.c f >out 2>err && grep -q '^run-trace: --abstract: ' err && [ ! -s out ]
result $? "latest.sh: a function that calls none is refused"
same flowtest branches page_free.c page_free
# the strategy widens the limit of pointers that lead to one object, the pipeline does not
duct flowtest "$examples/page_free.c" --entry page_free --calls 1 --search dfs --distinct all --json --quiet >json
blocks=$(tr -d '\n' <json | sed 's/.*"paths": \[\([^]]*\)\].*/\1/' | tr ',' '\n' | grep -c .)
[ "$(grep '^blocks' out)" = "blocks $blocks" ]
result $? "flowtest.sh: as many blocks as the strategy ends with: $blocks"
same flowtest branches is_sorted.c isSorted
cat >packet.c <<'END'
int parse(int a, int b, int c, int d, int e, int version)
{
	int n = 0;
	if (version != 17)
		return 0;
	if (a == 1)
		n = 1;
	if (b == 2)
		n = 1;
	if (c == 3)
		n = 1;
	if (d == 4)
		n = 1;
	if (e == 5)
		n = 1;
	return 1;
}
END
cat >late.c <<'END'
int f(int a, const char *s) { return a == 3 ? s[0] == 'x' ? 2 : 1 : 0; }
END
same flowtest branches "$PWD/late.c" f
same flowtest branches "$PWD/packet.c" parse
[ "$(grep -c '^block . if version=' out)" = 5 ] && [ "$(awk '/^block / { n += $(NF - 1) } END { print n }' out)" -le 13 ] &&
	grep -qx 'blocks 6' out
result $? "flowtest.sh: what guards five blocks is shared by them: 12 paths, and one before it was known"
mkdir headers && echo 'enum { LIMIT = 7 };' >headers/limit.h
printf '#include "limit.h"\nint f(int a) { if (a > LIMIT) return 1; return 0; }\n' >include.c
"$ROOT/share/pipelines/concolic.sh" include.c f -- -I "$PWD/headers" >out 2>err && grep -qx 'covered 2 of 2' out
result $? "concolic.sh: flags after --"
for s in "$ROOT"/share/pipelines/*.sh; do
	[ "$(wc -l <"$s")" -le 40 ] && ! "$s" >out 2>err && grep -q '^usage: ' err
	result $? "${s##*/}: at most 40 lines; usage"
done

cat >a.c <<'END'
int f(int a, int b)
{
	if (a > 3 && b > 4)
		return 1;
	return 0;
}
int g(int a) { return a > 7; }
END
instrument --pairs -o prog a.c --entry f
instrument -o plain a.c --entry f
instrument -o other "$examples/is_sorted.c" --entry isSorted
defuse -e f prog | cutpoints -b -f prog >goals
run-trace -d prog >trace 2>err
credit -f prog -g goals trace >credit 2>err
[ $? = 0 ] && [ "$(grep -c '^covered.*	1$' credit)" = "$(awk '/^total/ { n += $3 } END { print n }' credit)" ] &&
	grep -q '^open	o' credit && grep -q "^total	pairs	[0-9]*	$(grep -c '^goal' goals)$" credit
result $? "credit: what one run reaches, and what is open"
distance -f prog -o credit goals >distances 2>err && grep -q '^distance	.*	0$' distances
result $? "distance: an open outcome is at distance 0"
solve --goals distances trace >inputs 2>err && [ "$(grep -c '^input' inputs)" = 1 ]
result $? "solve --goals: the condition that leads to an open goal"
run-trace prog <inputs >second && solve --from promised second >out 2>err && [ "$(grep -c '^input' out)" = 1 ]
result $? "solve --from promised: one condition behind what was promised"
solve second >all && [ "$(grep -c '^input' all)" = 2 ] && solve --from 2 second | grep -q '^from	1	2	'
result $? "solve --from 2: not the first"
solve --vary a trace >out 2>err && grep -qx 'vary	a' out
result $? "solve --vary: inputs that vary"
solve --vary a,later trace >out 2>err && grep -qx 'vary	a	later' out && run-trace prog <out >later && grep -q '^trace' later
result $? "solve --vary: one that only a later run meets"
awk '/^vary/ { next } { print } /^input/ { print "vary\ta\tlater" }' out >first
run-trace prog <first >third && grep -E '^(var|branch|node)' later >one && grep -E '^(var|branch|node)' third | cmp - one
result $? "... told before the values"
sed 's/^total.*//; /^$/d; s/^open.*/covered	1	1/; /^end/d' credit | awk '{ print } !/^#/ { n++ } END { print "end\t" n }' >none
distance -f prog -o none goals >distances && solve --goals distances trace >out && ! grep -q '^input' out
result $? "nothing is open: nothing leads there"

# refuse WHAT STATUS MESSAGE COMMAND...
refuse() {
	what=$1 want=$2 message=$3
	shift 3
	"$@" >out 2>err
	[ $? = "$want" ] && [ "$(cat err)" = "$message" ]
	result $? "$what"
}
run-trace -d plain >plain.trace
run-trace -d other >other.trace
refuse "credit: a program without --pairs" 3 'credit: plain.trace: trace 1: the program was built without --pairs' \
	credit -f plain -g goals plain.trace
credit -b -f plain -g goals plain.trace >out 2>err
result $? "credit -b: outcomes need no pairs"
refuse "credit: a trace of another program" 3 'credit: other.trace: trace 1: none of its units is in the flow' \
	credit -f prog -g goals other.trace
refuse "credit: goals of another program" 3 'credit: goals: pair 1 is not in the flow, or was made with other options' \
	credit -f other -g goals trace
refuse "credit: no goals" 2 'credit: --goals is missing: a goals(5) file, as written by `cutpoints`' credit -f prog trace
refuse "distance: no flow" 2 'distance: --flow is missing: the flow(5) or program that the goals belong to' distance goals
printf '#credit 1 test\nopen\t99\nend\t1\n' >open
refuse "distance: a goal that is not there" 3 'distance: open:2: goal `99` is not among the goals' distance -f prog -o open goals
instrument -o switch switch.c --entry f
run-trace -d switch >one && solve one >out && [ "$(grep -c '^input' out)" = 2 ] && [ "$(grep -c '^expect' out)" = 1 ]
result $? "solve: without the flow a switch is turned to some value, with no promise"
solve --flow switch one >out && [ "$(grep -c '^input' out)" = 4 ] && [ "$(grep -c '^expect' out)" = 4 ] &&
	run-trace switch <out >several && ! grep -q '^promise	missed' several &&
	[ "$(grep '^switch' several | cut -f 5 | sort | tr '\n' ' ')" = "0 1 2 3 " ]
result $? "solve --flow: a switch is turned to each case, and each promise is kept"
solve -u --flow switch several >out && grep -q '^unsat' out && ! grep -q '^unknown' out
result $? "solve --flow: a default's path excludes the cases, so that there is an answer behind it"
refuse "solve --ask --flow" 2 'solve: --ask only answers questions: it takes no traces and no options about conditions' solve --ask --flow switch
printf '#distances 1 test\nunit\t1\t3fbb1c80a7d3e211\ta.c\ndistance\t1\t1\t0\tfar\nend\t2\n' >bad
refuse "solve: a distance that is none" 3 'solve: bad:3: distance is `far`, which is neither a number nor -' solve --goals bad trace
refuse "solve: traces for distances" 3 'solve: trace:1: not a distances stream: `#trace 1 run-trace-'"$(duct --version | awk '{ print $2 }')"'`; `duct distance -f prog goals` writes one' \
	solve --goals trace trace
refuse "run-trace --execute: of no calls" 2 'run-trace: --execute needs --abstract' run-trace -d --execute 1 plain
instrument --abstract -o calls calls.c --entry f
run-trace -d --abstract all --execute 0 calls >none && run-trace -d --abstract all --execute 1 calls >one &&
	[ "$(cat none one | grep '^asked' | cut -f 3,4 | tr '\t\n' ': ')" = "1:1 2:1 1:0 2:1 " ]
result $? "run-trace --execute: so many calls are executed"
refuse "solve --from 0" 2 'solve: --from: `0` is not a number of at least 1' solve --from 0 trace
refuse "solve --ask flips nothing" 2 'solve: --ask only answers questions: it takes no traces and no options about conditions' solve --ask --from 2
instrument --flows -o packet packet.c --entry parse
printf '#inputs 1 test\ninput\t1\nv\tversion\ti\t32\t11\nrun\nend\t3\n' | run-trace packet >opened
[ "$(partition -f opened | grep -c '^block')$(partition -fs opened | grep -c '^guard	6')" = 15 ]
result $? "partition --share: the guard of five blocks"
refuse "partition --share" 2 'partition: --share needs --final: guards are only known after the last trace' partition -s opened
refuse "partition --check --final" 2 'partition: --check and --final: only one of them can be given' partition -c -f -b trace trace
cat >under.c <<'END'
#include <stdlib.h>
static int seen;
int f(int a, int b, int c)
{
	int x[2] = { 0, 0 }, *p = malloc(4);
	if (!p)
		return 0;
	*p = 0;
	if (a)
		x[1] = seen = *p = 1;
	return b && x[1] ? 1 : c && (seen || *p);
}
END
instrument --flows -o under under.c --entry f
under() { printf '#inputs 1 test\ninput\t1\nv\ta\ti\t32\t%s\nv\tb\ti\t32\t1\nv\tc\ti\t32\t1\nrun\nend\t5\n' "$1"; }
under 1 | run-trace --flow-map map under >/dev/null
cut -f 1,3 map | grep '^written' | sort >out && printf 'written\t%s\n' memory object stack | cmp -s - out
result $? "run-trace --flow-map: what a run wrote in an object, in a global and on the stack"
under 0 | run-trace under | partition -f >alone
under 0 | PATH=$PATH:/another/folder run-trace --flow-map map under | partition -f >known
[ "$(grep -c '^block' alone)$(grep -c '^block' known)" = 21 ]
result $? "run-trace --flow-map: another process knows what the side that it does not take would have written"
under 0 | run-trace --flow-map map under >under.trace && cp map before && under 1 | run-trace --flow-map map under >/dev/null &&
	cmp -s map before && grep -q "^flows.*	$(grep -Ec '^(written|within)' map)$" under.trace
result $? "run-trace --flow-map: what is known is not written twice"
refuse "run-trace --flow-map: without --flows" 2 'run-trace: plain: the program was built without --flows' \
	run-trace -d --flow-map map plain
refuse "run-trace --flow-map: of another program" 3 'run-trace: map:2: the flow map is of another program' \
	run-trace -d --flow-map map packet
sed 's/^image.*/image\t0000000000001000/' map >bad
refuse "run-trace --flow-map: at other addresses" 3 'run-trace: bad:3: the flow map is of runs at other addresses' \
	run-trace -d --flow-map bad under
sed 's/stack/pile/' map >bad
refuse "run-trace --flow-map: an unknown place" 3 \
	"run-trace: bad:$(grep -n pile bad | cut -d : -f 1): \`pile\` is not one of stack|memory|object" \
	run-trace -d --flow-map bad under

# closed COMMAND...: its reader is gone
closed() {
	(trap '' PIPE; while echo; do :; done 2>/dev/null; "$@" 2>err; echo $? >status) | :
	[ "$(cat status)" = 141 ] && [ ! -s err ]
	result $? "$1: a closed pipe ends it without a word, as SIGPIPE does"
}
closed run-trace -d prog
closed solve trace
closed partition trace
closed credit -f prog -g goals trace
closed distance -f prog goals
closed defuse -e f prog
defuse -e f prog >pairs
closed cutpoints -f prog pairs
closed prove -f prog goals
closed prove -t 9 -f prog goals
echo "1..$n"
