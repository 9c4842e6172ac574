/* classify: how a run ended, from its wait status and the runtime's notes. */
#include <signal.h>
#include <sys/wait.h>

#include "lib/run/internal.h"

#define NULL_PAGE 4096

static bool fault_end(uint32_t fault, enum trace_end *end)
{
	static const enum trace_end ends[] = {
		[FAULT_ASSERT] = END_ASSERT,
		[FAULT_REJECTED] = END_REJECTED,
		[FAULT_ERROR] = END_ERROR,
		[FAULT_BOUNDS] = END_BOUNDS,
		[FAULT_LIMIT] = END_LIMIT,
		[FAULT_CHECK] = END_CHECK,
		[FAULT_ABORT] = END_ABORT,
		[FAULT_NEED] = END_NEED,
	};

	if (fault == FAULT_NONE || fault >= sizeof ends / sizeof *ends)
		return false;
	*end = ends[fault];
	return true;
}

/* si_code distinguishes faults that the processor reports (> 0) from signals that a process sent,
 * and a null address from one that the processor cannot name (SI_KERNEL). 0: sent by kill, or the
 * runtime's handler did not run and nothing is known. */
static enum trace_end bad_address(int signal, const struct channel *c)
{
	int code = c->fault_code;

	if (code < 0 || (code == 0 && c->fault_address))
		return END_SIGNAL;
	if (c->refused)
		return END_MEMORY;
	if (signal == SIGSEGV && (code == SEGV_MAPERR || code == SEGV_ACCERR)
	    && c->fault_address < NULL_PAGE)
		return END_NULL;
	return END_SEGV;
}

static enum trace_end signal_end(int signal, const struct channel *c)
{
	int code = c->fault_code;

	switch (signal) {
	case SIGXFSZ: return END_OUTPUT;
	case SIGXCPU: return END_TIMEOUT;
	case SIGABRT: return c->refused ? END_MEMORY : END_ABORT;
	case SIGFPE:
		return code == 0 || code == FPE_INTDIV || code == FPE_INTOVF ? END_DIVISION
		                                                             : END_SIGNAL;
	case SIGSEGV:
	case SIGBUS: return bad_address(signal, c);
	case SIGKILL: return c->refused ? END_MEMORY : END_SIGNAL;
	default: return END_SIGNAL;
	}
}

static char output[] = "output";

void classify(struct trace *t, const struct channel *c, int status, bool timed_out, bool flooded)
{
	bool ended = !timed_out && (WIFEXITED(status) || c->finished);

	t->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	t->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (fault_end(c->fault, &t->end))
		;
	else if (ended
	    && (flooded || t->signal == SIGXFSZ)) /* its output ends; it only exceeds the limit */
		t->end = END_LIMIT, t->fault_message = output;
	else if (flooded)
		t->end = END_OUTPUT;
	else if (timed_out)
		t->end = END_TIMEOUT;
	else
		t->end = t->signal ? signal_end(t->signal, c) : END_EXIT;
	if (t->end != END_EXIT)
		t->exit_status = 0;
}
