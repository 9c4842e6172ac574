#!/bin/sh
# Models in object files made by hand, read by code with checks of its memory.
# limit: 120
cc=${CC:-gcc}
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && head -n 20 out | sed 's/^/# /'; fi; }
"$cc" -std=c11 -O0 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -D_GNU_SOURCE -I"$ROOT" -o reader \
	"$ROOT/tests/safe/sections.c" "$ROOT"/lib/flow/[fhilpr]*.c "$ROOT/lib/flow/sound.c" "$ROOT"/lib/protocol/*.c "$ROOT/lib/rec/rec.c" \
	"$ROOT/lib/base/words.c" "$ROOT/lib/base/grow.c" "$ROOT/lib/base/elf.c" "$ROOT/lib/base/map.c" "$ROOT/lib/base/texts.c" >out 2>&1
result $? "the reader is built with checks of its memory"
echo 'int x;' >empty.c && "$cc" -c empty.c || exit 4
# object NAME: standard input as section .duct_flow of NAME.o
object() {
	cat >section
	objcopy --add-section .duct_flow=section --set-section-flags .duct_flow=readonly empty.o "$1.o"
}
# refused NAME WORDS: each reader says so, without an error of memory
refused() {
	(ulimit -t 20; ASAN_OPTIONS=max_allocation_size_mb=512:allocator_may_return_null=1 ./reader "$1.o") >out 2>&1 &&
		! grep -q ': read$' out && grep -q "$2" out
	result $? "$1: $2"
}
unit='unit\t3fbb1c80a7d3e211\tmax.c\t0\t0\t1\n'
body='file\t1\tmax.c\nfunc\t1\tmax\t0\t1\t1\t5\t5\t1\t-\t1\t1\nblock\t1\t1\t1\t1\t5\n'
printf "#flow 1 test\n${unit}${body}inst\t1\t1\tadd\t32\t1\t1\t5\t1\t2\nend\t5\n" | object good
./reader good.o >out 2>&1 && [ "$(grep -c ': read$' out)" = 2 ]
result $? "a model that is right is read"
# counts of less than was left out: each was once rewritten with 20 digits
{ printf "#flow 1 test\n${unit}${body}"; awk 'BEGIN { for (i = 0; i < 4000; i++) print "use\t1\nend\t1" }'; } | object underflow
refused underflow 'end says\|has .* fields\|no header'
{ printf "#flow 1 test\n${unit}"; awk 'BEGIN { for (i = 0; i < 4000; i++) print "end\t" }'; } | object nothing
refused nothing 'number'
{ printf "#flow 1 test\n${unit}use\t1\nend\t"; awk 'BEGIN { while (i++ < 3000) printf "9" }'; echo; } | object digits
refused digits 'number\|fields'
printf "#flow 1 test\n${unit}use\t1\nend\t7" | object cut
refused cut 'cut short\|fields'
printf "#flow 1 test\n${unit}${body}inst\t4000000000\t1\tcall\t32\t1\t1\t5\t@f\nend\t5\n" | object far
refused far 'number in range\|is next'
printf "#flow 1 test\nunit\t3fbb1c80a7d3e211\tmax.c\t0\t0\t4000000000\n${body}end\t4\n" | object blocks
refused blocks '4000000000 blocks\|out of memory'
awk 'BEGIN { printf "#flow 1 test\n"; for (i = 0; i < 17000000; i++) printf "\t"; print "" }' | object fields
refused fields 'fields in a line'
printf '#flow 1 test\nunit\t1\t\\x00\t0\t0\t1\ninst\t\\x00\t\\x00\tadd\t\\x00\t\\x00\t\\x00\t1\nend\t2\n' | object nul
refused nul 'file\|id\|block\|number'
# records that are right one by one and do not agree; the two functions have blocks 1, 2 and 3
two='unit\t3fbb1c80a7d3e211\tmax.c\t%d\t2\t3\nfile\t1\tmax.c\ntype\t1\ti\t4\t0\t0\tint %%s\n'
two=$two'func\t1\ta\t0\t1\t1\t5\t5\t1\t-\t1\t2\nblock\t1\t1\t1\t1\t5\nblock\t2\t1\t1\t2\t5\n'
two=$two'func\t2\tb\t0\t1\t7\t5\t9\t1\t-\t3\t1\nblock\t3\t2\t1\t7\t5\n'
branch='branch\t1\t1\t1\tb\t0\t1\t1\t5\t0\t0\tx\n'
# disagree NAME WORDS BRANCHES COUNT RECORDS
disagree() {
	printf "#flow 1 test\n$two$5end\t$4\n" "$3" | object "$1"
	refused "$1" "$2"
}
disagree flight 'edge 1 leads out of its function' 0 9 'edge\t1\t3\t0\t0\n'
disagree outcome 'edge 1 has an outcome of another branch' 1 10 "${branch}edge\t1\t2\t1\t4000000000\n"
disagree stranger 'edge 1 leads out of its function' 1 10 "${branch}edge\t3\t3\t1\t0\n"
disagree stolen 'branch 1 leads out of its function' 1 9 'branch\t1\t1\t3\tb\t0\t1\t1\t5\t0\t0\tx\n'
disagree nested 'type [23] contains itself' 0 12 \
	'type\t2\ts\t4\t0\t0\tstruct s\ntype\t3\ta\t4\t2\t1\tstruct s %%s[1]\nmember\t2\tx\t3\t0\t0\t0\nmember\t2\ty\t1\t0\t0\t0\n'
disagree elements 'type 2 is an array without' 0 9 'type\t2\ta\t4\t0\t1\tint %%s[1]\n'
disagree earlier 'instruction 2 is of an earlier block' 0 10 \
	'inst\t1\t3\tcall\t32\t1\t1\t5\t@f\ninst\t2\t1\tcall\t32\t1\t1\t5\t@f\n'
# nowhere NAME OPERATION OPERANDS: the model is refused; programs are read without this instruction
nowhere() {
	printf "#flow 1 test\n${two}inst\t1\t1\t$2\t0\t1\t1\t5\t$3\nend\t9\n" 0 | object "$1"
	ASAN_OPTIONS=max_allocation_size_mb=512 ./reader "$1.o" >out 2>&1 && grep -q 'instruction 1 leads to no block' out
	result $? "$1: an instruction that leads to no block"
}
nowhere side br '1\t6\t!2'
nowhere missing br '1\t!2'
nowhere rest switch '1\t6\t2\t!2'
# an instruction that leads back where no edge does: a loop that nobody sees
printf "#flow 1 test\n${two}edge\t1\t2\t0\t0\ninst\t1\t2\tbr\t0\t1\t1\t5\t!1\nend\t10\n" 0 | object back
./reader back.o >out 2>&1 && grep -q 'instruction 1 leads where no edge does' out
result $? "back: an instruction that leads where no edge does"
printf "#flow 1 test\n$two""end\t8\n" 0 | sed 's/func.2.b.*/func\t2\tb\t0\t1\t7\t5\t9\t1\t-\t2\t1/' | object overlap
refused overlap 'function 2 has a block of another'
# header fields of the file itself
for at in 40 48 58 60 62; do
	cp good.o header.o
	printf '\377\377' | dd of=header.o bs=1 seek="$at" conv=notrunc 2>/dev/null
	./reader header.o >out 2>&1
	result $? "ELF header damaged at byte $at"
done
head -c 200 good.o >short.o
refused short 'not instrumented'
echo "1..28"
