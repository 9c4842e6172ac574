#!/bin/bash
# duct test ends in its time, with a report, where building a program does not end; a turn is not begun for a program
# that the time left is not enough for. A session ends in its time where the sets of inputs that its conditions depend on are large.
. "$ROOT/tests/lib/tap.sh"

cat >two.c <<'E2'
int sign(int x)
{
	if (x < 0)
		return -1;
	return x > 0;
}
E2
build=${DUCT_BUILD:-$ROOT/build}                          # the toolkit with another compiler
mkdir -p slow/build/libexec/duct && for part in "$ROOT"/[!b]* "$ROOT"/bin; do ln -s "$part" slow/; done
for part in "$build"/[!l]* "$build"/lib; do ln -s "$part" slow/build/; done
for part in "$build"/libexec/duct/*; do ln -s "$part" slow/build/libexec/duct/; done
rm slow/build/libexec/duct/duct slow/build/libexec/duct/instrument
cp "$build"/libexec/duct/duct slow/build/libexec/duct/     # it finds the others beside it
printf '#!/bin/sh\nsleep 77.77\n' >slow/build/libexec/duct/instrument && chmod +x slow/build/libexec/duct/instrument
began=$(date +%s%N)
DUCT_BUILD=$PWD/slow/build duct test two.c --time 1 >log 2>err </dev/null
status=$?
took=$((($(date +%s%N) - began) / 1000000))
check "a compiler that does not end is ended with the time" '[ $status = 4 ] && [ $took -lt 8000 ] &&
	! grep -q "stopped from outside" err' "$took ms"
check "... and a report tells so" 'grep -q "sign  *its time was over before its first run" log'
check "... nothing of it goes on" '! pgrep -f "sleep 77[.]77"'
printf '#!/bin/sh\necho once >>"%s/builds"\nexec "%s/libexec/duct/instrument" "$@"\n' "$PWD" "$build" >slow/build/libexec/duct/instrument
printf '#include <string.h>\nint f(const char *s) { return strlen(s) == 2; }\n' >plain.c
DUCT_BUILD=$PWD/slow/build duct concolic plain.c --entry f --string s=3 --time 20 --quiet >log 2>err </dev/null
check "a function without a condition is built once" 'grep -q "^concolic of f" log && [ "$(wc -l <builds)" = 1 ]'

cat >fits.lua <<'E2'
package.path = os.getenv("ROOT") .. "/lua/?.lua;" .. package.path
local entries = require "duct.entries"
local list = {}
for i, size in ipairs { 100000, 500 } do
	list[i] = { name = "f" .. i, group = {}, number = i, conditions = { [1] = 100 * size }, near = {}, size = size }
end
local s = entries.schedule(list, nil, 60, 40)
print((s:next(20).name))
E2
check "a program that takes longer to build than there is time waits" '[ "$(lua5.4 fits.lua)" = f2 ]'

cat >chain.c <<'E2'
int chain(const unsigned char *a)
{
	unsigned sum = 0;

	for (int i = 0; i < 60000; i++) {
		sum += a[i];
		if (sum == 100000000u + i)
			return 1;
	}
	return 0;
}
E2
duct concolic chain.c --entry chain --len a=60000 --time 4 --quiet >log 2>err </dev/null
check "60,000 conditions, each on all inputs before it" '[ $? = 0 ] && ! grep -q "stopped from outside" err && grep -q "^ended: time" log'
finish
