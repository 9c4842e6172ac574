/* cover: collects the records of a test suite's programs (lib/protocol/record.h) into a store, one
 * transaction per test. */
#ifndef DUCT_COVER_H
#define DUCT_COVER_H

#include "lib/store/store.h"

/* The unit that is recorded as one test: a program that the suite starts, with all its descendants;
 * each process; all runs of one command line; all runs of one program. DUCT_TEST in a process's
 * environment overrides it. */
enum cover_per { COVER_TREE, COVER_PROCESS, COVER_COMMAND, COVER_PROGRAM };

struct cover_options {
	enum cover_per per;
	const char *folder; /* names of files below it are stored relative to it */
	const char *const *only,
	    *const *except;          /* patterns of source files; NULL-terminated lists or NULL */
	struct defuse_options pairs; /* criterion and protocol of def-use pairs */
	FILE *progress;              /* gets messages about long steps, or NULL */
};

struct cover;
/* Creates the folder for records. The store must have begun a suite. Borrows store and options.
 * NULL with *error (caller frees). */
struct cover *cover_open(struct store *s, const struct cover_options *o, char **error);
/* Environment setting for the suite's programs: "DUCT_COVER=...". */
const char *cover_setting(const struct cover *c);
/* Reads the records of processes that have ended; `last`: also of running ones, and all pairs,
 * whose analysis may take long. 0, or -1 with *error. */
int cover_collect(struct cover *c, bool last, char **error);

struct cover_counts {
	size_t tests, processes, programs, units;
	size_t running; /* processes still running at the end */
	size_t broken;  /* processes that could not record, or with an
	                   unreadable program model */
	size_t threads; /* processes whose pairs are known only until they
	                   started threads */
};
struct cover_counts cover_counts(const struct cover *c);
/* The first program with an unreadable program model and the reason, or NULL. */
const char *cover_trouble(const struct cover *c);
/* Removes the folder and frees c. */
void cover_close(struct cover *c);

#endif
