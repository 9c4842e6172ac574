#!/bin/sh
# Models in object files made by hand, read by code with checks of its memory.
# limit: 120
cc=${CC:-gcc}
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && head -n 20 out | sed 's/^/# /'; fi; }
"$cc" -std=c11 -O0 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -D_GNU_SOURCE -I"$ROOT" -o reader \
	"$ROOT/tests/safe/sections.c" "$ROOT"/lib/flow/[fhip]*.c "$ROOT/lib/flow/read.c" "$ROOT/lib/flow/sound.c" "$ROOT/lib/rec/rec.c" "$ROOT"/lib/protocol/*.c \
	"$ROOT/lib/base/words.c" "$ROOT/lib/base/grow.c" "$ROOT/lib/base/elf.c" >out 2>&1
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
# header fields of the file itself
for at in 40 48 58 60 62; do
	cp good.o header.o
	printf '\377\377' | dd of=header.o bs=1 seek="$at" conv=notrunc 2>/dev/null
	./reader header.o >out 2>&1
	result $? "ELF header damaged at byte $at"
done
head -c 200 good.o >short.o
refused short 'not instrumented'
echo "1..16"
