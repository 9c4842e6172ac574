#!/bin/sh
# Types the examples of the reference pages, and compares the records that flow(5), pairs(5) and store(5) show with the
# real ones.
. "$ROOT/tests/lib/tap.sh"

# The displays of the page $1 with commands or records, one after the other.
displays() {
	awk '/^\.Bd/ { on = 1; next } /^\.Ed/ { on = 0 } on' "$ROOT"/man/man?/"$1" | sed 's/\\e/\\/g; s/^\$ //; s/ *<- .*//'
}
untabbed() { tr '\t' ' '; }
ln -s "$ROOT/share" share
cp share/examples/is_sorted.c share/examples/page_free.c .

displays flow.5 | sed '/^#flow/,$d' >max.c
displays flow.5 | sed -n '/^#flow/,/^end/p' >want
duct cfg-dump max.c | untabbed >log
check "flow(5): the records of its function" 'cmp -s want log'
displays pairs.5 | sed -n '/^#pairs/,/^end/p' >want
duct cfg-dump max.c | duct defuse | untabbed >log
check "pairs(5): the pairs of that function" 'cmp -s want log'
displays goals.5 | awk '$1 == "goal" { print $NF, $(NF - 1) }' >want
{ duct cfg-dump max.c >max.flow && duct defuse -e max max.flow | duct cutpoints -f max.flow; } | untabbed >log
check "goals(5): the key of its goal" '[ -s want ] && grep -q "^goal 7 .* $(cut -d" " -f2 want) a$" log'
printf '#include <stdio.h>\nint f(int a, int b)\n{\n\tif (a + 1 < b)\n\t\tputs("less");\n\treturn 0;\n}\n' >less.c
displays trace.5 | sed -n '/^trace/,/^output/p' | sed 's/^\(unit 1\) [0-9a-f]*/\1 KEY/' >want
instrument -o less less.c --entry f
printf '#inputs 1 me\ninput\t1\nv\ta\ti\t32\t2\nv\tb\ti\t32\t7\nrun\nend\t4\n' | run-trace ./less | untabbed |
	sed -n '/^trace/,/^output/p' | sed 's/^\(unit 1\) [0-9a-f]*/\1 KEY/; /^unit [0-9]* .* 1$/d' >log
check "trace(5): the trace of its run" 'cmp -s want log'
displays store.5 >run.sh
grep -v '^max|\|^1|' run.sh >run && displays store.5 | grep '^max|\|^1|' >want
sh run 2>err | grep '|' >log
check "store(5): what its queries print" '[ "$(wc -l <want)" = 3 ] && cmp -s want log'
displays criteria.7 | sh >log 2>&1
check "criteria(7): its example" '[ $? = 0 ] && [ "$(grep -c "^mcdc	.*	covered	tests" log)" = 6 ]'

sed 's/max(/f(/' max.c >prog.c
cat max.c >sort.c
instrument -o prog --pairs prog.c --entry f >log 2>&1
printf '#inputs 1 t\nend\t0\n' >some.inputs
for page in cfg-dump cutpoints defuse distance instrument prove run-trace solve credit partition; do
	case $page in
	# From the first command on: what a page shows before are records.
	credit | distance) displays $page.1 | sed -n '/^duct/,$p' ;;
	instrument) displays $page.1 | grep -v '^make' ;;
	*) displays $page.1 ;;
	esac >run
	{ echo 'set -e'; cat run; } >run.sh
	sh run.sh >log 2>err && [ -s run ] && [ ! -s err ]
	ok $? "$page(1): its examples"
done
finish
