#!/bin/sh
# A run leaves nothing for the next one, whatever it changes in its directories, its open files, its server or its
# namespaces; and what it takes of memory that is no process's own. Beside that, what libraries answer decides nothing.
# limit: 120
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && tail -n 20 out | sed 's/^/# /'; fi; }
cat >leave.c <<'E2'
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define S(...) ((int)syscall(__VA_ARGS__))
#define IS(name) (!strcmp(what, name))

static struct stat st;
static char text[100];

static int time_of(const char *path)
{
	const struct timespec t[2] = { { 77, 0 }, { 77, 0 } };
	S(SYS_stat, path, &st);
	return st.st_mtime == 77 || st.st_atime == 77 ? 2 : S(SYS_utimensat, AT_FDCWD, path, t, 0) == 0;
}

static int attribute(const char *path, const char *name, const char *value, int size)
{
	return S(SYS_getxattr, path, name, text, sizeof text) > 0 ? 2 : S(SYS_setxattr, path, name, value, size, 0) == 0;
}

static int flag(int fd, int which)
{
	return S(SYS_fcntl, fd, F_GETFL, 0) & which ? 2 : S(SYS_fcntl, fd, F_SETFL, which) == 0;
}

static int limit_of(int server, int which)
{
	unsigned long long l[2], less[2];
	S(SYS_prlimit64, 0, which, NULL, l);
	less[0] = 55, less[1] = l[1];
	return l[0] == 55 ? 2 : S(SYS_prlimit64, server, which, less, NULL) == 0;
}

static int priority(int which, int who)
{
	return S(SYS_getpriority, 0, 0) == 13 ? 2 : S(SYS_setpriority, which, who, 7) == 0;
}

/* 0: it cannot be left; 1: it is, and was not there; 2: it was there. */
static int leave(const char *what, int server)
{
	static const char rights[28] = "\2\0\0\0\1\0\7\0\377\377\377\377\4\0\0\0\377\377\377\377\40\0\0\0\377\377\377\377";
	unsigned long mask = 0, second = 2;
	int fd, flags = 0, had;

	if (IS("shared memory"))
		return S(SYS_shmget, 77, 0, 0) >= 0 ? 2 : S(SYS_shmget, 77, 4096, 01600) >= 0;
	if (IS("semaphores"))
		return S(SYS_semget, 77, 0, 0) >= 0 ? 2 : S(SYS_semget, 77, 1, 01600) >= 0;
	if (IS("messages"))
		return S(SYS_msgget, 77, 0) >= 0 ? 2 : S(SYS_msgget, 77, 01600) >= 0;
	if (IS("a message queue"))
		return S(SYS_mq_open, "left", O_RDONLY, 0, 0) >= 0 ? 2 : S(SYS_mq_open, "left", O_CREAT | O_RDWR, 0600, 0) >= 0;
	if (IS("an attribute"))
		return attribute(".", "user.left", "yes", 3);
	if (IS("an attribute of tmp"))
		return attribute("/tmp", "user.left", "yes", 3);
	if (IS("access rights"))
		return attribute(".", "system.posix_acl_default", rights, sizeof rights);
	if (IS("a time"))
		return time_of(".");
	if (IS("a time of tmp"))
		return time_of("/tmp");
	if (IS("a time of shm"))
		return time_of("/dev/shm");
	if (IS("a mark")) {
		fd = S(SYS_open, ".", O_RDONLY, 0);
		S(SYS_ioctl, fd, FS_IOC_GETFLAGS, &flags);
		had = flags & FS_NODUMP_FL, flags |= FS_NODUMP_FL;
		return had ? 2 : S(SYS_ioctl, fd, FS_IOC_SETFLAGS, &flags) == 0;
	}
	if (IS("input that does not block"))
		return flag(0, O_NONBLOCK);
	if (IS("output that appends"))
		return flag(1, O_APPEND);
	if (IS("signals of output"))
		return flag(2, O_ASYNC);
	if (IS("the mode of input")) {
		S(SYS_fstat, 0, &st);
		return (st.st_mode & 0777) == 0123 ? 2 : S(SYS_fchmod, 0, 0123) == 0;
	}
	if (IS("the place in input"))
		return S(SYS_lseek, 0, 0, SEEK_CUR) ? 2 : S(SYS_lseek, 0, 7, SEEK_SET) == 7;
	if (IS("a limit of memory"))
		return limit_of(server, RLIMIT_STACK);
	if (IS("a limit of files"))
		return limit_of(server, RLIMIT_NOFILE);
	if (IS("a priority"))
		return priority(PRIO_PROCESS, server);
	if (IS("a group's priority"))
		return priority(PRIO_PGRP, server);
	if (IS("a user's priority"))
		return priority(PRIO_USER, 0);
	if (IS("processors")) {
		S(SYS_sched_getaffinity, 0, sizeof mask, &mask);
		return mask == second ? 2 : S(SYS_sched_setaffinity, server, sizeof second, &second) == 0;
	}
	if (IS("a stopped server"))
		return S(SYS_kill, server, 19) == 0;
	if (IS("a directory that is closed"))
		return S(SYS_access, "d", F_OK) == 0 ? 2
		    : S(SYS_mkdir, "d", 0700) + S(SYS_mknod, "d/pipe", 010600, 0) + S(SYS_chmod, "d", 0) + S(SYS_chmod, ".", 0) == 0;
	return 3;
}

