#!/bin/sh
# Limits that are enforced from outside of a session: scripts that hang where no hook of Lua runs, or use up the memory
# of the machine.
# waits
# limit: 400
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && tail -n 20 out | sed 's/^/# /'; fi; }
printf 'int f(int a)\n{\n\tif (a > 3)\n\t\treturn 1;\n\treturn 0;\n}\n' >f.c
# a search of patterns that takes years, in one call of the C library of Lua
echo 'return function() return (("a"):rep(40)):find((".-"):rep(40) .. "b") end' >search.lua
# one that waits for what never comes
echo 'return function() return io.popen("exec sleep 1000"):read("a") end' >wait.lua
# the same, with processes that it leaves behind
{ cat <<'E2'; cat wait.lua; } >leave.lua
os.execute("sh -c 'echo $$ >left; exec sleep 1000' & sh -c 'echo $$ >left2; trap \"\" TERM INT; setsid sleep 1000' &")
E2
(timeout 300 duct concolic f.c --entry f -t 1 -q --store time.db --search ./leave.lua >time.out 2>&1; echo $? >time.status) &
hangs=$!
# told SIGNAL SEARCH: a session that has time, told to end
told() {
	duct concolic f.c --entry f -t 100 -q --search ./$2 >out 2>&1 &
	session=$!
	sleep 2
	kill "-$1" $session
	(sleep 60; kill -9 $session) 2>/dev/null &
	killer=$!
	wait $session
	got=$?
	kill $killer 2>/dev/null
	[ $got = 4 ] && grep -q 'stopped from outside: it did not end when it was told to' out
	result $? "a session that hangs is ended when it is told to by SIG$1"
}
told TERM search.lua
told INT wait.lua
wait $hangs
cat time.out >out
[ "$(cat time.status)" = 4 ] && grep -q 'stopped from outside: it did not end when its time was over' out
result $? "a session that hangs is ended from outside when its time is over"
[ -s left ] && [ -s left2 ] && ! kill -0 "$(cat left)" 2>/dev/null && ! kill -0 "$(cat left2)" 2>/dev/null
result $? "with all processes that it started"
duct report time.db >out 2>&1 && grep -q 'branches: ' out
result $? "its store can be read"
echo 'return function() local t = {} while true do t[#t + 1] = ("x"):rep(1000000) .. #t end end' >search.lua
DUCT_MEMORY=400M timeout 200 duct concolic f.c --entry f -t 40 -q --search ./search.lua >out 2>&1
[ $? = 4 ] && grep -q "stopped from outside: its processes took the memory" out
result $? "a session that takes all memory is ended, too"
# what an engine may take
mkdir fake
printf '#!/bin/sh\nulimit -v >%s/most\nexit 1\n' "$PWD" >fake/boolector && chmod +x fake/boolector
printf 'int g(int a, int b)\n{\n\tif (a * a * b == 1234567 && a > b)\n\t\treturn 1;\n\treturn 0;\n}\n' >g.c
if [ -n "$SAN" ]; then
	echo "ok $((n += 1)) - an engine gets a quarter of the memory # SKIP a sanitizer reserves more than any limit"
else
	DUCT_MEMORY=1G PATH=$PWD/fake:$PATH timeout 200 duct concolic g.c --entry g -t 3 -q --engines boolector --layers none >out 2>&1
	[ "$(cat most)" = 262144 ]
	result $? "an engine gets a quarter of the memory"
fi
echo "1..7"
