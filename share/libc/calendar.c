/* The calendar of a time that is symbolic: gmtime, and localtime in the zone of runs, by the days
 * since the first of March of year 0 (H. Hinnant, chrono-compatible low-level date algorithms,
 * 2014), without a condition for each field. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

#define DAY 86400
#define BEFORE ((int64_t)719468 * DAY)      /* from there to 1970 */
#define LEAST (-(int64_t)719162 * DAY)      /* year 1; the C library converts other times */
#define MOST ((int64_t)1 << 36)             /* in year 4147 */
#define LATEST ((int64_t)67768036191676799) /* the last second of a year that an int holds */
#define EARLIEST (-(int64_t)67768040609740800)

static void fill(struct tm *to, int64_t t)
{
	uint64_t since = (uint64_t)(t + BEFORE);
	uint32_t days = (uint32_t)(since / DAY), rest = (uint32_t)(since % DAY);
	uint32_t era = days / 146097, day = days % 146097;
	uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	uint32_t of_year = day - (365 * year + year / 4 - year / 100);
	uint32_t month = (5 * of_year + 2) / 153, next = month >= 10;
	uint32_t y = year + era * 400 + next;
	uint32_t leap = (y % 4 == 0) & ((y % 100 != 0) | (y % 400 == 0));

	memset(to, 0, sizeof *to);
	to->tm_sec = (int)(rest % 60);
	to->tm_min = (int)(rest / 60 % 60);
	to->tm_hour = (int)(rest / 3600);
	to->tm_mday = (int)(of_year - (153 * month + 2) / 5 + 1);
	to->tm_mon = (int)(month + 2 - 12 * next);
	to->tm_year = (int)y - 1900;
	to->tm_wday = (int)((days + 3) % 7);
	to->tm_yday = (int)(of_year + 59 + leap - next * (365 + leap));
	to->tm_zone = "GMT";
}

MODEL struct tm *gmtime_r(const time_t *from, struct tm *to)
{
	struct tm far;

	if (duct_rt_symbolic(from, sizeof *from)) {
		if (*from > LATEST || *from < EARLIEST) {
			errno = EOVERFLOW;
			return NULL;
		}
		if (*from >= LEAST && *from <= MOST) {
			fill(to, *from);
			return to;
		}
		duct_rt_lost(
		    duct_block_unit, duct_block, "calendar of a year before 1 or after 4147");
	}
	if (!CALL_QUIETLY("gmtime_r", gmtime_r, from, &far))
		return NULL;
	*to = far;
	return to;
}

/* The result of gmtime and localtime. */
static struct tm shared;

MODEL struct tm *gmtime(const time_t *from)
{
	return gmtime_r(from, &shared);
}

/* Runs and their tests have this zone, unless the program sets another. */
static int is_utc(void)
{
	const char *zone = CALL_QUIETLY("getenv", getenv, "TZ");

	return zone && !CALL_QUIETLY("strcmp", strcmp, zone, "UTC0");
}

MODEL struct tm *localtime_r(const time_t *from, struct tm *to)
{
	struct tm *result;

	duct_rt_concrete("localtime", NULL);
	if (!duct_rt_symbolic(from, sizeof *from) || !is_utc())
		return CALL_REAL(localtime_r, from, to);
	if ((result = gmtime_r(from, to)))
		result->tm_zone = "UTC";
	return result;
}

MODEL struct tm *localtime(const time_t *from)
{
	return localtime_r(from, &shared);
}
