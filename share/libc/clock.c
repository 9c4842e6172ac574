/* Time and random numbers, which are inputs when run-trace was told so (--input time,random); else
 * they are what the machine says. Clocks are inputs by how far they went on since they were last
 * asked, so that time does not go back. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

struct step { uint32_t seconds, part; };

static time_t now;

/* The next answer of a clock that counts `parts` of a second. */
static int
asked(const char *function, uint32_t parts, struct step *s)
{
	if (!duct_rt_asked(s, sizeof *s, "time", function, "{0.seconds=u4;4.part=u4}"))
		return 0;
	duct_assume(s->part < parts);
	now += s->seconds;
	return 1;
}

MODEL time_t
time(time_t *to)
{
	uint32_t seconds;

	if (!duct_rt_asked(&seconds, sizeof seconds, "time", "time", "u4"))
		return CALL_REAL(time, to);
	now += seconds;
	if (to)
		*to = now;
	return now;
}

MODEL int
gettimeofday(struct timeval *to, void *zone)
{
	struct step s;

	if (!asked("gettimeofday", 1000000, &s))
		return CALL_REAL(gettimeofday, to, zone);
	to->tv_sec = now;
	to->tv_usec = s.part;
	return 0;
}

MODEL int
clock_gettime(clockid_t id, struct timespec *to)
{
	struct step s;

	if (!asked("clock_gettime", 1000000000, &s))
		return CALL_REAL(clock_gettime, id, to);
	to->tv_sec = now;
	to->tv_nsec = s.part;
	return 0;
}

MODEL clock_t
clock(void)
{
	static clock_t ticks;
	uint32_t more;

	if (!duct_rt_asked(&more, sizeof more, "time", "clock", "u4"))
		return CALL_REAL(clock);
	return ticks += more;
}

#define RANDOM(type, name, parameters, ...) \
	MODEL type name parameters \
	{ \
		uint32_t v; \
		if (!duct_rt_asked(&v, sizeof v, "random", #name, "u4")) \
			return CALL_REAL(name, ## __VA_ARGS__); \
		return v & RAND_MAX; \
	}

RANDOM(int, rand, (void))
RANDOM(long, random, (void))
RANDOM(int, rand_r, (unsigned *seed), seed)
