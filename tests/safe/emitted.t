#!/bin/sh
# Tests that duct wrote run the program itself, which may rename or write what its arguments and constants name: as root, too,
# they leave the directories of the system and other people's files alone.
# limit: 60
. "$ROOT/tests/lib/tap.sh"

kept=/var/cache/duct-check.$$
trap 'rm -f "$kept" "$kept.xml"' EXIT
echo kept >"$kept" 2>/dev/null
cat >writes.c <<'END'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	FILE *f = fopen("mine", "w");
	if (!f)
		return 1;
	fclose(f);
	f = fopen(KEPT, "a");
	if (f)
		fclose(f);
	if (rename("mine", KEPT))
		return 2;
	return argc > 1 && !strcmp(argv[1], "x") ? 3 : 4;
}
END
if [ "$(id -u)" = 0 ] && [ -f "$kept" ] && unshare -m true 2>/dev/null; then
	duct concolic writes.c --time 5 --quiet --out out -- -DKEPT="\"$kept\"" >log 2>&1
	check 'tests are written' '[ -f out/Makefile ]'
	make -s -C out check >checked 2>&1
	check 'they pass' 'grep -q " 0 failed" checked'
	check 'a file of others is as it was' '[ "$(cat "$kept")" = kept ]'
	make -s -C out clean && make -s -C out check CFLAGS=--coverage >checked 2>&1
	check 'counters of coverage are written' 'ls out/*.gcda >/dev/null 2>&1'
	if echo '#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>' | gcc -E - >log 2>&1; then
		duct concolic writes.c --time 5 --quiet --format cmocka --out suite -- -DKEPT="\"$kept\"" >log 2>&1
		CMOCKA_MESSAGE_OUTPUT=xml CMOCKA_XML_FILE=$kept.xml make -s -C suite check >checked 2>&1
		check 'a framework writes its results there' 'grep -q "failures=.0" "$kept.xml"'
		check 'which its tests leave alone' '[ "$(cat "$kept")" = kept ]'
	fi
	gcc -DKEPT="\"$kept\"" -o writes writes.c && ./writes
	check 'which the program itself changes' '[ "$(cat "$kept")" != kept ]'
else
	echo 'ok - a file of others is as it was # SKIP not root, or no mount namespaces'
fi
finish
