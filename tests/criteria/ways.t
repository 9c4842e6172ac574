#!/bin/sh
# Call sequences and def-use paths: each claim is compared with what a copy that logs its calls, definitions, uses and
# outcomes does for all inputs.
# limit: 60
. "$ROOT/tests/lib/tap.sh"
cat >ways.c <<'X'
static int n;
static void one(void) { n = n * 2; }
static void two(int by) { n = n + by; }
int f(int p, int q)
{
	int x = p;
	if (q > 3)
		one();
	else if (q == 2)
		x = 7;
	for (int i = 0; i < (p & 3); i++)
		two(x);
	if (x > 3 && x < 2)
		one();
	switch (q) {
	case 1: two(x); break;
	case 5: x = 1; break;
	}
	return x;
}
X
# D: a definition, U: a use, O: an outcome, S: a case, C: a call
cat >all.c <<'X'
#include <stdio.h>
#include <string.h>
static char met[2000][200], path[128][100], def[128][10], last[50];
static int number;
static void note(const char *text)
{
	for (int i = 0; i < number; i++)
		if (!strcmp(met[i], text))
			return;
	strcpy(met[number++], text);
}
static void set(int v, const char *at) { strcpy(def[v], at); *path[v] = 0; }
static void append(char c) { for (int v = 0; v < 128; v++) { size_t k = strlen(path[v]); if (k < 98) path[v][k] = c, path[v][k + 1] = 0; } }
static void use(int v, const char *at) { char text[200]; sprintf(text, "%c %s %s %s", v, at, def[v], path[v]); note(text); }
#define D(v, at, value) (v = (value), set(*#v, at), v)
#define U(v, at) (use(*#v, at), v)
static int O(int c) { append(c ? 't' : 'f'); return c; }
static int S(int c) { append(c == 1 ? '1' : c == 5 ? '5' : 'd'); return c; }
static void C(const char *name, const char *at)
{
	char text[100];
	sprintf(text, "%s %s after %s", name, at, last);
	note(text);
	sprintf(last, "%s of %s", name, at);
}
static int f(int p, int q)
{
	int x, i;
	set('p', "call"), set('q', "call"), strcpy(last, "none");
	D(x, "6:6", U(p, "6:10"));
	if (O(U(q, "7:6") > 3))
		C("one", "8:3");
	else if (O(U(q, "9:11") == 2))
		D(x, "10:5", 7);
	for (D(i, "11:11", 0); O(U(i, "11:18") < (U(p, "11:23") & 3)); D(i, "11:32", U(i, "11:32") + 1))
		U(x, "12:7"), C("two", "12:3");
	if (O(U(x, "13:6") > 3) && O(U(x, "13:15") < 2))
		C("one", "14:3");
	switch (S(U(q, "15:10"))) {
	case 1: U(x, "16:14"), C("two", "16:10"); break;
	case 5: D(x, "17:12", 1); break;
	}
	return U(x, "19:9");
}
int main(void)
{
	for (int p = -9; p <= 9; p++)
		for (int q = -9; q <= 9; q++)
			f(p, q);
	for (int i = 0; i < number; i++)
		puts(met[i]);
	return 0;
}
X
cc -w -o all all.c >log 2>&1 && ./all | sed 's/ *$//' | sort >native
ok $? "all inputs are run natively"
# VARIABLE PLACE DEFINITION OUTCOMES, VERDICT; and of calls
paths() { duct report "$1" --criterion all-du-paths | awk -F'\t' '!/^#/ && $3 == "f" { n = split($4, p, ":"); split($5, part, " by "); split(part[1], d, " ")
	gsub(/`/, "", d[1]); t = part[2]; gsub(/`[^`]*`/, "", t); gsub(/case /, "", t); gsub(/true/, "t", t); gsub(/false/, "f", t); gsub(/default/, "d", t); gsub(/[ ,]/, "", t)
	text = d[1] " " p[n-1] ":" p[n] " " (d[2] == "of" ? "call" : d[3]) (t == "" ? "" : " " t); print text "," $6 }' | sort; }
calls() { duct report "$1" --criterion call-sequences | awk -F'\t' '!/^#/ { n = split($4, p, ":"); split($5, part, " after ")
	print part[1] " " p[n-1] ":" p[n] " after " part[2] "," $6 }' | sort; }
# judge LIST WAY: exactly those are covered that are met natively; with a proof, the others may be unknown
judge() { awk -F, -v proof="$2" 'NR == FNR { met[$0] = 1; next } { n[$2]++ }
	($2 == "covered") != ($1 in met) && !(proof && $2 == "unknown") || $2 == "infeasible" && ($1 in met) || $2 == "unknown" && !proof { print; bad = 1 }
	END { print n["covered"] + 0, n["infeasible"] + 0, n["unknown"] + 0; exit bad || !n["covered"] || !n["infeasible"] }' native "$1" >log; }
duct concolic ways.c --entry f --calls 1 --range p=-9..9 --range q=-9..9 --criterion call-sequences,all-du-paths --quiet --time 20 --store s.db --out t >text 2>&1
ok $? "a session that runs every path"
paths s.db >list
judge list ""
ok $? "def-use paths: $(tail -n 1 log)"
calls s.db >list
judge list ""
ok $? "call sequences: $(tail -n 1 log)"
make -C t check >log 2>&1
ok $? "the tests pass"
check "the summary tells of both" 'grep -q "^call-sequences: [0-9]* of" text && grep -q "^all-du-paths: [0-9]* of" text'
duct concolic ways.c --entry f --range p=-9..9 --range q=-9..9 --criterion call-sequences,all-du-paths --prove --quiet --runs 6 --time 10 --store p.db >text 2>&1
paths p.db >list; calls p.db >>list
judge list proof
ok $? "by proof: $(tail -n 1 log)"
# A computed goto jumps to the address of a label: no block may be put before it. Paths end there.
cat >goto.c <<'X'
int f(int n)
{
	static void *to[] = { &&a, &&b, &&c };
	int v = 1, r = 0;
	if (n < 0 || n > 2)
		return -1;
	v = n + 5;
	goto *to[n];
a:
	r += v;
b:
	r += v * 2;
	if (n == 1)
		return r;
c:
	return r + v;
}
X
duct concolic goto.c --entry f --criterion all-du-paths --quiet --time 10 --store g.db >text 2>&1
cp text log
grep -q "^branches: 6 of 6 covered" text && grep -q "^all-du-paths: [1-9][0-9]* of" text
ok $? "a computed goto still goes where it went"
finish
