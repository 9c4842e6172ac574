/* Functions that have no library model, but that --faults can make fail. They remain limits: when
 * they succeed, they do the same as on this machine. */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "share/libc/stream.h"
#include "share/libc/names.h"

#define BARE(...) __VA_ARGS__
#define MODELLED(...)
#define LEAVING(type, name, parameters, arguments, result, error) \
	MODEL type name parameters \
	{ \
		if (FAILS(#name, error)) \
			return result; \
		duct_child_tries(); \
		return CALL_REAL(name, BARE arguments); \
	}
/* duct_result_used: 1: the result is used; 2: the result or the written memory depends on the
 * environment */
#define FAILING(type, name, parameters, arguments, result, error) \
	MODEL type name parameters \
	{ \
		int used = duct_result_used & 1; \
		if (duct_result_used) \
			duct_rt_limit("concrete", #name "()", 0); \
		if (used) \
			duct_rt_may_fail(#name); \
		if (FAILS_IF(used, #name, error)) \
			return result; \
		return CALL_REAL(name, BARE arguments); \
	}
#include "share/test/duct_failing.h"

/* ---- execl and its kin: the arguments are listed up to NULL; then, for execle, the environment */

static char **listed(const char *first, va_list *ap)
{
	va_list again;
	size_t n = 1, i;
	char **argv;

	va_copy(again, *ap);
	while (first && va_arg(again, char *))
		n++;
	va_end(again);
	if ((argv = malloc((n + 1) * sizeof *argv))) {
		argv[0] = (char *)first;
		for (i = 1; first && i <= n; i++)
			argv[i] = va_arg(*ap, char *);
	}
	return argv;
}

#define EXECUTE(name, call) \
	MODEL int name(const char *file, const char *first, ...) \
	{ \
		va_list ap; \
		char **argv; \
		int result = -1; \
		if (FAILS(#name, ENOENT)) \
			return -1; \
		duct_child_tries(); \
		va_start(ap, first); \
		if ((argv = listed(first, &ap))) \
			result = call; \
		va_end(ap); \
		free(argv); \
		return result; \
	}
EXECUTE(execl, CALL_REAL(execv, file, argv))
EXECUTE(execlp, CALL_REAL(execvp, file, argv))
EXECUTE(execle, CALL_REAL(execve, file, argv, va_arg(ap, char *const *)))
