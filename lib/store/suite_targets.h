/* suite_targets: private to lib/store: errors, labels, calls and objectives at instructions of a
 * unit of a suite, with the facts (store.h) that show that a test reached them. */
#ifndef DUCT_SUITE_TARGETS_H
#define DUCT_SUITE_TARGETS_H

#include "lib/base/texts.h"
#include "lib/store/db.h"

struct suite_targets {
	struct suite_target {
		uint32_t fact;
		bool is_place; /* a row of table `place`, else of `target` */
		int64_t number;
	} *at;
	size_t n;
};
/* The suite's rows of targets and places, found by the text of their identifying fields; units may
 * share them. last: the highest row. All zero is the empty value: existing rows of the suite are
 * then read. */
struct suite_rows {
	struct texts key[2]; /* of tables `target`, `place` */
	int64_t *number[2], last[2];
	bool read;
};
void suite_rows_free(struct suite_rows *r);
/* Adds the targets of marked functions; criteria: requested ones besides those that are always
 * recorded. Called in a transaction. 0, or -1. */
int suite_targets_add(struct store *s, struct suite_rows *rows, uint32_t unit, const bool *mark,
    uint32_t criteria, struct suite_targets *t);
/* The test with that number does what the fact says; sets *fresh when it is the first that reaches
 * some target. 0, or -1. */
int suite_targets_reach(
    struct store *s, const struct suite_targets *t, uint32_t fact, int64_t number, bool *fresh);
void suite_targets_free(struct suite_targets *t);

#endif
