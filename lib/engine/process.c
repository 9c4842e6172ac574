#include "lib/engine/process.h"
#include "lib/base/grow.h"
#include "lib/base/clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/budget.h"
#include "lib/base/stop.h"

extern char **environ;

char *process_find(const char *name)
{
	const char *path = getenv("PATH");
	if (!path)
		path = "/usr/bin:/bin";
	while (*path) {
		size_t n = strcspn(path, ":");
		char *s = reserved(n + strlen(name) + 2, 1);
		memcpy(s, path, n);
		s[n] = '/';
		strcpy(s + n + 1, name);
		if (n && access(s, X_OK) == 0)
			return s;
		free(s);
		path += n + (path[n] == ':');
	}
	return NULL;
}

int process_library(const char *name)
{
	static const char *const dir[] = { "/usr/lib/x86_64-linux-gnu",
		"/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib" };
	char path[256];
	for (size_t i = 0; i < sizeof dir / sizeof *dir; i++) {
		snprintf(path, sizeof path, "%s/%s", dir[i], name);
		if (access(path, R_OK) == 0)
			return 1;
	}
	void *lib = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
	if (lib)
		dlclose(lib);
	return lib != NULL;
}

static void limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__ /* ASan reserves more than any limit */
	struct rlimit most = { budget_engine(), budget_engine() }, now;
	if (!getrlimit(RLIMIT_AS, &now) && now.rlim_cur > most.rlim_cur)
		setrlimit(RLIMIT_AS, &most);
#endif
}

/* In the child of vfork, which shares our memory. */
static _Noreturn void become(char *const *argv, int in, int out, int null, volatile int *error)
{
	sigset_t none;
	sigemptyset(&none);
	limit_memory();
	/* dup2 of a file to itself keeps it closed on exec */
	if (dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(null, 2) == 2 && !fcntl(0, F_SETFD, 0)
	    && !fcntl(1, F_SETFD, 0) && !sigprocmask(SIG_SETMASK, &none, NULL))
		execve(argv[0], argv, environ);
	*error = errno;
	_exit(127);
}

/* By vfork, as posix_spawn cannot limit the memory before the program begins. */
static int spawn(char *const *argv, int in, int out, pid_t *pid)
{
	volatile int error = 0;
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	sigset_t all, before;
	budget_engine(); /* read before: the child must not */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	*pid = vfork();
	if (*pid == 0)
		become(argv, in, out, null, &error);
	if (*pid < 0)
		error = errno;
	else if (error)
		waitpid(*pid, NULL, 0);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (null >= 0)
		close(null);
	return error;
}

#define MOST_OUTPUT ((size_t)64 << 20)

/* Interrupted by a signal, probably to terminate: moves the deadline to at most 1 s from now. */
static void hurry(double *deadline)
{
	double soon = clock_now() + 1;
	if (*deadline > soon)
		*deadline = soon;
}

/* Reads to end of file; false at the deadline or after more than MOST_OUTPUT bytes. */
static int collect(int fd, double *deadline, char **out, size_t *size)
{
	size_t cap = 0;
	*out = NULL, *size = 0;
	for (;;) {
		if (stop_asked())
			hurry(deadline);
		struct pollfd pf = { .fd = fd, .events = POLLIN };
		int n = poll(&pf, 1, clock_milliseconds(*deadline - clock_now()));
		if (n < 0 && errno == EINTR) {
			hurry(deadline);
			continue;
		}
		if (n <= 0)
			return 0;
		if (*size > MOST_OUTPUT)
			return 0;
		if (cap - *size < 4097) {
			char *s = resized(*out, cap += cap + 8192, 1);
			*out = s;
		}
		ssize_t got = read(fd, *out + *size, 4096);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		*size += (size_t)got;
	}
	(*out)[*size] = '\0';
	return 1;
}

/* Waits for a process that has closed its output and returns its wait status; kills it at the
 * deadline. PROCESS_FAILED: no such child. */
static int reap(pid_t pid, double deadline, struct rusage *use)
{
	int status, wait = WNOHANG;
	struct timespec pause = { 0, 20000 };
	for (;;) {
		pid_t got = wait4(pid, &status, wait, use);
		if (got == pid)
			return status;
		if (got < 0 && errno != EINTR)
			return PROCESS_FAILED;
		if (wait && clock_now() >= deadline) {
			kill(pid, SIGKILL);
			wait = 0;
		} else if (wait) {
			if (nanosleep(&pause, NULL))
				hurry(&deadline);
			if (pause.tv_nsec < 10000000)
				pause.tv_nsec *= 2;
		}
	}
}

double process_cpu(const struct rusage *u)
{
	return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec)
	    + (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1e-6;
}

int process_run(char *const *argv, int in, double seconds, char **out, size_t *size, double *cpu)
{
	int fd[2], status;
	double deadline = clock_now() + seconds;
	struct rusage use = { 0 };
	pid_t pid;
	*out = NULL, *size = 0;
	if (pipe2(fd, O_CLOEXEC) != 0)
		return PROCESS_FAILED;
	if (spawn(argv, in, fd[1], &pid) != 0) {
		close(fd[0]), close(fd[1]);
		return PROCESS_FAILED;
	}
	close(fd[1]);
	int whole = collect(fd[0], &deadline, out, size);
	close(fd[0]);
	if (!whole)
		kill(pid, SIGKILL);
	status = reap(pid, deadline, &use);
	*cpu += process_cpu(&use);
	return whole ? status : PROCESS_TIMEOUT;
}
