/* reach: private to reach.c and gather.c: forward searches from definitions to the uses that they
 * reach. */
#ifndef DUCT_DEFUSE_REACH_H
#define DUCT_DEFUSE_REACH_H

#include "lib/defuse/inner.h"

enum phase {
	UP,
	DOWN,
	KILLS, /* which definitions survive a function from entry to return */
	PHASES
};
enum { USES, CALLS, DEFS, ORDERS = 4 }; /* order of events within an instruction */

enum { BATCH = 64 };

struct reach_step {
	uint32_t block, phase, node;
	uint64_t from; /* resume after this: instruction * ORDERS + order */
	uint64_t live;
};
struct head {
	uint32_t first, count, stamp;
};
struct visited {
	uint32_t stamp;
	uint64_t live;
	uint64_t waits; /* those of `live` with a step pending on the stack */
};
struct class
{
	struct defuse_place place;
	bool must;              /* some definition certainly overwrites it */
	uint32_t group;         /* of the part of the current definition that a use accesses */
	uint64_t meets, covers; /* bits of the groups in the search that it overlaps, or kills */
};
struct place_group {
	struct defuse_place place;
	uint64_t ended; /* hash of the classes that kill it */
};
/* A group in the search: place, definition, what the definition writes (NULL: everything), start.
 */
struct bit {
	struct defuse_place place;
	uint32_t def, block;
	const struct defuse_place *source;
	uint64_t from;
};
/* The distinct classes of uses. */
struct uses {
	uint32_t *class;
	size_t n;
};

struct forward {
	struct defuse *d;
	struct defuse_index *x;
	uint32_t object, owner; /* owner: function of a local, else ALIAS_NONE */
	uint64_t size;          /* of the object, in bits */
	bool inter;
	struct access_event *event;
	size_t events; /* of the object */
	struct class *class;
	size_t classes; /* distinct places of the object's events */
	struct place_group *group;
	size_t groups; /* of the current definition */
	struct bit bit[BATCH];
	size_t live;     /* groups in the search */
	uint64_t direct; /* groups whose definition names its variable
	                    directly */
	uint32_t *class_of;
	size_t class_room, event_room;
	struct map class_at; /* class_of: class of each event */
	struct head *head;   /* events of the object, by block */
	uint32_t object_stamp, stamp;
	struct visited *seen[PHASES]; /* by block */
	struct visited *returned;     /* by call */
	struct visited *memo;         /* by function: the groups that survive it */
	uint32_t *landing;
	size_t landings; /* calls of setjmp */
	uint32_t memo_stamp;
	struct reach_step *stack;
	size_t n, room;
	struct def_tracer *trace; /* records the search instead of adding pairs; or
	                         NULL */
};

/* reach.c: follows the groups of the batch, and empties it. */
void defuse_follow(struct forward *w);

/* gather.c: selects the object to analyse. */
void defuse_choose(struct forward *w, uint32_t object);
/* Index of the first event from i on in another function. */
size_t defuse_same_function(const struct forward *w, size_t i);
/* Is there an event in the range that is of this object alone, not of any escaped one? */
bool defuse_has_own(const struct forward *w, size_t from, size_t to);
/* Follows all definitions in an event range. */
void defuse_reach_between(struct forward *w, size_t from, size_t to);
/* The group of a part: equal if the same classes kill it. */
uint32_t defuse_group_of(struct forward *w, struct defuse_place part);
/* Adds the groups of a definition to the batch; follows it when it is full. */
void defuse_gather_groups(struct forward *w, uint32_t def, const struct defuse_place *source,
    uint32_t block, uint64_t from);

#endif
