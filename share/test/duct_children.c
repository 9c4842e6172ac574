/* duct_children.c: answers (duct_answers.h) about other processes: how they end, what commands
 * write; whether standard input is ready. */
#define _GNU_SOURCE
#include "duct_answers.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int __real_nanosleep(const struct timespec *t, struct timespec *rest);
int __real_fclose(FILE *f);

/* ---- how processes end (share/libc/children.c) */

static const struct duct_value *ending(const char *function, unsigned call, const char *member)
{
	char name[100];

	snprintf(name, sizeof name, "system.%s[%u].%s", function, call, member);
	return duct_find(name);
}

static int status_of(const char *function, unsigned call, int real)
{
	const struct duct_value *signal = ending(function, call, "signal"),
	                        *exit = ending(function, call, "exit");

	if (signal && signal->low)
		return (int)signal->low;
	return exit ? (int)exit->low << 8 : real;
}

/* The process that has ended, which stays to be waited for; 0: none within a second, -1: there is
 * no process. */
static pid_t ended(pid_t pid, int waits)
{
	struct timespec pause = { 0, 1000000 };
	siginfo_t info;

	for (int i = 0;; i++) {
		info.si_pid = 0;
		if (waitid(pid < 0 ? P_ALL : P_PID, pid < 0 ? 0 : (id_t)pid, &info,
		        WEXITED | WNOWAIT | (waits ? 0 : WNOHANG)))
			return -1;
		if (info.si_pid || i == 1000)
			return info.si_pid;
		__real_nanosleep(&pause, NULL);
	}
}

pid_t __real_waitpid(pid_t pid, int *status, int options);

static pid_t waits(const char *function, pid_t pid, int *status, int options)
{
	const struct duct_value *running;
	pid_t first = 0;
	unsigned call;
	int real = 0;

	if (duct_fails(function, ECHILD))
		return -1;
	if (duct_asking && duct_answers_system && (pid == -1 || pid > 0))
		first = ended(pid, !(options & WNOHANG));
	if (first <= 0 || options & ~(WNOHANG | WUNTRACED | WCONTINUED))
		return __real_waitpid(pid, status, options);
	call = duct_count_call("system", function);
	running = ending(function, call, "running");
	if (running && running->low)
		return 0;
	pid = __real_waitpid(first, &real, 0);
	if (pid > 0 && status)
		*status = WIFEXITED(real) ? status_of(function, call, real) : real;
	return pid;
}

pid_t __wrap_waitpid(pid_t pid, int *status, int options);
pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
	return waits("waitpid", pid, status, options);
}

pid_t __wrap_wait(int *status);
pid_t __wrap_wait(int *status)
{
	return waits("wait", -1, status, 0);
}

static pid_t and_usage(pid_t pid, struct rusage *usage)
{
	if (usage && pid > 0)
		getrusage(RUSAGE_CHILDREN, usage);
	return pid;
}

pid_t __wrap_wait4(pid_t pid, int *status, int options, struct rusage *usage);
pid_t __wrap_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	return and_usage(waits("wait4", pid, status, options), usage);
}

pid_t __wrap_wait3(int *status, int options, struct rusage *usage);
pid_t __wrap_wait3(int *status, int options, struct rusage *usage)
{
	return and_usage(waits("wait3", -1, status, options), usage);
}

static int command(const char *function, int real)
{
	return real != -1 && duct_asking && duct_answers_system
	    ? status_of(function, duct_count_call("system", function), real)
	    : real;
}

int __real_system(const char *text);
int __wrap_system(const char *text);
int __wrap_system(const char *text)
{
	int real = duct_fails("system", EAGAIN) ? -1 : __real_system(text);

	return text ? command("system", real) : real;
}

/* ---- what commands write */

static struct popened {
	struct popened *next;
	FILE *given, *real;
} *commands;

