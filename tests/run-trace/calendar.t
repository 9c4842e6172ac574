#!/bin/sh
# gmtime of a symbolic time: every field is solved for, and the C library agrees with each test. So is localtime, in the zone
# of runs, which is a limit.
. "$ROOT/tests/lib/tap.sh"
cat >g.c <<'E2'
#include <time.h>
int f(time_t t)
{
	struct tm *tm = gmtime(&t), mine;
	if (!tm)
		return -1;
	if (tm->tm_mon == 1 && tm->tm_mday == 29)
		return tm->tm_year % 100 ? 1 : 2;
	if (tm->tm_yday == 365)
		return 3;
	if (tm->tm_year == 130 && tm->tm_wday == 5)
		return 4;
	if (!gmtime_r(&t, &mine))
		return -2;
	if (mine.tm_hour == 23 && mine.tm_min == 59 && mine.tm_sec == 7)
		return 5;
	if (mine.tm_year == -1899)
		return 6;
	return 0;
}
E2
check "all outcomes but one, which cannot be" 'duct concolic g.c --entry f --time 20 -q --out g >out 2>err; grep -q "branches: 23 of 24 covered" out'
check "the C library agrees" 'make -s -C g check >log 2>&1 && grep -q " 0 failed" log'
cat >l.c <<'E2'
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
	time_t now = time(0);
	struct tm *tm = localtime(&now);
	if (tm->tm_hour >= 12)
		return tm->tm_gmtoff > 3600 ? 1 : 2;
	if (argc > 1) {
		setenv("TZ", "UTC-9", 1);
		return localtime(&now)->tm_hour == tm->tm_hour;
	}
	return 0;
}
E2
check "localtime" 'duct concolic l.c --time 20 -q --out l >out 2>err; grep -q "branches: 5 of 6 covered, 0 infeasible" out && grep -q "localtime() answers as on this machine" out'
check "the C library agrees in each zone" 'make -s -C l check >log 2>&1 && grep -q " 0 failed" log && TZ=UTC-9 make -s -C l check >log 2>&1 && grep -q " 0 failed" log'
finish
