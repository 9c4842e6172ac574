#!/bin/sh
# Programs that try to get out of their confinement, with all that the kernel allows and with less; engines that lie.
# limit: 120
n=0
result() { n=$((n + 1)); if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; [ -s out ] && tail -n 20 out | sed 's/^/# /'; fi; }
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }
cat >out.c <<'E2'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int can_write(const char *path)
{
	return syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY, 0600) >= 0;
}

/* A child of a child, in a session of its own, that leaves a mark again and again. */
static void leave_daemon(const char *mark)
{
	if (syscall(SYS_fork))
		return;
	syscall(SYS_setsid);
	if (syscall(SYS_fork))
		syscall(SYS_exit_group, 0);
	for (int i = 0; i < 600; i++) {
		can_write(mark);
		syscall(SYS_poll, NULL, 0, 100);
	}
	syscall(SYS_exit_group, 0);
}

/* Six processes that take 30 MiB each. */
static void take_memory(void)
{
	for (int i = 0; i < 6; i++)
		if (!syscall(SYS_fork)) {
			char *p = (char *)syscall(SYS_mmap, NULL, 30 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			for (long k = 0; k < 30 << 20; k += 4096)
				((volatile char *)p)[k] = 1;
			syscall(SYS_poll, NULL, 0, 20000);
			syscall(SYS_exit_group, 0);
		}
	syscall(SYS_poll, NULL, 0, 20000);
}

/* 600 MiB into the memory that it shares with duct. */
static void fill_channel(void)
{
	static char text[1 << 16];
	int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY, 0);
	long n, size = 0, most = 0;
	char *line, *p = NULL;

	while ((n = syscall(SYS_read, fd, text + size, sizeof text - 1 - size)) > 0)
		size += n;
	for (char *at = text; (at = strstr(at, "memfd:duct-channel")); at++) { /* the largest part of it */
		long from, to;
		for (line = at; line > text && line[-1] != '\n';)
			line--;
		from = (long)strtoul(line, &line, 16), to = (long)strtoul(line + 1, NULL, 16);
		if (to - from > most)
			most = to - from, p = (char *)from + most / 2;
	}
	for (long k = 0; p && k < 600L << 20; k += 4096)
		((volatile char *)p)[k] = 1;
	syscall(SYS_poll, NULL, 0, 20000);
}

/* Eight processes with as many full pipes, or pairs of sockets, as they may have. */
static void fill_kernel(int pipes)
{
	static char block[1 << 16];
	int fd[2], size = 1 << 20;

	for (int i = 0; i < 8; i++)
		if (!syscall(SYS_fork)) {
			for (int k = 0; k < 400; k++) {
				if (pipes ? syscall(SYS_pipe2, fd, O_NONBLOCK) : syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd))
					break;
				if (pipes)
					syscall(SYS_fcntl, fd[1], F_SETPIPE_SZ, size);
				else
					syscall(SYS_setsockopt, fd[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
				while (syscall(SYS_write, fd[1], block, sizeof block) > 0)
					;
			}
			syscall(SYS_poll, NULL, 0, 20000);
			syscall(SYS_exit_group, 0);
		}
	syscall(SYS_poll, NULL, 0, 20000);
}

/* 128 files of 1 MiB in the scratch directory that have no name any more. */
static void fill_disk(void)
{
	static char block[(1 << 20) - 1];

	for (int i = 0; i < 128; i++) {
		int fd = (int)syscall(SYS_openat, AT_FDCWD, "x", O_CREAT | O_EXCL | O_WRONLY, 0600);
		syscall(SYS_write, fd, block, sizeof block);
		syscall(SYS_unlinkat, AT_FDCWD, "x", 0);
	}
	syscall(SYS_poll, NULL, 0, 3000);
}

int main(int argc, char **argv)
{
	long duct = atol(argv[2]);

	if (!strcmp(argv[1], "write"))
		return can_write(argv[2]);
	if (!strcmp(argv[1], "left")) {
		int there = can_write("left") && syscall(SYS_lseek, 3, 0, SEEK_END) > 0;
		return there + can_write("/tmp/left") + 2 * (syscall(SYS_mkdirat, AT_FDCWD, "/dev/shm/left", 0700) == 0);
	}
	if (!strcmp(argv[1], "kill"))
		return (int)(syscall(SYS_kill, duct, SIGKILL) == 0) + 2 * (int)(syscall(SYS_ptrace, PTRACE_SEIZE, duct, 0, 0) == 0);
	if (!strcmp(argv[1], "namespace"))
		return (int)(syscall(SYS_unshare, CLONE_NEWUSER) == 0) + 2 * (int)(syscall(SYS_setns, 0, 0) == 0) +
		       4 * (int)(syscall(SYS_mount, "x", "/", "tmpfs", 0, "") == 0);
	if (!strcmp(argv[1], "daemon"))
		leave_daemon(argv[2]);
	if (!strcmp(argv[1], "memory"))
		take_memory();
	if (!strcmp(argv[1], "disk"))
		fill_disk();
	if (!strcmp(argv[1], "channel"))
		fill_channel();
	if (!strcmp(argv[1], "pipes") || !strcmp(argv[1], "sockets"))
		fill_kernel(argv[1][0] == 'p');
	if (!strcmp(argv[1], "forks"))
		for (int i = 0; i < 100000; i++)
			if (syscall(SYS_fork) < 0)
				return 9;
	return 0;
}
E2
sed -i 's/#include <stdio.h>/&\n#include <stdlib.h>/' out.c
instrument -o out.p out.c >out 2>&1
result $? "it compiles"
# says STATUS ARGUMENTS...: how the run ends
says() { want=$1; shift; timeout 60 run-trace -d -t 5 $level ./out.p "$@" >out 2>&1 && grep -q "^done	exit	$want	" out; }
open=$(run-trace -d ./out.p - - 2>/dev/null | sed -n 's/^#meta unconfined //p')
level=
case $open in *files*) skip "files are only read" "$open" ;;
*) says 0 write "$PWD/written" && [ ! -e written ] && says 0 write "$HOME/.duct-written" && [ ! -e "$HOME/.duct-written" ]
	result $? "files are only read" ;;
