/* keeper: starts the server and outlives us by a moment. It is a subreaper, so that what
 * the server leaves behind becomes its child; when the server ends, or our end of the
 * socket is closed (by us, or because we were killed), it kills all that is left. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/run/internal.h"

static void tell(int fd, int kind, int value)
{
	struct keeper_note n = { kind, value, 0 };

	(void)!send(fd, &n, sizeof n, MSG_NOSIGNAL);
}

static void limit(int what, uint64_t value)
{
	struct rlimit l;

	if (getrlimit(what, &l))
		return;
	if (l.rlim_cur == RLIM_INFINITY || l.rlim_cur > value)
		l.rlim_cur = value;
	l.rlim_max = l.rlim_cur;
	setrlimit(what, &l);
}

static void limit_stack(unsigned times)
{
	const rlim_t most = (rlim_t)8 << 20;
	struct rlimit l;

	if (getrlimit(RLIMIT_STACK, &l))
		return;
	l.rlim_cur = (l.rlim_cur < most ? l.rlim_cur : most) * times;
	if (l.rlim_cur > l.rlim_max)
		l.rlim_cur = l.rlim_max;
	l.rlim_max = l.rlim_cur;
	setrlimit(RLIMIT_STACK, &l);
}

static void default_signals(void)
{
	sigset_t none;
	int i;

	for (i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Reports the parts that are not confined, and the directories that only the runs see. */
static void tell_view(int fd, unsigned open, const struct run_folders *v)
{
	uint64_t bytes;
	struct keeper_note n = { NOTE_CONFINED, (int32_t)open,
		v->own >= 0 ? scratch_files(v->own, &bytes) : 0 };
	struct iovec part = { &n, sizeof n };
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof *v)];
	} rights = { .room = { 0 } };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };

	if (v->own >= 0) {
		m.msg_control = &rights;
		m.msg_controllen = sizeof rights;
		rights.head = (struct cmsghdr){ CMSG_LEN(sizeof *v), SOL_SOCKET, SCM_RIGHTS };
		memcpy(CMSG_DATA(&rights.head), v, sizeof *v);
	}
	(void)!sendmsg(fd, &m, MSG_NOSIGNAL);
}

/* Runs in the server's process. Fixed addresses make traces repeatable. */
static _Noreturn void become_program(
    const struct launch *l, int fd, pid_t keeper, unsigned long namespaces, bool entered)
{
	const int from[6] = { l->in_fd, l->out_fd, l->err_fd, l->channel_fd, l->control_fd,
		l->flows_fd };
	const int to[6] = { 0, 1, 2, SERVER_CHANNEL_FD, SERVER_CONTROL_FD, SERVER_FLOWS_FD };
	const int n = l->flows_fd < 0 ? 5 : 6;
	int i, high[6], bad;
	struct run_folders view;
	unsigned open, groups;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!(namespaces & CLONE_NEWPID) && getppid() != keeper)
		_exit(1);
	default_signals();
	fd = fcntl(fd, F_DUPFD_CLOEXEC, SERVER_FLOWS_FD + 1);
	for (i = 0; i < n; i++)
		high[i] = fcntl(from[i], F_DUPFD_CLOEXEC, SERVER_FLOWS_FD + 1);
	for (i = 0; i < n; i++)
		dup2(high[i], to[i]);
	if (l->confine != CONFINE_NONE)
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	confine_objects(l->memory, namespaces);
	groups = cgroup_enter(l->group, entered); /* while they can be written to */
	open = view_make(l, namespaces, &view);
	bad = view.own >= 0 ? chdir(l->scratch_path)
	                    : fchdir(l->scratch_fd); /* the descriptor would lead out */
	open |= confine_rights(l->confine, namespaces);
	tell_view(fd, confine_add(open, groups), &view);
	close_range(3, SERVER_CHANNEL_FD - 1, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, l->output);
	if (l->processes)
		limit(RLIMIT_NPROC, l->processes);
	limit_stack(l->stacks);
	personality(ADDR_NO_RANDOMIZE);
	umask(022);
	if (!bad)
		execvpe(l->program, l->argv, l->envp);
	tell(fd, NOTE_NO_EXEC, errno);
	_exit(127);
}

/* A process and, when it leads one, its group. */
static int kill_whole(pid_t pid)
{
	kill(-pid, SIGKILL);
	return !kill(pid, SIGKILL);
}

/* -1 when the kernel has no lists of children. */
static int kill_listed(pid_t parent)
{
	char path[64], buf[8192], *p;
	int fd, n = 0;
	ssize_t size;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return -1;
	size = read(fd, buf, sizeof buf - 1);
	close(fd);
	if (size == sizeof buf - 1) /* the last one may be cut */
		while (size && buf[size - 1] != ' ')
			size--;
	buf[size > 0 ? size : 0] = 0;
	for (p = buf; *p >= '0' && *p <= '9'; p += strspn(p, " "))
		n += kill_whole((pid_t)strtol(p, &p, 10));
	return n;
}

