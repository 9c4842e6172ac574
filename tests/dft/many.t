#!/bin/sh
# Large sessions: with more than 100,000 pairs a session begins at once, keeps the pairs with known results, and counts
# the others; and thousands of open branches.
. "$ROOT/tests/lib/tap.sh"
awk 'BEGIN {
	print "int many(unsigned n)\n{\n\tint x = 0, sum = 0;\n"
	for (i = 1; i <= 330; i++) print "\tif (n == " i ")\n\t\tx = " i ";"
	for (i = 1; i <= 330; i++) print "\tsum += x;"
	print "\treturn sum;\n}"
}' >many.c
# figure PATTERN: the field of the report that has it
figure() {
	duct report --store many.db --json | tr ',{}' '\n\n\n' | awk '/"pairs"/ { on = 1 } on' | sed -n "s/^ *\"$1\": *//p" | head -n 1
}
# adds_up: pairs that are listed, and those that the last line counts, are all there are
adds_up() {
	duct report --store many.db --pairs >pairs
	listed=$(grep -vc '^#' pairs)
	rest=$(sed -n 's/^# \([0-9]*\) more are unknown.*/\1/p' pairs)
	covered=$(awk -F '\t' '$6 == "covered"' pairs | wc -l)
	[ $((listed + rest)) = "$(figure total)" ] && [ "$covered" = "$(figure covered)" ] &&
		[ $((listed + rest - covered)) = "$(figure unknown)" ]
}

duct dft many.c --entry many -n 3 --search dfs --store many.db --quiet --stats >out 2>log
check "a session of three runs" '[ $? = 0 ] && grep -q "^3 runs" out'
check "has more than 100,000 pairs" '[ "$(figure total)" -gt 100000 ]'
check "pairs that are listed and those that are counted are all" adds_up
check "three runs cover what they exercise" '[ "$covered" -ge 900 ] && [ "$listed" -lt 2000 ]'
before=$covered
duct dft many.c --entry many -n 6 --search dfs --store many.db --resume --quiet >out 2>log
check "the next session finds them in the store" '[ $? = 0 ] && adds_up && [ "$covered" -ge "$before" ]'
check "each once" '[ -z "$(grep -v "^#" pairs | cut -f 1-5 | sort | uniq -d)" ] &&
	[ "$(sqlite3 many.db "SELECT count(*) - count(DISTINCT key) FROM pair")" = 0 ]'
duct report --store many.db --all --pairs >all
check "so do both together" '[ "$(grep -v "^#" all | cut -f 1-6 | sort)" = "$(grep -v "^#" pairs | cut -f 1-6 | sort)" ]'
duct report --store many.db --html page >log 2>&1
check "the page says that there are more" 'grep -q "\"unlisted\":[1-9]" page/index.html'
check "the store is whole" '[ "$(sqlite3 many.db "PRAGMA integrity_check; PRAGMA foreign_key_check")" = ok ]'
duct instrument -o plain many.c --entry many && duct dft ./plain --quiet >out 2>log
check "a program that was built without --pairs is refused" '[ $? = 2 ] && grep -q "built without --pairs" log'
duct instrument --pairs -o told many.c --entry many && duct dft ./told --quiet -n 1 >out 2>log
check "with it, its runs cover pairs" '[ $? = 0 ] && grep -q "^pairs: [1-9]" out'
cat >loop.c <<'X'
int loop(const unsigned char *a)
{
	int n = 0, seen = 0;

	for (int i = 0; i < 2500; i++)
		if (a[i] == 7)
			n++;
	if (n > 2000)
		seen = n;
	return seen;
}
X
duct dft loop.c --entry loop --len a=2500 --search cpgs -t 1 --quiet >out 2>log
check "branches that were run meanwhile are no choice any more" '[ $? = 0 ] && grep -q "^pairs: " out'
cat >beyond.c <<'X'
int beyond(unsigned char i)
{
	static const char table[] = { 1, 2, 3, 4, 5 };

	if (i > sizeof table)
		return -1;
	return table[i];
}
X
duct dft beyond.c --entry beyond -t 10 --quiet >out 2>log
check "when all pairs are covered, faults are looked for" 'grep -q "^pairs: \([0-9]*\) of \1 covered" out &&
	grep -q "access outside of an object at beyond.c:7" out && grep -q "^ended: every feasible path was run" out'
finish
