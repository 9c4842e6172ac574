/* stop: a flag that a signal handler sets to end the current work. Long loops read it where they
 * read their deadline. */
#ifndef DUCT_STOP_H
#define DUCT_STOP_H

#include <stdbool.h>

void stop_ask(void);       /* for signal handlers */
void stop_take_back(void); /* clears it, before another session begins */
bool stop_asked(void);

#endif
