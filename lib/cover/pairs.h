/* pairs: private to lib/cover: the pairs that a process covered. */
#ifndef DUCT_COVER_PAIRS_H
#define DUCT_COVER_PAIRS_H

#include "lib/cover/cover.h"
#include "lib/cover/file.h"

/* A process: its units as its records number them, and the keys of the flows of its program and
 * libraries. */
struct recorded_process {
	uint64_t id, test; /* test: key of its test */
	uint64_t *key;
	size_t keys; /* unit keys by number; 0: not recorded */
	uint64_t *flow_key;
	size_t flow_keys;
	uint64_t set; /* the same for the same flows */
	char *program;
};
/* Adds a module's units. */
void process_add(struct recorded_process *p, const struct record_file *f);
void process_free(struct recorded_process *p);

/* The analysis for a set of flows. Only the last one is kept, since they are large. */
struct analysis;
struct analysis_source {
	struct store *store;
	const struct cover_options *options;
	bool (*wants)(void *options, const char *file);
	/* Reads a flow with all records and file names as in the store; NULL: unreadable. */
	struct flow *(*read)(void *data, uint64_t key);
	void *data;
};
/* Store rows of the pairs that a record of process `p` covers; the caller frees *row. 0, or -1 with
 * the store's error. */
int analysis_covered(struct analysis **a, const struct analysis_source *from,
    const struct recorded_process *p, const struct record_file *f, int64_t **row, size_t *n);
void analysis_free(struct analysis *a);

#endif
