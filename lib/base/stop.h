/* stop: whether this process was told to end what it does. Long work looks at it where it looks at
 * its deadline. */
#ifndef DUCT_STOP_H
#define DUCT_STOP_H

#include <stdbool.h>

void stop_ask(void);       /* for signal handlers */
void stop_take_back(void); /* another session begins */
bool stop_asked(void);

#endif
