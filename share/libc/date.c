/* strftime in the C locale, of a symbolic calendar time: fields of fixed width, and long names.
 * Other conversions, such as weeks of ISO 8601, and other locales are left to the C library, with
 * the values of the run. */
#define _GNU_SOURCE 1
#include <locale.h>
#include <string.h>
#include <time.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

static const char days[7][10] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
	"Saturday" };
static const char months[12][10] = { "January", "February", "March", "April", "May", "June", "July",
	"August", "September", "October", "November", "December" };

/* The text written so far: n characters, in an array of `room`. */
struct date_text {
	char *to;
	size_t n, room;
};

static void put(struct date_text *t, int c)
{
	if (t->n < t->room)
		t->to[t->n] = (char)c;
	t->n++;
}

/* A number of so many digits, with `pad` in place of zeros before it; 0: it has more. */
static int number(struct date_text *t, int v, int digits, int pad)
{
	int most = digits == 1 ? 10 : digits == 2 ? 100 : digits == 3 ? 1000 : 10000;

	if (v < 0 || v >= most)
		return 0;
	if (digits == 2 && pad != '0') {
		put(t, v < 10 ? pad : '0' + v / 10);
		put(t, '0' + v % 10);
		return 1;
	}
	for (int each = most / 10; each; each /= 10)
		put(t, '0' + v / each % 10);
	return 1;
}

static int name(struct date_text *t, const char (*list)[10], int n, int which, int whole)
{
	if (which < 0 || which >= n)
		return 0;
	if (!whole) {
		for (int i = 0; i < 3; i++)
			put(t, list[which][i]);
		return 1;
	}
	for (int k = 0; k < n; k++)
		if (which == k)
			for (const char *c = list[k]; *c; c++)
				put(t, *c);
	return 1;
}

static int format(struct date_text *t, const char *f, const struct tm *tm);

/* %Y has as many digits as the year needs. */
static int year(struct date_text *t, int c, int y)
{
	int each = 1;

	if (y < 0 || (c == 'C' && y > 9999))
		return 0;
	if (c != 'Y')
		return number(t, c == 'C' ? y / 100 : y % 100, 2, '0');
	while (each < 1000000000 && y >= each * 10)
		each *= 10;
	for (; each; each /= 10)
		put(t, '0' + y / each % 10);
	return 1;
}

static int hour(struct date_text *t, int c, int h)
{
	const char *half = c == 'p' ? "AMPM" : "ampm";

	if (c == 'H' || c == 'k')
		return number(t, h, 2, c == 'H' ? '0' : ' ');
	if (h < 0 || h > 23)
		return 0;
	if (c == 'I' || c == 'l')
		return number(t, (h + 11) % 12 + 1, 2, c == 'I' ? '0' : ' ');
	put(t, half[h > 11 ? 2 : 0]);
	put(t, half[1]);
	return 1;
}

/* Number of the week, whose first day `first` is: 0 Sunday, 1 Monday. */
static int week(struct date_text *t, const struct tm *tm, int first)
{
	int since = tm->tm_wday - first;

	return number(t, (tm->tm_yday + 7 - (since < 0 ? 6 : since)) / 7, 2, '0');
}

/* A conversion; 0: it is not one of these, or a field has no such value. */
static int convert(struct date_text *t, int c, const struct tm *tm)
{
	switch (c) {
	case '%': put(t, '%'); return 1;
	case 'n': put(t, '\n'); return 1;
	case 't': put(t, '\t'); return 1;
	case 'Y':
	case 'C':
	case 'y': return tm->tm_year < 1 << 30 && year(t, c, tm->tm_year + 1900);
	case 'm': return number(t, tm->tm_mon + 1, 2, '0');
	case 'd':
	case 'e': return number(t, tm->tm_mday, 2, c == 'd' ? '0' : ' ');
	case 'H':
	case 'k':
	case 'I':
	case 'l':
	case 'p':
	case 'P': return hour(t, c, tm->tm_hour);
	case 'M': return number(t, tm->tm_min, 2, '0');
	case 'S': return number(t, tm->tm_sec, 2, '0');
	case 'j': return number(t, tm->tm_yday + 1, 3, '0');
	case 'w': return number(t, tm->tm_wday, 1, '0');
	case 'u': return number(t, (tm->tm_wday + 6) % 7 + 1, 1, '0');
	case 'U':
	case 'W': return week(t, tm, c == 'W');
	case 'a':
	case 'A': return name(t, days, 7, tm->tm_wday, c == 'A');
	case 'b':
	case 'h':
	case 'B': return name(t, months, 12, tm->tm_mon, c == 'B');
	case 'D':
	case 'x': return format(t, "%m/%d/%y", tm);
	case 'F': return format(t, "%Y-%m-%d", tm);
	case 'R': return format(t, "%H:%M", tm);
	case 'T':
	case 'X': return format(t, "%H:%M:%S", tm);
	case 'r': return format(t, "%I:%M:%S %p", tm);
	case 'c': return format(t, "%a %b %e %H:%M:%S %Y", tm);
	case 'Z':
		for (const char *z = tm->tm_zone; z && *z; z++)
			put(t, *z);
		return tm->tm_zone != NULL;
	default: return 0;
	}
}

static int format(struct date_text *t, const char *f, const struct tm *tm)
{
	for (; *f; f++)
		if (*f != '%')
			put(t, *f);
		else if (!convert(t, *++f, tm))
			return 0;
	return 1;
}

static int is_c_locale(void)
{
	const char *is = CALL_QUIETLY("setlocale", setlocale, LC_TIME, NULL);

	return is
	    && (!CALL_QUIETLY("strcmp", strcmp, is, "C")
	        || !CALL_QUIETLY("strcmp", strcmp, is, "POSIX"));
}

MODEL size_t strftime(char *to, size_t room, const char *f, const struct tm *tm)
{
	struct date_text t = { to, 0, room };
	size_t n;

	if (duct_live && duct_rt_symbolic(tm, offsetof(struct tm, tm_isdst)) && is_c_locale()) {
		if (format(&t, f, tm)) {
			if (t.n >= room)
				return 0;
			to[t.n] = 0;
			return t.n;
		}
		duct_rt_lost(duct_block_unit, duct_block, "strftime of a symbolic time");
		duct_rt_set(NULL, 0, to, t.n < room ? t.n : room, 0, 0, 0);
		return CALL_QUIETLY("strftime", strftime, to, room, f, tm);
	}
	n = CALL_REAL(strftime, to, room, f, tm);
	duct_rt_set(NULL, 0, to, n + (n < room), 0, 0, 0);
	return n;
}
