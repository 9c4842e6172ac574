/* Further properties of a process that its environment determines: with --environment the current
 * directory, the name of the machine, resource limits, the umask, and, by environment variables,
 * the locale. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <locale.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

/* ---- texts */

char *duct_answered(const char *function, const char *input, const char *before)
{
	size_t size = duct_rt_grown("text"), n = CALL_QUIETLY("strlen", strlen, before);
	char *text;

	if (!duct_rt_environment() || !(text = malloc(n + size + 1)))
		return NULL;
	duct_rt_limit("answer", function, size);
	memcpy(text, before, n);
	memcpy(text + n, duct_rt_text(input, size), size + 1);
	return text;
}

MODEL char *getcwd(char *to, size_t n)
{
	static char *path;
	size_t need;

	if (MAY_FAIL("getcwd", ENOENT))
		return NULL;
	if (duct_moved || (!path && !(path = duct_answered("getcwd()", "system.getcwd", "/")))) {
		duct_rt_concrete("getcwd", NULL);
		path = NULL;
		to = CALL_REAL(getcwd, to, n);
		if (to)
			duct_rt_written(to, CALL_QUIETLY("strlen", strlen, to) + 1);
		return to;
	}
	duct_assume(path[1] != '/');
	need = strlen(path) + 1;
	if (need > 2)
		duct_assume(path[need - 2] != '/');
	if (to && need > n) {
		errno = n ? ERANGE : EINVAL;
		return NULL;
	}
	if (!to && !(to = malloc(n > need ? n : need)))
		return NULL;
	return memcpy(to, path, need);
}

MODEL int gethostname(char *to, size_t n)
{
	static char *name;
	size_t need;

	if (!name && !(name = duct_answered("gethostname()", "system.gethostname", ""))) {
		duct_rt_concrete("gethostname", NULL);
		return CALL_REAL(gethostname, to, n);
	}
	need = strlen(name) + 1;
	duct_assume(need <= 65);
	memcpy(to, name, need > n ? n : need);
	if (need <= n)
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

/* ---- numbers */

MODEL mode_t umask(mode_t mask)
{
	static int known;
	static mode_t now;
	uint32_t v;
	mode_t before = CALL_QUIETLY("umask", umask, mask);

	if (!known && duct_rt_asked(&v, sizeof v, "system", "umask", "u4")) {
		duct_assume(v <= 0777);
		before = v;
	} else if (known) {
		before = now;
	}
	known = duct_rt_environment();
	now = mask & 0777;
	return before;
}

static int limits_set;

static int limit(__rlimit_resource_t what, struct rlimit *to)
{
	static struct rlimit is[RLIM_NLIMITS];
	static unsigned char known[RLIM_NLIMITS];
	unsigned i = (unsigned)what;

	if (i >= RLIM_NLIMITS || limits_set)
		return CALL_REAL(getrlimit, what, to);
	if (!known[i]) {
		if (!duct_rt_asked(
		        &is[i], sizeof is[i], "system", "getrlimit", "{0.soft=u8;8.hard=u8}"))
			return CALL_REAL(getrlimit, what, to);
		duct_assume(is[i].rlim_cur <= is[i].rlim_max);
		known[i] = 1;
	}
	*to = is[i];
	return 0;
}

long duct_open_max(void)
{
	struct rlimit r;

	if (limits_set || limit(RLIMIT_NOFILE, &r) != 0)
		return CALL_REAL(sysconf, _SC_OPEN_MAX);
	return (long)r.rlim_cur;
}

MODEL int getrlimit(__rlimit_resource_t what, struct rlimit *to)
{
	return limit(what, to);
}

MODEL int getrlimit64(__rlimit_resource_t what, struct rlimit64 *to)
{
	return limit(what, (struct rlimit *)to);
}

/* The machine decides whether this succeeds; later results of getrlimit are the machine's. */
MODEL int setrlimit(__rlimit_resource_t what, const struct rlimit *to)
{
	duct_rt_concrete("setrlimit", NULL);
	limits_set = 1;
	return CALL_REAL(setrlimit, what, to);
}

MODEL int setrlimit64(__rlimit_resource_t what, const struct rlimit64 *to)
{
	return setrlimit(what, (const struct rlimit *)to);
}

/* ---- the locale */

static char *variable(const char *name)
{
	char *text = getenv(name);

	return text && *text ? text : NULL;
}

/* The text that names the locale of setlocale(category, ""). */
static const char *from_environment(int category)
{
	static const struct {
		int category;
		const char *name;
	} named[] = {
		{ LC_CTYPE, "LC_CTYPE" },
		{ LC_COLLATE, "LC_COLLATE" },
		{ LC_MESSAGES, "LC_MESSAGES" },
		{ LC_MONETARY, "LC_MONETARY" },
		{ LC_NUMERIC, "LC_NUMERIC" },
		{ LC_TIME, "LC_TIME" },
	};
	const char *text = variable("LC_ALL");
	size_t i;

	for (i = 0; !text && i < sizeof named / sizeof *named; i++)
		if (named[i].category == category)
			text = variable(named[i].name);
	return text ? text : variable("LANG");
}

/* The installed locales are those of the machine; conditions on the path select one. */
MODEL char *setlocale(int category, const char *name)
{
	static const char *const often[] = { "C", "C.UTF-8", "POSIX", "en_US.UTF-8" };
	char copy[64], *is;
	size_t i;

	duct_rt_concrete("setlocale", NULL);
	if (!name || !duct_rt_describes())
		return CALL_REAL(setlocale, category, name);
	if (!duct_rt_symbolic(name, 1) && !*name && duct_rt_environment())
		name = from_environment(category);
	for (i = 0; name && i < sizeof often / sizeof *often; i++)
		if (!strcmp(name, often[i]))
			return CALL_QUIETLY("setlocale", setlocale, category, often[i]);
	i = name ? CALL_QUIETLY("strnlen", strnlen, name, sizeof copy - 1) : 0;
	CALL_QUIETLY("memcpy", memcpy, copy, name ? name : "", i);
	copy[i] = 0;
	is = CALL_QUIETLY("setlocale", setlocale, category, copy);
	if (is && name && *name)
		(void)strcmp(name, copy);
	return is;
}
