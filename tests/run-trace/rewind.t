#!/bin/sh
# A process that serves many runs: each begins as the first did, whatever the ones before it left in memory, and
# its trace is that of a process of its own.
# limit: 120
cat >state.c <<'E'
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static unsigned char table[100000];
static int counter = 7;
static __thread int own = 3;
static char *kept;

unsigned look(const volatile unsigned char *p, unsigned n);

__attribute__((noinline)) static unsigned stack(void)
{
	volatile unsigned char room[20000];

	return look(room, sizeof room);
}

__attribute__((noinline)) static void deep(unsigned n)
{
	volatile unsigned char room[4096];

	memset((void *)room, 0xa5, sizeof room);
	if (n)
		deep(n - 1);
}

static unsigned state(void)
{
	unsigned char *p = malloc(3000);
	volatile double third = 1;
	unsigned sum = look(p, 3000) + look(table, sizeof table) * 3 + (unsigned)(uintptr_t)p;

	third /= 3;
	sum = sum * 31 + (unsigned)counter + (unsigned)own + (unsigned)errno + (unsigned)(third * 3e9) + (kept ? 1 : 0);
	sum = sum * 31 + (unsigned)rand() + (unsigned)fegetround() + (unsigned)(uintptr_t)sbrk(0) + stack();
	free(p);
	return sum;
}

static void spoil(int how)
{
	memset(table, how, sizeof table);
	counter += how;
	own += how;
	errno = how;
	deep(200);
	srand((unsigned)how);
	fesetround(FE_UPWARD);
	for (int i = 0; i < 50; i++)
		memset(kept = malloc(5000), how, 5000);
	*(int *)(uintptr_t)&stdout->_flags ^= 0;
	strtok((char []){ "a b c" }, " ");
	if (how & 1)
		atexit(abort == NULL ? abort : (void (*)(void))rand);
	if (how & 2)
		printf("%d\n", how);
	if (how & 4)
		scanf("%d", &counter);
}

int f(int how, int x)
{
	unsigned s = state();

	if (x > how)
		counter++;
	if (how)
		spoil(how);
	if (how == 8)
		exit(9);
	if (how == 16)
		abort();
	if (how == 24)
		*(volatile int *)8 = 0;
	if (how == 32)
		close(open("/dev/null", O_RDONLY));
	if (how == 40)
		for (;;)
			;
	if (how == 48)
		free(realloc(malloc(10), 3000000));
	return (int)(s & 0x7fffffff);
}
E
# The old content of memory below a frame, or of a new block: code that is woven would find inputs there.
cat >look.c <<'E'
unsigned look(const volatile unsigned char *p, unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum = sum * 31 + p[i];
	return sum;
}
E
n=0
result() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}
{ ${CC:-cc} -O1 -c look.c && ar qcs liblook.a look.o && instrument -o state state.c --entry f -- -w -L. -llook -lm &&
	instrument -o pairs --pairs state.c --entry f -- -w -L. -llook -lm; } 2>err || { cat err; result 1 "it compiles"; echo "1..$n"; exit 1; }

lines=0
line() {
	printf "$@"
	lines=$((lines + 1))
}
inputs() {
	line '#inputs 1 t\n'
	i=0
	for how in 0 0 1 0 2 0 4 0 8 0 16 0 24 0 32 0 40 0 48 0 7 7 7 0 0 13 0 16 16 16 16 16 0 0 32 32 0 32 32 0 0 3 0; do
		i=$((i + 1))
		line 'input\t%d\n' $i
		line 'v\thow\ti\t32\t%x\n' $how
		line 'v\tx\ti\t32\t%x\n' $((i % 5))
		line 'run\n'
	done
	printf 'end\t%d\n' $((lines - 1))
}
inputs >in
# Processor time is no part of what a run does; nor is how far one came that was killed.
plain() { sed '/^done/s/\t[0-9]*\t\([0-9]*\)$/\t-\t\1/; /^done	timeout/s/	[0-9]*	-/	-	-/' "$1"; }
for program in state pairs; do
	run-trace -t 1 ./$program <in >one 2>err; result $? "$program: all runs" && sed 's/^/# /' err
	run-trace -t 1 --fork ./$program <in >each 2>err; result $? "each in its own process" && sed 's/^/# /' err
	plain one >one.plain
	plain each >each.plain
	cmp -s one.plain each.plain; result $? "the same traces"
	diff one.plain each.plain | head -n 20 | sed 's/^/# /'
	awk -F '\t' '$1 == "trace" { id = $2 } $1 == "result" { print $2 }' one | sort -u >results
	[ "$(wc -l <results)" = 1 ]; result $? "every run found the same memory"
	sed 's/^/# /' results
	grep -q '^done	abort' one && grep -q '^done	null' one && grep -q '^done	timeout' one && grep -q '^done	exit	9' one
	result $? "and some ended badly"
