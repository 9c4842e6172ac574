/* pairs: private to lib/cover: which pairs a process covered. */
#ifndef DUCT_COVER_PAIRS_H
#define DUCT_COVER_PAIRS_H

#include "lib/cover/cover.h"
#include "lib/cover/file.h"

/* What is known of a process: its units as its pairs number them, and the models that it is made of. */
struct process {
	uint64_t id, test;           /* key of the test that it belongs to */
	uint64_t *key; size_t keys;  /* by number; 0 not told */
	uint64_t *model; size_t models;
	uint64_t set;                /* the same for the same models */
	char *program;
};
/* Takes note of a module's units. */
void process_add(struct process *p, const struct record_file *f);
void process_free(struct process *p);

/* The analysis of processes that are made of the same models: only the last is kept, they are large. */
struct analysis;
/* One model with all records, names of files as the store has them; NULL: it cannot be read. */
typedef struct flow *model_reader(void *data, uint64_t model);
/* Rows in the store of pairs that a part of a process's record tells; the array is the caller's. 0, or -1
 * with an error of the store. */
int analysis_covered(struct analysis **a, struct store *s, const struct cover_options *o,
                     bool (*wants)(void *, const char *file), model_reader *read, void *data,
                     const struct process *p, const struct record_file *f, int64_t **row, size_t *n);
void analysis_free(struct analysis *a);

#endif
