#!/bin/sh
# waits
# Objectives at instructions: boundaries of comparisons, loops, weak mutants. Each claim about five generated programs is
# compared with running all inputs natively; programs of known kinds of loops; and no limit makes anything infeasible.
# limit: 240
. "$ROOT/tests/lib/tap.sh"
STRONG=2 lua5.4 "$ROOT/tests/criteria/objectives.lua" 1 5 >generated 2>log
grep -q "^1\.\.11" generated
ok $? "five programs are judged, by exhaustion and by proof"
while read -r line; do
	case $line in
	ok*) ok 0 "${line#ok - }" ;;
	not*) grep "^#" generated >log; ok 1 "${line#not ok - }" ;;
	esac
done <generated
RANGE=-6..6 SECONDS_EACH=4 "$ROOT/tests/criteria/agree" p1.c:f p2.c:f p3.c:f >agreed 2>log
check "MC/DC, branches, lines and functions: as clang and gcov measure, of all inputs too" '! grep -A9 "^not ok" agreed >log && [ "$(grep -c "^ok" agreed)" = 18 ]'
check "some of it is infeasible, and most covered" 'awk "/objectives/ { for (i = 1; i < NF; i++) { if (\$(i + 1) ~ /^infeasible/) no += \$i
	if (\$(i + 1) ~ /^covered/) c += \$i; if (\$(i + 1) ~ /^objectives/) n += \$i } } END { print c, no, n; exit !(no > 10 && c > n / 2) }" generated >log'

# list STORE CRITERION: LINE TEXT, VERDICT
list() { duct report "$1" --criterion "$2" | awk -F'\t' '!/^#/ && NF > 5 { n = split($4, p, ":"); print p[n-1] " " $5 ", " $6 }' | sort -n; }
cat >loops.c <<X
int with_and(int a)
{
	int i;
	for (i = 0; i < a && i < 5; i++)
		;
	return i;
}
int always(int a)
{
	while (1) {
		if (a++ > 3)
			break;
	}
	do
		a++;
	while (a < 3);
	return a;
}
int nested(int a)
{
	int n = 0;
	while (a > 0) {
		do {
			n++;
		} while (0);
		while (n > 100)
			return n;
		a = a > 3 ? 2 : a - 1;
	}
	return n;
}
X
for f in with_and always nested; do
	duct concolic loops.c --entry $f --range a=-9..9 --criterion loops --quiet --time 20 --store $f.db >log 2>&1
done
before="the loop is left before its body" once="the loop is left when its body ran once" again="its body begins a second time"
printf '%s\n' "4 $again, covered" "4 $before, covered" "4 $once, covered" >want
list with_and.db loops | sort | diff want - >log
ok $? "a condition of several parts"
printf '%s\n' "11 $again, covered" "11 $once, covered" "15 $again, infeasible" "15 $once, covered" | sort >want
list always.db loops | sed 's/^1[0-3] /11 /; s/^1[4-6] /15 /' | sort | diff want - >log
ok $? "loops that begin with their body"
printf '%s\n' "22 $again, covered" "22 $before, covered" "22 $once, covered" >want
list nested.db loops | grep "^22" | sort | diff want - >log
ok $? "a loop with others within it"

# a limit is no proof
cat >limit.c <<X
int f(const char *s)
{
	int n = 0;
	while (s[n] && n < 40)
		n++;
	return n == 33;
}
X
duct concolic limit.c --entry f --string s=4 --criterion boundaries,loops,mutants --quiet --runs 300 --time 10 --store l.db >text 2>&1
check "beyond a limit: unknown" 'list l.db boundaries | grep "n == 33" >log; [ $(grep -c unknown log) -ge 2 ] && ! grep -q infeasible log'
printf 'int g(unsigned n) { unsigned i; for (i = 0; i < n; i++) ; return i > 1000; }\n' >depth.c
duct concolic depth.c --entry g --criterion boundaries,mutants --depth 5 --quiet --runs 100 --time 5 --store d.db >text 2>&1
check "beyond --depth: unknown" '! { list d.db boundaries; list d.db mutants; } | grep infeasible >log'
printf 'extern int other(int);\nint h(int a) { int r = other(a); if (r > 5) return a == r; return 0; }\n' >stub.c
duct concolic stub.c --entry h --criterion boundaries,mutants --quiet --time 5 --store u.db >text 2>&1
check "behind what is not defined" 'list u.db mutants >log; grep -q covered log && ! grep -q infeasible log'
printf 'int k(int a) { int r = 0; if (a == 3) r = 1 / (a - 3); return r + (a > 3); }\n' >fault.c
duct concolic fault.c --entry k --criterion boundaries --quiet --time 5 --store k.db >text 2>&1
check "behind a fault: unknown" 'list k.db boundaries >log; grep "a > 3.: a == 3, unknown" log'

# what is not asked for costs nothing: the woven program is the same, but for duct_marks, whose order LLVM leaves open
instrument -c -O1 -e f -o plain.o limit.c >log 2>&1
instrument -c -O1 -e f --check div,null -o same.o limit.c >log 2>&1
instrument -c -O1 -e f --check div,null,boundaries,loops,mutants -o more.o limit.c >log 2>&1
for f in plain same more; do objcopy -R duct_marks $f.o; done
check "a criterion that is not asked for is not in the code" 'cmp plain.o same.o && ! cmp -s plain.o more.o'
cfg-dump limit.c | sed -n '2p' >key 2>log
check "and the model is the same with it" 'strings -n 8 more.o | grep "^unit" | head -n 1 | cut -f2 >have; strings -n 8 plain.o | grep "^unit" | head -n 1 | cut -f2 | diff have - >log && [ -s have ]'

# the tests show it: they are kept, and pass
duct concolic loops.c --entry nested --range a=-9..9 --criterion mutants,loops --quiet --time 20 --out out --store out.db >text 2>&1
make -C out check >log 2>&1
ok $? "tests"
check "and the summary tells of it" 'grep -q "^mutants: [0-9]* of [0-9]* covered" text && grep -q "^loops: [0-9]* of [0-9]* covered" text'
duct report out.db --criterion mutants --csv >table.csv
check "the traceability table, too" 'grep -c "^mutants,.*,covered,[0-9]*,test" table.csv >log && [ "$(cat log)" -gt 5 ]'
duct report out.db --html page >log 2>&1
check "and it is a page" 'grep -q "^<h2>mutants: [0-9]* of" page/traceability.html && grep -q "^<h2>branches: " page/traceability.html &&
	[ "$(grep -c "^<tr class=" page/traceability.html)" = "$(duct report out.db --criterion errors,labels,branches,mutants,loops | grep -vc "^#")" ]'
check "no fault is told" 'grep -q "^failures: none" text'
finish
