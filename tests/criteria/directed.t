#!/bin/sh
# Sessions for some places or pairs alone: the tests reach them, as gcov shows on the untouched source, or a proof shows
# that no input does.
# limit: 200
. "$ROOT/tests/lib/tap.sh"
cp "$ROOT/tests/criteria/src/deep.c" deep.c

# runs LINE FOLDER: how often gcov saw a line pass
runs() { (cd "$2" && gcov -t tests.gcno 2>/dev/null) | awk -F: -v l="$1" '/:Source:/ { of = /deep.c/ } of && $2 + 0 == l { gsub(/ /, "", $1); print $1 }'; }

for line in 5 24 26; do
	duct concolic deep.c --entry find --target deep.c:$line --quiet --time 20 --out t$line --store t$line.db >text 2>log
	check "line $line: reached, and the session ends then" 'grep -q "^targets: 1 of 1 covered" text && grep -q "ended: each target is decided" text'
	make -C t$line check CFLAGS=--coverage >log 2>&1
	check "line $line: gcov counts it" '[ "$(runs $line t$line)" -ge 1 ] 2>>log'
done
# outcomes that several paths ruled out give way to others: without that it takes 93 runs; with a sanitizer more in any case,
# as branches whose questions take long are put off
if [ -z "$SAN" ]; then
	duct concolic deep.c --entry find --target deep.c:26 --quiet --time 20 --runs 80 >text 2>log
	check "line 26: in few runs" 'grep -q "^targets: 1 of 1 covered" text'
fi
duct concolic deep.c --entry find --target "$PWD/deep.c:5" --quiet --time 20 >text 2>log
check "a file by its absolute path" 'grep -q "^targets: 1 of 1 covered" text'
duct concolic deep.c --entry find --target deep.c:29 --prove --quiet --time 20 >text 2>log
check "a proof that there is no way" 'grep -q "^targets: 0 of 1 covered, 1 infeasible" text && grep -q "no way to it is feasible: deep.c:28:17 true" text'
duct concolic deep.c --entry find --target helper --target ./deep.c:29 --prove --quiet --time 20 --json >text 2>log
check "several, one a function" 'grep -q "\"targets\": {\"total\": 2, \"covered\": 1, \"infeasible\": 1, \"unknown\": 0" text'
for wrong in deep.c:2000 nosuch; do
	check "$wrong is none" '! duct concolic deep.c --entry find --target $wrong --quiet >text 2>log; [ $? = 0 ] && grep -q "^duct: --target $wrong: no" log'
done

# a line behind distracting branches: in half of the runs that a search without a target needs
{
	echo 'int parse(const char *s)'
	echo '{'
	echo '	int state = 0, n = 0;'
	echo '	for (int i = 0; i < 16 && s[i]; i++)'
	echo '		switch (state) {'
	for k in 0 1 2 3 4 5 6 7; do
		printf "\t\tcase %d:\n\t\t\tif (s[i] == 'a')\n\t\t\t\tstate = %d;\n" $k $((k + 1))
		for c in p q r s; do printf "\t\t\telse if (s[i] == '%s')\n\t\t\t\tn += %d;\n" $c $k; done
		printf "\t\t\tbreak;\n"
	done
	printf "\t\tcase 8:\n\t\t\tif (s[i] == '!')\n\t\t\t\treturn -1;\n\t\t}\n\treturn n;\n}\n"
} >states.c
line=$(grep -n "return -1" states.c | cut -d: -f1)
duct concolic states.c --entry parse --target states.c:$line --quiet --time 40 --json >text 2>log
directed=$(sed -n 's/^ "runs": \([0-9]*\).*/\1/p' text)
check "a target behind distracting branches" 'grep -q "\"targets\": {\"total\": 1, \"covered\": 1" text'
duct concolic states.c --entry parse --criterion statements --runs $((2 * directed)) --quiet --store m.db >text 2>log
check "the search without a target is not there in twice the runs" 'duct report m.db --criterion statements | grep "states.c:$line:" | grep -q unknown'

duct concolic deep.c --entry find --target deep.c:29 --quiet --runs 20 >text 2>log
check "a line that is open: the outcome that leads there" 'grep -q "deep.c:29 in find: no run reached it: none takes deep.c:28:17 true of .k % 2 == 0.$" text'

# of a file: only functions that can reach a target are tested for it
printf 'static int low(int a) { return a == 5; }\nint one(int a) { return low(a) ? 7 : 0; }\nint two(int a) { if (a == 9) return 3; return 0; }\n' >several.c
duct test several.c --target low --target several.c:3 --quiet --time 20 --out several >text 2>log
check "each target from the functions that can reach it" '[ $? = 0 ] && [ ! -s log ] && grep -q "^targets: 2 of 2 covered" text && grep -q "^  one  *branches" text'
duct test several.c --target low --quiet --time 20 --out alone >text 2>log
check "a function that can reach none" '[ $? = 0 ] && [ ! -s log ] && grep -q "^  two  *no target is in what it can reach" text'
duct test several.c --target low --target nosuch --quiet --time 20 --out none >text 2>log
check "a target that no function can reach" '[ $? = 2 ] && grep -q "^duct: --target nosuch: no code that one of these functions can reach" log && grep -q "^targets: 1 of 1" text'

