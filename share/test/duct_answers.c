/* duct_answers.c: what a program asks of its surroundings is answered as when the test was
 * recorded: which calls fail, what time it is, random numbers, short reads. Call i of a function,
 * of those that the program makes itself, is the value GROUP.FUNCTION[i]. The Makefile has the
 * linker (--wrap) lead these calls here; the sources stay untouched. */
#define _GNU_SOURCE
#include "duct_test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* ---- values */

char *__real_getcwd(char *to, size_t n);

static unsigned count_call(const char *group, const char *function)
{
	static struct {
		const char *group, *function;
		unsigned count;
	} asked[256];
	size_t i = 0;

	while (i < 255 && asked[i].group
	    && (strcmp(asked[i].group, group) || strcmp(asked[i].function, function)))
		i++;
	asked[i].group = group;
	asked[i].function = function;
	return asked[i].count++;
}

/* The value of this call, or of a member of it; 0 when there is none. */
static unsigned long long answer(
    const char *group, const char *function, unsigned call, const char *member)
{
	const struct duct_value *v;
	char name[100];

	snprintf(name, sizeof name, "%s.%s[%u]%s", group, function, call, member);
	v = duct_find(name);
	return v ? v->low : 0;
}

/* Does this call fail? error: errno then, unless the test has another one; 0: errno stays. */
static int fails(const char *function, int error)
{
	unsigned call = duct_asking ? count_call("fault", function) : 0;

	if (!duct_asking || !answer("fault", function, call, ""))
		return 0;
	if (error) {
		int other = (int)answer("errno", function, call, "");
		errno = other ? other : error;
	}
	return 1;
}

/* ---- calls that may fail */

#define MAY_FAIL(type, name, parameters, arguments, failed, error) \
	type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return fails(#name, error) ? failed : __real_##name arguments; \
	}

#define MODELLED MAY_FAIL
#define FAILING MAY_FAIL
#define LEAVING MAY_FAIL
#include "duct_failing.h"

static char **listed(const char *first, va_list *ap)
{
	va_list again;
	size_t n = 1;
	char **argv;

	va_copy(again, *ap);
	while (first && va_arg(again, char *))
		n++;
	va_end(again);
	if ((argv = __real_malloc((n + 1) * sizeof *argv))) {
		argv[0] = (char *)first;
		for (size_t i = 1; first && i <= n; i++)
			argv[i] = va_arg(*ap, char *);
	}
	return argv;
}

