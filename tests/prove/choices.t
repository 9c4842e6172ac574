#!/bin/sh
# Functions that only a harness knows: a pointer in memory that an undefined function returns may lead to each function of its type,
# also to one whose address the program never takes.
# limit: 60
. "$ROOT/tests/lib/tap.sh"
cat >x.c <<'E2'
struct table { int n; int (*call[3])(int); };
struct table *the_table(void);
int one(int a) { if (a == 5) return 1; return 0; }
int get(int a)
{
	struct table *t = the_table();
	if (t->n == 1 && t->call[0](a))
		return 7;
	return 0;
}
E2
# The session's own program, and all outcomes as goals: nothing was run.
instrument -e get --stub the_table --pairs -o prog x.c 2>err && defuse -s inter -e get prog >p && awk '/^#/; END { print "end\t0" }' p >none &&
	cutpoints -b -f prog none >g && prove -t 20 -f prog g >v
check "goals in both functions" '[ "$(grep -c "^outcome" g)" = 6 ] || { cat err g; false; }'
check "none of them is infeasible" '[ "$(grep -c "^verdict" v)" = 6 ] && ! grep -q infeasible v || { grep ^verdict v; false; }'
duct dft x.c --entry get --time 20 --quiet --prove --store x.db >out 2>&1; duct report x.db --branches >b
check "runs take them" '[ "$(grep -c "	covered	" b)" = 6 ] || { cat out b; false; }'
finish