# a stack trace: an input that ends there
cat >trace <<X
Program received signal SIGFPE, Arithmetic exception.
#0  0x0000555555555260 in find (s=0x7fffffffe0c0 "abk", k=17) at deep.c:30
#1  0x000055555555529a in main () at /home/someone/main.c:9
X
duct concolic deep.c --entry find --trace trace --quiet --time 20 >text 2>log
check "a trace of gdb" 'grep -q "^targets: 1 of 1 covered" text'
printf '==1==ERROR: AddressSanitizer: FPE\n    #0 0x4f in find /src/deep.c:24:30\n    #1 0x5 in main /src/main.c:1:2\n' >trace
duct concolic deep.c --entry find --trace trace --quiet --time 20 >text 2>log
check "a trace of AddressSanitizer" 'grep -q "^targets: 1 of 1 covered" text && grep -q "each target is decided" text'
echo nothing >trace
check "one without a frame of the program" '! duct concolic deep.c --entry find --trace trace --quiet >text 2>log; grep -q "no frame of deep.c" log'

# lines that a change touched
git init -q . >log 2>&1 && git add deep.c && git -c user.name=a -c user.email=a@b commit -qm one >log 2>&1
sed -i 's/n == 11)/n == 12)/; s/k % 2 == 0/k % 4 == 0/' deep.c
duct concolic deep.c --entry find --changed HEAD --prove --quiet --time 20 --store c.db >text 2>log
check "lines that are new since a revision" '[ "$(duct report c.db --criterion targets | cut -f4,6 | sed 1d | sort | tr "\\t\\n" " ,")" = "deep.c:25:1 covered,deep.c:28:1 covered," ]'
check "a revision that is none" '! duct concolic deep.c --entry find --changed nowhere --quiet >text 2>log; grep -q "git knows no revision nowhere" log'

# behind what ends the run within a block
cat >ends.c <<X
#include <stdlib.h>
int f(int a)
{
	int r = 1;
	if (a == 3)
		exit(0);
	r = 10 / a;
	r++;
	return r;
}
static void stop(void) { exit(0); }
int g(int a)
{
	stop();
	a++;
	return a;
}
X
duct concolic ends.c --entry g --target ends.c:16 --quiet --time 5 >text 2>log
check "a run that ends before a line does not come there" 'grep -q "^targets: 0 of 1 covered" text'
duct concolic ends.c --entry f --criterion statements --quiet --time 5 --store e.db --out ends >log 2>&1
make -C ends check CFLAGS=--coverage >log 2>&1
duct report e.db --criterion statements | cut -f4,6,7 | sed 1d >lines
check "each line by a test that comes there" '[ "$(grep -c covered lines)" = 6 ] && [ "$(grep "c:[89]:" lines | grep -c "test 1")" = 0 ]'

# a label that is not fallen through to
cat >label.c <<X
int f(int x)
{
	int t = 0;
	switch (x) {
	case 7: t += 10; /* fall through */
	case 9: t += 100;
	default: t += 1000; break;
	case 'a': case 'b': t = 5;
	}
	return t;
}
X
duct concolic label.c --entry f --criterion statements --quiet --runs 1 --store l.db >log 2>&1
check "the line before a label is not passed with the label" '[ "$(duct report l.db --criterion statements | grep "	covered	" | cut -f4 | cut -d: -f2 | tr "\n" " ")" = "3 4 7 10 " ]'

# places with a column: uses of a macro on one line
cat >macro.c <<X
#define HIT(c, k) do { if (c) r += k; } while (0)
int m(int a, int b)
{
	int r = 0;
	HIT(a > 5 && a < 3, 1); HIT(b == 4711, 2);
	return r;
}
X
duct concolic macro.c --entry m --target macro.c:5:26 --quiet --time 10 >text 2>log
check "a use of a macro" 'grep -q "^targets: 1 of 1 covered" text'
duct concolic macro.c --entry m --target macro.c:5:99 --quiet >text 2>log
check "no code at a column" 'grep -q "target macro.c:5:99: code that m can reach begins there in columns 2, 6, 15, 26, 30$" log'
duct concolic macro.c --entry m --target macro.c:4:8 --quiet >text 2>log
check "a column within a line of one block" 'grep -q "^targets: 1 of 1 covered" text'
duct concolic macro.c --entry m --target macro.c:3:1 --quiet >text 2>log
check "a line without code" 'grep -q "target macro.c:3:1: no code that begins there that m can reach" log'
printf 'extern void exit(int); static void stop(int a) { if (a > 3) exit(0); }\nint e(int a) { a = (a & 7) | 8; stop(a); if (a == 9) return 1; return 0; }\n' >one.c
duct concolic one.c --entry e --target one.c:2:46 --quiet --time 5 >text 2>log
check "behind a call on its line that ends the run" 'grep -q "^targets: 0 of 1 covered" text'
# the brace before `else if` is no code of that line: gcov counts it only where the condition is evaluated
printf 'int e(int h)\n{\n\tint w = 0;\n\tif (h == 1) {\n\t\tw = 1;\n\t} else if (h == 2) {\n\t\tw = 2;\n\t} else {\n\t\tw = 4;\n\t}\n\treturn w;\n}\n' >else.c
duct concolic else.c --entry e --range h=1..1 --criterion statements --target else.c:6 --prove --quiet --time 10 --store brace.db >text 2>log
check "a condition behind a brace is not evaluated with the block before" 'grep -q "^targets: 0 of 1 covered, 1 infeasible" text &&
	[ "$(duct report brace.db --criterion statements | grep "	covered	" | cut -f4 | cut -d: -f2 | tr "\n" " ")" = "3 4 5 11 " ]'

