/* library: what functions of the C library do with the memory that their arguments point to. */
#include "lib/alias/inner.h"

#include <stdlib.h>
#include <string.h>

/* A letter an argument, the last one stands for all that follow: r reads, w writes, b both, - neither. Before a colon:
 *   = 2 3 returns its first, second, third argument or a place in that object
 *   *     ... a new object
 *   x     ... or memory of the library
 *   c     copies pointers from its second argument to its first
 *   e     stores a place in the object of its first argument where its second points to
 *   n     a format of printf: unknown where the program has a text with %n
 *   m     a format of scanf: unknown where it has one with %m, which allocates
 * None keeps a pointer that it was given, or calls back. Sorted by name. */
static const struct alias_library library[] = {
	{ "_Exit", ":-" }, { "_IO_getc", ":b" }, { "_IO_putc", ":-b" }, { "__assert", ":-" },
	{ "__assert_fail", ":-" }, { "__ctype_b_loc", "x:-" }, { "__ctype_get_mb_cur_max", ":-" },
	{ "__ctype_tolower_loc", "x:-" }, { "__ctype_toupper_loc", "x:-" }, { "__errno_location", "x:-" },
	{ "__fprintf_chk", "n:b-r" }, { "__fxstat", ":--w" }, { "__isoc23_fscanf", "m:brw" },
	{ "__isoc23_scanf", "m:rw" }, { "__isoc23_sscanf", "m:rrw" }, { "__isoc23_strtoimax", "e:rw-" },
	{ "__isoc23_strtol", "e:rw-" }, { "__isoc23_strtoll", "e:rw-" }, { "__isoc23_strtoul", "e:rw-" },
	{ "__isoc23_strtoull", "e:rw-" }, { "__isoc23_strtoumax", "e:rw-" }, { "__isoc99_fscanf", "m:brw" },
	{ "__isoc99_scanf", "m:rw" }, { "__isoc99_sscanf", "m:rrw" }, { "__lxstat", ":-rw" },
	{ "__memcpy_chk", "c=:wr--" }, { "__memmove_chk", "c=:wr--" }, { "__memset_chk", "=:w---" },
	{ "__overflow", ":b-" }, { "__printf_chk", "n:-r" }, { "__snprintf_chk", "n:w---r" },
	{ "__sprintf_chk", "n:w--r" }, { "__stpcpy_chk", "=:wr-" }, { "__strcat_chk", "=:br-" },
	{ "__strcpy_chk", "=:wr-" }, { "__strncat_chk", "=:br--" }, { "__strncpy_chk", "=:wr--" },
	{ "__uflow", ":b" }, { "__vfprintf_chk", "n:b-rb" }, { "__vprintf_chk", "n:-rb" },
	{ "__vsnprintf_chk", "n:w---rb" }, { "__vsprintf_chk", "n:w--rb" }, { "__xpg_basename", "=x:b" },
	{ "__xpg_strerror_r", ":-w-" }, { "__xstat", ":-rw" }, { "_exit", ":-" }, { "abort", ":-" },
	{ "abs", ":-" }, { "accept", ":-wb" }, { "access", ":r-" }, { "acos", ":-" }, { "acosf", ":-" },
	{ "acosh", ":-" }, { "alarm", ":-" }, { "aligned_alloc", "*:-" }, { "arc4random", ":-" },
	{ "asctime", "x:r" }, { "asctime_r", "2:rw" }, { "asin", ":-" }, { "asinf", ":-" }, { "asinh", ":-" },
	{ "atan", ":-" }, { "atan2", ":-" }, { "atan2f", ":-" }, { "atanf", ":-" }, { "atanh", ":-" },
	{ "atof", ":r" }, { "atoi", ":r" }, { "atol", ":r" }, { "atoll", ":r" }, { "basename", "=x:b" },
	{ "bcmp", ":rr-" }, { "bind", ":-r-" }, { "bind_textdomain_codeset", "2x:rr" },
	{ "bindtextdomain", "2x:rr" }, { "btowc", ":-" }, { "bzero", ":w-" }, { "calloc", "*:-" },
	{ "cbrt", ":-" }, { "ceil", ":-" }, { "ceilf", ":-" }, { "ceill", ":-" }, { "chdir", ":r" },
	{ "chmod", ":r-" }, { "chown", ":r--" }, { "clearenv", ":-" }, { "clearerr", ":b" },
	{ "clearerr_unlocked", ":b" }, { "clock", ":-" }, { "clock_getres", ":-w" }, { "clock_gettime", ":-w" },
	{ "close", ":-" }, { "closedir", ":b" }, { "closelog", ":-" }, { "connect", ":-r-" }, { "copysign", ":-" },
	{ "cos", ":-" }, { "cosf", ":-" }, { "cosh", ":-" }, { "creat", ":r-" }, { "ctime", "x:r" },
	{ "ctime_r", "2:rw" }, { "dcgettext", "2x:rr-" }, { "dgettext", "2x:rr" }, { "difftime", ":-" },
	{ "dirname", "=x:b" }, { "div", ":-" }, { "dprintf", "n:-r" }, { "drand48", ":-" },
	{ "duct_assert", ":-" }, { "duct_assume", ":-" }, { "duct_rt_choice", ":r-" },
	{ "duct_rt_input", ":w-rr" }, { "duct_rt_result", ":-" }, { "duct_rt_watch", ":-" },
	{ "duct_symbolic", ":w-r" }, { "dup", ":-" }, { "dup2", ":-" }, { "erf", ":-" }, { "erfc", ":-" },
	{ "err", "n:-r" }, { "errx", "n:-r" }, { "exit", ":-" }, { "exp", ":-" }, { "exp2", ":-" },
	{ "expf", ":-" }, { "expl", ":-" }, { "explicit_bzero", ":w-" }, { "expm1", ":-" }, { "fabs", ":-" },
	{ "fabsf", ":-" }, { "fabsl", ":-" }, { "fchdir", ":-" }, { "fchmod", ":-" }, { "fchown", ":---" },
	{ "fclose", ":b" }, { "fcntl", ":--b" }, { "fdatasync", ":-" }, { "fdim", ":-" }, { "fdopen", "x:-r" },
	{ "feclearexcept", ":-" }, { "fegetround", ":-" }, { "feof", ":r" }, { "feof_unlocked", ":r" },
	{ "feraiseexcept", ":-" }, { "ferror", ":r" }, { "ferror_unlocked", ":r" }, { "fesetround", ":-" },
	{ "fetestexcept", ":-" }, { "fflush", ":b" }, { "ffs", ":-" }, { "fgetc", ":b" },
	{ "fgetc_unlocked", ":b" }, { "fgetpos", ":bw" }, { "fgets", "=:w-b" }, { "fgets_unlocked", "=:w-b" },
	{ "fileno", ":r" }, { "flockfile", ":b" }, { "floor", ":-" }, { "floorf", ":-" }, { "floorl", ":-" },
	{ "fma", ":-" }, { "fmax", ":-" }, { "fmaxf", ":-" }, { "fmin", ":-" }, { "fminf", ":-" },
	{ "fmod", ":-" }, { "fmodf", ":-" }, { "fmodl", ":-" }, { "fopen", "x:r" }, { "fprintf", "n:br" },
	{ "fputc", ":-b" }, { "fputc_unlocked", ":-b" }, { "fputs", ":rb" }, { "fputs_unlocked", ":rb" },
	{ "fread", ":w--b" }, { "fread_unlocked", ":w--b" }, { "free", ":-" }, { "freopen", "3:rrb" },
	{ "frexp", ":-w" }, { "frexpf", ":-w" }, { "frexpl", ":-w" }, { "fscanf", "m:brw" }, { "fseek", ":b-" },
	{ "fseeko", ":b-" }, { "fsetpos", ":br" }, { "fstat", ":-w" }, { "fstatat", ":-rw-" }, { "fsync", ":-" },
	{ "ftell", ":r" }, { "ftello", ":r" }, { "ftruncate", ":-" }, { "funlockfile", ":b" },
	{ "futimens", ":-r" }, { "fwrite", ":r--b" }, { "fwrite_unlocked", ":r--b" }, { "getc", ":b" },
	{ "getc_unlocked", ":b" }, { "getchar", ":-" }, { "getchar_unlocked", ":-" }, { "getcwd", "*=:w-" },
	{ "getegid", ":-" }, { "getenv", "x:r" }, { "geteuid", ":-" }, { "getgid", ":-" }, { "getgrgid", "x:-" },
	{ "getgrnam", "x:r" }, { "gethostname", ":w-" }, { "getloadavg", ":w-" }, { "getlogin", "x:-" },
	{ "getpagesize", ":-" }, { "getpeername", ":-wb" }, { "getpgrp", ":-" }, { "getpid", ":-" },
	{ "getppid", ":-" }, { "getpriority", ":-" }, { "getpwnam", "x:r" }, { "getpwuid", "x:-" },
	{ "getrlimit", ":-w" }, { "getrusage", ":-w" }, { "gets", "=:w" }, { "getsockname", ":-wb" },
	{ "getsockopt", ":---wb" }, { "gettext", "=x:r" }, { "gettimeofday", ":ww" }, { "getuid", ":-" },
	{ "gmtime", "x:r" }, { "gmtime_r", "2:rw" }, { "htonl", ":-" }, { "htons", ":-" }, { "hypot", ":-" },
	{ "hypotf", ":-" }, { "ilogb", ":-" }, { "index", "=:r-" }, { "inet_addr", ":r" }, { "inet_aton", ":rw" },
	{ "inet_ntoa", "x:-" }, { "inet_ntop", "3:-rw-" }, { "inet_pton", ":-rw" }, { "isalnum", ":-" },
	{ "isalpha", ":-" }, { "isascii", ":-" }, { "isatty", ":-" }, { "isblank", ":-" }, { "iscntrl", ":-" },
	{ "isdigit", ":-" }, { "isgraph", ":-" }, { "islower", ":-" }, { "isprint", ":-" }, { "ispunct", ":-" },
	{ "isspace", ":-" }, { "isupper", ":-" }, { "iswalnum", ":-" }, { "iswalpha", ":-" }, { "iswdigit", ":-" },
	{ "iswlower", ":-" }, { "iswprint", ":-" }, { "iswpunct", ":-" }, { "iswspace", ":-" },
	{ "iswupper", ":-" }, { "iswxdigit", ":-" }, { "isxdigit", ":-" }, { "kill", ":-" }, { "labs", ":-" },
	{ "lchown", ":r--" }, { "ldexp", ":-" }, { "ldexpf", ":-" }, { "ldexpl", ":-" }, { "ldiv", ":-" },
	{ "lgamma", ":-" }, { "link", ":rr" }, { "listen", ":-" }, { "llabs", ":-" }, { "llrint", ":-" },
	{ "llround", ":-" }, { "localeconv", "x:-" }, { "localtime", "x:r" }, { "localtime_r", "2:rw" },
	{ "log", ":-" }, { "log10", ":-" }, { "log10f", ":-" }, { "log1p", ":-" }, { "log2", ":-" },
	{ "log2f", ":-" }, { "logb", ":-" }, { "logf", ":-" }, { "logl", ":-" }, { "lrand48", ":-" },
	{ "lrint", ":-" }, { "lround", ":-" }, { "lroundf", ":-" }, { "lseek", ":-" }, { "lstat", ":rw" },
	{ "malloc", "*:-" }, { "malloc_usable_size", ":-" }, { "mblen", ":r-" }, { "mbrlen", ":r-b" },
	{ "mbrtowc", ":wr-b" }, { "mbsinit", ":r" }, { "mbstowcs", ":wr-" }, { "mbtowc", ":wr-" },
	{ "memalign", "*:-" }, { "memchr", "=:r" }, { "memcmp", ":rr-" }, { "memcpy", "c=:wr-" },
	{ "memmem", "=:r-r-" }, { "memmove", "c=:wr-" }, { "mempcpy", "c=:wr-" }, { "memrchr", "=:r--" },
	{ "memset", "=:w-" }, { "mkdir", ":r-" }, { "mkdtemp", "=:b" }, { "mkfifo", ":r-" }, { "mkostemp", ":b-" },
	{ "mkstemp", ":b" }, { "mktemp", "=:b" }, { "mktime", ":b" }, { "modf", ":-w" }, { "modff", ":-w" },
	{ "modfl", ":-w" }, { "mrand48", ":-" }, { "nan", ":r" }, { "nanosleep", ":rw" }, { "nearbyint", ":-" },
	{ "nextafter", ":-" }, { "ngettext", "=2x:rr-" }, { "nice", ":-" }, { "nl_langinfo", "x:-" },
	{ "ntohl", ":-" }, { "ntohs", ":-" }, { "open", ":r-" }, { "openat", ":-r-" }, { "opendir", "x:r" },
	{ "openlog", ":---" }, { "pathconf", ":r-" }, { "pclose", ":b" }, { "perror", ":r" }, { "pipe", ":w" },
	{ "poll", ":b--" }, { "popen", "x:rr" }, { "pow", ":-" }, { "powf", ":-" }, { "powl", ":-" },
	{ "pread", ":-w--" }, { "printf", "n:r" }, { "putc", ":-b" }, { "putc_unlocked", ":-b" },
	{ "putchar", ":-" }, { "putchar_unlocked", ":-" }, { "puts", ":r" }, { "pwrite", ":-r--" },
	{ "raise", ":-" }, { "rand", ":-" }, { "rand_r", ":b" }, { "random", ":-" }, { "rawmemchr", "=:r-" },
	{ "read", ":-w-" }, { "readdir", "x:b" }, { "readlink", ":rw-" }, { "realloc", "*c=:b" },
	{ "reallocarray", "*c=:b--" }, { "realpath", "*2:rw" }, { "recv", ":-w--" }, { "recvfrom", ":-w--wb" },
	{ "remainder", ":-" }, { "remove", ":r" }, { "remquo", ":--w" }, { "rename", ":rr" }, { "rewind", ":b" },
	{ "rewinddir", ":b" }, { "rindex", "=:r-" }, { "rint", ":-" }, { "rintf", ":-" }, { "rmdir", ":r" },
	{ "round", ":-" }, { "roundf", ":-" }, { "scalbn", ":-" }, { "scanf", "m:rw" }, { "secure_getenv", "x:r" },
	{ "select", ":-bbbb" }, { "send", ":-r--" }, { "sendto", ":-r--r-" }, { "setenv", ":rr-" },
	{ "setgid", ":-" }, { "setlocale", "x:-r" }, { "setrlimit", ":-r" }, { "setsockopt", ":---r-" },
	{ "setuid", ":-" }, { "shutdown", ":-" }, { "sigaddset", ":b-" }, { "sigdelset", ":b-" },
	{ "sigemptyset", ":w" }, { "sigfillset", ":w" }, { "sigismember", ":r-" }, { "sigprocmask", ":-rw" },
	{ "sin", ":-" }, { "sincos", ":-ww" }, { "sinf", ":-" }, { "sinh", ":-" }, { "sleep", ":-" },
	{ "snprintf", "n:w-r" }, { "socket", ":-" }, { "sprintf", "n:wr" }, { "sqrt", ":-" }, { "sqrtf", ":-" },
	{ "sqrtl", ":-" }, { "srand", ":-" }, { "srand48", ":-" }, { "srandom", ":-" }, { "sscanf", "m:rrw" },
	{ "stat", ":rw" }, { "statvfs", ":rw" }, { "stpcpy", "=:wr" }, { "stpncpy", "=:wr-" },
	{ "strcasecmp", ":rr" }, { "strcasestr", "=:rr" }, { "strcat", "=:br" }, { "strchr", "=:r" },
	{ "strchrnul", "=:r-" }, { "strcmp", ":rr" }, { "strcoll", ":rr" }, { "strcpy", "=:wr" },
	{ "strcspn", ":rr" }, { "strdup", "*:r" }, { "strerror", "x:-" }, { "strerror_r", "2x:-w-" },
	{ "strftime", ":w-rr" }, { "strlcat", ":br-" }, { "strlcpy", ":wr-" }, { "strlen", ":r" },
	{ "strncasecmp", ":rr-" }, { "strncat", "=:br-" }, { "strncmp", ":rr-" }, { "strncpy", "=:wr-" },
	{ "strndup", "*:r-" }, { "strnlen", ":r-" }, { "strpbrk", "=:rr" }, { "strrchr", "=:r" },
	{ "strsignal", "x:-" }, { "strspn", ":rr" }, { "strstr", "=:rr" }, { "strtod", "e:rw" },
	{ "strtof", "e:rw" }, { "strtoimax", "e:rw-" }, { "strtol", "e:rw-" }, { "strtold", "e:rw" },
	{ "strtoll", "e:rw-" }, { "strtoul", "e:rw-" }, { "strtoull", "e:rw-" }, { "strtoumax", "e:rw-" },
	{ "strverscmp", ":rr" }, { "strxfrm", ":wr-" }, { "swab", ":rw-" }, { "symlink", ":rr" }, { "sync", ":-" },
	{ "sysconf", ":-" }, { "syslog", "n:-r" }, { "system", ":r" }, { "tan", ":-" }, { "tanf", ":-" },
	{ "tanh", ":-" }, { "textdomain", "x:r" }, { "tgamma", ":-" }, { "time", ":w" }, { "timegm", ":b" },
	{ "times", ":w" }, { "tmpfile", "x:-" }, { "tmpnam", "=x:w" }, { "toascii", ":-" }, { "tolower", ":-" },
	{ "toupper", ":-" }, { "towlower", ":-" }, { "towupper", ":-" }, { "trunc", ":-" }, { "truncate", ":r-" },
	{ "truncf", ":-" }, { "ttyname", "x:-" }, { "tzset", ":-" }, { "umask", ":-" }, { "uname", ":w" },
	{ "ungetc", ":-b" }, { "unlink", ":r" }, { "unsetenv", ":r" }, { "usleep", ":-" }, { "utime", ":rr" },
	{ "utimensat", ":-rr-" }, { "utimes", ":rr" }, { "valloc", "*:-" }, { "vdprintf", "n:-rb" },
	{ "verr", "n:-rb" }, { "verrx", "n:-rb" }, { "vfprintf", "n:brb" }, { "vprintf", "n:rb" },
	{ "vsnprintf", "n:w-rb" }, { "vsprintf", "n:wrb" }, { "vsyslog", "n:-rb" }, { "vwarn", "n:rb" },
	{ "vwarnx", "n:rb" }, { "wait", ":w" }, { "waitpid", ":-w-" }, { "warn", "n:r" }, { "warnx", "n:r" },
	{ "wcrtomb", ":w-b" }, { "wcscat", "=:br" }, { "wcschr", "=:r-" }, { "wcscmp", ":rr" },
	{ "wcscpy", "=:wr" }, { "wcslen", ":r" }, { "wcsncmp", ":rr-" }, { "wcsncpy", "=:wr-" },
	{ "wcsrchr", "=:r-" }, { "wcsstr", "=:rr" }, { "wcstombs", ":wr-" }, { "wcswidth", ":r-" },
	{ "wctob", ":-" }, { "wctomb", ":w-" }, { "wcwidth", ":-" }, { "wmemchr", "=:r--" }, { "wmemcmp", ":rr-" },
	{ "wmemcpy", "=:wr-" }, { "wmemmove", "=:wr-" }, { "wmemset", "=:w--" }, { "write", ":-r-" },
};

