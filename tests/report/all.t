#!/bin/sh
# A suite and what strategies add to it, told together: report --all.
# limit: 120
. "$ROOT/tests/lib/tap.sh"
cat >part.c <<'EOC'
int part(int x)
{
	int low = 1, r = 0;

	if (x > 5)
		low = 0;
	if (x > 7)
		r = low;            /* never the 1 of the beginning */
	return r;
}

int other(int x)
{
	return x > 3 ? 1 : 2;
}
EOC
cat >test.c <<'EOC'
int part(int), other(int);
int main(void) { return part(1) + other(1) - 2; }
EOC
duct cc --pairs -o test part.c test.c >log 2>&1 && duct cover --quiet --store s.db --except 'test*' -- ./test >log 2>&1
ok $? "a suite is recorded"
duct report --store s.db >before
grep -q '^branches: 3 of 6 covered, 0 infeasible' before
ok $? "it covers three of six outcomes"
cp before log
duct dft part.c --entry part --store s.db --prove --quiet >log 2>&1
duct report --store s.db --all >after 2>log
cat after >>log
grep -q '^branches: 5 of 6 covered, 0 infeasible, 1 unknown' after
ok $? "with the tests of a strategy five, and the function that it did not see still counts"
grep -q '^and session 2, dft of part' after
ok $? "the sessions are named"
duct report --store s.db --all --pairs >pairs 2>log
awk -F'\t' '$6 == "infeasible" && $2 == "low" && $7 ~ /^part, session 2: / { n++ } END { exit n != 1 }' pairs
ok $? "a pair that was proved infeasible, and by which session"
awk -F'\t' '$7 ~ /^suite: / { s++ } $7 ~ /^part, session 2: test / { t++ } END { exit !(s && t) }' pairs
ok $? "pairs that the suite covers, and those that new tests do"
duct report --store s.db --all --tests | grep -q '	part, session 2: test 1	'
ok $? "tests have names that tell where they are from"

# Objectives that no path within limits meets are unknown, and what they were is said of all sessions; what all paths of an entry
# do not do is not infeasible for others.
cat >main.c <<'EOC'
int half(int x)
{
	return x > 3 && x < 2;
}
int main(int argc, char **argv)
{
	return (argc > 1 && argv[1][0] == 'x') + half(1);
}
EOC
duct cc --pairs -o program main.c >log 2>&1 && duct cover --quiet --store m.db -- ./program >log 2>&1
duct concolic main.c --arg 1=1 --store m.db --quiet >log 2>&1
duct report --store m.db | grep -q '^branches: 5 of 8 covered, 0 infeasible, 3 unknown (3 by limits)' &&
	duct report --store m.db --all | grep -q '^branches: 5 of 8 covered, 0 infeasible, 3 unknown (3 by limits)' &&
	duct report --store m.db --all | grep -q '^  argument 1 has at most 1 byte here: --arg 1=N$'
ok $? "what is beyond limits is unknown, and the limits are named"
duct concolic main.c --entry half --store m.db --quiet >log 2>&1
duct report --store m.db --session 3 | grep -q '^branches: 3 of 4 covered, 1 infeasible' &&
	duct report --store m.db --all | grep -q '^branches: 7 of 8 covered, 1 infeasible, 0 unknown' &&
	duct report --store m.db --all --branches | grep -q '^half	x < 2	2	[^	]*	p:true	infeasible	half, session 3: exhaustion'
ok $? "that all paths of an entry were run holds for all who call it"
echo 'int once(int x) { return x > 7 ? half(1) : half(5); }' >>main.c
duct concolic main.c --entry once --store o.db --quiet >log 2>&1 && duct concolic main.c --entry main --arg 1=1 --store o.db --quiet >>log 2>&1
duct report o.db --session 1 --branches | grep -q '^half	x < 2	2	[^	]*	p:true	infeasible	exhaustion' &&
	duct report o.db --branches | grep -q '^half	x < 2	2	[^	]*	p:true	unknown	reached by 1 run, never taken; main, session 2: limits: '