# pairs
duct dft deep.c --entry find --var k --prove --quiet --time 20 --store v.db >text 2>log
duct report v.db --pairs | awk -F'\t' '!/^#/ && $2 == "k" && $6 == "unknown"' >log
check "pairs of one variable" '[ ! -s log ] && grep -q "^pairs: " text'
number=$(duct report v.db --pairs | awk -F'\t' '!/^#/ && $2 == "k" { print NR - 1; exit }')
duct dft deep.c --entry find --pair "$number" --quiet --time 20 --store p.db >text 2>log
check "one pair" '[ "$(duct report p.db --pairs | sed -n "$((number + 1))p" | cut -f2,6)" = "k	covered" ]'
check "a pair that is none" '! duct dft deep.c --entry find --pair 9999 --quiet >text 2>log; grep -q "there is no pair 9999, but 1 to" log'
# a line after a call in its block: a run that ends elsewhere came there, one that the call ends did not
cat >after.c <<'X'
#include <stdlib.h>
static int same(int x) { return x; }
static int stop(int x) { if (x > 6) abort(); return x; }
int after(int x)
{
	int y = 0;
	if (x == 5) {
		y = same(x);
		y++;
	} else if (x > 7) {
		y = stop(x);
		y++;
	}
	return same(y) && stop(y + 2);
}
X
duct concolic after.c --entry after --target after.c:9 --quiet --time 20 --json >text 2>log
check "after a call that returned, before the run was aborted" 'grep -q "\"targets\": {\"total\": 1, \"covered\": 1" text && grep -q "\"runs\": [12]," text'
duct concolic after.c --entry after --target after.c:12 --quiet --time 20 --json >text 2>log
check "not after one that aborted it" 'grep -q "\"targets\": {\"total\": 1, \"covered\": 0" text'

# an option that sets a flag, among many others: what sets the flag is looked for, in a tenth of the runs that this
# takes otherwise
{
	printf 'static int flag[16], form;\nint convert(const char *options, const char *text)\n{\n\tint n = 0;\n'
	printf '\tfor (int i = 0; i < 4 && options[i]; i++)\n\t\tswitch (options[i]) {\n'
	i=0
	for c in a b c d e g h i j k l m n o p q; do
		printf "\t\tcase '%s': flag[%d] = 1; break;\n" $c $i
		i=$((i + 1))
	done
	printf "\t\tcase 'f': form = 3; break;\n\t\t}\n\tfor (int i = 0; i < 8 && text[i]; i++) {\n"
	for c in 1 2 3 4 5 6 7 8; do printf "\t\tif (text[i] == '%s')\n\t\t\tn += flag[%d];\n" $c $c; done
	printf "\t\tif (form == 3 && text[i] == '+')\n\t\t\treturn -1;\n\t}\n\treturn n;\n}\n"
} >flags.c
duct concolic flags.c --entry convert --target "flags.c:$(grep -n "return -1" flags.c | cut -d: -f1)" --quiet --time 20 --runs 60 --json >text 2>log
check "a flag that one of many options sets" 'grep -q "\"targets\": {\"total\": 1, \"covered\": 1" text'

# behind an option, how much is read from standard input decides: conditions in library models of a run that came near
# are near
cp "$ROOT/tests/criteria/src/unpack.c" unpack.c
duct concolic unpack.c --target "unpack.c:$(grep -n "return 4" unpack.c | cut -d: -f1)" --quiet --time 20 --runs 80 --json >text 2>log
check "what is read behind an option, in a fifth of the runs that this takes otherwise" 'grep -q "\"targets\": {\"total\": 1, \"covered\": 1" text'

# a way that the earlier conditions of its path rule out, in a twentieth of the runs that this takes otherwise
cp "$ROOT/tests/criteria/src/hex.c" hex.c
duct concolic hex.c --entry escape --target "hex.c:$(grep -n "return -1" hex.c | cut -d: -f1)" --quiet --time 20 --runs 120 --json >text 2>log
check "a way that needs other earlier conditions" 'grep -q "\"targets\": {\"total\": 1, \"covered\": 1" text'
check "which are only left out when nothing else comes nearer" '[ "$(sed -n "s/.*\"asked\": \([0-9]*\).*/\1/p" text | head -n 1)" -lt 70 ]'
finish
