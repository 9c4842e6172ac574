/* How processes end: with --environment, a process that runs another program ends with any status
 * or by any signal; one that continues this program ends as it does, or by a signal; and whether
 * WNOHANG finds an ended process is an input. That processes stop or continue, and the order in
 * which several end, are limits. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

#define LIST(n) ((uint64_t)1 << (n))
/* Signals that by default end no process. */
#define HARMLESS \
	(LIST(0) | LIST(SIGCHLD) | LIST(SIGCONT) | LIST(SIGSTOP) | LIST(SIGTSTP) | LIST(SIGTTIN) \
	    | LIST(SIGTTOU) | LIST(SIGURG) | LIST(SIGWINCH))
/* Signals that leave a core file. */
#define CORES \
	(LIST(SIGQUIT) | LIST(SIGILL) | LIST(SIGTRAP) | LIST(SIGABRT) | LIST(SIGBUS) \
	    | LIST(SIGFPE) | LIST(SIGSEGV) | LIST(SIGXCPU) | LIST(SIGXFSZ) | LIST(SIGSYS))

/* signal: its number, and 128 where it left a core file; 0: none */
struct wait_status {
	unsigned char exit, signal, running;
};

static void is_possible(unsigned signal)
{
	unsigned number = signal & 127;

	duct_assume(number < 64 && !(HARMLESS >> number & 1));
	duct_assume(signal < 128 || (CORES >> number & 1));
}

/* Is the end of a process an input here? Not in the process of a fork that the trace does not
 * follow, whose children end as they do. */
static int asked(struct wait_status *e, const char *function, const char *shape)
{
	return !duct_rt_apart() && duct_rt_asked(e, sizeof *e, "system", function, shape);
}

/* The status that wait() and similar functions report, given the real one. */
static int status_of(const struct wait_status *e, int real, int runs_another)
{
	if (e->signal) {
		is_possible(e->signal);
		return e->signal;
	}
	return runs_another ? e->exit << 8 : real;
}

/* ---- processes that run another program: it need not be there on this machine */

static struct tried {
	uint32_t n;
	pid_t pid[1023];
} *tried; /* shared by all processes of the run */

void duct_children_begin(void)
{
	void *p;

	if (tried)
		return;
	p = CALL_QUIETLY("mmap", mmap, NULL, sizeof *tried, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	tried = p == MAP_FAILED ? NULL : p;
}

void duct_child_tries(void)
{
	uint32_t i;

	if (!tried)
		return;
	i = __atomic_fetch_add(&tried->n, 1, __ATOMIC_SEQ_CST);
	if (i < sizeof tried->pid / sizeof *tried->pid)
		tried->pid[i] = CALL_QUIETLY("getpid", getpid);
}

static int has_tried(pid_t pid)
{
	uint32_t i;

	for (i = 0; tried && i < tried->n && i < sizeof tried->pid / sizeof *tried->pid; i++)
		if (tried->pid[i] == pid)
			return 1;
	return 0;
}

/* Has the process run another program? For posix_spawn() and similar functions /proc says so: until
 * exec, field 9 of stat has the flag 0x40 (PF_FORKNOEXEC). If that cannot be read, the answer is
 * no. */
static int runs_another(pid_t pid)
{
	char name[40], text[400], *s;
	unsigned flags = 0x40;
	int fd, parent = 0;
	ssize_t n;

	if (has_tried(pid))
		return 1;
	CALL_QUIETLY("snprintf", snprintf, name, sizeof name, "/proc/%d/stat", (int)pid);
	if ((fd = CALL_QUIETLY("open", open, name, O_RDONLY | O_CLOEXEC)) < 0)
		return 0;
	n = CALL_QUIETLY("read", read, fd, text, sizeof text - 1);
	CALL_QUIETLY("close", close, fd);
	text[n > 0 ? n : 0] = 0;
	if (!(s = CALL_QUIETLY("strrchr", strrchr, text, ')'))
	    || CALL_QUIETLY("sscanf", sscanf, s, ") %*c %d %*d %*d %*d %*d %u", &parent, &flags) < 2
	    || parent != CALL_QUIETLY("getpid", getpid))
		return 0;
	return !(flags & 0x40);
}

/* ---- wait */

/* The process that has ended, which stays to be waited for; 0: none within a second, -1: there is
 * no process. */
static pid_t ended(pid_t pid, int waits)
{
	struct timespec pause = { 0, 1000000 };
	siginfo_t info;
	int i;

	for (i = 0;; i++) {
		info.si_pid = 0;
		if (CALL_QUIETLY("waitid", waitid, pid < 0 ? P_ALL : P_PID, pid < 0 ? 0 : (id_t)pid,
		        &info, WEXITED | WNOWAIT | (waits ? 0 : WNOHANG)))
			return -1;
		if (info.si_pid || i == 1000)
			return info.si_pid;
		CALL_QUIETLY("nanosleep", nanosleep, &pause, NULL);
	}
}

/* The C library's waitpid, whose status goes to *real. */
static pid_t wait_here(pid_t pid, int *real, int options)
{
	return CALL_QUIETLY("waitpid", waitpid, pid, real, options);
}

static pid_t waits(const char *function, pid_t pid, int *status, int options)
{
	struct wait_status e = { 0, 0, 0 };
	int real = 0, hangs = options & WNOHANG, other, knows;
	pid_t first = pid == -1 || pid > 0 ? ended(pid, !hangs) : 0;

	if (first <= 0 || options & ~(WNOHANG | WUNTRACED | WCONTINUED)) {
		pid = wait_here(pid, &real, options);
	} else {
		other = runs_another(first);
		knows = asked(&e, function,
		    other && hangs ? "{0.exit=u1;1.signal=u1;2.running=b1}"
		        : other    ? "{0.exit=u1;1.signal=u1}"
		        : hangs    ? "{1.signal=u1;2.running=b1}"
		                   : "{1.signal=u1}");
		if (knows && e.running)
			return 0;
		pid = wait_here(first, &real, 0);
		if (knows && pid > 0 && WIFEXITED(real))
			real = status_of(&e, real, other);
	}
	if (pid > 0 && status)
		*status = real;
	return pid;
}

#define LIMIT(name) \
	do { \
		if (duct_result_used) \
			duct_rt_limit("concrete", name "()", 0); \
	} while (0)

MODEL pid_t waitpid(pid_t pid, int *status, int options)
{
	int used = duct_result_used & 1;

	LIMIT("waitpid");
	if (used)
		duct_rt_may_fail("waitpid");
	if (FAILS_IF(used, "waitpid", ECHILD))
		return -1;
	return waits("waitpid", pid, status, options);
}

MODEL pid_t wait(int *status)
{
	int used = duct_result_used & 1;

	LIMIT("wait");
	if (used)
		duct_rt_may_fail("wait");
	if (FAILS_IF(used, "wait", ECHILD))
		return -1;
	return waits("wait", -1, status, 0);
}

/* The resource usage is no input: it is that of all children waited for, on this machine. */
static void used_by_children(pid_t pid, struct rusage *usage)
{
	if (usage && pid > 0) {
		duct_rt_set(NULL, 0, usage, sizeof *usage, 0, 0, 0);
		CALL_QUIETLY("getrusage", getrusage, RUSAGE_CHILDREN, usage);
	}
}

MODEL pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	int used = duct_result_used & 1;

	LIMIT("wait4");
	if (used)
		duct_rt_may_fail("wait4");
	if (FAILS_IF(used, "wait4", ECHILD))
		return -1;
	pid = waits("wait4", pid, status, options);
	used_by_children(pid, usage);
	return pid;
}

