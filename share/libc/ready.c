/* poll() and select(): with --environment, whether standard input is ready is an input, and the
 * calls do not wait. Other descriptors are as on this machine, which is a limit. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/select.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

#define LIMIT(name) \
	do { \
		if (duct_result_used) \
			duct_rt_limit("concrete", name "()", 0); \
	} while (0)

/* Is the descriptor standard input, and its content an input? Such content has no path. */
static struct opened *is_stdin(int fd)
{
	struct opened *s = fd == 0 && duct_rt_environment() ? duct_opened(0) : NULL;

	return s && !s->content->path ? s : NULL;
}

/* The events that poll() reports for standard input. The input v is by which bits they differ from
 * the usual answer, that there is something to read. Of a pipe that was closed (POLLHUP without
 * POLLIN) all has been read. */
static short events_of(struct opened *s, short wanted, uint16_t v)
{
	uint16_t is = v ^ ((uint16_t)wanted & POLLIN);

	duct_assume(!(is & ~((uint16_t)wanted | POLLHUP | POLLERR)));
	if ((is & (POLLHUP | POLLIN)) == POLLHUP)
		duct_assume(s->pos >= duct_content_length(s->content));
	return (short)is;
}

MODEL int poll(struct pollfd *p, nfds_t n, int timeout)
{
	int used = duct_result_used & 1, asked = 0, result;
	struct opened *s;
	uint16_t v;
	nfds_t i;

	LIMIT("poll");
	if (used)
		duct_rt_may_fail("poll");
	if (FAILS_IF(used, "poll", EINTR))
		return -1;
	for (i = 0; i < n; i++)
		asked |= is_stdin(p[i].fd) != NULL;
	for (i = 0; i < n; i++)
		p[i].revents = 0;
	result = asked ? CALL_QUIETLY("poll", poll, p, n, 0) : CALL_REAL(poll, p, n, timeout);
	if (!asked || result < 0)
		return result;
	for (i = 0, result = 0; i < n; i++) {
		if ((s = is_stdin(p[i].fd)) && duct_rt_asked(&v, sizeof v, "system", "poll", "u2"))
			p[i].revents = events_of(s, p[i].events, v);
		result += p[i].revents != 0;
	}
	if (timeout < 0)
		duct_assume(result > 0);
	return result;
}

MODEL int select(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *timeout)
{
	struct timeval none = { 0, 0 };
	int used = duct_result_used & 1, result;
	size_t bytes = n > 0 ? ((size_t)n + 63) / 64 * 8 : 0;
	unsigned char waits;

	LIMIT("select");
	if (used)
		duct_rt_may_fail("select");
	if (FAILS_IF(used, "select", EINTR))
		return -1;
	if (n < 1 || !r || !FD_ISSET(0, r) || !is_stdin(0)
	    || !duct_rt_asked(&waits, 1, "system", "select", "b1"))
		return CALL_REAL(select, n, r, w, e, timeout);
	result = CALL_QUIETLY("select", select, n, r, w, e, &none);
	duct_rt_set(NULL, 0, r, bytes, 0, 0, 0);
	if (w)
		duct_rt_set(NULL, 0, w, bytes, 0, 0, 0);
	if (e)
		duct_rt_set(NULL, 0, e, bytes, 0, 0, 0);
	if (result > 0 && waits) {
		FD_CLR(0, r);
		result--;
	}
	if (timeout)
		*timeout = none;
	else
		duct_assume(result != 0);
	return result;
}
