/* Time and random numbers, which are inputs with --environment or --input time,random; else they
 * are the machine's. The input of a clock is the time since it was last read. The time of day may
 * go back, since clocks may be set. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

#define LATEST ((uint64_t)1 << 55) /* years that an int holds */

struct clock_step {
	int64_t seconds;
	uint32_t part;
};

/* Seconds of clocks that may be set, and of those that never go back. */
static time_t of_day, steady;

static time_t pass(time_t *clock, int64_t seconds)
{
	duct_assume((uint64_t)*clock + (uint64_t)seconds <= LATEST);
	return *clock += (time_t)seconds;
}

/* The next answer of a clock that counts `parts` of a second. */
static int asked(const char *function, uint32_t parts, time_t *clock, struct clock_step *s)
{
	static uint32_t part;

	if (!duct_rt_asked(s, sizeof *s, "time", function, "{0.seconds=i8;8.part=u4}"))
		return 0;
	duct_assume(s->part < parts);
	if (clock == &steady) {
		duct_assume((s->seconds > 0) | ((s->seconds == 0) & (s->part >= part)));
		part = s->part;
	}
	pass(clock, s->seconds);
	return 1;
}

MODEL time_t time(time_t *to)
{
	int64_t seconds;

	if (!duct_rt_asked(&seconds, sizeof seconds, "time", "time", "i8"))
		return CALL_REAL(time, to);
	pass(&of_day, seconds);
	if (to)
		*to = of_day;
	return of_day;
}

MODEL int gettimeofday(struct timeval *to, void *zone)
{
	struct clock_step s;

	if (!asked("gettimeofday", 1000000, &of_day, &s))
		return CALL_REAL(gettimeofday, to, zone);
	to->tv_sec = of_day;
	to->tv_usec = s.part;
	return 0;
}

static time_t *clock_of(clockid_t id)
{
	return id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI ? &of_day
	                                                                              : &steady;
}

MODEL int clock_gettime(clockid_t id, struct timespec *to)
{
	struct clock_step s;

	if (!asked("clock_gettime", 1000000000, clock_of(id), &s))
		return CALL_REAL(clock_gettime, id, to);
	to->tv_sec = *clock_of(id);
	to->tv_nsec = s.part;
	return 0;
}

MODEL clock_t clock(void)
{
	static clock_t ticks;
	uint32_t more;

	if (!duct_rt_asked(&more, sizeof more, "time", "clock", "u4"))
		return CALL_REAL(clock);
	return ticks += more;
}

/* ---- random numbers: any, however they were seeded */

#define RANDOM(type, name, member, value, parameters, ...) \
	MODEL type name parameters \
	{ \
		uint##member##_t v; \
		if (!duct_rt_asked(&v, sizeof v, "random", #name, member == 64 ? "u8" : "u4")) \
			return CALL_REAL(name, ##__VA_ARGS__); \
		return value; \
	}

RANDOM(int, rand, 32, v &RAND_MAX, (void))
RANDOM(long, random, 32, v &RAND_MAX, (void))
RANDOM(int, rand_r, 32, v &RAND_MAX, (unsigned *seed), seed)
RANDOM(long, lrand48, 32, v & 0x7fffffff, (void))
RANDOM(long, nrand48, 32, v & 0x7fffffff, (unsigned short seed[3]), seed)
RANDOM(long, mrand48, 32, (int32_t)v, (void))
RANDOM(long, jrand48, 32, (int32_t)v, (unsigned short seed[3]), seed)
RANDOM(double, drand48, 64, (double)(v >> 16) * 0x1p-48, (void))
RANDOM(double, erand48, 64, (double)(v >> 16) * 0x1p-48, (unsigned short seed[3]), seed)
RANDOM(uint32_t, arc4random, 32, v, (void))
RANDOM(uint32_t, arc4random_uniform, 32, n < 2 ? 0 : v % n, (uint32_t n), n)

/* If random numbers are no inputs, their dependence on the seed is lost. */
#define SEED(name, type) \
	MODEL void name(type seed) \
	{ \
		if (!duct_rt_environment() && !duct_rt_setup("input:", "random") \
		    && duct_rt_symbolic(&seed, sizeof seed)) \
			duct_rt_lost(duct_block_unit, duct_block, \
			    "random numbers that follow from the symbolic seed of " #name); \
		CALL_QUIETLY_VOID(name, seed); \
	}
SEED(srand, unsigned)
SEED(srandom, unsigned)
SEED(srand48, long)

static int bytes(void *p, size_t n, const char *function)
{
	return n && duct_rt_asked(p, n, "random", function, "*1:u1");
}

MODEL ssize_t getrandom(void *p, size_t n, unsigned flags)
{
	ssize_t v = bytes(p, n, "getrandom") ? (ssize_t)n : CALL_REAL(getrandom, p, n, flags);

	duct_rt_written(p, v > 0 ? (size_t)v : 0);
	return v;
}

MODEL int getentropy(void *p, size_t n)
{
	return n <= 256 && bytes(p, n, "getentropy") ? 0 : CALL_REAL(getentropy, p, n);
}
