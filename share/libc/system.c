/* Further calls by which a program queries the system: with --environment numbers are inputs, which
 * stay the same in a run; other results are concrete and reported as limits. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <unistd.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

/* ---- numbers */

#define NUMBER(type, name, assumed) \
	MODEL type name(void) \
	{ \
		static int known; \
		static uint32_t v; \
		if (!known && !duct_rt_asked(&v, sizeof v, "system", #name, "u4")) \
			return CALL_REAL(name); \
		if (!known) \
			duct_assume(assumed); \
		known = 1; \
		return (type)v; \
	}
NUMBER(pid_t, getpid, v >= 1 && v <= 4194304)
NUMBER(pid_t, getppid, v <= 4194304)
NUMBER(uid_t, getuid, 1)
NUMBER(uid_t, geteuid, 1)
NUMBER(gid_t, getgid, 1)
NUMBER(gid_t, getegid, 1)

#define LISTED 256 /* descriptors, and names of sysconf, that are followed */

int duct_is_terminal(int fd)
{
	static unsigned char known[LISTED], is[LISTED];
	unsigned char v;

	if (fd < 0 || fd >= LISTED)
		return -1;
	if (!known[fd]) {
		if (!duct_rt_asked(&v, 1, "system", "isatty", "b1"))
			return -1;
		known[fd] = 1;
		is[fd] = v;
	}
	return is[fd] != 0;
}

MODEL int isatty(int fd)
{
	int is = duct_is_terminal(fd);

	if (is < 0)
		return CALL_REAL(isatty, fd);
	if (!is)
		errno = ENOTTY;
	return is;
}

MODEL long sysconf(int name)
{
	static unsigned char known[LISTED];
	static long is[LISTED];
	long v;

	if (name == _SC_OPEN_MAX)
		return duct_open_max();
	if (name < 0 || name >= LISTED)
		return CALL_REAL(sysconf, name);
	if (!known[name]) {
		if (!duct_rt_asked(&v, sizeof v, "system", "sysconf", "i8"))
			return CALL_REAL(sysconf, name);
		duct_assume(v >= -1);
		known[name] = 1;
		is[name] = v;
	}
	return is[name];
}

/* ---- results that are those of this machine */

#define AS_HERE(type, name, parameters, ...) \
	MODEL type name parameters \
	{ \
		duct_rt_concrete(#name, NULL); \
		return CALL_REAL(name, ##__VA_ARGS__); \
	}
AS_HERE(struct hostent *, gethostbyname, (const char *name), name)
AS_HERE(struct passwd *, getpwent, (void))
AS_HERE(int, getdomainname, (char *name, size_t n), name, n)
AS_HERE(int, getaddrinfo,
    (const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **to),
    node, service, hints, to)
AS_HERE(int, getifaddrs, (struct ifaddrs * *to), to)
AS_HERE(int, getrusage, (__rusage_who_t who, struct rusage *u), who, u)
AS_HERE(clock_t, times, (struct tms * t), t)
AS_HERE(int, sysinfo, (struct sysinfo * s), s)
AS_HERE(pid_t, getpgrp, (void))
AS_HERE(pid_t, getsid, (pid_t pid), pid)

/* The same, and how much was written to `to`, of what it gives, v. */
#define WRITES_HERE(type, name, parameters, to, bytes, ...) \
	MODEL type name parameters \
	{ \
		type v; \
		duct_rt_concrete(#name, NULL); \
		v = CALL_REAL(name, __VA_ARGS__); \
		if (to) \
			duct_rt_written(to, bytes); \
		return v; \
	}
WRITES_HERE(ssize_t, readlink, (const char *path, char *buf, size_t n), buf, v > 0 ? (size_t)v : 0,
    path, buf, n)
WRITES_HERE(char *, realpath, (const char *path, char *to), to,
    v ? CALL_QUIETLY("strlen", strlen, v) + 1 : 0, path, to)
