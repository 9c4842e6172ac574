/* process: commands that engines run. Private to lib/engine. */
#ifndef DUCT_PROCESS_H
#define DUCT_PROCESS_H

#include <stddef.h>

#define PROCESS_TIMEOUT (-1)
#define PROCESS_FAILED  (-2)

/* Absolute path of a command on PATH; caller frees; NULL when there is none. */
char *process_find(const char *name);

/* Can a shared library be loaded? Looks in the usual directories before it tries. */
int process_library(const char *name);

/* Runs argv with descriptor `in` as its standard input, collects its standard output
 * (NUL-terminated, caller frees) and adds its CPU seconds to *cpu. Kills it after `seconds`, even when it has closed
 * its output, and when it writes more than 64 MiB. Returns the wait status, PROCESS_TIMEOUT or PROCESS_FAILED. */
int process_run(char *const *argv, int in, double seconds, char **out, size_t *size, double *cpu);

struct rusage;
double process_cpu(const struct rusage *u);      /* seconds */

/* Seconds of a clock that does not jump. */
double process_clock(void);

#endif
