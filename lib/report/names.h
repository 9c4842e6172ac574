/* names: private to lib/report: names of tests by their behaviour, stable between sessions and
 * independent of test numbers. */
#ifndef DUCT_REPORT_NAMES_H
#define DUCT_REPORT_NAMES_H

#include "lib/store/store.h"

struct test_names {
	char **name;    /* by index of the test; a C identifier, except for tests of
	                   a recorded suite */
	char (*id)[17]; /* hash of the entry and the inputs */
	size_t *order;  /* indices of tests, sorted by name */
};
struct test_names *test_names(const struct store_view *v);
void test_names_free(struct test_names *n, const struct store_view *v);

#endif
