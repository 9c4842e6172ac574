/* process: runs commands for engines. Private to lib/engine. */
#ifndef DUCT_PROCESS_H
#define DUCT_PROCESS_H

#include <stddef.h>

#define PROCESS_TIMEOUT (-1)
#define PROCESS_FAILED (-2)

/* Absolute path of a command on PATH, freed by the caller; NULL if not found. */
char *process_find(const char *name);

/* Can a shared library be loaded? Checks the usual directories first, then dlopen. */
int process_library(const char *name);

/* Runs argv with descriptor `in` as standard input. *out: its standard output, NUL-terminated,
 * freed by the caller; its CPU seconds are added to *cpu. Kills it after `seconds`, or when it
 * writes more than 64 MiB; it gets no more memory than an engine may take (budget.h). Returns the
 * wait status, PROCESS_TIMEOUT or PROCESS_FAILED. */
int process_run(char *const *argv, int in, double seconds, char **out, size_t *size, double *cpu);

struct rusage;
double process_cpu(const struct rusage *u); /* seconds */

#endif
