/* encoding: private to lib/prove: a function and its callees as a transition system.
 *
 * Frames are activations, inlined; locations are pieces of blocks without a call in them; a step of
 * the system leads from one cut (the entry, the head of a loop) to the next. State is held in
 * slots: cells of objects, values that live across locations, ghosts. */
#ifndef DUCT_PROVE_ENCODING_H
#define DUCT_PROVE_ENCODING_H

#include "lib/base/clock.h"
#include "lib/base/grow.h"
#include "lib/base/map.h"
#include "lib/defuse/defuse.h"
#include "lib/graph/graph.h"
#include "lib/prove/prove.h"
#include "lib/summary/summary.h"
#include "lib/ts/ts.h"

#define NONE UINT32_MAX

/* ---- indexes into the flow records of a unit (index.c) */

/* n ids from `first` on. */
struct span {
	uint32_t first, n;
};
struct unit_index {
	struct span *block, *func, *vars; /* instructions of each; variables of each function */
	bool *crosses;    /* by instruction: its value is used in another location */
	bool *undefined;  /* by instruction: a load of a local that may not have been written */
	bool *taken;      /* by variable: its address is used other than to access it */
	int8_t *pointer;  /* by variable: may its value be an address? -1: not computed yet */
	uint32_t *access; /* by instruction: 1 + index of its first access */
	uint32_t *call;   /* by instruction: 1 + index of its call in alias */
};
struct unit_index *prove_index(const struct flow *fl, struct alias *a);
/* undefined.c */
void prove_find_undefined(const struct flow_unit *u, struct unit_index *x);
/* The local, of those that begin at `vars`, that a load reads, as an index; NONE. */
uint32_t prove_read_local(
    const struct flow_unit *u, const struct unit_index *x, struct span vars, uint32_t inst);
void prove_index_free(const struct flow *fl, struct unit_index *x);

/* ---- objects */

struct cell {
	uint32_t offset, size; /* bytes; size: at most 8 */
	uint32_t slot;
	bool pointer;
};
struct object {
	uint32_t alias, frame; /* frame: of a local, else NONE */
	uint64_t size;         /* bytes, 0 unknown */
	struct cell *cell;
	uint32_t cells;
	bool constant;       /* never changes; `unit` has its bytes */
	bool opaque;         /* too large: a read gives a fresh value */
	bool escaped, taken; /* unknown code, or any other function, may know its address */
	uint32_t unit;
	char kind;
	uint32_t id;             /* & or $, as in flow_bytes; 0: a temporary */
	uint32_t *ghost, ghosts; /* ghosts of pairs of this object */
};

/* Kinds of the state variables of the system. */
enum slot_kind { SLOT_CELL, SLOT_VALUE, SLOT_GHOST, SLOT_USE };
/* ---- the inlined program */

struct frame {
	uint32_t unit, func, number, up,
	    call;            /* func: id; number: in alias; up: frame that called it, by `call` */
	uint32_t back;       /* location where it returns to */
	uint32_t beside;     /* another frame that the same call may enter; NONE */
	uint32_t *location;  /* first location of each block */
	uint32_t *reg;       /* by instruction: 1 + slot */
	uint32_t *arg, args; /* slots */
	uint32_t *object;    /* by variable */
	uint32_t *defined;   /* by variable: 1 + slot that says whether it was written; 0: always */
	uint32_t result;     /* 1 + slot of the call's result, in `up` */
};
struct location {
	uint32_t frame, block, first, last;
	uint32_t callee; /* the first frame that it ends by calling; NONE */
	bool starts;
};

/* ---- ghosts */

struct ghost {
	uint32_t def; /* access */
	struct defuse_place place;
	uint32_t object, frame; /* object NONE: not known; frame NONE: of any activation */
	uint32_t slot, at; /* at: 1 + slot with the offset of the last write; 0: no such slot */
	uint32_t bytes;    /* of the last write */
};
/* A change of ghosts at an instruction of a frame; a use: whether it reads what a ghost watches.
 * Links and slots are 1 + index, 0 none. */
struct ghost_change {
	uint32_t next;
	bool arms;
	uint32_t ghost, slot, goals;
};
/* At an outcome of a condition. change: that of the use; NONE: each time the outcome is taken.
 * from, to: 1 + slot, for a step of an evaluation: the step counts only after the step before it,
 * and the last one, whose `to` is 0, makes the goal. */
struct goal {
	uint32_t output, change, next, from, to;
};
/* A goal at an instruction or at the beginning of a block. what: the condition to hold, an enum
 * objective_kind; 0: none, the goal is to come there. */
struct goal_site {
	uint32_t output, next;
	unsigned what;
};
/* A loop of an activation, for goals about the number of iterations. member: by block of the
 * function, is it in the loop? zero, once: slots: no iteration so far, one; left0, left1, again:
 * outputs for leaving the loop after none or one, and for a second iteration; NONE: no goal. */