/* The bytes NAME[0], NAME[1], ... of which there are NAME.len. */
static FILE *stream_of(const char *name)
{
	const struct duct_value *v;
	char member[100], *bytes;
	size_t n, i;
	FILE *f;

	snprintf(member, sizeof member, "%s.len", name);
	if (!(v = duct_find(member)))
		return NULL;
	n = (size_t)v->low;
	bytes = duct_new(n + 1);
	for (i = 0; i < n; i++) {
		snprintf(member, sizeof member, "%s[%zu]", name, i);
		if ((v = duct_find(member)))
			bytes[i] = (char)v->low;
	}
	f = duct_stream(bytes, n);
	return f;
}

FILE *__real_popen(const char *command, const char *mode);
FILE *__wrap_popen(const char *command, const char *mode);
FILE *__wrap_popen(const char *command, const char *mode)
{
	char name[40];
	FILE *f, *given;

	if (duct_fails("popen", EMFILE))
		return NULL;
	f = __real_popen(command, mode);
	if (!f || *mode != 'r' || !duct_asking || !duct_answers_system)
		return f;
	snprintf(name, sizeof name, "system.popen[%u]", duct_count_call("system", "popen"));
	if (!(given = stream_of(name)))
		return f;
	struct popened *c = duct_new(sizeof *c);
	*c = (struct popened){ commands, given, f };
	commands = c;
	return given;
}

int __real_pclose(FILE *f);
int __wrap_pclose(FILE *f);
int __wrap_pclose(FILE *f)
{
	int failed = duct_fails("pclose", ECHILD);

	for (struct popened *c = commands; c && !failed; c = c->next)
		if (c->given == f) {
			int result = command("pclose", __real_pclose(c->real));
			__real_fclose(f);
			c->given = NULL;
			return result;
		}
	return command("pclose", failed ? -1 : __real_pclose(f));
}

/* ---- whether there is something to read on standard input (share/libc/ready.c) */

int __real_dup2(int fd, int to);
int __wrap_dup2(int fd, int to);
int __wrap_dup2(int fd, int to)
{
	if (duct_fails("dup2", EBADF))
		return -1;
	duct_other_input |= duct_asking && to == 0;
	return __real_dup2(fd, to);
}

int __real_dup3(int fd, int to, int flags);
int __wrap_dup3(int fd, int to, int flags);
int __wrap_dup3(int fd, int to, int flags)
{
	if (duct_fails("dup3", EBADF))
		return -1;
	duct_other_input |= duct_asking && to == 0;
	return __real_dup3(fd, to, flags);
}

static int is_stdin(int fd)
{
	return fd == 0 && duct_asking && duct_answers_system && !duct_other_input;
}

int __real_poll(struct pollfd *p, nfds_t n, int timeout);
int __wrap_poll(struct pollfd *p, nfds_t n, int timeout);
int __wrap_poll(struct pollfd *p, nfds_t n, int timeout)
{
	int asked = 0, result;

	if (duct_fails("poll", EINTR))
		return -1;
	for (nfds_t i = 0; i < n; i++)
		asked |= is_stdin(p[i].fd);
	result = __real_poll(p, n, asked ? 0 : timeout);
	if (!asked || result < 0)
		return result;
	result = 0;
	for (nfds_t i = 0; i < n; i++) {
		if (is_stdin(p[i].fd))
			p[i].revents = (short)(duct_answer("system", "poll",
			                           duct_count_call("system", "poll"), "")
			    ^ (unsigned)(p[i].events & POLLIN));
		result += p[i].revents != 0;
	}
	return result;
}

int __real_select(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *timeout);
int __wrap_select(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *timeout);
int __wrap_select(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *timeout)
{
	struct timeval none = { 0, 0 };
	int result;

	if (duct_fails("select", EINTR))
		return -1;
	if (n < 1 || !r || !FD_ISSET(0, r) || !is_stdin(0))
		return __real_select(n, r, w, e, timeout);
	result = __real_select(n, r, w, e, &none);
	if (duct_answer("system", "select", duct_count_call("system", "select"), "")
	    && result > 0) {
		FD_CLR(0, r);
		result--;
	}
	if (timeout)
		*timeout = none;
	return result;
}
