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
finish
