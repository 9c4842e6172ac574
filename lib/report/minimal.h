/* minimal: private to lib/report: a small set cover. */
#ifndef DUCT_REPORT_MINIMAL_H
#define DUCT_REPORT_MINIMAL_H

#include <stdbool.h>
#include <stddef.h>

/* Elements of a set, ascending, less than `elements`. */
struct minimal_set {
	const size_t *element;
	size_t n;
};

/* Chooses sets that cover the union: first those that alone contain an element, then greedily, then
 * drops redundant ones; improves the result by an exact search within a step limit. Returns the
 * number chosen; *least: it is minimal. */
size_t minimal_cover(
    const struct minimal_set *set, size_t sets, size_t elements, bool *chosen, bool *least);

#endif