ok $? "exhaustion of a caller stays with the inputs of its session"
cat >one.c <<'EOC'
int big(int x)
{
	return x > 9;
}
int one(int x)
{
	return big(x & 1) ? 3 : 4;
}
int small(int x)
{
	return x < 9;
}
EOC
duct concolic one.c --entry one --store p.db --quiet >log 2>&1 && duct concolic one.c --entry small --store p.db --quiet >>log 2>&1
duct report --store p.db --session 1 | grep -q '^branches: 1 of 2 covered, 1 infeasible' &&
	duct report --store p.db --session 1 --branches | grep -q '^one	.*p:true	infeasible	exhaustion$'
ok $? "exhaustion, of one session"
cat >two.c <<'EOC'
int big(int x)
{
	if (x > 9)
		return 3;
	return 4;
}
int one(int x)
{
	return big(x & 1);
}
EOC
duct concolic two.c --entry one --store t.db --quiet >log 2>&1 && duct concolic one.c --entry small --store t.db --quiet >>log 2>&1
duct report --store t.db --session 1 --branches | grep -q '^big	.*p:true	infeasible	exhaustion$' &&
	duct report --store t.db --all --branches | grep -q '^big	.*p:true	unknown	.*one, session 1: not for its inputs, exhaustion$'
ok $? "exhaustion stays with the inputs of its session"
duct report --store m.db --html page --all && grep -q '"limits":\["argument 1 has at most 1 byte here: --arg 1=N"' page/index.html
ok $? "and the page of all names them"
duct concolic part.c --entry other --store w.db --quiet >log 2>&1 && duct concolic part.c --entry part --store w.db --quiet >log 2>&1
duct report --store w.db --all >log
grep -q '^branches: 6 of 6 covered' log && duct report w.db | grep -q '^branches: 6 of 6 covered'
ok $? "sessions without a suite; without an option, too"
duct report w.db --out both >log 2>&1 && make -C both check >>log 2>&1 && [ "$(grep -c ' 0 failed' log)" = 2 ] &&
	make -C "$PWD/both/part" check >>log 2>&1
ok $? "tests of each entry in a folder of its own, and a Makefile for all"
duct report w.db --testcomp w.zip --ktest kt --corpus bytes --sarif w.json --junit w.xml && mkdir zip && (cd zip && unzip -q ../w.zip) &&
	[ "$(ls zip/*/metadata.xml kt/*/*.ktest bytes/*/* | wc -l)" = $((2 + 2 * $(duct report w.db --tests | grep -vc '^#'))) ] &&
	grep -q '<entryfunction>part<' zip/part/metadata.xml && grep -q 'classname="other"' w.xml && grep -q 'classname="part"' w.xml
ok $? "other forms of tests, likewise; JUnit's classes are the entries"
echo 'int odd(int x) { if (x > 3) return 1; return 0; } int main(int n, char **v) { (void)v; return odd(n); }' >mix.c
duct concolic mix.c --entry odd --store mix.db --quiet >log 2>&1 && duct concolic mix.c --store mix.db --quiet >log 2>&1 &&
	duct report mix.db --corpus mix 2>err && [ -n "$(ls mix/odd)" ] && [ ! -e mix/main ] &&
	grep -q '^report: left out: main: the session.s inputs are not standard input or a file$' err
ok $? "entries that have nothing to write leave the others theirs"
sed -i 's/x > 3/x > 4/' part.c && duct concolic part.c --entry other --store w.db --quiet >log 2>&1
duct report w.db >log && grep -q '^branches: 6 of 6 covered' log
ok $? "sessions of a source that has changed since do not count"
for i in 1 2 3 4 5 6 7 8 9 10; do
	echo "int f$i(int x) { return x > $i; }"
done >many.c
duct test many.c --time 20 --quiet >log 2>&1
duct report many-duct/store.db >log
[ "$(grep -c '^and session' log)" = 8 ] && grep -qx 'and 1 more session: --json' log
ok $? "not more sessions are named than a reader looks at"
duct report many-duct/store.db --json | tr -d '\n' >log
grep -q '"others": \["session 2, dft of f[0-9]*", .*"session 10, dft of f[0-9]*"\]' log
ok $? "in JSON all are"
finish