static int compare(const void *name, const void *entry)
{
	return strcmp(name, ((const struct alias_library *)entry)->name);
}

const struct alias_library *alias_library(const char *name)
{
	/* The compiler's own: they note something, or save and restore the stack. */
	static const struct alias_library intrinsic = { "llvm.", "=x:-" };
	static const char *const act[] = { "llvm.va_", "llvm.eh.", "llvm.x86.", "llvm.aarch64.", "llvm.masked." };
	bool plain = !strncmp(name, "llvm.", 5);
	for (size_t i = 0; i < sizeof act / sizeof *act; i++)
		plain &= strncmp(name, act[i], strlen(act[i])) != 0;
	if (plain)
		return &intrinsic;
	return bsearch(name, library, sizeof library / sizeof *library, sizeof *library, compare);
}

uint32_t alias_library_number(const struct alias_library *l)
{
	return l >= library && l < library + sizeof library / sizeof *library ? (uint32_t)(l - library) : UINT32_MAX;
}

const struct alias_library *alias_library_at(uint32_t number)
{
	return number == UINT32_MAX ? alias_library("llvm.") : &library[number];
}

bool alias_library_has(const struct alias_library *l, char what)
{
	const char *at = strchr(l->effect, what);
	return at && at < strchr(l->effect, ':');
}

/* % and flags, width, precision, lengths, then one of these. */
static bool has_conversion(const uint8_t *text, uint64_t n, const char *last)
{
	for (uint64_t i = 0; i < n; i++) {
		uint64_t k = i + 1;
		while (text[i] == '%' && k < n && text[k] && strchr("0123456789$*.#+- 'hljztL", text[k]))
			k++;
		if (text[i] == '%' && k < n && text[k] && strchr(last, text[k]))
			return true;
		if (text[i] == '%' && k == i + 1 && k < n && text[k] == '%')
			i++;
	}
	return false;
}

bool alias_text_has(const struct flow *fl, const char *conversions)
{
	for (size_t i = 0; i < fl->units; i++)
		for (size_t k = 0; k < fl->unit[i].contents; k++)
			if (has_conversion(fl->unit[i].bytes[k].bytes, fl->unit[i].bytes[k].known, conversions))
				return true;
	return false;
}

char alias_effect(const struct alias_call *c, size_t argument)
{
	const struct alias_library *l = c->name && !c->unknown ? alias_library(c->name) : NULL;
	const char *effect = l ? strchr(l->effect, ':') + 1 : "b";
	size_t n = strlen(effect);
	return effect[argument < n ? argument : n - 1];
}
