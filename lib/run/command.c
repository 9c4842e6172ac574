/* command: runs one untrusted command, such as tests generated for a program, confined as runs are,
 * for a given time. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/tree.h"
#include "lib/run/internal.h"

/* Standard input is empty; output goes to a file in the command's folder. */
static bool open_streams(void)
{
	int in = open("/dev/null", O_RDONLY);
	int out = open("output", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);

	return in >= 0 && out >= 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2
	    && !close_range(3, ~0u, 0);
}

static void limit(int what, uint64_t value)
{
	struct rlimit l;

	if (getrlimit(what, &l))
		return;
	if (l.rlim_max > value)
		l.rlim_max = value;
	l.rlim_cur = l.rlim_cur < l.rlim_max ? l.rlim_cur : l.rlim_max;
	setrlimit(what, &l);
}

static _Noreturn void become_command(
    const struct run_command *c, const struct launch *l, unsigned long got, bool entered)
{
	struct run_folders view;
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (l->confine != CONFINE_NONE)
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	confine_objects(l->memory, got);
	cgroup_enter(l->group, entered);
	view_make(l, got, &view);
	confine_rights(l->confine, got);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, l->output);
	limit(RLIMIT_AS, l->memory);
	if (!chdir(c->folder) && open_streams())
		execvp(c->argv[0], c->argv);
	_exit(127);
}

/* Kills the command with all its children; without a namespace of processes, those of its group. */
static void kill_command(pid_t pid)
{
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
}

int run_command(const struct run_command *c, int *status)
{
	struct cgroup g = { .memory = NULL };
	struct launch l = { .confine = c->confine,
		.group = &g,
		.scratch_path = c->folder,
		.program = "",
		.output = (uint64_t)64 << 20,
		.memory = c->memory,
		.scratch_fd = open(c->folder, O_PATH | O_CLOEXEC) };
	double end = clock_now() + c->seconds;
	bool late = false, entered;
	unsigned long got;
	pid_t pid, gone;

	if (l.scratch_fd < 0)
		return -1;
	if (c->confine != CONFINE_NONE)
		cgroup_make(&g, 2 * c->memory);
	if ((pid = confine_fork(c->confine, &g, &got, &entered)) == 0)
		become_command(c, &l, got, entered);
	close(l.scratch_fd);
	if (pid < 0) {
		cgroup_remove(&g);
		return -1;
	}
	while (!(gone = waitpid(pid, status, WNOHANG)) || (gone < 0 && errno == EINTR)) {
		if ((clock_now() >= end || (c->stop && *c->stop)) && !late) {
			late = true;
			kill_command(pid);
		}
		tree_await(pid, 0.002);
	}
	kill(-pid, SIGKILL);
	cgroup_remove(&g);
	return late ? RUN_LATE : gone == pid ? 0 : -1;
}