struct loop_watch {
	uint32_t frame, header, body, next, zero, once, left0, left1, again;
	const bool *member;
};

/* value: an INPUT of the pool. Of kind n (does a pointer lead to an object?) it has one bit, 1: no.
 */
struct prove_input {
	char *name;
	char kind;
	uint16_t width;
	expr value;
	bool is_argc;
};

/* A call of __VERIFIER_nondet_*, or one that reads a byte of standard input (kind NONDET_BYTE: -1
 * at its end), in the order of the walk: in a step it is made where the guard holds. */
#define NONDET_BYTE 's'
#define NONDET_NUMBER 'd' /* a number that scanf reads from there */
struct nondet {
	expr guard, value;
	char kind;
	uint16_t width;
};

/* startup.c: what the program gets from outside, as objects first to end - 1: the vector of
 * arguments, their texts, and those of environment variables. set: slot, whether the variable is
 * set. */
struct startup_variable {
	char *name;
	uint32_t object, set;
};
struct startup {
	uint32_t first, end, vector, text;
	uint32_t at_end, constant; /* slots: is standard input at its end; argv, or NONE */
	struct startup_variable *variable;
	size_t variables;
};

/* An outcome of a condition, taken where the guard holds; in the order of the walk. */
struct choice {
	expr guard;
	uint32_t unit, condition, outcome; /* condition: index */
};

struct output {
	expr bad;
	uint32_t goal, func, steps; /* func: the function of the use or condition; steps: every
	                       path to it has more than these */
	bool unfollowed; /* a use of the result of a call that is not followed everywhere */
	bool deep;       /* it may be reached below the depth to which recursion is followed */
	bool distant;    /* it is reached only after a counter comes near its limit (growth.c) */
};

struct encoding {
	const struct flow *flow;
	struct defuse *defuse;
	struct alias *alias;
	struct unit_index *index;
	const struct summary *summary;
	const struct prove_options *options;
	const struct prove_goals *asked;
	struct expr_pool *pool; /* that of ts */
	struct ts ts;

	struct frame *frame;
	uint32_t frames;
	struct location *location;
	uint32_t locations;
	struct object *object;
	uint32_t objects;
	struct map object_of; /* alias object, frame -> 1 + object */
	struct ghost *ghost;
	uint32_t ghosts;
	struct ghost_change *change;
	uint32_t changes;
	struct map changes_at; /* frame, instruction -> 1 + change */
	struct goal *goal;
	uint32_t goals;
	struct map goals_at; /* frame, outcome -> 1 + goal */
	struct goal_site *site;
	uint32_t sites;
	struct map sites_at; /* frame, instruction or block -> 1 + site */
	struct loop_watch *loop;
	uint32_t loops;
	uint32_t *loop_of; /* by frame: 1 + its first loop; NULL: there are none */
	bool **members;    /* of loops */
	size_t member_lists;
	struct prove_input *input;
	uint32_t inputs;

	struct nondet *nondet;
	size_t nondets;
	struct choice *choice;
	size_t choices;
	char **name, **byte;
	size_t names, bytes; /* names of their values: nondet[0] and on, stdin[0] and on */

	struct startup *startup; /* the encoding only proposes runs of main; else NULL */

	uint32_t *order, ordered; /* the locations in an order in which each backward edge leads to
	                     a cut */
	struct renewal {
		uint32_t cut, object;
	} *renewal;
	uint32_t renewals; /* objects whose lifetime begins anew when control comes to that cut */
	uint32_t *cut;     /* by location: 1 + number of the cut, 0 none; the entry is 1 */
	struct output *output;
	uint32_t outputs; /* by goal asked for */

	const struct prove_returns *returns; /* facts about results of calls; NULL: none */
	bool records;                        /* `result` is filled (returns.c) */
	struct prove_result *result;
	size_t results;

