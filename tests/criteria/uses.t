#!/bin/sh
# Data-flow criteria against a second projection, by awk, of the same list of pairs; couplings between functions against
# what gcov counts of the calls.
# limit: 120
. "$ROOT/tests/lib/tap.sh"
cat >sum.c <<X
int limit;
static int helper(int x) { if (x > limit) return x - limit; return 1; }
static int never(int x) { return x + limit; }
int sum(int a, int b)
{
	int r = 0, c = a;
	limit = b;
	if (a > 3)
		r = helper(a);
	else if (b == 7)
		c = helper(b) + r;
	if (c > 100 && c < 50)
		r = never(c);
	return r + c;
}
X
duct dft sum.c --entry sum --prove --scope inter --criterion data-coupling,control-coupling,all-c-uses-some-p-uses --quiet --time 10 \
	--store s.db --out s >text 2>log
ok $? "a session"
duct report s.db --pairs | sed 1d >pairs

# total covered infeasible of a criterion, as duct counts it
claim() { duct report s.db --criterion "$1" | awk -F'\t' '!/^#/ { n++; c += $6 == "covered"; i += $6 == "infeasible" } END { print n + 0, c + 0, i + 0 }'; }
# the same from pairs: MODE defs: a definition is one objective; c, p: uses of that kind; some-p, some-c: those of
# definitions without any of the other kind count as one
project() {
	awk -F'\t' -v mode="$1" '!/^#/ { d = $1 FS $2 FS $3; if (!(d in seen)) { seen[d] = 1; order[++n] = d }
		k = $5 == "c" ? "c" : "p"; m[d, k]++; if ($6 == "covered") cov[d, k]++; if ($6 == "infeasible") inf[d, k]++ }
	function one(d) { total++; if (cov[d, "c"] + cov[d, "p"]) covered++; else if (inf[d, "c"] + inf[d, "p"] == m[d, "c"] + m[d, "p"]) no++ }
	function all(d, k) { total += m[d, k]; covered += cov[d, k]; no += inf[d, k] }
	END { for (i = 1; i <= n; i++) { d = order[i]
		if (mode == "defs") one(d)
		else if (mode == "c" || mode == "p") all(d, mode)
		else if (mode == "uses") { all(d, "c"); all(d, "p") }
		else if (mode == "c-some-p") { if (m[d, "c"]) all(d, "c"); else one(d) }
		else if (mode == "p-some-c") { if (m[d, "p"]) all(d, "p"); else one(d) } }
		print total + 0, covered + 0, no + 0 }' pairs
}
for pair in all-defs:defs all-c-uses:c all-p-uses:p all-uses:uses all-c-uses-some-p-uses:c-some-p all-p-uses-some-c-uses:p-some-c; do
	mine=$(claim ${pair%:*}); theirs=$(project ${pair#*:})
	echo "$mine / $theirs" >log
	[ "$mine" = "$theirs" ] && [ "${mine%% *}" -gt 3 ]
	ok $? "${pair%:*}"
done
check "the summary tells of it" 'grep -q "^all-c-uses-some-p-uses: " text && grep -q "^data-coupling: " text && grep -q "^control-coupling: " text'

duct report s.db --criterion data-coupling | awk -F'\t' '!/^#/ { print $5 ", " $6 }' | sort >data
check "a global that another function reads" 'grep -q "^limit from sum to helper, covered$" data'
check "what an infeasible call would read" 'grep -q "^limit from sum to never, infeasible$" data'
check "an argument and a result" 'grep -q "^x from sum to helper, covered$" data && grep -q "from helper to sum, covered$" data'

duct report s.db --criterion control-coupling | awk -F'\t' '!/^#/ { n = split($4, p, ":"); print p[n-1], $5, $6 }' | sort >calls
printf '%s\n' "11 helper covered" "13 never infeasible" "9 helper covered" >want
diff want calls >log
ok $? "calls of other functions"
make -C s check CFLAGS=--coverage >log 2>&1 && (cd s && gcov -t tests.gcno 2>/dev/null) |
	awk -F: '/:Source:/ { of = /sum.c/ } of && ($2 + 0 == 9 || $2 + 0 == 11 || $2 + 0 == 13) { gsub(/[ *]/, "", $1); print $2 + 0, $1 ~ /^[0-9]/ }' |
	sort >gcov
awk '{ print $1, $3 == "covered" }' calls | sort | diff gcov - >log
ok $? "gcov counts the same ones"

# pairs of which only some were watched: never infeasible for the others
cat >part.c <<X
int part(int a) { int x = a; if (a > 5 && a < 3) a = x; if (x == 77) return 1; return 0; }
X
duct dft part.c --entry part --criterion all-c-uses --prove --quiet --time 5 --store p.db >log 2>&1
check "a definition whose other uses are not watched" 'duct report p.db --criterion all-defs | grep -q "	x	unknown	some pairs were not recorded" &&
	! duct report p.db --criterion all-defs | grep -q "	x	infeasible"'

# a call behind one that ends the program on its line
cat >ends.c <<X
#include <stdlib.h>
static void stop(int a) { if (a) exit(0); }
static int after(int a) { return a; }
int f(int a) { a = a | 1; stop(a); return after(a); }
X
duct concolic ends.c --entry f --criterion control-coupling --quiet --time 5 --store e.db >log 2>&1
check "a call that no run comes to is not covered" 'duct report e.db --criterion control-coupling | cut -f5,6 >list &&
	grep -q "^stop	covered" list && ! grep -q "^after	covered" list'
finish
