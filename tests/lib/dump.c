/* Linked into tests built with --coverage: gcov's counters are written even when the program
 * under test dies of a signal. */
#include <signal.h>

void __gcov_dump(void);

static void dump(int signal_number)
{
	__gcov_dump();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

__attribute__((constructor)) static void catch_signals(void)
{
	static const int signals[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGALRM };

	for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], dump);
}
