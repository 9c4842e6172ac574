#!/bin/sh
# Scripts that do not end, and engines that hang, answer without end or lie about a model.
# limit: 120
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && tail -n 20 out | sed 's/^/# /'; fi; }
printf 'int f(int a, int b)\n{\n\tif (a * a * b == 1234567 && a > b)\n\t\treturn 1;\n\treturn 0;\n}\n' >f.c
cp f.c loop.c
echo 'while true do end' >loop.duct.lua
timeout 60 duct concolic loop.c --entry f -q >out 2>&1
[ $? = 3 ] && grep -q 'loop.duct.lua:1: the script does not end' out
result $? "options that do not end"
rm loop.duct.lua
echo 'return function() while true do end end' >search.lua
duct concolic loop.c --entry f -t 100 -q --search ./search.lua >out 2>&1 &
sleep 2
kill -INT $!
(sleep 60; kill -9 $!) 2>/dev/null &
killer=$!
wait %1
got=$?
kill $killer 2>/dev/null
[ $got = 4 ] && grep -q 'does not end: interrupted' out
result $? "a search that does not end, after an interruption"
echo 'return function() while true do pcall(function() while true do end end) end end' >search.lua
timeout 60 duct concolic loop.c --entry f -t 0.3 -q --search ./search.lua >out 2>&1
[ $? = 4 ] && grep -q 'a Lua script does not end: stopped\|stopped from outside' out
result $? "one that catches errors"
echo 'return function() while true do end end' >search.lua
timeout 60 duct concolic loop.c --entry f -t 0.3 -q --search ./search.lua >out 2>&1
[ $? -ge 3 ] && grep -q 'search.lua:1: .*does not end: the time\|stopped from outside' out
result $? "a search that does not end"
# Lua looks for it without an instruction of its own that could be stopped: 1.4 s, and 6 s more on a busy machine
echo 'return function() string.find(("a"):rep(100), ("a*"):rep(40) .. "b") end' >search.lua
timeout 10 duct concolic loop.c --entry f -t 0.3 -q --search ./search.lua >out 2>&1
[ $? = 4 ] && grep -q 'stopped from outside: it did not end' out
result $? "one inside of a function of Lua's"
echo 'return function(s) while true do pcall(s.over, s) end end' >strategy.lua
timeout 10 duct ./strategy.lua loop.c --entry f -t 0.3 -q >out 2>&1
[ $? = 4 ] && grep -q 'stopped from outside: it did not end when its time' out
result $? "one that goes on calling"
# engine NAME SCRIPT: a session whose only engine is the script; all of them at the same time
engine() {
	mkdir -p "$1" && printf '#!/bin/sh\n%s\n' "$2" >"$1/boolector" && chmod +x "$1/boolector"
	(PATH=$PWD/$1:$PATH timeout 60 duct concolic f.c --entry f -t 1.5 -q --engines boolector --layers none --query-timeout 1 >"$1.out" 2>&1
	echo $? >"$1.status") &
	engines="$engines $!"
}
# stands NAME TEXT: how that one ended
stands() {
	cp "$1.out" out
	[ "$(cat "$1.status")" -lt 3 ] && ! grep -q 'crashed' out && grep -q '^ended: ' out
	result $? "$2"
}
engine hangs 'exec sleep 100'
engine closes 'exec >&-; exec sleep 100'
engine writes 'exec yes 1111111111111111111'
engine wrong 'echo sat; echo "v0 11111111111111111111111111111111"; exit 10'
engine dies 'kill -9 $$'
wait $engines
stands hangs "an engine that hangs"
stands closes "an engine that closes its output and hangs"
stands writes "an engine that writes without end"
stands wrong "an engine whose model is wrong"
stands dies "an engine that dies"
# a checker that hangs, also when it is asked for its version
printf 'int h(unsigned m)\n{\n\tunsigned i = 0;\n\twhile (i < m)\n\t\ti++;\n\tif (m * m == 7)\n\t\treturn 2;\n\treturn (int)i;\n}\n' >h.c
mkdir checker && printf '#!/bin/sh\nexec sleep 100\n' >checker/cbmc && chmod +x checker/cbmc
cfg-dump h.c >h.flow && defuse -p paper -e h h.flow >h.pairs && cutpoints -f h.flow h.pairs >h.goals &&
	PATH=$PWD/checker:$PATH timeout 60 prove -t 3 -w cbmc -f h.flow h.goals >out 2>&1 && grep -q '^verdict.*infeasible' out