MODEL pid_t wait3(int *status, int options, struct rusage *usage)
{
	int used = duct_result_used & 1;
	pid_t pid;

	LIMIT("wait3");
	if (used)
		duct_rt_may_fail("wait3");
	if (FAILS_IF(used, "wait3", ECHILD))
		return -1;
	pid = waits("wait3", -1, status, options);
	used_by_children(pid, usage);
	return pid;
}

/* ---- commands: any program may have the name of a command */

static int command(const char *function, int real, int used)
{
	struct wait_status e = { 0, 0, 0 };

	if (real == -1 || !asked(&e, function, "{0.exit=u1;1.signal=u1}"))
		return real;
	return used ? status_of(&e, real, 1) : real;
}

MODEL int system(const char *text)
{
	int used = duct_result_used & 1, real;

	LIMIT("system");
	if (used)
		duct_rt_may_fail("system");
	if (FAILS_IF(used, "system", EAGAIN))
		return -1;
	real = CALL_REAL(system, text);
	return text ? command("system", real, used) : real;
}

MODEL int pclose(FILE *f)
{
	int used = duct_result_used & 1, real;

	LIMIT("pclose");
	if (used)
		duct_rt_may_fail("pclose");
	if (FAILS_IF(used, "pclose", ECHILD))
		return -1;
	if (duct_stream(f)) {
		duct_stream_close(fileno(f));
		duct_stream_drop(f);
	}
	real = CALL_REAL(pclose, f);
	return command("pclose", real, used);
}

/* ---- sleeping takes no time if no other process, thread or timer can notice */

extern char __libc_single_threaded;

static int is_alone(void)
{
	struct itimerval timer;
	siginfo_t info;

	return __libc_single_threaded
	    && CALL_QUIETLY("waitid", waitid, P_ALL, 0, &info, WEXITED | WNOWAIT | WNOHANG)
	    && CALL_QUIETLY("getitimer", getitimer, ITIMER_REAL, &timer) == 0
	    && !CALL_QUIETLY("memcmp", memcmp, &timer.it_value, &(struct timeval){ 0, 0 },
	        sizeof timer.it_value);
}

/* How many seconds are left is an input, which is 0 unless there is a handler that may run. */
static int skips(const char *function, unsigned n, unsigned *left)
{
	uint32_t v;

	if (!is_alone() || !duct_rt_asked(&v, sizeof v, "system", function, "u4"))
		return 0;
	if (!duct_handles)
		n = 0;
	duct_assume(v <= n);
	*left = v;
	return 1;
}

MODEL unsigned sleep(unsigned n)
{
	unsigned left;

	if (duct_result_used)
		duct_rt_concrete("sleep", NULL);
	return skips("sleep", n, &left) ? left : CALL_REAL(sleep, n);
}

MODEL int usleep(useconds_t n)
{
	unsigned left;

	if (MAY_FAIL("usleep", EINTR))
		return -1;
	return skips("usleep", 0, &left) ? 0 : CALL_REAL(usleep, n);
}

MODEL int nanosleep(const struct timespec *t, struct timespec *rest)
{
	unsigned left;

	OUTSIDE("nanosleep"); /* the remaining time */
	if (MAY_FAIL("nanosleep", EINTR)) {
		if (rest)
			*rest = *t;
		return -1;
	}
	if (t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec > 999999999) {
		errno = EINVAL;
		return -1;
	}
	return skips("nanosleep", 0, &left) ? 0 : CALL_REAL(nanosleep, t, rest);
}
