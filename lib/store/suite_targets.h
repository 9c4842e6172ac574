/* suite_targets: private to lib/store: errors, labels, calls and objectives at instructions of a
 * unit of a suite, with the facts (store.h) that show that a test reached them. */
#ifndef DUCT_SUITE_TARGETS_H
#define DUCT_SUITE_TARGETS_H

#include "lib/base/texts.h"
#include "lib/store/db.h"

struct suite_targets {
	struct suite_target {
		uint32_t fact;
		bool is_place; /* of table `place`, else of `target` */
		int64_t number;
	} *at;
	size_t n;
};
/* Numbers of the suite's rows by what they are of, which units may share; last: the highest. Empty
 * when it is zero: then rows that the suite has from before are read. */
struct suite_rows {
	struct texts key[2]; /* of tables `target`, `place` */
	int64_t *number[2], last[2];
	bool read;
};
void suite_rows_free(struct suite_rows *r);
/* Adds those of functions that are marked; criteria: besides errors, labels and what is woven. In a
 * transaction. 0, or -1. */
int suite_targets_add(struct store *s, struct suite_rows *rows, uint32_t unit, const bool *mark,
    uint32_t criteria, struct suite_targets *t);
/* The test with that number does what the fact says; sets *fresh when it is the first that reaches
 * some target. 0, or -1. */
int suite_targets_reach(
    struct store *s, const struct suite_targets *t, uint32_t fact, int64_t number, bool *fresh);
void suite_targets_free(struct suite_targets *t);

#endif
