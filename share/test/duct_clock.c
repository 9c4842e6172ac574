/* duct_clock.c: answers (duct_answers.h) about time, random numbers; sleeping. */
#define _GNU_SOURCE
#include "duct_answers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- time: how far it went on since it was last asked */

static time_t of_day, steady;

static unsigned long step(const char *function, time_t *clock, int *is_asked)
{
	unsigned call;

	*is_asked = duct_asking && duct_answers_time;
	if (!*is_asked)
		return 0;
	call = duct_count_call("time", function);
	*clock += (time_t)duct_answer("time", function, call, ".seconds");
	return (unsigned long)duct_answer("time", function, call, ".part");
}

time_t __real_time(time_t *to);
time_t __wrap_time(time_t *to);
time_t __wrap_time(time_t *to)
{
	if (!duct_asking || !duct_answers_time)
		return __real_time(to);
	of_day += (time_t)duct_answer("time", "time", duct_count_call("time", "time"), "");
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
	return ticks += (clock_t)duct_answer("time", "clock", duct_count_call("time", "clock"), "");
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
		v = duct_answer("random", #name, duct_count_call("random", #name), ""); \
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
	call = duct_count_call("random", function);
	for (size_t i = 0; i < n; i++) {
		snprintf(member, sizeof member, "[%zu]", i);
		p[i] = (unsigned char)duct_answer("random", function, call, member);
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
	*left = (unsigned)duct_answer("system", function, duct_count_call("system", function), "");
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

	if (duct_fails("usleep", EINTR))
		return -1;
	return skips("usleep", &left) ? 0 : __real_usleep(n);
}

int __real_nanosleep(const struct timespec *t, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *t, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *t, struct timespec *rest)
{
	unsigned left;

	if (duct_fails("nanosleep", EINTR)) {
		if (rest)
			*rest = *t;
		return -1;
	}
	if (t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec > 999999999)
		return __real_nanosleep(t, rest);
	return skips("nanosleep", &left) ? 0 : __real_nanosleep(t, rest);
}
