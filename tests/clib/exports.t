#!/bin/sh
# The table of lib/clib beside the C library that is installed: which of its public functions are not in the table, which rows
# name no function, and whether the columns of models and of --faults say what share/libc and the runtime have.
#
# tests/clib/unknown lists the public functions that are not in the table. A name that is new there needs a row; a name
# that got a row has to leave it.
# limit: 60
. "$ROOT/tests/lib/tap.sh"

table=$BUILD/tests/unit/clib list=$ROOT/tests/clib/unknown most=222

# Functions that a library of the C implementation exports, versions aside.
exports() {
	nm -D --defined-only "$(gcc -print-file-name="$1")" | awk '$2 ~ /^[TWi]$/ { sub(/@.*/, "", $3); print $3 }'
}

# Names in the first file that are not in the second.
only() { LC_ALL=C sort -u "$1" >one; LC_ALL=C sort -u "$2" >two; LC_ALL=C comm -23 one two; }

{ exports libc.so.6; exports libm.so.6; } | LC_ALL=C sort -u >exported
grep -v '^_' exported >public
"$table" unknown <public >unknown
echo "# $(wc -l <public) public functions, $(wc -l <unknown) of them unknown"
check 'the libraries export what we look for' '[ "$(wc -l <public)" -gt 2000 ]'
only unknown "$list" >log
check 'each public function is in the table, or known to be missing' '[ ! -s log ]'
"$table" unknown <"$list" | only "$list" /dev/stdin >log
check 'a name that got a row left the list of the missing' '[ ! -s log ]'
check "the list of the missing does not grow: $most" '[ "$(wc -l <"$list")" -le $most ]'

# Not functions of libc.so.6: duct's own, in libc_nonshared.a, macros of headers, of libraries that are newer or older.
cat >elsewhere <<'END'
at_quick_exit
atexit
duct_assert
duct_assume
duct_rt_array
duct_rt_back
duct_rt_between
duct_rt_calls
duct_rt_choice
duct_rt_device
duct_rt_input
duct_rt_limit
duct_rt_result
duct_rt_rule
duct_rt_state
duct_rt_types
duct_rt_watch
duct_symbolic
savectx
sigsetjmp
strlcat
strlcpy
END
sed -n 's/^\t{ "\([^"]*\)".*/\1/p' "$ROOT/lib/clib/table.c" >rows
cat exported elsewhere >known
only rows known >log
check 'each row names a function' '[ ! -s log ]'

# A model is a function that libductmodels.a defines.
nm -g --defined-only "$BUILD/lib/libductmodels.a" 2>/dev/null | awk '$2 ~ /^[TW]$/ { print $3 }' | grep -v '^duct_' |
	LC_ALL=C sort -u >models
"$table" modelled >modelled
only modelled models >log
check 'M or f in the column does: a model is there' '[ ! -s log ]'
sed 's/^__isoc[0-9]*_//; s/^__\([^_]*\)$/\1/; s/_unlocked$//; s/64$//' modelled >stems
while read -r name; do
	echo "$name" | sed 's/^__isoc[0-9]*_//; s/^__\([^_]*\)$/\1/; s/_unlocked$//; s/64$//' >stem
	grep -qx "$name" modelled || grep -qxf stem stems || grep -qx "$(sed 's/[fl]$//' stem)" stems || echo "$name"
done <models >log
check 'each model has M or f in the column does' '[ ! -s log ]'

# Calls that can be made to fail say so by name.
grep -ho '\(FAILS\|NO_MEMORY\|duct_rt_fails\)("[^"]*"' "$ROOT"/lib/runtime/*.c "$ROOT"/share/libc/*.c | sed 's/.*"\(.*\)"/\1/' >failing
sed -n 's/.*FAILS_IF(duct_result_used, "\([^"]*\)".*/\1/p' "$ROOT"/share/libc/*.c >>failing
sed -n 's/^PAIR(\([a-z]*\), \([a-z]*\),.*NO_MEMORY.*/\1\n\2/p' "$ROOT"/share/libc/print.c >>failing
sed -n 's/^\(OPEN\|SYNC\|FLUSH\|ERROR\)(\([a-z0-9]*\))$/\2/p' "$ROOT"/share/libc/*.c >>failing
"$table" fallible | sed 's/^__\(.*\)_chk$/\1/' >fallible
sed -n 's/^LEAVING([a-z]*, \([a-z]*\),.*/\1/p' "$ROOT/share/test/duct_failing.h" >>failing
sed -n 's/^EXECUTE(\([a-z]*\),.*/\1/p' "$ROOT/share/libc/failing.c" >>failing
{ only fallible failing; only failing fallible; } >log
check 'F in the column does: the calls that --faults lets fail' '[ ! -s log ]'

finish