/* The same by a scan of all processes. */
static int kill_scanned(pid_t parent)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	char path[64], line[512], *p;
	FILE *f;
	int of, n = 0;

	while (d && (e = readdir(d))) {
		if (e->d_name[0] < '1' || e->d_name[0] > '9')
			continue;
		snprintf(path, sizeof path, "/proc/%.20s/stat", e->d_name);
		if (!(f = fopen(path, "re")))
			continue;
		of = 0;
		if (fgets(line, sizeof line, f) && (p = strrchr(line, ')')))
			sscanf(p + 1, " %*c %d", &of);
		fclose(f);
		if (of == parent)
			n += kill_whole((pid_t)atoi(e->d_name));
	}
	if (d)
		closedir(d);
	return n;
}

int kill_children(pid_t parent)
{
	int n = kill_listed(parent);

	return n < 0 ? kill_scanned(parent) : n;
}

static void kill_all(pid_t server)
{
	if (server > 0)
		kill(server, SIGKILL);
	while (waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD) {
		if (kill_children(getpid()))
			waitpid(-1, NULL, 0);
		else
			usleep(1000);
	}
}

static void end_tracer(struct tracer **t, int fd)
{
	tell(fd, NOTE_TRACED, *t ? 0 : ESRCH);
	tracer_free(*t);
	*t = NULL;
}

/* Reaps children, and continues stopped ones; true if the server has ended. */
static bool reap(pid_t server, struct tracer **t, int fd)
{
	bool ended = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
		if (WIFSTOPPED(status)) {
			if (*t && tracer_stopped(*t, pid, status))
				end_tracer(t, fd);
		} else if (pid == server) {
			tell(fd, NOTE_ENDED, status);
			ended = true;
		}
	return ended;
}

/* A word to us but the last one: the next run is to be watched, or was. */
static void obey(const struct launch *l, pid_t server, char word, struct tracer **t, int fd)
{
	if (word == WORD_TRACE)
		tell(fd, NOTE_TRACED,
		    *t || !tracer_begin(t, l->witness, server) ? errno ? errno : EBUSY : 0);
	else if (word == WORD_LET_GO && *t)
		tracer_end(*t);
	else
		end_tracer(t, fd);
}

/* Waits until the server ends or the caller asks to stop (true: it asked, and did not just die). */
static bool watch(const struct launch *l, pid_t server, int fd, int signals)
{
	struct tracer *tracer = NULL;

	struct pollfd p[2] = { { .fd = fd, .events = POLLIN },
		{ .fd = signals, .events = POLLIN } };
	struct signalfd_siginfo info;
	char word;

	for (;;) {
		if (reap(server, &tracer, fd)) {
			tracer_free(tracer);
			tracer = NULL;
			kill_all(0);
			p[1].fd = -1;
			server = 0;
		}
		if (poll(p, 2, -1) < 0)
			continue;
		if (p[0].revents) {
			bool told = recv(fd, &word, 1, 0) == 1;

			if (told && word != WORD_END) {
				obey(l, server, word, &tracer, fd);
				continue;
			}
			kill_all(server);
			return told;
		}
		if (p[1].revents)
			(void)!read(signals, &info, sizeof info);
	}
}

static int keep_only(const struct launch *l, int fd)
{
	const int keep[] = { fd, l->scratch_fd, l->in_fd, l->out_fd, l->err_fd, l->channel_fd,
		l->control_fd, l->flows_fd };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), i, k, last = 2;

	for (i = 0; i < 3; i++)
		dup2(null, i);
	for (;;) { /* close the ranges between those to keep, in ascending order */
		int next = -1;

		for (k = 0; k < (int)(sizeof keep / sizeof *keep); k++)
			if (keep[k] > last && (next < 0 || keep[k] < next))
				next = keep[k];
		if (next < 0)
			break;
		if (next > last + 1)
			close_range((unsigned)last + 1, (unsigned)next - 1, 0);
		last = next;
	}
	return close_range((unsigned)last + 1, ~0u, 0);
}

static void remove_scratch(const struct launch *l)
{
	fchmod(l->scratch_fd, 0700);
	scratch_empty(l->scratch_fd, NULL);
	rmdir(l->scratch_path);
}

_Noreturn void keeper_main(const struct launch *l, int fd)
{
	pid_t keeper = getpid(), server;
	sigset_t all, child;
	unsigned long namespaces;
	bool entered;
	int signals;

	setsid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_NAME, "duct-keeper");
	keep_only(l, fd);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	signal(SIGCHLD, SIG_DFL);
	signals = signalfd(-1, &child, SFD_CLOEXEC);
	if ((server = confine_fork(l->confine, l->group, &namespaces, &entered)) == 0)
		become_program(l, fd, keeper, namespaces, entered);
	tell(fd, server < 0 ? NOTE_NO_EXEC : NOTE_STARTED, server < 0 ? errno : server);
	close(l->control_fd);
	if (!watch(l, server, fd, signals)) {
		struct cgroup group = *l->group;

		cgroup_remove(&group);
		if (l->own_scratch)
			remove_scratch(l);
	}
	_exit(0);
}
