/* smaps: the mappings of this process, from proc. */
#ifndef DUCT_SMAPS_H
#define DUCT_SMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping {
	uintptr_t from, to;
	bool writable, shared, stack;
	bool may_write; /* by a change of its protection, too */
	bool touched;   /* some of its pages are in memory */
};

/* Calls `take` for each mapping, in the order of their addresses. `text` has `room` bytes for lines
 * of the open file smaps. False: that cannot be read, or `take` returned false. */
bool duct_smaps_each(int smaps, char *text, size_t room,
    bool (*take)(const struct mapping *, void *), void *with) __attribute__((visibility("hidden")));

#endif
