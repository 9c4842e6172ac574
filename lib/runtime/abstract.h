/* abstract: private to abstract*.c: functions whose calls may be abstract, and the memory that such
 * a call can reach. */
#ifndef DUCT_ABSTRACT_H
#define DUCT_ABSTRACT_H

#include "lib/runtime/rt.h"

#pragma GCC visibility push(hidden)

struct range {
	uintptr_t p;
	size_t size;
	bool written;
};
/* The blocks that the result of an abstract call may be, one of each size. They are on the heap
 * from the call on, so that their addresses do not depend on later allocations of the run, and
 * objects of the run once the result is one of them. */
struct made {
	struct made *next;
	uint32_t count, part; /* of the callee then; fresh inputs so far */
	uintptr_t block[];
};
struct callee {
	struct callee *next;
	struct duct_unit *unit;
	uint32_t id, count; /* calls that were abstract or asked to be executed */
	bool reads, writes; /* through pointers */
	bool follows;       /* pointers in memory */
	uint64_t kept;      /* bit k: what argument k points to is not written */
	bool unknown;       /* it writes a variable whose place is not known */
	const char *name;
	size_t length;
	struct range *range;
	size_t ranges;
	uintptr_t *target;
	size_t targets;
	bool elsewhere; /* the place of a target is not known */
	size_t *heap;   /* sizes of new blocks that its result may be */
	size_t heaps;
	struct made *made;
};

/* Does the node depend on a result of an abstract call? */
bool duct_is_fresh(duct_node n);
/* If all values are known that the pointer which a fresh node depends on may have: adds the path
 * conditions that decide which it is. only_made: only if it may be a new block. False: the pointer
 * stays unknown. */
bool duct_abstract_settle(duct_node n, bool only_made);

/* ---- abstract_reach.c */

#define MOST_OBJECTS 256
/* The first `written` objects may be written. */
struct reach {
	struct duct_object *object[MOST_OBJECTS];
	size_t n, bytes, written, written_bytes;
	bool unknown,
	    unknown_written; /* there are more, which are not known; the same of written ones */
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
void duct_reach_all(struct reach *r, const struct callee *c, const struct pointers *p);
/* Does the function read symbolic bytes there, or bytes that become inputs when they are read? */
bool duct_reads_symbolic(const struct callee *c, const struct reach *r);

#pragma GCC visibility pop
#endif
