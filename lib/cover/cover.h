/* cover: collects what the programs of a test suite recorded (lib/runtime/record.h) into a store, a
 * transaction a test. */
#ifndef DUCT_COVER_H
#define DUCT_COVER_H

#include "lib/store/store.h"

/* What is one test: everything that a program started directly started in turn; each process; all with
 * the same command line; all of the same program. DUCT_TEST in a process's environment beats them. */
enum cover_per { COVER_TREE, COVER_PROCESS, COVER_COMMAND, COVER_PROGRAM };

struct cover_options {
	enum cover_per per;
	const char *folder;                  /* names of files below it are made relative to it */
	const char *const *only, *const *except; /* patterns of source files; NULL-terminated lists or NULL */
	struct defuse_options pairs;         /* what counts as one */
	FILE *progress;                      /* told of what takes long, or NULL */
};

struct cover;
/* Makes the folder that programs record into. The store has begun a suite; it and the options are kept by
 * reference. NULL with *error (caller frees). */
struct cover *cover_open(struct store *s, const struct cover_options *o, char **error);
/* For the environment of the suite: "DUCT_COVER=...". */
const char *cover_setting(const struct cover *c);
/* Takes in what processes that have ended left; `last`: and of those that have not, and all pairs, whose
 * analysis may take long. 0, or -1 with *error. */
int cover_collect(struct cover *c, bool last, char **error);

struct cover_counts {
	size_t tests, processes, programs, units;
	size_t running;                      /* processes that had not ended at last */
	size_t broken;                       /* that could not record, or whose model cannot be read */
	size_t threads;                      /* whose pairs are known until their threads began */
};
struct cover_counts cover_counts(const struct cover *c);
/* The first program whose model could not be read and why, or NULL. */
const char *cover_trouble(const struct cover *c);
/* Removes the folder. */
void cover_close(struct cover *c);

#endif