result $? "a checker that hangs takes no proofs of others away"
# nested N: an expression of so many operators in each other, in the source
nested() { awk -v n="$1" 'BEGIN { printf "int f(unsigned x)\n{\n\tif (5 == "; while (n--) printf "-~"; print "x)\n\t\treturn 1;\n\treturn 0;\n}" }' >nested.c; }
nested 5000
timeout 60 duct concolic nested.c --entry f -t 40 -q >out 2>&1 && grep -q 'branches: 2 of 2 covered' out
result $? "10000 operators in each other"
nested 50000
timeout 60 duct concolic nested.c --entry f -t 40 -q >out 2>&1
[ $? = 4 ] && grep -q 'the compiler was killed by signal 11: expressions or statements are nested too deeply' out ||
	{ [ -n "$SAN" ] && grep -q 'ERROR: AddressSanitizer: stack-overflow' out; }   # which comes before the signal
result $? "100000 of them are refused with the reason"
n=200000
printf 'int f(unsigned x)\n{\n\tunsigned y = x;\n\tfor (int i = 0; i < %d; i++)\n\t\ty = y * 3 + ((unsigned)i ^ (x >> 1));\n\tif (y == 12345)\n\t\treturn 1;\n\treturn 0;\n}\n' $n >deep.c
timeout -s KILL 40 duct concolic deep.c --entry f -t 0.3 -q >out 2>&1
grep -qE '^ended: time|stopped from outside: it did not end when its time' out
result $? "an expression of $n operations does not outlive the session's time"
cat >cells.c <<'E'
static struct cell { struct cell *next; long count; } cells[32768];
int f(const unsigned char *a, unsigned n)
{
	struct cell *last = 0;
	int used = 0;
	for (unsigned i = 0; i < n && i < 4; i++)
		cells[a[i] << 7 | a[i] >> 1].count++;
	for (int i = 0; i < 32768; i++)
		if (cells[i].count > 0) {
			cells[i].next = last;
			last = &cells[i];
			used++;
		}
	return used > 3;
}
E
timeout -s KILL 60 duct concolic cells.c --entry f -t 1 -q >out 2>&1
grep -q '^ended: ' out
result $? "nor do thousands of reads of an array below thousands of writes"
duct concolic deep.c --entry f -t 100 -q >out 2>&1 &
session=$!
sleep 2
kill -TERM $session
(sleep 30; kill -9 $session) 2>/dev/null &
killer=$!
wait $session
got=$?
kill $killer 2>/dev/null
[ $got = 130 ] && grep -q '^ended: interrupted' out
result $? "nor SIGTERM"
# runs with half a million inputs: what is done with one of them is done within the session's time, too
cat >inputs.c <<'EOF'
int g(int);
int f(int n)
{
	int x = 0;
	for (int i = 0; i < n; i++)
		x += g(i);
	if (x % 7 == 3 && x * x * x == 0x12345)
		return 1;
	return 0;
}
EOF
# ends_soon: one of three times at least, as a busy machine may hold it up
ends_soon() {
	for _ in 1 2 3; do
		began=$(date +%s)
		duct dft inputs.c --entry f -t 3 -q >out 2>&1 || return 1
		took=$(($(date +%s) - began))
		echo "took $took seconds" >>out
		[ $took -le $((6 * ${SLOWER:-1})) ] && return 0
	done
	return 1
}
ends_soon
result $? "a session whose runs have half a million inputs ends in time"
echo "1..18"
