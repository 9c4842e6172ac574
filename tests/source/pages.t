#!/bin/sh
# Manual pages list the records, kinds and tables that the sources have.
scratch=$PWD
cd "$ROOT" || exit 4

# Each word of standard input stands in the lines of the page $2 from the pattern $3 to the pattern $4.
all_in() {
	sed -n "/$3/,/$4/p" "$2" >"$scratch/page"
	missing=$(while read -r word; do grep -qwF -e "$word" "$scratch/page" || echo "$word"; done)
	n=$(wc -l <"$scratch/page")
	if [ -z "$missing" ] && [ "$n" -gt 5 ]; then echo "ok - $1"; else echo "not ok - $1"; printf '# missing: %s\n' $missing; fi
}

sed -n 's/^	{ { "\([a-z0-9-]*\)".*/\1/p' lib/limits/limits.c |
	all_in "trace(5) has all kinds of limits" man/man5/trace.5 '^\.It Ic limit' '^\.It Ic need'
sed -n 's/^	\[END_[A-Z_]*\] = { "\([a-z]*\)".*/\1/p' lib/trace/trace.c |
	all_in "trace(5) has all ends" man/man5/trace.5 '^\.Ar END$' '^\.Sh SEE'
sed -n 's/^CREATE \(TABLE\|VIEW\) \(IF NOT EXISTS \)*\([a-z_]*\).*/\3/p' share/schema.sql |
	all_in "store(5) has all tables and views" man/man5/store.5 '^\.Sh DESC' '^\.Sh SEE'
version=$(sed -n 's/.*STORE_VERSION = \([0-9]*\).*/\1/p' lib/store/db.h)
if grep -q "the version of the schema, $version;" man/man5/store.5; then echo ok - store\(5\) has the version of the schema
else echo not ok - store\(5\) has the version of the schema; fi
cat lib/*/*.c lib/*/*.cc tools/*.c | tr '\n\t' '  ' |
	grep -oE 'rec_putf\([^;"]{1,60}, *"s[a-z]*", *"[a-z]+"' | sed 's/.*"\([a-z]*\)"$/\1/' | sort -u >"$scratch/tags"
wrong=$(while read -r tag; do grep -qE "^\.It Ic ([a-z]+ \| )*$tag( |$)" man/man[15]/*.[15] || echo "$tag"; done <"$scratch/tags")
if [ -s "$scratch/tags" ] && [ -z "$wrong" ]; then echo "ok - sections 1 and 5 have each record that is written"
else echo "not ok - sections 1 and 5 have each record that is written"; printf '# missing: %s\n' $wrong; fi
grep -ohE '\.ended = [^"]*"[a-z ]+"' lua/duct/*.lua | sed 's/.*"\(.*\)"$/\1/' | grep -vxF -e dismissed -e time -e limit | sort -u >"$scratch/reasons"
wrong=$(sed -n '/^\.It Ic ended$/,/^\.It Ic seconds$/p' man/man7/duct.7 | tr '\n' ' ' >"$scratch/page"
	while read -r reason; do grep -qF -e "$reason" "$scratch/page" || echo "$reason"; done <"$scratch/reasons")
if [ "$(wc -l <"$scratch/reasons")" -gt 4 ] && [ -z "$wrong" ]; then echo "ok - duct(7) has each reason for which sessions end"
else echo "not ok - duct(7) has each reason for which sessions end"; printf '# missing: %s\n' "$wrong"; fi
