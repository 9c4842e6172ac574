/* inner: private to lib/alias. */
#ifndef DUCT_ALIAS_INNER_H
#define DUCT_ALIAS_INNER_H

#include "lib/alias/alias.h"
#include "lib/clib/clib.h"
#include "lib/base/map.h"
#include "lib/base/texts.h"

struct edge {
	uint32_t to, stride;
	int64_t add;
};
enum duty_kind { DUTY_LOAD, DUTY_STORE, DUTY_CALL, DUTY_COPY_FROM, DUTY_COPY_TO };
struct duty {
	uint8_t kind;
	uint32_t what; /* number of a node, call or copy */
};
struct pointer_node {
	uint32_t *place, places, room, done; /* indices of places; the first `done`
	                                        were propagated */
	struct edge *edge;
	uint32_t edges;
	struct duty *duty;
	uint32_t duties;
	uint32_t same;        /* representative after a merge; 0: itself */
	bool queued, outside; /* outside: has the place in
	                         ALIAS_OUTSIDE, hence all that escaped */
};
/* The node of the pointers stored at a place. */
struct place_node {
	uint32_t place, node;
};
/* A load from a place into a node. */
struct load {
	uint32_t place, node;
};
/* A copy between two places; size 0: unknown. */
struct transfer {
	uint32_t from, to;
	uint64_t size;
};
struct content {
	struct place_node *place_node;
	uint32_t place_nodes;
	struct load *load;
	uint32_t loads;
	struct transfer *transfer;
	uint32_t transfers;
};
/* A memory copy between the targets of two nodes. */
struct copy {
	uint32_t from, to;
	uint64_t size;
};

/* rest: node of the variable arguments (one object); 0: none. type: as of flow_pointed_function */
struct function {
	uint32_t unit, id, arguments, node, returns, rest, type;
	bool entry, recursive, called, back;
};

struct alias {
	const struct flow *flow;
	struct alias_options options;
	bool counts, allocates; /* some format contains %n, %m */
	struct function *function;
	uint32_t functions;
	uint32_t *func_base, *inst_base, **object_of_var;
	struct texts shared; /* names of globals that units share */
	struct map by_name;  /* number of such a name -> object */
	struct flow_names *names;
	struct map numbers; /* constants of the units -> node; data of a unit ->
	                       object */
	struct alias_object *object;
	size_t objects;
	struct content *content; /* by object */
	struct alias_place *place;
	size_t places;
	struct map place_of;
	struct pointer_node *node;
	size_t nodes;
	struct map member, edge_seen; /* (node, place); edges, by hash */
	size_t work, limit;           /* edges visited since cycles were last merged;
	                                 threshold for the next merge */
	struct map seen;              /* (node, object) -> index in spread */
	struct spread {
		uint32_t count, stride;
		int64_t offset;
	} *spread;
	size_t spreads;
	struct copy *copy;
	size_t copies;
	uint32_t *queue;
	size_t queued, queue_room;
	struct alias_call *call;
	uint32_t *call_type; /* by call: as of flow_pointed_call */
	bool *mistyped;      /* by call: its pointer may lead to functions of other types */
	size_t calls;
	uint32_t world; /* node of all that unknown code knows; other nodes have
	                   ALIAS_OUTSIDE instead */
	uint32_t *back;
	size_t backs;
	uint32_t *wild;
	size_t wilds; /* calls whose callee may be any function known to
	                 unknown code */
};

#define ANYWHERE 1u /* stride: any byte of the object */

/* world.c: numbers of functions and objects */
void alias_number(struct alias *a);
uint32_t alias_add_object(struct alias *a, struct alias_object o);
/* weak: a definition outside the flow may replace it. */
uint32_t alias_find_function(const struct alias *a, uint32_t unit, const char *name, bool *weak);
uint32_t alias_data_object(struct alias *a, uint32_t unit, uint32_t data);
void alias_find_recursion(struct alias *a);

/* solve.c: nodes, places, propagation */
uint32_t alias_add_node(struct alias *a);
void alias_add_edge(struct alias *a, uint32_t from, uint32_t to, int64_t add, uint32_t stride);
void alias_add_duty(struct alias *a, uint32_t node, enum duty_kind kind, uint32_t what);
void alias_add_copy(struct alias *a, uint32_t from, uint32_t to, uint64_t size);
void alias_add_place(
    struct alias *a, uint32_t node, uint32_t object, int64_t offset, uint32_t stride);
void alias_add_outside(struct alias *a, uint32_t node);
bool alias_is_known(const struct alias *a, uint32_t object); /* escaped to unknown code */
/* Is the place implied by the node's ALIAS_OUTSIDE? */
bool alias_is_covered(const struct alias *a, const struct pointer_node *n, uint32_t place);
/* Lets unknown code read and write an object. */
void alias_open(struct alias *a, uint32_t object);
/* representative of its merged nodes */
uint32_t alias_find(const struct alias *a, uint32_t node);
void alias_solve(struct alias *a);

/* build.c: constraints from the records */
void alias_build(struct alias *a);
void alias_share_globals(struct alias *a);
/* Of calls that would only reach functions of other types nothing is known. */
void alias_bind_mistyped(struct alias *a);
uint32_t alias_operand(struct alias *a, uint32_t unit, uint32_t func, const struct flow_operand *o);
/* Binds a call to a callee that was found; ALIAS_NONE: unknown code. */
void alias_bind(struct alias *a, uint32_t call, uint32_t function);
/* Binds a call through a pointer to a function that the pointer may lead to: only if the function
 * is of a type that the call may have. */
void alias_bind_pointed(struct alias *a, uint32_t call, uint32_t function);
/* The call may reach every function known to unknown code that is of its type. */
void alias_bind_outside(struct alias *a, uint32_t call);
/* The call through a pointer may reach the library function with this object. */
void alias_bind_library(struct alias *a, uint32_t call, uint32_t object);
uint32_t alias_argument_node(const struct alias *a, uint32_t function, uint32_t k); /* 0: none */
uint32_t alias_constant_node(struct alias *a, uint32_t object, int64_t offset);
/* Stores a variable argument in `rest`: the pointer itself and, for a struct in memory, a copy of
 * its target. */
void alias_pass_variable(struct alias *a, uint32_t node, uint32_t rest);

/* entry.c: calls from outside. Adds those of the entries and, with any_caller, of all functions
 * that are not static. */
void alias_enter(struct alias *a);
/* The place escapes to unknown code. */
void alias_escape(struct alias *a, uint32_t place);

/* library.c: the table entry of a library function or compiler intrinsic; NULL: unknown effects. */
const struct clib *alias_library(const char *name);
uint32_t alias_library_number(const struct clib *c);
const struct clib *alias_library_at(uint32_t number);
/* Does a constant string contain one of these conversions of printf or scanf? */
bool alias_text_has(const struct flow *fl, const char *conversions);

#endif
