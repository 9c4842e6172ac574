#!/bin/sh
# Programs that claim to cover what they do not: into the memory that they share with duct, in all ways that need no jump into the
# middle of a function.
# limit: 120
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && tail -n 20 out | sed 's/^/# /'; fi; }
cat >forge.h <<'E2'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct area {
	uint64_t offset, capacity, used;
};
struct head {
	uint32_t magic, version;
	uint64_t size;
	struct area input, node, var, event, address, blob, cover, unit;
};
struct unit {
	uint64_t key;
	uint8_t *cover, *own;
	uint32_t branches, outcomes, blocks, flags;
};
extern struct unit __start_duct_units[];

enum { TEXT = 1 << 16 };
static char *maps(char *text)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY, 0);
	long n, size = 0;

	while ((n = syscall(SYS_read, fd, text + size, TEXT - 1 - size)) > 0)
		size += n;
	text[size] = 0;
	return text;
}

/* The mapping that is called after the channel. */
static struct head *channel(void)
{
	char text[TEXT], *line = strstr(maps(text), "memfd:duct-channel");

	while (line && line > text && line[-1] != '\n')
		line--;
	return line ? (struct head *)strtoul(line, NULL, 16) : NULL;
}

/* The mapping of 64 GiB: tables of the runtime. */
static char *tables(void)
{
	char text[TEXT];

	for (char *line = maps(text), *end; *line; line = strchr(line, '\n') + 1) {
		unsigned long from = strtoul(line, &end, 16);
		if (strtoul(end + 1, &end, 16) - from == 1UL << 36)
			return (char *)from;
	}
	return NULL;
}
E2
# forged NAME CODE: no input takes f's first condition, and `CODE` says that one does
forged() {
	printf '#include "forge.h"\nint f(int a)\n{\n\t%s\n\tif (a * 2 == 3)\n\t\treturn 1;\n\tif (a == 77)\n\t\treturn 2;\n\treturn 0;\n}\n' "$2" >"$1.c"
	timeout 100 duct concolic "$1.c" --entry f -t 20 -q --runs 30 --check none --store "$1.db" >out 2>&1
	grep -q "$1.c:5:6 p:true of .a \* 2 == 3.: reached" out && grep -q 'a second run, watched from outside, did not confirm' out &&
		! grep -q 'every feasible path was run' out && ! duct report "$1.db" --branches 2>/dev/null | grep -q ' infeasible.* a \* 2'
	result $? "$1: what it claims is not covered, and nothing is infeasible"
}
forged whole 'struct head *h = channel(); if (h) memset((char *)h + h->cover.offset, 1, h->cover.used);'
forged unit 'memset(__start_duct_units->cover, 1, __start_duct_units->outcomes + __start_duct_units->blocks);'
forged exact 'for (uint32_t i = 0; i < __start_duct_units->outcomes; i++) ((volatile uint8_t *)__start_duct_units->cover)[i] = 1;'
forged block 'struct unit *u = __start_duct_units; for (uint32_t i = 0; i < u->blocks; i++) u->cover[u->outcomes + i] = 1;'

# What may not write there, with the check `bounds`: each of these ways ends the run, and no verdict rests on such a session.
cat >keep.c <<'E2'
#include "forge.h"
extern uint32_t duct_live;
extern int64_t duct_steps;
static const struct area zero;

void f(int a)
{
	uint8_t *to = __start_duct_units->cover;

	switch (a) {
	case 1: *to = 1; break;
	case 2: memset(to, 1, 3); break;
	case 3: strcpy((char *)to, ""); break;
	case 4: sprintf((char *)to, "%c", 1); break;
	case 5: memcpy(to - 64, &zero, sizeof zero); break;
	case 6: *(volatile struct area *)to = zero; break;
	case 7: __start_duct_units->cover = NULL; break;
	case 8: duct_live = 0; break;
	case 9: duct_steps = 1L << 62; break;
	case 10: __atomic_store_n(to, 1, 5); break;
	case 11: if (fread(to, 1, 1, stdin) == 1) a = 0; break;
	case 12: if (a * 2 == 3) a = 0; break;
	case 13: tables()[4096] = 1; break;
	case 14: memset(tables() + (1L << 35), 1, 9); break;
	}
}
E2
timeout 100 duct concolic keep.c --entry f -t 20 -q --runs 60 --stdin 4 --store keep.db >out 2>&1
[ "$(grep -c 'access outside of an object .*memory where the program has no object' out)" = 13 ] &&
	grep -q 'memory of duct.s own at keep.c:11, 12, 13, 14, 15, 16, 17, .* 5 more places' out && ! grep -q 'every feasible path was run' out &&
	duct report keep.db --branches 2>/dev/null | grep 'a \* 2 == 3.*p:true' | grep -q 'unknown.*lost: .*duct.s own'