	/* Things that the encoding leaves out or assumes, for the verdicts; see prove_note. */
	struct note {
		char *text;
		bool narrows;
	} *note;
	uint32_t notes;
	bool arbitrary, harness; /* the root starts in any state; the root is a harness */
	bool loose;              /* the encoding is of any call of the entry: see limits.c */
	bool *written; /* loose: by object of alias: the program may have written it before */
	bool placed;   /* objects that incoming pointers lead to are in the encoding */
	bool once;     /* the harness calls the entry once, and nothing before */
	bool primed;   /* the harness calls other functions before its loop of calls (--init) */
	bool steady;   /* see prove_is_closed: any number of calls is made */
	bool *closed; /* loose: by object of alias: see prove_find_closed; NULL: one call is made */
	uint32_t calls; /* block of the harness where its loop of calls begins; 0 */
	bool *outside;  /* by function: it may run outside of the frames */
	bool *below;    /* by function: it may run below the depth to which recursion is followed */
	uint32_t *depth; /* by function: its activations that are followed; 1: no recursion */
	bool *led;       /* by function: its calls are followed; NULL: calls of all functions are */
	expr beyond;     /* a call goes below that depth; 0: no such call was met yet */
	bool *beside;    /* by function: it may run at any time, as a signal handler or a thread */
	bool *shared;    /* by object of alias: such a function may write it */
	bool buffered;   /* an object may be the buffer of a stream */
	bool loose_numbers;       /* floating-point results are any value: see prove_is_loose */
	bool early;               /* constructors have run before the root */
	const char *broken;       /* why nothing can be proved with this encoding */
	double deadline;          /* for building the encoding and all stages; clock_now */
	uint32_t fresh;           /* inputs made up so far */
	size_t insts, most_insts; /* inlined; at most */
	const char *late;         /* the limit that stopped building it; NULL: none */
	uint64_t spare;           /* bytes of memory to leave free */
};

/* Adds a note once. narrows: verdicts hold only under this assumption; else the encoding is
 * imprecise but safe. */
void prove_note(struct encoding *m, bool narrows, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

expr prove_fresh(struct encoding *m, unsigned width);

/* build.c: frames and locations */
bool prove_build(struct encoding *m, uint32_t root);
void prove_encoding_free(struct encoding *m);
/* renew.c: finds m->renewal. */
void prove_renew(
    struct encoding *m, const struct graph_edge *edge, size_t edges, const uint32_t *place);
/* Calls f for each location that control may pass to from `location`. */
void prove_edges(
    const struct encoding *m, uint32_t location, void (*f)(void *ctx, uint32_t to), void *ctx);
/* Does this edge of the harness lead back to the call of the entry, of which there is only one? */
bool prove_calls_again(
    const struct encoding *m, uint32_t frame, uint32_t from_block, uint32_t to_block);

/* By function: this one and its callers, or those that it calls; at any distance. The caller's. */
bool *prove_calling(struct alias *a, uint32_t function, bool callers);
/* By function: does it lead to this one by calls, or this one to it? The caller's. */
bool *prove_led(struct alias *a, uint32_t toward);
/* Does a call enter one function of the flow, which is followed here, and no other code? Calls of a
 * few, through a pointer, are followed, too, if none of them is recursive. */
bool prove_enters(const struct encoding *m, const struct alias_call *c);
/* Is a call from this frame not followed only because recursion is too deep? */
bool prove_too_deep(const struct encoding *m, uint32_t frame, const struct alias_call *c);

/* object.c: objects and their cells */
uint32_t prove_object(struct encoding *m, uint32_t alias, uint32_t frame); /* made when it is new */
uint32_t prove_object_find(const struct encoding *m, uint32_t alias, uint32_t frame);
uint64_t prove_address(uint32_t object);
bool prove_address_of(uint64_t address, uint32_t *object, int64_t *offset);

/* limits.c: what a call of the entry assumes */

/* The pairs of a program as one alias analysis has them, and what depends on that. */
struct pair_view {
	struct defuse *d;
	struct unit_index *index;
	struct summary *summary;
	uint32_t *goal; /* by goal as given: in d; NONE: it has no such pair */
	bool own;       /* d is the view's */
};
struct pair_view *prove_view(struct defuse *d, const struct prove_goals *g, bool any_caller);
void prove_view_free(struct pair_view *v);
/* By object of alias: the program may write it, before the call or within. The caller's. */
bool *prove_find_written(const struct pair_view *v);
/* closed.c: by object of alias: is it a variable that the program writes, but only in calls by the
 * harness? The caller frees it. */
bool *prove_find_closed(const struct pair_view *v, const bool *written);
/* Does the harness itself call other functions than the entry? */
bool prove_is_primed(struct alias *a, const char *entry);
/* Are all variables that the program writes of this kind, and does the entry get no pointers? */
bool prove_is_closed(const struct pair_view *v);
/* The function that the encoding starts in: the harness where there is one, else the entry; NONE.
 * *is_main: it is main. */
uint32_t prove_root_of(const struct defuse *d, bool *is_main);

/* Bytes of memory that can still be allocated (ask.c); UINT64_MAX: no limit. */
uint64_t prove_memory_left(void);
/* ask.c: the number of the function that has the use of a pair, or the condition of an outcome */
uint32_t prove_function_of(const struct defuse *d, const struct prove_goals *g, uint32_t goal);

/* watch.c: adds ghosts for the pairs, and watches for the conditions, that are goals */
/* The access that writes: def, or the parameter that an argument defines. */
const struct defuse_access *prove_written_by(const struct encoding *m, uint32_t def);
void prove_watch(struct encoding *m, const uint32_t *goal, size_t n);

#endif
