#!/bin/sh
# A program of one file has code for what its entry can reach, and the model of all of it: reached through a call, a
# table, the address of a function, an alias, a constructor; and what libraries call by its name.
. "$ROOT/tests/lib/tap.sh"

cat >u.c <<'C'
#include <stdlib.h>
int missing(int);
__attribute__((noinline)) static int from_table(int x) { return x + 1; }
static int (*const table[])(int) = { from_table };
__attribute__((noinline)) static int target(int x) { return x * 3; }
int other_name(int x) __attribute__((alias("target")));
static int ready;
__attribute__((constructor)) static void start(void) { ready = 1; }
void *calloc(size_t n, size_t size) { (void)n; (void)size; return NULL; }
int idle_table_entry(int x) { return missing(x); }
int (*idle_table[])(int) = { idle_table_entry };
int idle(int x) { return idle_table[0](x) + missing(x); }
int named_in_assembly(void) { return 5; }
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int entry(int x)
{
	char text[3] = "ba";
	qsort(text, 2, 1, compare);
	__asm__ volatile("# named_in_assembly");
	if (table[0](x) == 4 && other_name(x) == 9)
		return text[0];
	return 1;
}
C
instrument -o u u.c --entry entry 2>err
check "what nothing defines is told, reached or not" 'grep -q "^instrument: missing: nothing defines it" err'
nm u >symbols
for name in entry from_table target start calloc compare named_in_assembly; do
	check "$name is reached" "grep -q \" $name\$\" symbols"
done
for name in idle idle_table idle_table_entry; do
	check "$name is not" "! grep -q \" $name\$\" symbols"
done
check "idle is in the model" "cfg-dump u | grep -q '	idle	'"
check "and it runs" 'duct concolic u.c --entry entry --time 5 >out 2>&1 && grep -q "^branches: 3 of 4 covered" out'

printf 'int entry(int);\nint main(void) { return entry(3); }\n' >v.c
instrument -o both u.c v.c --entry entry 2>err
check "of several files all have code" 'nm both | grep -q " idle$"'
printf '#include <dlfcn.h>\nint named(void) { return 1; }\nint by_name(void) { return dlsym(RTLD_DEFAULT, "named") != 0; }\n' >d.c
instrument -o d d.c --entry by_name
check "where names are looked up all have code" 'nm d | grep -q " named$"'
# A file is parsed once for its model and with its harness.
echo 'int f(int x) { int *p = x; return x > 3 && p; }' >warns.c
instrument -o warns --entry f warns.c >log 2>&1 && [ "$(grep -c ' warning: ' log)" = 1 ]
ok $? "warnings are printed once"
instrument -o warns --entry f --assume 'y > 1' warns.c >log 2>&1
[ $? = 2 ] && grep -q '^--assume:1:[0-9]*: error: ' log
ok $? "an error in an option is told with the option"
finish
