/* duct_runner.h: shared by the files that run tests: duct_test.c, the runner; duct_process.c, the
 * process of one test; duct_values.c, the functions that tests and programs under test call. */
#ifndef DUCT_RUNNER_H
#define DUCT_RUNNER_H

#include <stddef.h>

#include "duct_test.h"

/* In memory that the runner shares with the process of a test. */
struct duct_state {
	int differences;    /* observed values that are other ones now */
	int setup_failures; /* inputs that could not be set up as in the recorded run */
	char message[400];  /* the last of them */
};
extern struct duct_state *duct_state;
/* In the process of a test: that test. */
extern const struct duct_test *duct_current;
/* The time limit of a test. */
extern int duct_seconds;

/* Counts a setup failure; the message is the two texts. */
void duct_setup_failed(const char *what, const char *name);
int duct_write_all(int fd, const char *bytes, size_t n);
/* Makes the directories of the system read-only where that is possible. */
void duct_protect(void);
/* The process of a test, with files to be its standard input and output; does not return. */
void duct_run_child(const struct duct_test *t, int in, int out, int verbose);

#endif