#define EXECUTE(name, call) \
	int __wrap_##name(const char *file, const char *first, ...); \
	int __wrap_##name(const char *file, const char *first, ...) \
	{ \
		va_list ap; \
		char **argv; \
		int result = -1; \
		if (fails(#name, ENOENT)) \
			return -1; \
		va_start(ap, first); \
		if ((argv = listed(first, &ap))) \
			result = call; \
		va_end(ap); \
		free(argv); \
		return result; \
	}
EXECUTE(execl, __real_execv(file, argv))
EXECUTE(execlp, __real_execvp(file, argv))
EXECUTE(execle, __real_execve(file, argv, va_arg(ap, char *const *)))

/* Writing to a stream. All calls are counted together: a compiler may call another of these
 * functions than the source does. */
#define OUTPUT(type, name, parameters, arguments, failed) \
	type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return fails("output", ENOSPC) ? failed : __real_##name arguments; \
	}
OUTPUT(int, putc, (int c, FILE *f), (c, f), EOF)
OUTPUT(int, fputc, (int c, FILE *f), (c, f), EOF)
OUTPUT(int, _IO_putc, (int c, FILE *f), (c, f), EOF)
OUTPUT(int, putchar, (int c), (c), EOF)
OUTPUT(int, puts, (const char *s), (s), EOF)
OUTPUT(int, fputs, (const char *s, FILE *f), (s, f), EOF)
OUTPUT(size_t, fwrite, (const void *p, size_t size, size_t n, FILE *f), (p, size, n, f), 0)
OUTPUT(int, vprintf, (const char *f, va_list ap), (f, ap), -1)
OUTPUT(int, vfprintf, (FILE * to, const char *f, va_list ap), (to, f, ap), -1)
OUTPUT(int, __vprintf_chk, (int flag, const char *f, va_list ap), (flag, f, ap), -1)
OUTPUT(int, __vfprintf_chk, (FILE * to, int flag, const char *f, va_list ap), (to, flag, f, ap), -1)

#define PRINT(name, listed, parameters, arguments) \
	int __wrap_##name parameters; \
	int __wrap_##name parameters \
	{ \
		va_list ap; \
		int n; \
		if (fails("output", ENOSPC)) \
			return -1; \
		va_start(ap, f); \
		n = listed arguments; \
		va_end(ap); \
		return n; \
	}
PRINT(printf, __real_vprintf, (const char *f, ...), (f, ap))
PRINT(fprintf, __real_vfprintf, (FILE * to, const char *f, ...), (to, f, ap))
PRINT(__printf_chk, __real___vprintf_chk, (int flag, const char *f, ...), (flag, f, ap))
PRINT(__fprintf_chk, __real___vfprintf_chk, (FILE * to, int flag, const char *f, ...),
    (to, flag, f, ap))

int __wrap_asprintf(char **s, const char *f, ...);
int __wrap_asprintf(char **s, const char *f, ...)
{
	va_list ap;
	int n;

	if (fails("asprintf", ENOMEM))
		return -1;
	va_start(ap, f);
	n = __real_vasprintf(s, f, ap);
	va_end(ap);
	return n;
}

/* At its end a stream that is read has failed, instead. */
static void fail_reading(FILE *f)
{
#if defined _IO_EOF_SEEN && defined _IO_ERR_SEEN
	f->_flags = (f->_flags & ~_IO_EOF_SEEN) | _IO_ERR_SEEN;
#else
	(void)f;
#endif
}

#define ERROR(name) \
	int __real_##name(FILE *f); \
	int __wrap_##name(FILE *f); \
	int __wrap_##name(FILE *f) \
	{ \
		if (!fails(#name, 0)) \
			return __real_##name(f); \
		if (!__fwriting(f)) \
			fail_reading(f); \
		return 1; \
	}
ERROR(ferror)
ERROR(ferror_unlocked)

#define OPEN(name) \
	int __real_##name(const char *path, int flags, ...); \
	int __wrap_##name(const char *path, int flags, ...); \
	int __wrap_##name(const char *path, int flags, ...) \
	{ \
		va_list ap; \
		int mode = 0; \
		if (fails(#name, EACCES)) \
			return -1; \
		va_start(ap, flags); \
		if (flags & (O_CREAT | O_TMPFILE)) \
			mode = va_arg(ap, int); \
		va_end(ap); \
		return __real_##name(path, flags, mode); \
	}
OPEN(open)
OPEN(open64)

/* It is closed all the same. */
static int other_input; /* standard input is another than at the start */

#define CLOSE(name, type, descriptor) \
	int __real_##name(type f); \
	int __wrap_##name(type f); \
	int __wrap_##name(type f) \
	{ \
		int result; \
		other_input |= duct_asking && (descriptor) == 0; \
		result = __real_##name(f); \
		return fails(#name, EIO) ? -1 : result; \
	}
CLOSE(close, int, f)
CLOSE(fclose, FILE *, fileno(f))

/* A short read leaves the rest to be read. */
ssize_t __real_read(int fd, void *p, size_t n);
ssize_t __wrap_read(int fd, void *p, size_t n);
ssize_t __wrap_read(int fd, void *p, size_t n)
{
	unsigned long long missing;
	ssize_t got;

	if (fails("read", EIO))
		return -1;
	got = __real_read(fd, p, n);
	if (!duct_asking)
		return got;
	missing = answer("short", "read", count_call("short", "read"), "");
	if (got < 2 || !missing)
		return got;
	if (missing > (unsigned long long)got - 1)
		missing = (unsigned long long)got - 1;
	return lseek(fd, -(off_t)missing, SEEK_CUR) < 0 ? got : got - (ssize_t)missing;
}

/* ---- signals: one arrives as soon as its handler is installed */

typedef void handles(int);

static void arrive(int number, handles *handler)
{
	sigset_t blocked;

	if (!duct_asking || handler == SIG_DFL || handler == SIG_IGN || handler == SIG_ERR)
		return;
	switch (number) {
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGABRT:
	case SIGTRAP:
	case SIGSYS: return;
	}
	if (!sigprocmask(SIG_BLOCK, NULL, &blocked) && !sigismember(&blocked, number)
	    && answer("signal", "handler", count_call("signal", "handler"), ""))
		raise(number);
}

handles *__real_signal(int number, handles *handler);
handles *__wrap_signal(int number, handles *handler);
handles *__wrap_signal(int number, handles *handler)
{
	handles *before;

	if (fails("signal", EINVAL))
		return SIG_ERR;
	before = __real_signal(number, handler);
	if (before != SIG_ERR)
		arrive(number, handler);
	return before;
}

int __real_sigaction(int number, const struct sigaction *to, struct sigaction *before);
int __wrap_sigaction(int number, const struct sigaction *to, struct sigaction *before);
int __wrap_sigaction(int number, const struct sigaction *to, struct sigaction *before)
{
	int result;

	if (fails("sigaction", EINVAL))
		return -1;
	result = __real_sigaction(number, to, before);
	if (!result && to && !(to->sa_flags & SA_SIGINFO))
		arrive(number, to->sa_handler);
	return result;
}

/* ---- time: how far it went on since it was last asked */

static time_t of_day, steady;

static unsigned long step(const char *function, time_t *clock, int *is_asked)
{
	unsigned call;

	*is_asked = duct_asking && duct_answers_time;
	if (!*is_asked)
		return 0;
	call = count_call("time", function);
	*clock += (time_t)answer("time", function, call, ".seconds");
	return (unsigned long)answer("time", function, call, ".part");
}

time_t __real_time(time_t *to);
time_t __wrap_time(time_t *to);
time_t __wrap_time(time_t *to)
{
	if (!duct_asking || !duct_answers_time)
		return __real_time(to);
	of_day += (time_t)answer("time", "time", count_call("time", "time"), "");
	if (to)
		*to = of_day;
	return of_day;
}

int __real_gettimeofday(struct timeval *to, void *zone);
int __wrap_gettimeofday(struct timeval *to, void *zone);
int __wrap_gettimeofday(struct timeval *to, void *zone)
{
	int is_asked;
	unsigned long part = step("gettimeofday", &of_day, &is_asked);

	if (!is_asked)
		return __real_gettimeofday(to, zone);
	to->tv_sec = of_day;
	to->tv_usec = (suseconds_t)part;
	return 0;
}

int __real_clock_gettime(clockid_t id, struct timespec *to);
int __wrap_clock_gettime(clockid_t id, struct timespec *to);
int __wrap_clock_gettime(clockid_t id, struct timespec *to)
{
	int is_asked;
	time_t *clock = id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI
	    ? &of_day
	    : &steady;
	unsigned long part = step("clock_gettime", clock, &is_asked);

	if (!is_asked)
		return __real_clock_gettime(id, to);
	to->tv_sec = *clock;
	to->tv_nsec = (long)part;
	return 0;
}

clock_t __real_clock(void);
clock_t __wrap_clock(void);
clock_t __wrap_clock(void)
{
	static clock_t ticks;

	if (!duct_asking || !duct_answers_time)
		return __real_clock();
	return ticks += (clock_t)answer("time", "clock", count_call("time", "clock"), "");
}

/* ---- random numbers */

#define RANDOM(type, name, value, parameters, arguments) \
	type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		unsigned long long v; \
		if (!duct_asking || !duct_answers_random) \
			return __real_##name arguments; \
		v = answer("random", #name, count_call("random", #name), ""); \
		return (type)(value); \
	}
RANDOM(int, rand, v &RAND_MAX, (void), ())
RANDOM(long, random, v &RAND_MAX, (void), ())
RANDOM(int, rand_r, v &RAND_MAX, (unsigned *seed), (seed))
RANDOM(long, lrand48, v & 0x7fffffff, (void), ())
RANDOM(long, nrand48, v & 0x7fffffff, (unsigned short seed[3]), (seed))
RANDOM(long, mrand48, (int)v, (void), ())
RANDOM(long, jrand48, (int)v, (unsigned short seed[3]), (seed))
RANDOM(double, drand48, (double)(v >> 16) * 0x1p-48, (void), ())
RANDOM(double, erand48, (double)(v >> 16) * 0x1p-48, (unsigned short seed[3]), (seed))
#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 36)
RANDOM(unsigned, arc4random, v, (void), ())
RANDOM(unsigned, arc4random_uniform, n < 2 ? 0 : v % n, (unsigned n), (n))
#endif

static int random_bytes(const char *function, unsigned char *p, size_t n)
{
	unsigned call;
	char member[32];

	if (!duct_asking || !duct_answers_random)
		return 0;
	call = count_call("random", function);
	for (size_t i = 0; i < n; i++) {
		snprintf(member, sizeof member, "[%zu]", i);
		p[i] = (unsigned char)answer("random", function, call, member);
	}
	return 1;
}

ssize_t __real_getrandom(void *p, size_t n, unsigned flags);
ssize_t __wrap_getrandom(void *p, size_t n, unsigned flags);
ssize_t __wrap_getrandom(void *p, size_t n, unsigned flags)
{
	return n && random_bytes("getrandom", p, n) ? (ssize_t)n : __real_getrandom(p, n, flags);
}

int __real_getentropy(void *p, size_t n);
int __wrap_getentropy(void *p, size_t n);
int __wrap_getentropy(void *p, size_t n)
{
	return n && n <= 256 && random_bytes("getentropy", p, n) ? 0 : __real_getentropy(p, n);
}

/* ---- time to sleep passes at once, where no other process or thread, and no timer, can tell */

#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 32)
extern char __libc_single_threaded;
#else
static const char __libc_single_threaded = 0;
#endif

static int timers; /* the program has set one: the test's own does not count */

unsigned __real_alarm(unsigned n);
unsigned __wrap_alarm(unsigned n);
unsigned __wrap_alarm(unsigned n)
{
	timers |= duct_asking;
	return __real_alarm(n);
}

int __real_setitimer(int which, const struct itimerval *to, struct itimerval *before);
int __wrap_setitimer(int which, const struct itimerval *to, struct itimerval *before);
int __wrap_setitimer(int which, const struct itimerval *to, struct itimerval *before)
{
	timers |= duct_asking;
	return __real_setitimer(which, to, before);
}

static int skips(const char *function, unsigned *left)
{
	siginfo_t info;

	if (!duct_asking || !duct_answers_system || timers || !__libc_single_threaded
	    || !waitid(P_ALL, 0, &info, WEXITED | WNOWAIT | WNOHANG))
		return 0;
	*left = (unsigned)answer("system", function, count_call("system", function), "");
	return 1;
}

unsigned __real_sleep(unsigned n);
unsigned __wrap_sleep(unsigned n);
unsigned __wrap_sleep(unsigned n)
{
	unsigned left;

	return skips("sleep", &left) ? left : __real_sleep(n);
}

int __real_usleep(useconds_t n);
int __wrap_usleep(useconds_t n);
int __wrap_usleep(useconds_t n)
{
	unsigned left;

	if (fails("usleep", EINTR))
		return -1;
	return skips("usleep", &left) ? 0 : __real_usleep(n);
}

int __real_nanosleep(const struct timespec *t, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *t, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *t, struct timespec *rest)
{
	unsigned left;

	if (fails("nanosleep", EINTR)) {
		if (rest)
			*rest = *t;
		return -1;
	}
	if (t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec > 999999999)
		return __real_nanosleep(t, rest);
	return skips("nanosleep", &left) ? 0 : __real_nanosleep(t, rest);
}

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

	if (fails(function, ECHILD))
		return -1;
	if (duct_asking && duct_answers_system && (pid == -1 || pid > 0))
		first = ended(pid, !(options & WNOHANG));
	if (first <= 0 || options & ~(WNOHANG | WUNTRACED | WCONTINUED))
		return __real_waitpid(pid, status, options);
	call = count_call("system", function);
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

static int command(const char *function, int real)
{
	return real != -1 && duct_asking && duct_answers_system
	    ? status_of(function, count_call("system", function), real)
	    : real;
}

int __real_system(const char *text);
int __wrap_system(const char *text);
int __wrap_system(const char *text)
{
	int real = fails("system", EAGAIN) ? -1 : __real_system(text);

	return text ? command("system", real) : real;
}

/* ---- what commands write */

static struct command {
	struct command *next;
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

	if (fails("popen", EMFILE))
		return NULL;
	f = __real_popen(command, mode);
	if (!f || *mode != 'r' || !duct_asking || !duct_answers_system)
		return f;
	snprintf(name, sizeof name, "system.popen[%u]", count_call("system", "popen"));
	if (!(given = stream_of(name)))
		return f;
	struct command *c = duct_new(sizeof *c);
	*c = (struct command){ commands, given, f };
	commands = c;
	return given;
}

int __real_pclose(FILE *f);
int __wrap_pclose(FILE *f);
int __wrap_pclose(FILE *f)
{
	int failed = fails("pclose", ECHILD);

	for (struct command *c = commands; c && !failed; c = c->next)
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
	if (fails("dup2", EBADF))
		return -1;
	other_input |= duct_asking && to == 0;
	return __real_dup2(fd, to);
}

int __real_dup3(int fd, int to, int flags);
int __wrap_dup3(int fd, int to, int flags);
int __wrap_dup3(int fd, int to, int flags)
{
	if (fails("dup3", EBADF))
		return -1;
	other_input |= duct_asking && to == 0;
	return __real_dup3(fd, to, flags);
}

static int is_stdin(int fd)
{
	return fd == 0 && duct_asking && duct_answers_system && !other_input;
}

int __real_poll(struct pollfd *p, nfds_t n, int timeout);
int __wrap_poll(struct pollfd *p, nfds_t n, int timeout);
int __wrap_poll(struct pollfd *p, nfds_t n, int timeout)
{
	int asked = 0, result;

	if (fails("poll", EINTR))
		return -1;
	for (nfds_t i = 0; i < n; i++)
		asked |= is_stdin(p[i].fd);
	result = __real_poll(p, n, asked ? 0 : timeout);
	if (!asked || result < 0)
		return result;
	result = 0;
	for (nfds_t i = 0; i < n; i++) {
		if (is_stdin(p[i].fd))
			p[i].revents =
			    (short)(answer("system", "poll", count_call("system", "poll"), "")
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

	if (fails("select", EINTR))
		return -1;
	if (n < 1 || !r || !FD_ISSET(0, r) || !is_stdin(0))
		return __real_select(n, r, w, e, timeout);
	result = __real_select(n, r, w, e, &none);
	if (answer("system", "select", count_call("system", "select"), "") && result > 0) {
		FD_CLR(0, r);
		result--;
	}
	if (timeout)
		*timeout = none;
	return result;
}

/* ---- how long a directory is, which depends on the file system */

static void set_length(const char *path, mode_t mode, off_t *size)
{
	const char *text = duct_asking && S_ISDIR(mode) ? duct_attributes(path) : NULL;
	unsigned long more;

	if (text && sscanf(text, "%*s %*s more=%lu", &more) == 1)
		*size = (off_t)more;
}

/* Files that are on every machine: "." 0, "/" 1, ".." 2, what the kernel makes 3; other paths -1.
 * share/libc/kinds.c has the same. */
static int common(const char *path)
{
	int kind = 1;

	if (!duct_asking || !duct_answers_system)
		return -1;
	if (!strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5))
		return 3;
	if (path[strspn(path, "./")])
		return -1;
	for (; *path; path++)
		if (*path == '.')
			kind = path[1] == '.' ? 2 : kind == 2 ? 2 : 0;
	return kind;
}

static unsigned first_call(const char *function, unsigned char known[256], int number);

static time_t common_time(int kind)
{
	static unsigned char known[256];

	return (time_t)answer("system", "stat", first_call("stat", known, kind), "");
}

#define STAT(name, type) \
	int __real_##name(const char *path, struct type *st); \
	int __wrap_##name(const char *path, struct type *st); \
	int __wrap_##name(const char *path, struct type *st) \
	{ \
		int result = __real_##name(path, st); \
		if (!result) \
			set_length(path, st->st_mode, &st->st_size); \
		if (!result && common(path) >= 0) { \
			if (common(path) < 3) \
				st->st_mode = S_IFDIR | 0755; \
			st->st_nlink = common(path) < 3 ? 2 : 1; \
			st->st_mtime = common_time(common(path)); \
			st->st_ctime = st->st_atime = 0; \
		} \
		return result; \
	}
STAT(stat, stat)
STAT(lstat, stat)
STAT(stat64, stat64)
STAT(lstat64, stat64)

/* The name in the working directory, which the descriptor was opened by. */
static const char *name_of(int fd, char path[PATH_MAX])
{
	char link[40], here[PATH_MAX];
	size_t n;
	ssize_t k;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	if ((k = readlink(link, path, PATH_MAX - 1)) < 0 || !__real_getcwd(here, sizeof here))
		return "";
	path[k] = 0;
	n = strlen(here);
	return !strncmp(path, here, n) && path[n] == '/' ? path + n + 1 : "";
}

#define FSTAT(name, type) \
	int __real_##name(int fd, struct type *st); \
	int __wrap_##name(int fd, struct type *st); \
	int __wrap_##name(int fd, struct type *st) \
	{ \
		char path[PATH_MAX]; \
		int result = __real_##name(fd, st); \
		if (!result && S_ISDIR(st->st_mode)) \
			set_length(name_of(fd, path), st->st_mode, &st->st_size); \
		return result; \
	}
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

/* ---- the system: the same answer for a whole run */

#define NUMBER(type, name) \
	type __real_##name(void); \
	type __wrap_##name(void); \
	type __wrap_##name(void) \
	{ \
		return duct_asking && duct_answers_system ? (type)answer("system", #name, 0, "") \
		                                          : __real_##name(); \
	}
NUMBER(pid_t, getpid)
NUMBER(pid_t, getppid)
NUMBER(uid_t, getuid)
NUMBER(uid_t, geteuid)
NUMBER(gid_t, getgid)
NUMBER(gid_t, getegid)

/* Of one that is asked about a number: the call that asked about this one first. */
static unsigned first_call(const char *function, unsigned char known[256], int number)
{
	if (!known[number])
		known[number] = (unsigned char)(count_call("system", function) + 1);
	return known[number] - 1u;
}

int __real_isatty(int fd);
int __wrap_isatty(int fd);
int __wrap_isatty(int fd)
{
	static unsigned char known[256];

	if (!duct_asking || !duct_answers_system || fd < 0 || fd > 255)
		return __real_isatty(fd);
	if (answer("system", "isatty", first_call("isatty", known, fd), ""))
		return 1;
	errno = ENOTTY;
	return 0;
}

static int moved; /* the working directory is another */

#define MOVES(name, type) \
	int __real_##name(type to); \
	int __wrap_##name(type to); \
	int __wrap_##name(type to) \
	{ \
		if (fails(#name, EACCES)) \
			return -1; \
		moved |= duct_asking; \
		return __real_##name(to); \
	}
MOVES(chdir, const char *)
MOVES(fchdir, int)

/* A text, whose bytes are numbered. */
static size_t text_of(const char *function, char *to, size_t room)
{
	size_t n = 0;
	unsigned long long c;

	while (n < room - 1 && (c = answer("system", function, (unsigned)n, "")))
		to[n++] = (char)c;
	to[n] = 0;
	return n + 1;
}

char *__wrap_getcwd(char *to, size_t n);
char *__wrap_getcwd(char *to, size_t n)
{
	static char path[1 << 17] = "/";
	size_t need;

	if (fails("getcwd", ENOENT))
		return NULL;
	if (!duct_asking || !duct_answers_system || moved)
		return __real_getcwd(to, n);
	need = 1 + text_of("getcwd", path + 1, sizeof path - 1);
	if (to && need > n) {
		errno = n ? ERANGE : EINVAL;
		return NULL;
	}
	if (!to && !(to = __real_malloc(n > need ? n : need)))
		return NULL;
	return memcpy(to, path, need);
}

int __real_gethostname(char *to, size_t n);
int __wrap_gethostname(char *to, size_t n);
int __wrap_gethostname(char *to, size_t n)
{
	char name[65];
	size_t need;

	if (!duct_asking || !duct_answers_system)
		return __real_gethostname(to, n);
	need = text_of("gethostname", name, sizeof name);
	memcpy(to, name, need > n ? n : need);
	if (need <= n)
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

mode_t __real_umask(mode_t mask);
mode_t __wrap_umask(mode_t mask);
mode_t __wrap_umask(mode_t mask)
{
	static int known;
	mode_t before = __real_umask(mask);

	if (!duct_asking || !duct_answers_system || known++)
		return before;
	return (mode_t)answer("system", "umask", 0, "");
}

static int limits_set;

static int limit(int what, struct rlimit *to)
{
	static unsigned char known[256];
	unsigned call;

	if (!duct_asking || !duct_answers_system || what < 0 || what >= RLIM_NLIMITS || limits_set)
		return 0;
	call = first_call("getrlimit", known, what);
	to->rlim_cur = answer("system", "getrlimit", call, ".soft");
	to->rlim_max = answer("system", "getrlimit", call, ".hard");
	return 1;
}

#define LIMITS(name, type) \
	int __real_get##name(int what, struct type *to); \
	int __wrap_get##name(int what, struct type *to); \
	int __wrap_get##name(int what, struct type *to) \
	{ \
		return limit(what, (struct rlimit *)to) ? 0 : __real_get##name(what, to); \
	} \
	int __real_set##name(int what, const struct type *to); \
	int __wrap_set##name(int what, const struct type *to); \
	int __wrap_set##name(int what, const struct type *to) \
	{ \
		limits_set |= duct_asking; \
		return __real_set##name(what, to); \
	}
LIMITS(rlimit, rlimit)
LIMITS(rlimit64, rlimit64)

long __real_sysconf(int name);
long __wrap_sysconf(int name);
long __wrap_sysconf(int name)
{
	static unsigned char known[256];
	struct rlimit r;

	if (name == _SC_OPEN_MAX && limit(RLIMIT_NOFILE, &r))
		return (long)r.rlim_cur;
	if (name == _SC_OPEN_MAX || !duct_asking || !duct_answers_system || name < 0 || name > 255)
		return __real_sysconf(name);
	return (long)answer("system", "sysconf", first_call("sysconf", known, name), "");
}

/* ---- terminals (share/libc/terminal.c) */

static struct terminal {
	struct terminal *next;
	int fd, knows_modes, knows_size;
	struct termios modes;
	struct winsize size;
} *terminals;

/* NULL: it is none; *real: the C library has to be asked. */
static struct terminal *terminal(int fd, int *real)
{
	struct terminal *t = terminals;

	*real = !duct_asking || !duct_answers_system || fd < 0 || fd > 255;
	if (*real || !__wrap_isatty(fd))
		return NULL;
	while (t && t->fd != fd)
		t = t->next;
	if (t)
		return t;
	t = duct_new(sizeof *t);
	t->fd = fd;
	t->next = terminals;
	return terminals = t;
}

int __real_tcgetattr(int fd, struct termios *to);
int __wrap_tcgetattr(int fd, struct termios *to);
int __wrap_tcgetattr(int fd, struct termios *to)
{
	int real;
	struct terminal *t = terminal(fd, &real);

	if (!t)
		return real ? __real_tcgetattr(fd, to) : -1;
	if (!t->knows_modes++) {
		unsigned call = count_call("system", "tcgetattr");
		t->modes.c_iflag = (tcflag_t)answer("system", "tcgetattr", call, ".iflag");
		t->modes.c_oflag = (tcflag_t)answer("system", "tcgetattr", call, ".oflag");
		t->modes.c_cflag = (tcflag_t)answer("system", "tcgetattr", call, ".cflag");
		t->modes.c_lflag = (tcflag_t)answer("system", "tcgetattr", call, ".lflag");
	}
	*to = t->modes;
	return 0;
}

int __real_tcsetattr(int fd, int when, const struct termios *from);
int __wrap_tcsetattr(int fd, int when, const struct termios *from);
int __wrap_tcsetattr(int fd, int when, const struct termios *from)
{
	struct terminal *t;
	int real;

	if (fails("tcsetattr", EINVAL))
		return -1;
	if (!(t = terminal(fd, &real)))
		return real ? __real_tcsetattr(fd, when, from) : -1;
	t->modes = *from;
	t->knows_modes = 1;
	return 0;
}

int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...)
{
	struct terminal *t;
	va_list ap;
	void *p;
	int real;

	va_start(ap, request);
	p = va_arg(ap, void *);
	va_end(ap);
	if (request != TIOCGWINSZ)
		return __real_ioctl(fd, request, p);
	if (!(t = terminal(fd, &real)))
		return real ? __real_ioctl(fd, request, p) : -1;
	if (!t->knows_size++) {
		unsigned call = count_call("system", "winsize");
		t->size.ws_row = (unsigned short)answer("system", "winsize", call, ".rows");
		t->size.ws_col = (unsigned short)answer("system", "winsize", call, ".columns");
	}
	*(struct winsize *)p = t->size;
	return 0;
}

char *__real_ttyname(int fd);
char *__wrap_ttyname(int fd);
char *__wrap_ttyname(int fd)
{
	static char name[1 << 17] = "/dev/";
	int real;

	if (!terminal(fd, &real))
		return real ? __real_ttyname(fd) : NULL;
	text_of("ttyname", name + 5, sizeof name - 5);
	return name;
}

/* ---- users, groups and the system's name (share/libc/people.c) */

struct known {
	struct known *next;
	char *name;
	unsigned id;
	struct passwd user;
	struct group group;
};
static struct list {
	struct known *first;
	const char *kind;
	unsigned n;
} users = { NULL, "user", 0 }, groups = { NULL, "group", 0 };

/* A text, `first` being its first character unless the test says otherwise. */
static char *member_text(const struct list *l, const char *member, char first)
{
	enum { MOST = 1 << 17 };
	char function[60], *text = duct_new(MOST);

	snprintf(function, sizeof function, "%s[%u].%s", l->kind, l->n, member);
	text_of(function, text, MOST);
	text[0] = (char)(text[0] ^ first);
	return text;
}

static struct known *entry_of(struct list *l, const char *name, unsigned id)
{
	static char password[] = "x", nothing[1], *nobody[1];
	struct known *k = l->first;

	while (k && (name ? strcmp(k->name, name) != 0 : k->id != id))
		k = k->next;
	if (k || (name && (!*name || strpbrk(name, ":\n"))))
		return k;
	k = duct_new(sizeof *k);
	if (name)
		strcpy(k->name = duct_new(strlen(name) + 1), name);
	else
		k->name = member_text(l, "name", 'u');
	k->id = name ? (unsigned)answer("system", l->kind, l->n, ".id") : id;
	k->group = (struct group){ k->name, password, k->id, nobody };
	if (l == &users)
		k->user = (struct passwd){ k->name, password, k->id,
			(gid_t)answer("system", l->kind, l->n, ".group"), nothing,
			member_text(l, "folder", '/'), member_text(l, "shell", 0) };
	l->n++;
	k->next = l->first;
	return l->first = k;
}

#define ENTRY(type, function, parameter, name, id, argument, list, member) \
	struct type *__real_##function(parameter); \
	struct type *__wrap_##function(parameter); \
	struct type *__wrap_##function(parameter) \
	{ \
		struct known *k; \
		if (fails(#function, 0)) \
			return NULL; \
		if (!duct_asking || !duct_answers_system) \
			return __real_##function(argument); \
		k = entry_of(&list, name, id); \
		return k ? &k->member : NULL; \
	}
ENTRY(passwd, getpwnam, const char *text, text, 0, text, users, user)
ENTRY(passwd, getpwuid, uid_t number, NULL, number, number, users, user)
ENTRY(group, getgrnam, const char *text, text, 0, text, groups, group)
ENTRY(group, getgrgid, gid_t number, NULL, number, number, groups, group)

char *__real_getlogin(void);
char *__wrap_getlogin(void);
char *__wrap_getlogin(void)
{
	static char name[1 << 17];

	if (!duct_asking || !duct_answers_system)
		return __real_getlogin();
	text_of("getlogin", name, sizeof name);
	return *name ? name : NULL;
}

static void uname_part(char *to, const char *function, char first)
{
	text_of(function, to, 65);
	to[0] = (char)(to[0] ^ first);
}

int __real_uname(struct utsname *to);
int __wrap_uname(struct utsname *to);
int __wrap_uname(struct utsname *to)
{
	if (!duct_asking || !duct_answers_system)
		return __real_uname(to);
	memset(to, 0, sizeof *to);
	uname_part(to->sysname, "uname.system", 'L');
	uname_part(to->nodename, "uname.node", 'n');
	uname_part(to->release, "uname.release", '6');
	uname_part(to->version, "uname.version", '#');
	uname_part(to->machine, "uname.machine", 'x');
	uname_part(to->domainname, "uname.domain", '(');
	return 0;
}
