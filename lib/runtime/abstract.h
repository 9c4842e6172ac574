/* abstract: private to abstract*.c: functions whose calls may be abstract, and the memory that such
 * a call can reach. */
#ifndef DUCT_ABSTRACT_H
#define DUCT_ABSTRACT_H

#include "lib/runtime/rt.h"

#pragma GCC visibility push(hidden)

struct memory_range {
	uintptr_t p;
	size_t size;
	bool written;
};
/* Heap blocks to which the result of an abstract call may point, one of each size. They are
 * allocated at the call, so that their addresses do not depend on later allocations of the run, and
 * become objects of the run once the result points to one of them. */
struct fresh_blocks {
	struct fresh_blocks *next;
	uint32_t count, part; /* number of the call; fresh inputs so far */
	uintptr_t block[];
};
struct callee {
	struct callee *next;
	struct duct_unit *unit;
	uint32_t id, count; /* calls that were abstract or asked to be executed */
	bool reads, writes; /* through pointers */
	bool follows;       /* pointers in memory */
	uint64_t kept;      /* bit k: the target of argument k is not written */
	bool unknown;       /* it writes a variable at an unknown address */
	const char *name;
	size_t length;
	struct memory_range *range;
	size_t ranges;
	uintptr_t *target;
	size_t targets;
	bool elsewhere; /* a target is at an unknown address */
	size_t *heap;   /* sizes of new blocks that its result may be */
	size_t heaps;
	struct fresh_blocks *made;
};

/* Does the node depend on a result of an abstract call? */
bool duct_is_fresh(duct_node n);
/* Decides the pointer on which a fresh node depends: if all its possible values are known, adds the
 * path conditions that select one. only_made: only if it may point to a new block. False: the
 * pointer stays unknown. */
bool duct_abstract_settle(duct_node n, bool only_made);

/* ---- abstract_reach.c */

#define MOST_OBJECTS 256
/* The first `written` objects may be written. */
struct reachable_objects {
	struct duct_object *object[MOST_OBJECTS];
	size_t n, bytes, written, written_bytes;
	bool unknown, unknown_written; /* further, unknown objects are read; are written */
};
/* The pointers among a call's arguments, with their nodes or NULL; which: a bit for each argument
 * that is one. */
struct pointers {
	uint32_t n;
	void *const *pointer;
	const duct_node *node;
	uint64_t which;
};
/* Adds the objects that pointers in arguments lead to and, if c->follows, pointers in variables and
 * in such objects; not the variables themselves. Objects that only arguments in c->kept lead to
 * come last. */
void duct_reach_all(struct reachable_objects *r, const struct callee *c, const struct pointers *p);
/* Does the function read symbolic bytes there, or bytes that become inputs when they are read? */
bool duct_reads_symbolic(const struct callee *c, const struct reachable_objects *r);

#pragma GCC visibility pop
#endif
