/* inner: private to lib/cover. */
#ifndef DUCT_COVER_INNER_H
#define DUCT_COVER_INNER_H

#include "lib/cover/cover.h"
#include "lib/cover/pairs.h"
#include "lib/flow/ends.h"

/* Facts (store.h) of its program model are numbers from `first` on. */
struct unit {
	uint64_t key;
	struct ends_unit *ends;
	uint32_t fact[FACTS]; /* the first of each kind */
	size_t first;
};

struct bit_set {
	uint64_t *word;
	size_t words;
};

struct test {
	uint64_t key, began;        /* began: when its first process began */
	struct bit_set facts, rows; /* of the suite's units; covered pairs */
	struct store_taken *taken;
	size_t n;
	int64_t *pair;
	size_t pairs;
	struct store_suite_test t;
	char *base, *name;   /* name without and with a number that makes it unique; NULL
	                        until written */
	bool changed, waits; /* not fully written; has running processes */
};

struct cover {
	struct store *store;
	const struct cover_options *o;
	char *folder, *setting, *trouble;
	uint64_t space;
	struct unit *unit;
	struct ends_unit **unit_ends; /* of all units */
	struct texts names;           /* of their functions */
	size_t units, facts;
	uint64_t *flow_key;
	size_t flow_keys;
	struct test *test;
	size_t tests;
	struct recorded_process *process;
	size_t processes;
	struct analysis *analysis;
	struct cover_counts counts;
};

/* cover.c. Sets the message; returns -1. */
int cover_fail(char **error, const char *fmt, ...);
char *cover_path(const struct cover *c, const char *name); /* a file in the folder of records */
/* Normalises a path: removes `.` and `..`, makes it relative to the folder if below it. */
char *cover_tidy(const char *folder, const char *dir, const char *name);
struct unit *cover_find_unit(const struct cover *c, uint64_t key);
/* Adds the units of a program to the suite when it is seen for the first time. */
int cover_meet_program(struct cover *c, const struct record_file *f, char **error);
/* The pairs that the record of a process covers, as rows of the store; to be freed. */
int cover_pairs_of(struct cover *c, const struct recorded_process *p, const struct record_file *f,
    int64_t **row, size_t *n);

/* test.c: tests and their processes. */
struct recorded_process *cover_find_process(const struct cover *c, uint64_t id);
/* Adds what a process covered to its test; process: this is its first record. */
void cover_add_record(struct cover *c, const struct record_file *f, bool process);
/* Adds the pairs and objectives at instructions of a record that has no units: such records come
 * after those with the units. */
int cover_add_pairs(struct cover *c, const struct record_file *f, char **error);
/* Notes that the record's test has a running process. */
void cover_keep_waiting(struct cover *c, const char *path);
/* Stores the tests that changed; unless it is the last time, not those whose processes still run.
 */
int cover_write_tests(struct cover *c, bool last, char **error);
void cover_free_tests(struct cover *c);

#endif
