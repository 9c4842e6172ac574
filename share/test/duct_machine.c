/* duct_machine.c: answers (duct_answers.h) about the machine: directories, numbers, names and
 * limits of the system, terminals. */
#define _GNU_SOURCE
#include "duct_answers.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

void *__real_malloc(size_t n);
char *__real_getcwd(char *to, size_t n);

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

	return (time_t)duct_answer("system", "stat", first_call("stat", known, kind), "");
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
		return duct_asking && duct_answers_system \
		    ? (type)duct_answer("system", #name, 0, "") \
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
		known[number] = (unsigned char)(duct_count_call("system", function) + 1);
	return known[number] - 1u;
}

int __real_isatty(int fd);
int __wrap_isatty(int fd);
int __wrap_isatty(int fd)
{
	static unsigned char known[256];

	if (!duct_asking || !duct_answers_system || fd < 0 || fd > 255)
		return __real_isatty(fd);
	if (duct_answer("system", "isatty", first_call("isatty", known, fd), ""))
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
		if (duct_fails(#name, EACCES)) \
			return -1; \
		moved |= duct_asking; \
		return __real_##name(to); \
	}
MOVES(chdir, const char *)
MOVES(fchdir, int)

/* A text, whose bytes are numbered. */
size_t duct_text_of(const char *function, char *to, size_t room)
{
	size_t n = 0;
	unsigned long long c;

	while (n < room - 1 && (c = duct_answer("system", function, (unsigned)n, "")))
		to[n++] = (char)c;
	to[n] = 0;
	return n + 1;
}

char *__wrap_getcwd(char *to, size_t n);
char *__wrap_getcwd(char *to, size_t n)
{
	static char path[1 << 17] = "/";
	size_t need;

	if (duct_fails("getcwd", ENOENT))
		return NULL;
	if (!duct_asking || !duct_answers_system || moved)
		return __real_getcwd(to, n);
	need = 1 + duct_text_of("getcwd", path + 1, sizeof path - 1);
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
	need = duct_text_of("gethostname", name, sizeof name);
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
	return (mode_t)duct_answer("system", "umask", 0, "");
}

static int limits_set;

static int limit(int what, struct rlimit *to)
{
	static unsigned char known[256];
	unsigned call;

	if (!duct_asking || !duct_answers_system || what < 0 || what >= RLIM_NLIMITS || limits_set)
		return 0;
	call = first_call("getrlimit", known, what);
	to->rlim_cur = duct_answer("system", "getrlimit", call, ".soft");
	to->rlim_max = duct_answer("system", "getrlimit", call, ".hard");
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
	return (long)duct_answer("system", "sysconf", first_call("sysconf", known, name), "");
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
		unsigned call = duct_count_call("system", "tcgetattr");
		t->modes.c_iflag = (tcflag_t)duct_answer("system", "tcgetattr", call, ".iflag");
		t->modes.c_oflag = (tcflag_t)duct_answer("system", "tcgetattr", call, ".oflag");
		t->modes.c_cflag = (tcflag_t)duct_answer("system", "tcgetattr", call, ".cflag");
		t->modes.c_lflag = (tcflag_t)duct_answer("system", "tcgetattr", call, ".lflag");
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

	if (duct_fails("tcsetattr", EINVAL))
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
		unsigned call = duct_count_call("system", "winsize");
		t->size.ws_row = (unsigned short)duct_answer("system", "winsize", call, ".rows");
		t->size.ws_col = (unsigned short)duct_answer("system", "winsize", call, ".columns");
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
	duct_text_of("ttyname", name + 5, sizeof name - 5);
	return name;
}