done

# Pages that a run touches are copied back from then on, and not dropped, each of which would be a fault of the next.
cat >list.c <<'E'
#include <stdlib.h>
static char seen[9000];
int f(const char *text, int n)
{
	int *last = malloc(SIZE), k = 0;

	for (*last = 0; k < 6 && text[k]; k++)
		if (text[k] > 'a' + n) {
			seen[1500 * k] = text[k];
			*last = seen[1500 * k] + k;
		}
	k += *last;
	free(last);
	return k;
}
E
runs() {
	lines=0
	line '#inputs 1 t\n'
	for i in $(seq "$1"); do
		line 'input\t%d\n' $i
		line 'v\ttext?\tn\t16\t1\n'
		for k in 0 1 2 3 4; do line 'v\ttext[%d]\tc\t8\t%x\n' $k $((97 + (i + k) % 7)); done
		line 'run\n'
	done
	printf 'end\t%d\n' $((lines - 1))
}
instrument -o list --pairs list.c --entry f --string text=5 -- -w -DSIZE=4 >log 2>&1 &&
	instrument -o large --pairs list.c --entry f --string text=5 -- -w -DSIZE=300000 >log 2>&1
result $? "a program whose runs touch heap, globals and tables"
below() {
	echo "$1"
	for child in $(cat /proc/"$1"/task/*/children); do below "$child"; done
}
# The page faults of the processes of the program $1 in the first $2 runs, counted while they wait for another: of a process
# that is killed at the end nobody learns them.
faults() {
	rm -f to list.out && mkfifo to && : >list.out || return
	run-trace ./"$1" <to >list.out &
	exec 3>to
	runs "$2" >in
	sed '$d' in >&3
	until [ "$(grep -c '^done	' list.out)" = "$2" ]; do sleep 0.1; done
	for process in $(below $! | sed 1d); do sed 's/.*) //' /proc/"$process"/stat; done | awk '{ sum += $8 } END { print sum }'
	tail -n 1 in >&3
	exec 3>&-
	wait $!
}
# name, page faults at most in a run
few() {
	first=$(faults "$1" 64) all=$(faults "$1" 320)
	[ $((all - first)) -lt $(($2 * 256)) ] && [ "$(grep -c '^done	exit' list.out)" = 320 ]
	result $? "$1: after 64 runs there are few page faults in a run"
	echo "# $first in 64 runs, $all in 320"
}
few list 4
few large 4

# A run whose stack ends ends by a signal; what is asked of callers then is told of each such run.
cat >tree.c <<'E'
struct tree { struct tree *left, *right; int value; };
static int sum(const struct tree *t) { return t ? t->value + sum(t->left) + sum(t->right) : 0; }
int f(const struct tree *t) { return sum(t) > 10; }
E
instrument -o tree tree.c --entry f -- -w >log 2>&1; result $? "a structure that leads back"
lines=0
{
	line '#inputs 1 t\n'
	for i in 1 2 3; do
		line 'input\t%d\n' $i
		line 'v\tt?\tn\t16\t1\n'
		line 'v\tt[0].left?\tn\t16\t2\n'
		line 'run\n'
	done
	printf 'end\t%d\n' $((lines - 1))
} >in
for how in '' --fork; do
	run-trace $how --grow alias=1 ./tree <in >cycle 2>err
	[ "$(grep -c '^need	cycle	t	' cycle)" = 3 ] && [ "$(grep -c '^done	need' cycle)" = 3 ]
	result $? "each run that recurs through it without end asks for no cycle${how:+ ($how)}"
done

echo "1..$n"
