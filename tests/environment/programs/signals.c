/* Outcomes that handlers of signals, and what these change, reach. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t stopped, reloads;

static void stop(int number)
{
	stopped = number == SIGTERM ? 2 : 1;
}

static void reload(int number)
{
	(void)number;
	reloads++;
}

int main(int argc, char **argv)
{
	struct sigaction a;

	memset(&a, 0, sizeof a);
	a.sa_handler = reload;
	if (argc > 1 && argv[1][0] == 'r') {
		sigaction(SIGHUP, &a, NULL);
		if (reloads)
			return 4;
	}
	signal(SIGPIPE, SIG_IGN);
	signal(SIGTERM, stop);
	signal(SIGINT, stop);
	if (stopped == 2)
		return 2;
	return stopped ? 1 : 0;
}
