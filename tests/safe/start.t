#!/bin/sh
# What a program does before its first run: constructors that use up the machine, that pose as the server of runs, that keep
# something for all runs, and what a run could keep for the next; limits that a run could raise.
# limit: 120
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && tail -n 20 out | sed 's/^/# /'; fi; }
cat >start.c <<'E2'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "lib/protocol/abi.h"
#include "lib/protocol/channel.h"

#define S(...) ((int)syscall(__VA_ARGS__))
#define IS(name) (!strcmp(what, name))
enum { CONTROL = 199 };
extern struct duct_unit __start_duct_units[];
static volatile int *shared;
static int fds[2];

static void *wait(void *data)
{
	S(SYS_poll, NULL, 0, 60000);
	return data;
}

static void start_without_end(void)
{
	struct channel_hello hello = { CHANNEL_MAGIC, CHANNEL_VERSION, 0, 0 };
	struct channel_answer started = { .word = ANSWER_STARTED, .pid = 2 };

	S(SYS_write, CONTROL, &hello, sizeof hello);
	while (S(SYS_write, CONTROL, &started, sizeof started) > 0)
		;
	S(SYS_exit_group, 0);
}

__attribute__((constructor)) static void early(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t t;

	if (IS("memory"))
		memset(malloc(400 << 20), 1, 400 << 20), wait(NULL);
	if (IS("half"))
		S(SYS_write, CONTROL, "d", 1), wait(NULL);
	if (IS("starts"))
		start_without_end();
	if (IS("other") && time(NULL) > atol(argv[2]))
		__start_duct_units->outcomes += 1000000;
	if (IS("mapped"))
		shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (IS("hidden"))
		shared = mmap(NULL, 4096, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (IS("pipe"))
		S(SYS_pipe2, fds, 04000);
	if (IS("thread"))
		pthread_create(&t, NULL, wait, NULL);
}

static int raise_limit(int which)
{
	struct rlimit l;

	S(SYS_prlimit64, 0, which, NULL, &l);
	l.rlim_cur = l.rlim_max;
	return S(SYS_prlimit64, 0, which, &l, NULL) == 0 && l.rlim_max > 1UL << 60;
}

static int hide(void)
{
	static char block[1 << 20];

	S(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	memset(block, 1, sizeof block);
	for (int i = 0, fd; i < 300; i++)
		if ((fd = S(SYS_memfd_create, "x", 0)) < 0 || S(SYS_write, fd, block, sizeof block - 1) < 0)
			return 4;
	S(SYS_poll, NULL, 0, 3000);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	char c;
	int n;

	if (IS("other")) {
		while (time(NULL) <= atol(argv[2]))
			S(SYS_poll, NULL, 0, 100);
		shmget(77, 4096, 01600); /* so that another server begins */
	}
	if (IS("hidden"))
		S(SYS_mprotect, shared, 4096, PROT_READ | PROT_WRITE);
	if (IS("mapped") || IS("hidden"))
		return (*shared)++;
	if (IS("pipe")) {
		n = S(SYS_read, fds[0], &c, 1) == 1;
		S(SYS_write, fds[1], "x", 1);
		return n;
	}
	if (IS("raise"))
		return raise_limit(RLIMIT_AS) + 2 * raise_limit(RLIMIT_NPROC);
	if (IS("hide"))
		return hide();
	return argc > 4;
}
E2
sed -i 's/#include <pthread.h>/#include <fcntl.h>\n&/' start.c
instrument -o start.p --check none start.c -- "-I$ROOT" >out 2>&1
result $? "it compiles"
printf '#inputs 1 x\ninput\t1\nrun\ninput\t2\nrun\ninput\t3\nrun\nend\t6\n' >in
timeout 30 run-trace -d -m 64M ./start.p memory >out 2>&1
[ $? = 4 ] && grep -q 'before its first message it takes more memory than a run may take' out
result $? "a constructor that takes memory"
timeout 30 run-trace -d ./start.p half >out 2>&1
[ $? = 4 ] && grep -q 'its first message is not that of an instrumented program' out
result $? "half of a first message"
timeout 30 run-trace -d -t 1 ./start.p starts >out 2>&1 && grep -q '^done	server' out
result $? "runs that begin without end"
timeout 30 run-trace ./start.p other $(($(date +%s) + 1)) <in >out 2>&1
[ $? = 4 ] && grep -q 'other units than when it was started before' out
result $? "a server that begins as another program"
open=$(run-trace -d ./start.p 2>/dev/null | sed -n 's/^#meta unconfined //p')
for what in mapped hidden pipe; do
	timeout 60 run-trace ./start.p $what <in >out 2>&1
	[ "$(grep -c '^done	exit	0	' out)" = 3 ]
	result $? "a run finds nothing of an earlier one: $what"
done
timeout 30 run-trace -d ./start.p thread >out 2>&1 && grep -q '^lost	.*threads that constructors started' out
result $? "threads of constructors are not in runs, which is said"
run-trace -d ./start.p plain >out 2>&1 && ! grep -q '^lost' out && grep -q '^done	exit	0	' out
result $? "an ordinary program has nothing of the kind"

# As a user for whom the kernel keeps no limit on all processes together.
if [ "$(id -u)" = 0 ]; then
	place=$(mktemp -d /tmp/duct-test.XXXXXX) && cp start.p "$place" && chmod 755 "$place"
	other() { (cd "$place" && TMPDIR=/tmp setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all timeout 60 "$@"); }
else
	place=
	other() { timeout 60 "$@"; }
fi
if other run-trace -d ./start.p >out 2>&1; then
	other run-trace -d -m 64M ./start.p raise >out 2>&1 && grep -q '^done	exit	0	' out
	result $? "a run cannot raise its limits"
	other run-trace -d -t 9 -m 64M ./start.p hide >out 2>&1 && grep -q '^done	memory	' out
	result $? "a run cannot hide its files in memory"
else
	for what in "raise its limits" "hide its files"; do echo "ok - a run cannot $what # SKIP not as another user"; done
fi
rm -rf "$place"

# A run that leaves an object of System V ends its server: the next one is watched like all others.
cat >objects.c <<'E2'
#include <sys/shm.h>
int f(int a, int b)
{
	shmget(77, 4096, 01600);
	if (a > 3)
		return b > 7;
	return a * b == 77;
}
E2
timeout 60 duct concolic objects.c --entry f -t 20 -q >out 2>&1 && grep -q 'branches: 6 of 6 covered\|branches: 2 of 2 covered' out &&
	! grep -q 'did not confirm' out
result $? "a program that leaves objects is covered"
echo "1..13"