result $? "no statement writes into memory of duct's own unnoticed"
printf 'void duct_rt_limit(const char *, const char *, unsigned long);\nint f(int a)\n{\n\tduct_rt_limit("a", "b", 1);\n\treturn a;\n}\n' >call.c
timeout 60 duct concolic call.c --entry f -t 5 -q >out 2>&1
[ $? -ge 2 ] && grep -q "call.c: duct_rt_limit: a function of duct's own" out; result $? "functions of the runtime cannot be called"
for line in '#line 1 "duct-harness"' '# 7 "duct-harness" 3'; do
	printf 'int f(int a)\n{\n%s\n\tif (a > 3)\n\t\treturn 1;\n\treturn a;\n}\n' "$line" >pose.c
	timeout 60 duct concolic pose.c --entry f -t 5 -q >out 2>&1
	[ $? -ge 2 ] && grep -q "pose.c:.*named 'duct-harness'" out; result $? "code cannot pose as the harness: $line"
done
printf 'int duct_event(int a)\n{\n\treturn a > 3;\n}\nint duct_fix(int);\nint f(int a)\n{\n\treturn duct_event(a) ? duct_fix(a) > 7 : 0;\n}\n' >mine.c
timeout 60 duct concolic mine.c --entry f -t 5 -q >out 2>&1 && grep -q 'branches: 2 of 2 covered' out && grep -q 'nothing defines duct_fix' out
result $? "the names of others in the runtime are the program's"

# a program that does nothing of the kind: the same with and without the second runs
cat >plain.c <<'E2'
#include <stdlib.h>
#include <unistd.h>

static int g(unsigned char c)
{
	switch (c) {
	case 'a': return 1;
	case 'b':
	case 'c': return 2;
	}
	return c > 'x' ? c == 'z' : 0;
}

int f(int n, const unsigned char *s, int *out)
{
	int sum = 0;

	for (int i = 0; i < n && i < 9; i++)
		sum += s[i] == ' ' || s[i] == '\t' ? 1 : g(s[i]) + (i == 3 && s[0] == s[1]);
	if (sum > 5 && out)
		*out = sum;
	if (sum == 7)
		abort();
	if (sum == 8 && !fork())
		_exit(g('a') + g('z'));
	return sum;
}
E2
for level in full none; do
	timeout 100 duct concolic plain.c --entry f -t 20 -q --runs 300 --confine $level --len s=n --store $level.db >out 2>&1
	duct report $level.db --branches 2>/dev/null | grep -v '^#\|session\|bounds' | cut -f 1-7 >$level.txt
done
[ -s full.txt ] && cmp -s full.txt none.txt; result $? "nothing is taken from a program that claims what it does"
! grep -q 'did not confirm' out; result $? "and nothing is said of it"
# outcomes that are not written one by one
printf '#include "forge.h"\nint f(int a)\n{\n\treturn a;\n}\n' >old.c
timeout 60 instrument -o old old.c --entry f >out 2>&1 && objcopy --rename-section duct_marks=other old older &&
	run-trace -d ./older >out 2>&1 && grep -q '^#meta unconfined .*claims of coverage' out
result $? "a program that does not say where it writes coverage is run, and that is said"
# what the file says of it is made by hand
spoiled() {
	cat >marks && objcopy --update-section duct_marks=marks old spoiled && timeout 60 run-trace -d ./spoiled >out 2>&1 &&
		grep -q '^done	exit' out && grep -q '^#meta unconfined .*claims of coverage\|did not confirm' out
	result $? "$1"
}
size=$(size -A old | awk '$1 == "duct_marks" { print $2 }') # more would not fit into the program
printf '' | spoiled "marks: none"
printf '\1' | spoiled "marks: cut short"
printf '\377\377\377\377' | spoiled "marks: a distance without an end"
head -c "$size" /dev/zero | tr '\0' '\1' | spoiled "marks: distances without an end"
head -c $((size / 20 * 20)) /dev/zero | spoiled "marks: of no place"
key=$(run-trace -d ./old | sed -n 's/^unit	1	\([0-9a-f]*\).*/\1/p' | sed 's/\(..\)/\1 /g' | awk '{ for (i = NF; i; i--) printf "\\x%s", $i }')
env printf '\001\000\000\000\000\000\000\000\000\000\000\000\377\377\377\377'"$key" | spoiled "marks: more outcomes than there are"
env printf '\001\000\000\200\000\000\000\000\000\000\000\000\004\000\000\000'"$key" | spoiled "marks: far from all code"
echo "1..19"
