/* names: private to lib/report: what tests are called: by what they do, the same from session to session as long as
 * they do the same, whatever their numbers are. */
#ifndef DUCT_REPORT_NAMES_H
#define DUCT_REPORT_NAMES_H

#include "lib/store/store.h"

struct test_names {
	char **name;                 /* a C identifier but for tests of a suite; by index of the test */
	char (*id)[17];              /* hash of the entry and the inputs */
	size_t *order;               /* indices of tests, by name */
};
struct test_names *test_names(const struct store_view *v);
void test_names_free(struct test_names *n, const struct store_view *v);

#endif