esac
if mknod node c 1 5 2>/dev/null && (exec 3<>node) 2>/dev/null; then
	case $open in *files*) skip "devices outside of /dev are closed" "$open" ;;
	*) says 0 write "$PWD/node"; result $? "devices outside of /dev are closed" ;;
	esac
else
	skip "devices outside of /dev are closed" "none can be made"
fi
case $open in *files* | *processes*) skip "/tmp is the run's own" "$open" ;;
*) says 1 write "/tmp/duct-written-$$" && [ ! -e "/tmp/duct-written-$$" ]; result $? "/tmp is the run's own"
	printf '#inputs 1 x\ninput\t1\nrun\ninput\t2\nrun\ninput\t3\nrun\nend\t6\n' >in
	run-trace ./out.p left - <in >out 2>&1; [ "$(grep -c '^done	exit	3	' out)" = 3 ]
	result $? "nothing that a run leaves there is in the next"
	place=$(mktemp -d /dev/shm/duct-test.XXXXXX) && cp out.p "$place" &&
		TMPDIR=$place run-trace "$place/out.p" left - <in >out 2>&1 && [ "$(grep -c '^done	exit	3	' out)" = 3 ] &&
		TMPDIR=$place run-trace -d "$place/out.p" write "$place/written" >out 2>&1 && grep -q '^done	exit	0	' out &&
		[ "$(ls "$place")" = out.p ]
	result $? "a program and its scratch directory may be in /dev/shm"
	rm -rf "$place" ;;
esac
case $open in *processes*) skip "other processes are out of reach" "$open" ;;
*) sleep 60 & victim=$!
	says 0 kill $victim && kill -0 $victim; result $? "other processes are out of reach"
	kill $victim ;;
esac
case $open in *"system calls"*) skip "no other namespaces" "$open" ;; *) says 0 namespace -; result $? "no other namespaces" ;; esac
# a daemon may write its mark where files are as they are: it must die with the run
level=--confine=some
case $open in *processes*) skip "a daemon dies with the session" "$open" ;;
*) says 0 daemon "$PWD/mark"; rm -f mark; sleep 0.3; [ ! -e mark ]; result $? "a daemon dies with the session" ;;
esac
level=
case $open in *number*) skip "forks have a limit" "$open" ;;
*) timeout 60 run-trace -d -t 2 ./out.p forks - >out 2>&1; result $? "forks have a limit"; ! pgrep -f "$PWD/out.p" >/dev/null ;;
esac
result $? "and nothing is left of them"
for what in memory channel; do
	timeout 60 run-trace -d -t 15 -m 64M ./out.p $what - >out 2>&1 && grep -q "^done	memory	" out
	result $? "memory of all together: $what"
