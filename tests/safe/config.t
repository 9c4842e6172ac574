#!/bin/sh
# NAME.duct.lua and duct.lua, which nobody has looked at: no functions, little memory, no file that does not end, none
# that another user put where everyone may write.
# limit: 120
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && tail -n 20 out | sed 's/^/# /'; fi; }
printf 'int f(int a)\n{\n\tif (a > 3)\n\t\treturn 1;\n\treturn 0;\n}\n' >f.c
# refused WHAT WORDS: standard input as f.duct.lua
refused() {
	[ -p f.duct.lua ] || [ -L f.duct.lua ] || cat >f.duct.lua
	timeout -s KILL 30 duct concolic f.c --entry f -t 10 -q >out 2>&1
	[ $? = 3 ] && grep -q "^duct: f.duct.lua.*$2" out
	result $? "$1"
}
echo 'return { len = { a = ("x"):rep(9) } }' | refused "a function of texts" "attempt to index a string value"
echo 'os.execute "touch touched"' | refused "a function of the system" "attempt to index a nil value"
echo 'local s = "a" while true do s = s .. s end' | refused "a text without end" "takes more than 64 MiB"
echo 'local t = {} for i = 1, 1e9 do t[i] = i end' | refused "a table without end" "takes more than 64 MiB"
echo 'local a = {} for i = 1, 9 do local b = {} for j = 1, 1000 do b[j] = a end a = b end return a' |
	refused "tables in tables" "more than 100000 values"
printf '\033Lua\x54\x00' | refused "code that is compiled" "attempt to load a binary chunk"
truncate -s 2M f.duct.lua && : | { cat f.duct.lua >big && rm f.duct.lua && ln -s big f.duct.lua && refused "a large file" "not a regular file of at most 1 MiB"; }
rm -f f.duct.lua && ln -s /dev/zero f.duct.lua && refused "a device" "not a regular file of at most 1 MiB"
rm -f f.duct.lua && mkfifo f.duct.lua && refused "a pipe" "not a regular file of at most 1 MiB"
rm -f f.duct.lua
[ ! -e touched ]; result $? "nothing ran"
if [ "$(id -u)" = 0 ]; then
	mkdir everyone && chmod 1777 everyone && cp f.c everyone && echo 'return { entry = "f" }' >everyone/duct.lua &&
		chown 65534 everyone/duct.lua
	(cd everyone && duct concolic f.c -t 10 -q) >out 2>&1
	[ $? = 3 ] && grep -q "duct.lua: another user owns it" out; result $? "another user's file where everyone may write"
	(cd everyone && duct concolic f.c -t 10 -q --setup duct.lua) >out 2>&1; result $? "which is read if it is named"
else
	for what in "another user's file" "which is read"; do echo "ok - $what # SKIP not root"; done
fi
echo "1..12"
