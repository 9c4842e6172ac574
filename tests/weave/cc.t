#!/bin/sh
# The compiler form takes what cc takes and behaves as cc does.
# limit: 300
n=0
cc() { instrument --cc "$@"; }
check() {
	n=$((n + 1))
	name=$1
	shift
	if (eval "$*") >log 2>&1; then echo "ok $n - $name"; else
		echo "not ok $n - $name"
		sed 's/^/# /' log | tail -n 20
	fi
}

cat >one.c <<'X'
#include <stdio.h>
#include "two.h"
int main(int argc, char **argv) { printf("%s %d\n", argc > 1 ? argv[1] : "-", two(argc)); return 3; }
X
echo 'int two(int);' >two.h
cat >two.c <<'X'
#include "two.h"
int two(int x) { return x > 1 ? x * 2 : VALUE; }
X
echo '.globl answer
answer: ret' >asm.s
ran() { "$@" a >out; [ $? = 3 ] && [ "$(cat out)" = "${want:-a 4}" ]; }

check 'compile, then link' 'cc -c one.c && cc -DVALUE=7 -O2 -c two.c && cc -o p one.o two.o && ran ./p'
check 'several sources at once' 'rm -f a.out; cc -DVALUE=7 one.c two.c && ran ./a.out && [ ! -e one.o.tmp ]'
check '-o without a blank, objects elsewhere' 'mkdir -p d && cc -DVALUE=1 -c two.c -od/two.o && cc one.c d/two.o -op2 && ran ./p2'
check '-c of several makes several' 'rm -f *.o; cc -c -DVALUE=2 one.c two.c && [ -e one.o ] && [ -e two.o ]'
check 'dependencies: -MMD names them after the object' 'rm -f *.d d/*.d; cc -MMD -c one.c -o d/o.o && grep -q "^d/o.o:.*one.c.*two.h" d/o.d'
check 'dependencies: -MD -MF -MT' 'cc -MD -MF x.dep -MT goal -c one.c -o d/o.o && grep -q "^goal:.*stdio.h" x.dep'
check 'dependencies: -Wp,-MMD' 'cc -Wp,-MMD,y.dep -c one.c -o d/o.o && grep -q two.h y.dep'
check 'dependencies only: -MM' 'cc -MM one.c | grep -q "^one.o:.*two.h"'
check 'preprocessing' 'cc -E -DVALUE=99 two.c | grep -q "x \* 2 : 99"'
check 'preprocessed input' 'cc -E -DVALUE=5 two.c -o two.i && cc -c two.i -o two5.o && cc one.c two5.o -o p5 && ran ./p5'
check 'assembler text' 'cc -S -DVALUE=1 two.c -o - | grep -q two:'
check 'assembler among the sources' 'cc -DVALUE=1 one.c two.c asm.s -o p6 && ran ./p6'
check 'standard input' 'cat one.c | cc -x c -c - -o in.o && cc -DVALUE=1 in.o two.c -o p7 && ran ./p7'
check '-x none' 'cp two.c two.txt; cc -DVALUE=1 -x c two.txt -x none one.c -o p8 && ran ./p8'
check 'response file' 'echo "-DVALUE=1 one.c two.c -o \"p 9\"" >args && cc @args && ran "./p 9"'
check 'a library' 'cc -DVALUE=1 -c two.c && rm -f libtwo.a && ar rcs libtwo.a two.o && cc one.c -L. -ltwo -o p10 && ran ./p10'
check 'a shared library' 'cc -DVALUE=1 -fPIC -shared two.c -o libs.so && cc one.c -L. -l:libs.so -Wl,-rpath,. -o p11 && ran ./p11'
check 'a shared library that is loaded' '
	echo "#include <dlfcn.h>
	int main(void) { void *h = dlopen(\"./libs.so\", RTLD_NOW); int (*f)(int) = (int (*)(int))dlsym(h, \"two\"); return f(21); }" >dl.c
	cc dl.c -o p12; ./p12; [ $? = 42 ]'
check 'no position-independent code' 'cc -fno-pie -no-pie -DVALUE=1 one.c two.c -o p13 && ran ./p13'
check 'debug information on request' 'cc -g -c one.c && readelf -S one.o | grep -q debug_info && cc -c one.c && ! readelf -S one.o | grep -q debug_info'
check 'debuggers find variables that are in registers' '
	echo "int f(int n) { int sum = 0; for (int i = 0; i < n; i++) if (i & 1) sum += i; else sum ^= i; return sum; }" >v.c
	cc -g -O1 -c v.c && readelf --debug-dump=info v.o >v.info 2>err
	awk "/DW_TAG/ { var = /DW_TAG_variable/ } var && /DW_AT_location/ { n++ } END { exit n != 2 }" v.info'
check 'sessions learn the order of blocks' '
	cat >way.c <<X
#include <stdio.h>
static int a[4], n;
static void put(int x) { if (n < 4) a[n++] = x; else a[0] = a[1]; }
int main(void)
{
	int c, k = 0;
	while ((c = getchar()) != EOF) {
		put(c);
		k += c == 120 && a[n - 1] > 3;
	}
	return k;
}
X
	printf "#inputs 1 t\ninput\t1\nv\tstdin.len\tu\t32\t2\nv\tstdin[0]\tu\t8\t78\nv\tstdin[1]\tu\t8\t61\nrun\nend\t5\n" >way.inputs
	way() { run-trace --stdin 2 "$1" <way.inputs | grep -a "^way" >"$1.way" && [ "$(wc -l <"$1.way")" -gt 3 ]; }
	instrument --pairs -o way way.c && way ./way
	for level in 0 1 2; do
		instrument --cc --pairs -O$level -o way$level way.c && way ./way$level && cmp way.way way$level.way || exit 1
	done'
check 'questions' 'cc --version | grep -qi clang && cc -dumpmachine | grep -q linux && cc -print-file-name=libc.so | grep -q libc'
check 'no input' '! cc'
check 'an error in C' 'echo "int f( {" >bad.c; cc -c bad.c; [ $? = 1 ] && [ ! -e bad.o ]'
check 'an error in one of two' 'rm -f one.o; cc -c bad.c one.c; [ $? = 1 ] && [ -e one.o ]'
check 'an undefined symbol' '! cc one.c -o p14 2>err && grep -q two err'
check 'an object that another version wove is refused' '
	cc -c -DVALUE=1 two.c -o two.o && name=$(nm two.o | grep -o "duct_rt_object_of_another_version_compile_again_[1-9][0-9]*") &&
		objcopy --redefine-sym "$name=${name%_*}_1" two.o && ! cc one.c two.o -o p16 2>err && grep -q "compile_again_1" err &&
		! instrument -o p17 one.c two.o 2>err && [ "$(cat err)" = "instrument: another version of duct compiled some of the objects: compile them again" ]'
check 'a file that is not there' '! cc -c nosuch.c'
check 'nothing is left behind' 'mkdir t && TMPDIR=t; export TMPDIR; cc -DVALUE=1 one.c two.c -o p15; cc bad.c one.c; ! cc one.c; [ -z "$(ls t)" ]'
check 'make with implicit rules' 'rm -f *.o one; printf "one: one.o two.o\n" >Makefile; make CC="instrument --cc" CFLAGS="-O2 -DVALUE=1" && ran ./one'
echo "1..$n"