/* Six processes that share 40 MiB each with children that they do not have. */
static int share(void)
{
	for (int i = 0; i < 6; i++)
		if (!S(SYS_fork)) {
			char *p = (char *)syscall(SYS_mmap, NULL, 40 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
			memset(p, 1, 40 << 20);
			S(SYS_poll, NULL, 0, 5000);
			S(SYS_exit_group, 0);
		}
	S(SYS_poll, NULL, 0, 5000);
	return 0;
}

/* Memory that is no process's own. */
static int take(const char *what)
{
	static char block[1 << 20];
	int fd;

	if (IS("shared mappings"))
		return share();

	memset(block, 1, sizeof block);
	for (int i = 0; i < 400; i++) {
		if (IS("files in memory")) {
			if ((fd = S(SYS_memfd_create, "x", 0)) < 0 || S(SYS_write, fd, block, sizeof block - 1) < 0)
				return 4;
		} else {
			int id = S(SYS_shmget, 0, sizeof block, 01600);
			char *p = (char *)syscall(SYS_shmat, id, NULL, 0);
			if (id < 0 || (long)p < 0)
				return 4;
			memset(p, 1, sizeof block);
			S(SYS_shmdt, p);
		}
	}
	S(SYS_poll, NULL, 0, 3000);
	return 0;
}

int main(int argc, char **argv)
{
	return !strcmp(argv[1], "take") ? take(argv[2]) : leave(argv[1], S(SYS_getppid));
}
E2
instrument -o leave.p leave.c >out 2>&1
result $? "it compiles"
open=$(run-trace -d ./leave.p none 2>/dev/null | sed -n 's/^#meta unconfined //p')
printf '#inputs 1 x\ninput\t1\nrun\ninput\t2\nrun\ninput\t3\nrun\nend\t6\n' >in
while read -r what; do
	case $open in *files* | *processes* | *"system calls"*) echo "ok - $what # SKIP $open"; continue ;; esac
	timeout 60 run-trace ./leave.p "$what" <in >out 2>&1
	[ "$(grep -c '^done	exit	[01]	' out)" = 3 ]
	result $? "a run does not leave $what"
done <<'E2'
shared memory
semaphores
messages
a message queue
an attribute
an attribute of tmp
access rights
a time
a time of tmp
a time of shm
a mark
input that does not block
output that appends
signals of output
the mode of input
the place in input
a limit of memory
a limit of files
a priority
a group's priority
a user's priority
processors
a stopped server
a directory that is closed
E2
for what in "files in memory" "shared memory" "shared mappings"; do
	case $open in *processes*) echo "ok - $what # SKIP $open"; continue ;; esac
	timeout 60 run-trace -d -t 9 -m 64M ./leave.p take "$what" >out 2>&1
	grep -q '^done	memory	\|^done	exit	4	' out
	result $? "$what: as much as the run may take"
done

# A library, an object and calls of the kernel whose answers nothing is known of: what they never said is not infeasible.
printf 'int g(int a);\nint g(int a)\n{\n\treturn a - a;\n}\n' >g.c && ${CC:-cc} -fPIC -shared -o libg.so g.c && ${CC:-cc} -c g.c || exit 4
printf '#include <sys/sem.h>\nint g(int a);\nint f(int a)\n{\n\tif (%s)\n\t\treturn 1;\n\treturn a > 3;\n}\n' 'g(5) == 7' >strange.c
printf '#include <sys/sem.h>\nint f(int a)\n{\n\tif (semget(1, 2, 3) == 7)\n\t\treturn 1;\n\treturn a > 3;\n}\n' >kernel.c
# unknown WHAT FILES...
unknown() {
	what=$1; shift
	LD_LIBRARY_PATH=$PWD timeout 60 duct concolic "$@" >out 2>&1
	grep -q ' 0 infeasible, 1 unknown (1 by limits)' out && grep -q '() answers as on this machine' out
	result $? "$what decides nothing"
}
unknown "an object that is not instrumented" strange.c g.o --entry f -t 20 -q
unknown "a library" strange.c --entry f -t 20 -q -- -L. -lg
unknown "a library of a program at a fixed place" strange.c --entry f -t 20 -q -- -fno-pie -no-pie -L. -lg
unknown "a call of the kernel" kernel.c --entry f -t 20 -q
unknown "the same at a fixed place" kernel.c --entry f -t 20 -q -- -fno-pie -no-pie
# a folder that has the name of a store that is kept in memory
mkdir :memory:
timeout 60 duct concolic kernel.c --entry f -t 20 -q >out 2>&1
result $? "a folder called :memory: is in nobody's way"
echo "1..34"
