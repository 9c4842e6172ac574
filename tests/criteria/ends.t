#!/bin/sh
# Statements of runs that exit or are aborted: each that was executed counts, as gcov shows on the untouched source, and no other.
# limit: 100
. "$ROOT/tests/lib/tap.sh"
cp "$ROOT/tests/criteria/src/ends.c" ends.c
duct concolic ends.c --criterion statements --quiet --time 10 --out t --store s.db >text 2>log
duct report s.db --criterion statements | awk -F'\t' 'NR > 1 { split($4, p, ":"); print p[2] >"lines"; if ($6 == "covered") print p[2] }' | sort -u >ours
make -C t check CFLAGS="--coverage" >log 2>&1
(cd t && gcov -t tests.gcno 2>/dev/null) | awk -F: '/:Source:/ { of = /ends.c/ } of && $1 + 0 > 0 { print $2 + 0 }' | grep -Fxf lines | sort -u >gcov
check "each that counts was executed" '[ -s gcov ] && ! comm -23 ours gcov | tee -a log | grep -q .'
check "each that was executed counts" '! comm -13 ours gcov | tee -a log | grep -q .'

# a function of the library that ends some runs and returns in others: what follows does not count, and is not called infeasible
cat >error.c <<'X'
#include <error.h>
int main(int argc, char **argv)
{
	int k = argc;
	if (argc > 2) {
		error(argc - 4, 0, "%s", argv[0]);
		k++;
		return k;
	}
	return 0;
}
X
cat >parse.c <<'X'
#include <argp.h>
int main(int argc, char **argv)
{
	int k = argc;
	if (argc == 2) {
		argp_parse(0, argc, argv, 0, 0, 0);
		k++;
		return k;
	}
	return 0;
}
X
for f in error parse; do
	duct dft $f.c --criterion statements,pairs --runs 8 --quiet --time 5 --store $f.db >text 2>log
	check "$f: what follows does not count where the run ended there" 'duct report $f.db --criterion statements | grep "$f.c:7:1" | grep -q "unknown"'
	check "$f: nor is it infeasible, as other arguments let it return" '! duct report $f.db --pairs | grep "$f.c:7:3" | grep -q infeasible'
done
finish
