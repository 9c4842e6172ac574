/* stop: a flag that signal handlers set. */
#include "lib/base/stop.h"

#include <signal.h>

static volatile sig_atomic_t asked;

void stop_ask(void)
{
	asked = 1;
}

void stop_take_back(void)
{
	asked = 0;
}

bool stop_asked(void)
{
	return asked;
}
