#include "lib/runtime/smaps.h"
#include "lib/runtime/sys.h"
#include <string.h>

static uintptr_t hexadecimal(const char **s)
{
	uintptr_t v = 0;

	for (;; ++*s) {
		if (**s >= '0' && **s <= '9')
			v = v << 4 | (uintptr_t)(**s - '0');
		else if (**s >= 'a' && **s <= 'f')
			v = v << 4 | (uintptr_t)(**s - 'a' + 10);
		else
			return v;
	}
}

/* One line of smaps; true when it is the last one of a mapping, so that *m is complete. */
static bool take_line(const char *s, size_t n, struct mapping *m)
{
	static const char rss[] = "Rss:", last[] = "VmFlags:", stack[] = "[stack]";

	if (s[0] >= 'A' && s[0] <= 'Z') {
		bool ends = n > sizeof last && !memcmp(s, last, sizeof last - 1);

		if (n > sizeof rss && !memcmp(s, rss, sizeof rss - 1))
			for (size_t i = sizeof rss; i < n; i++)
				m->touched |= s[i] >= '1' && s[i] <= '9';
		for (size_t i = sizeof last; ends && i + 1 < n; i++)
			m->may_write |= s[i] == 'm' && s[i + 1] == 'w';
		return ends;
	}
	*m = (struct mapping){ .stack = n > sizeof stack
		    && !memcmp(s + n - sizeof stack + 1, stack, sizeof stack - 1) };
	m->from = hexadecimal(&s);
	s++;
	m->to = hexadecimal(&s);
	m->writable = s[2] == 'w';
	m->shared = s[4] == 's';
	return false;
}

bool duct_smaps_each(
    int smaps, char *text, size_t room, bool (*take)(const struct mapping *, void *), void *with)
{
	struct mapping m = { 0 };
	size_t have = 0, end, from;
	long n;

	while ((n = sys3(SYS_read, smaps, text + have, room - have)) > 0) {
		have += (size_t)n;
		for (from = 0;; from = end + 1) {
			for (end = from; end < have && text[end] != '\n'; end++)
				;
			if (end == have)
				break;
			if (take_line(text + from, end - from, &m) && !take(&m, with))
				return false;
		}
		have -= from;
		memmove(text, text + from, have);
	}
	return n == 0 && have == 0;
}