done
# What the kernel has for a run, in a group of control; no group is left.
case $open in *"kernel memory"*) skip "memory of the kernel: pipes" "$open"; skip "sockets" "$open"; skip "no group is left" "$open" ;;
*)
	for what in pipes sockets; do
		timeout 60 run-trace -d -t 15 -m 64M ./out.p $what - >out 2>&1 && grep -q "^done	memory	" out
		result $? "memory of the kernel: $what"
	done
	find /sys/fs/cgroup -name 'duct-*' -type d 2>/dev/null | while read -r group; do
		pid=${group##*/duct-}
		kill -0 "${pid%-*}" 2>/dev/null || echo "$group is left"
	done >out
	[ ! -s out ]; result $? "no group is left" ;;
esac
# the same where no groups can be made, which is said
if unshare -m true 2>/dev/null; then
	unshare -m sh -c 'mount -t tmpfs none /sys/fs/cgroup && exec run-trace -d ./out.p write /written' >out 2>&1
	grep -q '^#meta unconfined .*kernel memory' out && grep -q "^done	exit	0	" out
	result $? "without groups it runs, and says what is missing"
else
	skip "without groups" "not as this user"
fi
level=--confine=none
says 1 write "$PWD/written" && [ -e written ]; result $? "--confine none: all as it is"
rm -f written
run-trace -d --confine=none ./out.p - - 2>&1 | grep -q '^#meta unconfined network, processes, files, system calls'
result $? "which is said"

# a directory of the caller's
mkdir mine
(cd mine && ln -s "$PWD/../out.p" p && run-trace -d --scratch . ./p write here >../out 2>&1)
[ -e mine/here ] && grep -q '^done	exit	1	' out; result $? "--scratch can be written"
case $open in *files*) skip "and nothing above it" "$open" ;;
*) run-trace -d --scratch mine ./out.p write ../above >out 2>&1; [ ! -e above ] && grep -q '^done	exit	0	' out; result $? "and nothing above it" ;;
esac

# without namespaces
if unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces' 2>/dev/null && command -v setpriv >/dev/null; then
	cat >less.sh <<'E2'
echo 0 >/proc/sys/user/max_user_namespaces
exec setpriv --bounding-set=-all --inh-caps=-all "$@"
E2
	less() { unshare -Ur sh less.sh timeout 60 "$@"; }
	less run-trace -d ./out.p write "$PWD/written" >out 2>&1
	grep -q '^#meta unconfined .*network' out && grep -q "^done	exit	" out; result $? "without namespaces it runs, and says what is missing"
	case $(sed -n 's/^#meta unconfined //p' out) in *files*) skip "Landlock" "not in this kernel" ;;
	*) [ ! -e written ] && grep -q "^done	exit	0	" out; result $? "files are only read still, by Landlock" ;;
	esac
	rm -f written
	less run-trace -d -t 9 -m 64M ./out.p disk - >out 2>&1 && grep -q "^done	memory	" out
	result $? "files without names count"
	printf 'int f(int a)\n{\n\tif (a > 3)\n\t\treturn 1;\n\treturn 0;\n}\n' >f.c
	less duct concolic f.c --entry f -t 20 -q >out 2>&1
	grep -q '^bounds:.*unconfined=' out && grep -q 'branches: 2 of 2 covered' out; result $? "a session too"
else
	for what in "without namespaces" "Landlock" "files without names" "a session too"; do skip "$what" "cannot be tried here"; done
fi

# an engine that finds no solution for anything, asked alone
mkdir fake
printf '#!/bin/sh\necho unsat\nexit 20\n' >fake/boolector && chmod +x fake/boolector
printf 'int g(int a, int b)\n{\n\tif (a * a * b == 1234567 && a > b)\n\t\treturn 1;\n\treturn 0;\n}\n' >g.c
PATH=$PWD/fake:$PATH timeout 60 duct concolic g.c --entry g -t 10 -q --engines boolector --layers none >out 2>&1
[ $? = 4 ] && grep -q 'differ' out; result $? "an engine that lies is found out"
printf 'int h(unsigned a, unsigned b)\n{\n\tif ((a ^ b) + 2 * (a & b) != a + b)\n\t\treturn 1;\n\treturn 0;\n}\n' >h.c
duct concolic h.c --entry h -t 10 -q --json --engines sat --layers none >out 2>&1
[ "$(sed -n 's/.*"confirmed": \([0-9]*\).*/\1/p' out)" -gt 0 ]; result $? "proofs of others are checked, and counted"
echo "1..$n"
