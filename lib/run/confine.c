/* confine: takes the network from a process and all that it starts. */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/run/internal.h"

static bool
put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return done;
}

/* As the same user, in a namespace of users of our own. */
static bool
keep_user(uid_t uid, gid_t gid)
{
	char users[40], groups[40];

	snprintf(users, sizeof users, "%u %u 1", (unsigned)uid, (unsigned)uid);
	snprintf(groups, sizeof groups, "%u %u 1", (unsigned)gid, (unsigned)gid);
	return put("/proc/self/setgroups", "deny") && put("/proc/self/uid_map", users)
	       && put("/proc/self/gid_map", groups);
}

/* A program may still talk to itself. */
static void
loopback_up(void)
{
	struct ifreq r = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd >= 0) {
		(void)!ioctl(fd, SIOCSIFFLAGS, &r);
		close(fd);
	}
}

int
confine(void)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();

	if (unshare(CLONE_NEWNET)) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
			return errno;
		if (!keep_user(uid, gid))
			return errno ? errno : EPERM;
	}
	loopback_up();
	return 0;
}

int
run_confines(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(confine());
	if (pid < 0)
		return errno;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}
