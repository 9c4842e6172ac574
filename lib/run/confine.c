/* confine: namespaces and rights of the server of runs. They are set when it starts, and its runs
 * inherit them. */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/run/internal.h"

static bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return done;
}

/* As the same user, in a namespace of users of our own. */
static bool keep_user(uid_t uid, gid_t gid)
{
	char users[40], groups[40];

	snprintf(users, sizeof users, "%u %u 1", (unsigned)uid, (unsigned)uid);
	snprintf(groups, sizeof groups, "%u %u 1", (unsigned)gid, (unsigned)gid);
	return put("/proc/self/setgroups", "deny") && put("/proc/self/uid_map", users)
	    && put("/proc/self/gid_map", groups);
}

/* A program may still talk to itself. */
static void set_network(void)
{
	struct ifreq r = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd >= 0) {
		(void)!ioctl(fd, SIOCSIFFLAGS, &r);
		close(fd);
	}
	/* Connections that were closed would hold their ports, in later runs, for a minute. */
	put("/proc/sys/net/ipv4/tcp_max_tw_buckets", "0");
}

/* A fork into new namespaces; -1 too when the child cannot keep its user there. */
static pid_t fork_into(unsigned long namespaces, int group)
{
	struct clone_args a = { .flags = namespaces | (group >= 0 ? CLONE_INTO_CGROUP : 0),
		.exit_signal = SIGCHLD,
		.cgroup = group >= 0 ? (uint64_t)group : 0 };
	uid_t uid = geteuid();
	gid_t gid = getegid();
	int ready[2];
	char word;
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC))
		return -1;
	pid =
	    (pid_t)(group >= 0 ? syscall(SYS_clone3, &a, sizeof a)
	                       : syscall(SYS_clone, namespaces | SIGCHLD, NULL, NULL, NULL, NULL));
	if (pid == 0) {
		if (((namespaces & CLONE_NEWUSER) && !keep_user(uid, gid))
		    || write(ready[1], "", 1) != 1)
			_exit(1);
		if (namespaces & CLONE_NEWNET)
			set_network();
	}
	close(ready[1]);
	if (pid > 0 && read(ready[0], &word, 1) != 1) {
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		pid = -1;
	}
	close(ready[0]);
	return pid;
}

pid_t confine_fork(
    enum run_confine level, const struct cgroup *g, unsigned long *got, bool *entered)
{
	const unsigned long all = CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
	    | (level == CONFINE_FULL ? CLONE_NEWNS : 0);
	const unsigned long sets[] = { all | CLONE_NEWUSER,
		(all & ~(unsigned long)CLONE_NEWNET) | CLONE_NEWUSER, all, 0 };
	size_t i = level == CONFINE_NONE ? 3 : 0;
	int group = g->memory && g->unified ? open(g->memory, O_PATH | O_CLOEXEC) : -1;
	pid_t pid = -1;

	for (; i < sizeof sets / sizeof *sets && pid < 0; i++) {
		*got = sets[i];
		*entered = group >= 0;
		pid = group >= 0 ? fork_into(sets[i], group) : -1;
		if (pid < 0) {
			*entered = false;
			pid = fork_into(sets[i], -1);
		}
	}
	if (group >= 0)
		close(group);
	return pid;
}

/* No capabilities, now and after exec. */
static bool drop_capabilities(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct none[2] = { { 0, 0, 0 }, { 0, 0, 0 } };

	for (unsigned i = 0; i < 64; i++)
		prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
	return !syscall(SYS_capset, &head, none);
}

void confine_objects(uint64_t memory, unsigned long got)
{
	char pages[24];

	if (!(got & CLONE_NEWIPC))
		return;
	snprintf(pages, sizeof pages, "%llu", (unsigned long long)memory / 4096);
	put("/proc/sys/kernel/shmall", pages);
	put("/proc/sys/kernel/msgmni", "64");
	put("/proc/sys/kernel/sem", "32000 65536 500 128");
}

unsigned confine_rights(enum run_confine level, unsigned long got)
{
	unsigned open = 0;

	if (level == CONFINE_NONE)
		return OPEN_ALL;
	open |= got & CLONE_NEWNET ? 0 : OPEN_NETWORK;
	open |= got & CLONE_NEWPID ? 0 : OPEN_PROCESSES;
	if (!drop_capabilities() || !calls_filter())
		open |= OPEN_CALLS;
	return open;
}

unsigned confine_add(unsigned open, unsigned groups)
{
	return (open & ~(unsigned)OPEN_NUMBER) | (groups & OPEN_MEMORY)
	    | (open & groups & OPEN_NUMBER);
}

void confine_names(unsigned open, char *text, size_t size)
{
	static const struct {
		unsigned bit;
		const char *name;
	} names[] = {
		{ OPEN_NETWORK, "network" },
		{ OPEN_PROCESSES, "processes" },
		{ OPEN_FILES, "files" },
		{ OPEN_CALLS, "system calls" },
		{ OPEN_NUMBER, "number of processes" },
		{ OPEN_MEMORY, "kernel memory" },
		{ OPEN_CLAIMS, "claims of coverage" },
	};
	size_t n = 0;

	*text = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names && n < size; i++)
		if (open & names[i].bit)
			n += (size_t)snprintf(
			    text + n, size - n, "%s%s", n ? ", " : "", names[i].name);
}

/* Runs in a process of its own: tries to confine it, and reports what could not be confined. */
static _Noreturn void try_level(const struct launch *l, unsigned long got, bool entered, int to)
{
	unsigned open, groups;
	struct run_folders v;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	groups = cgroup_enter(l->group, entered);
	open = view_make(l, got, &v);
	open = confine_add(open | confine_rights(l->confine, got), groups);
	_exit(write(to, &open, sizeof open) != sizeof open);
}

const char *run_confines(enum run_confine level)
{
	static char text[100];
	struct cgroup g = { .memory = NULL };
	struct launch l = { .confine = level,
		.group = &g,
		.scratch_path = "/tmp",
		.program = "",
		.output = 1 << 20,
		.scratch_fd = open("/tmp", O_PATH | O_CLOEXEC) };
	unsigned long got;
	unsigned open = OPEN_ALL;
	bool entered;
	int to[2];
	pid_t pid;

	if (!pipe2(to, O_CLOEXEC)) {
		if (level != CONFINE_NONE)
			cgroup_make(&g, (uint64_t)1 << 30);
		if ((pid = confine_fork(level, &g, &got, &entered)) == 0)
			try_level(&l, got, entered, to[1]);
		close(to[1]);
		if (read(to[0], &open, sizeof open) != sizeof open)
			open = OPEN_ALL;
		close(to[0]);
		while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		cgroup_remove(&g);
	}
	if (l.scratch_fd >= 0)
		close(l.scratch_fd);
	open |= tracer_allowed() ? 0 : OPEN_CLAIMS;
	confine_names(open, text, sizeof text);
	return *text ? text : NULL;
}

bool run_confine_level(const char *name, enum run_confine *level)
{
	static const char *const names[] = { "full", "some", "none" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i])) {
			*level = (enum run_confine)i;
			return true;
		}
	return false;
}
