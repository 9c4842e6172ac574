/* stop: set once, never taken back. */
#include "lib/base/stop.h"

#include <signal.h>

static volatile sig_atomic_t asked;

void stop_ask(void)
{
	asked = 1;
}

bool stop_asked(void)
{
	return asked;
}
