/* inner: private to lib/alias. */
#ifndef DUCT_ALIAS_INNER_H
#define DUCT_ALIAS_INNER_H

#include "lib/alias/alias.h"
#include "lib/clib/clib.h"
#include "lib/map/map.h"

struct edge { uint32_t to, stride; int64_t add; };
enum duty_kind { DUTY_LOAD, DUTY_STORE, DUTY_CALL, DUTY_COPY_FROM, DUTY_COPY_TO };
struct duty { uint8_t kind; uint32_t what; };          /* a node, a call, a copy */
struct node {
	uint32_t *place, places, room, done;           /* numbers of places; those before `done` were passed on */
	struct edge *edge; uint32_t edges;
	struct duty *duty; uint32_t duties;
	uint32_t same;                                 /* the node that it became one with; 0: none */
	bool queued, outside;                          /* outside: it has a place there, and so all that escaped */
};
struct cell { uint32_t place, node; };                 /* pointers stored at a place */
struct reader { uint32_t place, node; };               /* a load of a place into a node */
struct transfer { uint32_t from, to; uint64_t size; }; /* a copy between two places; size 0 unknown */
struct content {
	struct cell *cell; uint32_t cells;
	struct reader *reader; uint32_t readers;
	struct transfer *transfer; uint32_t transfers;
};
struct copy { uint32_t from, to; uint64_t size; };     /* of what two nodes point to */

/* rest: the node of its variable arguments, one object; 0 */
struct function { uint32_t unit, id, arguments, node, returns, rest; bool entry, recursive, called, back; };

struct alias {
	const struct flow *flow;
	struct alias_options options;
	bool failed;
	bool counts, allocates;          /* there are formats with %n, %m */
	struct function *function; uint32_t functions;
	uint32_t *func_base, *inst_base, **object_of_var;
	struct map by_name;              /* hash of the name of a variable that units share -> object */
	struct flow_names *names;
	struct map numbers;              /* constants of the units -> object or node, see below */
	struct alias_object *object; size_t objects;
	struct content *content;         /* by object */
	struct alias_place *place; size_t places; struct map place_of;
	struct node *node; size_t nodes;
	struct map member, edge_seen;    /* (node, place); edges, by hash */
	size_t work, limit;              /* edges passed since nodes were last joined; when it is time again */
	struct map seen;                 /* (node, object) -> 1 + index in spread */
	struct spread { uint32_t count, stride; int64_t offset; } *spread; size_t spreads;
	struct copy *copy; size_t copies;
	uint32_t *queue; size_t queued, queue_room;
	struct alias_call *call; size_t calls;
	uint32_t world;                  /* the node of what unknown code knows; others have ALIAS_OUTSIDE for it */
	uint32_t *back; size_t backs;
	uint32_t *wild; size_t wilds;    /* calls of whatever unknown code knows */
};

#define ANYWHERE 1u                      /* stride: any byte of the object */

/* Room for one more element; NULL after failed was set. */
void *alias_grow(struct alias *a, void *array, size_t n, size_t size);

/* world.c: numbers of everything */
bool alias_number(struct alias *a);
uint32_t alias_add_object(struct alias *a, struct alias_object o);
/* weak: it may be another one, outside the flow. */
uint32_t alias_find_function(const struct alias *a, uint32_t unit, const char *name, bool *weak);
uint32_t alias_data_object(struct alias *a, uint32_t unit, uint32_t data);
bool alias_find_recursion(struct alias *a);

/* solve.c: nodes, places, propagation */
uint32_t alias_add_node(struct alias *a);
void alias_add_edge(struct alias *a, uint32_t from, uint32_t to, int64_t add, uint32_t stride);
void alias_add_duty(struct alias *a, uint32_t node, enum duty_kind kind, uint32_t what);
void alias_add_copy(struct alias *a, uint32_t from, uint32_t to, uint64_t size);
void alias_add_place(struct alias *a, uint32_t node, uint32_t object, int64_t offset, uint32_t stride);
void alias_add_outside(struct alias *a, uint32_t node);
bool alias_is_known(const struct alias *a, uint32_t object);     /* by unknown code */
/* Does what a node has outside say as much as this place of it? */
bool alias_is_covered(const struct alias *a, const struct node *n, uint32_t place);
/* Unknown code reads and writes an object. */
void alias_open(struct alias *a, uint32_t object);
uint32_t alias_find(const struct alias *a, uint32_t node);        /* what stands for it */
void alias_solve(struct alias *a);

/* build.c: constraints of the records */
void alias_build(struct alias *a);
void alias_share_globals(struct alias *a);
uint32_t alias_operand(struct alias *a, uint32_t unit, uint32_t func, const struct flow_operand *o);
/* A function turned out to be callee of a call; ALIAS_NONE: unknown code is. */
void alias_bind(struct alias *a, uint32_t call, uint32_t function);
/* A call may reach all that unknown code knows. */
void alias_bind_outside(struct alias *a, uint32_t call);
/* A call through a pointer may be one of a library function; which: its object. */
void alias_bind_library(struct alias *a, uint32_t call, uint32_t object);
/* Unknown code learned an address. */
void alias_escape(struct alias *a, uint32_t place);

/* library.c: what is known of a function of the library, or of one of the compiler's; NULL. */
const struct clib *alias_library(const char *name);
uint32_t alias_library_number(const struct clib *c);
const struct clib *alias_library_at(uint32_t number);
/* Is there a text with one of these conversions of printf or scanf? */
bool alias_text_has(const struct flow *fl, const char *conversions);

#endif
