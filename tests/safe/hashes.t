#!/bin/sh
# Names that have the same hash (FNV-1a, 64 bits: 36de6533a13d718) are two names; records of the model that no front end writes.
# limit: 60
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && tail -n 20 out | sed 's/^/# /'; fi; }
# pairs LEFT RIGHT: of two variables that two files share, and the functions that define them
pairs() {
	printf "int $1, $2;\nvoid g(void);\nint f(int a)\n{\n\t$1 = a;\n\t$2 = 2;\n\tg();\n\treturn $1 + $2;\n}\n" >a.c
	printf "extern int $2;\nvoid g(void)\n{\n\t$2 = 5;\n}\n" >b.c
	cfg-dump a.c b.c >flow 2>out && defuse -s inter flow 2>>out | sed "s/$1/left/; s/$2/right/" | cut -f 1-5,7- | grep -v '^unit\|^pair'
}
pairs nmdilfpakglclknj fhcbifiobmikegeg >alike
pairs leftleftleftleft rightrightright1 >plain
[ -s plain ] && cmp alike plain >out 2>&1; result $? "variables"
# A run that ends in a function of a file marks only its own calls as cut off: `end` calls abort, the other one returns.
cat >ends.c <<'E2'
#include <stdlib.h>
void fhcbifiobmikegeg(int a)
{
	if (a > 9)
		abort();
}
void nmdilfpakglclknj(void)
{
}
int main(int argc, char **argv)
{
	nmdilfpakglclknj();
	argc += 9;
	fhcbifiobmikegeg(argc);
	return argc > 99;
}
E2
lines() {
	rm -f "$1.db" && duct cc -o "$1" "$1.c" >out 2>&1 && duct cover --quiet --store "$1.db" -- sh -c "./$1; true" >out 2>&1 &&
		duct report "$1.db" --lcov "$1.info" >>out 2>&1 && grep '^DA:' "$1.info"
}
sed 's/nmdilfpakglclknj/nothing/' ends.c >other.c
lines ends >alike && lines other >plain && [ -s plain ] && cmp alike plain >>out 2>&1; result $? "functions at the end of a run"
cfg-dump a.c 2>out | awk -F'\t' -v OFS='\t' '/^def\t/ && $5 == "e" { $4 = 0 } { print }' | defuse >out 2>&1
result $? "a definition at the entry without a variable"
echo "1..3"
