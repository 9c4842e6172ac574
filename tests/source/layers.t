#!/bin/sh
# The modules of lib/: what includes what (man7 duct-internals, "Modules").
cd "$ROOT" || exit 4

# check NAME, and what is wrong on stdin
check() {
	wrong=$(cat)
	if [ -z "$wrong" ]; then echo "ok - $1"; else echo "not ok - $1"; printf '%s\n' "$wrong" | sed 's/^/# /'; fi
}

modules() {
	awk '/^\.\\" modules/ { on = 1; next } on && /^\.Ed/ { exit } on && !/^\./ { print $1 }' man/man7/duct-internals.7
}

# "FILE MODULE HEADER" for each include of a header of lib/ in a source below $1.
includes() {
	grep -rnoE '#include "lib/[^"]+"' "$@" --include=*.c --include=*.h --include=*.cc |
		sed -E 's|^([^:]+):[0-9]+:#include "lib/([^/]+)/([^"]+)"|\1 \2 \3|'
}

# "FILE: NAME" for each criterion that is named where the table should have been asked.
named_criteria() {
	criteria=$(sed -n '/^enum criterion {/,/CRITERIA,/s/^\t\(CRITERION_[A-Z_]*\),$/\1/p' lib/protocol/criterion.h)
	[ "$(printf '%s\n' "$criteria" | wc -l)" -gt 20 ] || echo 'lib/protocol/criterion.h: criteria not found'
	printf '%s\n' "$criteria" | grep -rnowFf - lib tools | grep -Ev '^lib/(criteria/|protocol/criterion\.)'
	# as a text, too
	sed -n 's/^\t\[CRITERION_.*= .*[({] *"\([a-z-]*\)".*/"\1"/p' lib/protocol/criterion.c | grep -v '"pairs"' | grep -rnoFf - lib/front
}

echo 1..5
{ modules; ls lib; } | sort | uniq -u | sed 's/^/listed, or there, alone: /' | check 'each module is in the list'
{ modules | sed 's/^/module /'; includes lib; } | awk '
	$1 == "module" { at[$2] = ++n; next }
	{ split($1, part, "/"); if (at[$2] > at[part[2]]) print $1 " includes lib/" $2 "/" $3 }' | check 'no module includes one below it in the list'
includes lib tools share | awk '
	{ split($1, part, "/"); if ($3 ~ /^(inner|internal)\.h$/ && part[2] != $2) print $1 " includes lib/" $2 "/" $3 }' |
	check 'private headers are private'
find lib tools share -name '*.h' -exec grep -ohE '^#ifndef [A-Z_]+_H$' {} + | sort | uniq -d | check 'no two headers have the same include guard'
named_criteria | check 'only the table of criteria and lib/criteria name one'
