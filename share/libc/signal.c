/* Signals: an input says whether a signal arrives as soon as its handler is installed. Later
 * signals, signals that are blocked at that time, signals of faults, and handlers that take a
 * siginfo_t are limits. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <signal.h>

#include "share/libc/stream.h"

typedef void handles(int);
int duct_handles __attribute__((visibility("hidden")));

/* Tests (share/test/duct_answers.c) count the same calls. */
static int may_arrive(int number, handles *handler)
{
	sigset_t blocked;

	if (handler == SIG_DFL || handler == SIG_IGN || handler == SIG_ERR)
		return 0;
	switch (number) {
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGABRT:
	case SIGTRAP:
	case SIGSYS: return 0;
	}
	return CALL_QUIETLY("sigprocmask", sigprocmask, SIG_BLOCK, NULL, &blocked) == 0
	    && CALL_QUIETLY("sigismember", sigismember, &blocked, number) == 0;
}

static void ask(int number, handles *handler)
{
	unsigned char arrives;

	duct_handles |= handler != SIG_DFL && handler != SIG_IGN && handler != SIG_ERR;
	if (may_arrive(number, handler) && duct_rt_asked(&arrives, 1, "signal", "handler", "b1")
	    && arrives)
		handler(number);
}

MODEL handles *signal(int number, handles *handler)
{
	handles *before;

	if (MAY_FAIL("signal", EINVAL))
		return SIG_ERR;
	duct_rt_limit("concrete", "signal()", 0);
	before = CALL_REAL(signal, number, handler);
	if (before != SIG_ERR)
		ask(number, handler);
	return before;
}

MODEL int sigaction(int number, const struct sigaction *to, struct sigaction *before)
{
	int result;

	if (MAY_FAIL("sigaction", EINVAL))
		return -1;
	duct_rt_limit("concrete", "sigaction()", 0);
	if (before)
		duct_rt_set(NULL, 0, before, sizeof *before, 0, 0, 0);
	result = CALL_REAL(sigaction, number, to, before);
	duct_handles |= to && to->sa_flags & SA_SIGINFO;
	if (result == 0 && to && !(to->sa_flags & SA_SIGINFO))
		ask(number, to->sa_handler);
	return result;
}
