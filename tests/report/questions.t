#!/bin/sh
# An objective that a session calls infeasible is so under the user's statements there. No other question inherits it, and what all
# sessions say together does not call infeasible what the question without it leaves open, in whichever order they were asked.
# limit: 200
. "$ROOT/tests/lib/tap.sh"

# verdict STORE OPTIONS...: of the true side of the condition LAST, as the report has it
verdict() { store=$1; shift; duct report --store "$store" --branches "${@:---session=latest}" 2>>log | awk -F'\t' '$2 ~ /LAST (==|>) / && $5 == "p:true" { print $6 }' ; }
# asks STORE ENTRY OPTIONS...: a session
asks() { store=$1 entry=$2; shift 2; duct concolic x.c --entry "$entry" --store "$store" --quiet "$@" >log 2>&1; }

# narrow WHAT OPTIONS...: x.c with OPTIONS is infeasible, and left open without them when little is run; options in $wide cover it
wide=
narrow() {
	what=$1; shift
	rm -f a.db* b.db*
	asks a.db f "$@"
	check "$what: infeasible where it is stated" '[ "$(verdict a.db)" = infeasible ]'
	asks a.db f --runs 1
	check "... and unknown for the question without it, which comes later" '[ "$(verdict a.db)" = unknown ]'
	check "... and for both together" '[ "$(verdict a.db --all)" = unknown ]'
	asks b.db f --runs 1
	asks b.db f "$@"
	check "... and when it comes first" '[ "$(verdict b.db)" = infeasible ] && [ "$(verdict b.db --all)" = unknown ]'
	duct dft x.c --entry f --prove --store c.db --quiet "$@" >log 2>&1
	asks c.db f --runs 1
	check "... and with proofs" '[ "$(verdict c.db)" = unknown ] && [ "$(verdict c.db --all)" = unknown ]'
	rm -f c.db*
	[ "$wide" = none ] && return
	asks a.db f $wide
	check "... and it is covered there" '[ "$(verdict a.db)" = covered ] && [ "$(verdict a.db --all)" = covered ]'
}

cat >x.c <<'EOC'
int f(int LAST) { if (LAST > 5) return 1; return 0; }
EOC
narrow "an assumption" --assume 'LAST < 3'
narrow "a range" --range 'LAST=0..4'
cat >x.c <<'EOC'
static int LAST;
int f(void) { if (LAST == 3) return 1; LAST++; return 0; }
EOC
wide="--calls 4"
narrow "one call" --calls 1
wide=
cat >x.c <<'EOC'
int f(int *LAST, int *q) { if (!LAST || !q) return 0; *LAST = 1; *q = 2; if (*LAST == 2) return 1; return 0; }
EOC
narrow "distinct pointers" --distinct all --len LAST=1 --len q=1
cat >x.c <<'EOC'
int f(int *p, int LAST) { *p = LAST; if (!p && LAST > 5) return 1; return 0; }
EOC
wide=none       # the fault comes first, whatever is assumed
narrow "what is asked of callers" --assume-needs --distinct all --len p=1

# An entry that nothing is stated of may be called by anybody: what is infeasible there is so for its callers, of one program.
cat >x.c <<'EOC'
static int four(void) { return FOUR; }
int f(int x) { if (four() == 4) return x; return 0; }
int main(int argc, char **argv) { return argc > 2 ? f(argc) : 0; }
EOC
for order in "f main" "main f"; do
	rm -f a.db* b.db*
	for entry in $order; do
		more=; [ "$entry" = main ] && more='--runs 1'
		asks a.db "$entry" $more -- -DFOUR=3
		four=3; [ "$entry" = main ] && four=4
		asks b.db "$entry" $more -- -DFOUR=$four
	done
	check "$order: infeasible for any caller" 'duct report --store a.db --all --branches | grep -q "four() == 4	.*p:true	infeasible	f, session"'
	check "... but not of another program" 'duct report --store b.db --all --branches | grep -q "four() == 4	.*p:true	unknown"'
done
finish
