/* minimal: private to lib/report: few sets that together hold what all do. */
#ifndef DUCT_REPORT_MINIMAL_H
#define DUCT_REPORT_MINIMAL_H

#include <stdbool.h>
#include <stddef.h>

/* Elements of a set, ascending, below `elements`. */
struct minimal_set { const size_t *element; size_t n; };

/* Chooses sets: those that alone hold an element, then greedily the one that adds most, then drops what
 * became redundant; improves on that by an exact search as far as a limit of steps allows. The number
 * chosen; *least: there is none with fewer. */
size_t minimal_cover(const struct minimal_set *set, size_t sets, size_t elements, bool *chosen, bool *least);

#endif
